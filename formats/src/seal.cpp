#include "seal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>

namespace lockstep::hdf5 {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are stored as they are in memory");

/// Size of a piece of the file in bytes, the unit that is hashed. It is small enough that reading only the
/// attributes reads few bytes, and large enough that the hashes take only 1/4096 of the file.
constexpr std::size_t piece_bytes = 1 << 16;
constexpr std::uint64_t nothing = ~std::uint64_t{0};

/// The last bytes of a sealed file. The hashes of all pieces precede it.
struct Footer {
    char magic[8] = {'L', 'O', 'C', 'K', 'S', 'E', 'A', 'L'};
    std::uint32_t version = 1, piece = piece_bytes;
    std::uint64_t length = 0;
    Digest digest{};  ///< hash of the hashes of all pieces and of the fields above
};
constexpr std::size_t hashed_fields = offsetof(Footer, digest);
static_assert(sizeof(Footer) == 40 && sizeof(Digest) == 16);

std::uint64_t count_pieces(std::uint64_t length) { return (length + piece_bytes - 1) / piece_bytes; }
std::size_t bytes_of(std::uint64_t piece, std::uint64_t length) {
    return std::min<std::uint64_t>(piece_bytes, length - piece * piece_bytes);
}

/// Returns the hash that Footer::digest should contain. `seal` contains the hashes of all pieces, followed by
/// the footer.
Digest digest_of(std::span<const std::byte> seal) {
    return digest(seal.first(seal.size() - sizeof(Footer) + hashed_fields));
}

[[noreturn]] void cut_off() { throw Hdf5Error("is damaged or cut off"); }

/// Returns the size of the file that HDF5's superblock states, in bytes.
std::uint64_t stated_end(const unsigned char* superblock) {
    if (std::memcmp(superblock, "\211HDF\r\n\032\n", 8) != 0) {
        throw Hdf5Error("is not an HDF5 file; expected a file that Lockstep has written");
    }
    if (superblock[8] < 2) {
        throw Hdf5Error(fmt::format(
            "has an HDF5 superblock of version {}, so Lockstep has not written it (a matrix of AnnData "
            "or 10x is read by lockstep-preprocess)",
            superblock[8]));
    }
    std::uint64_t end = 0;
    std::memcpy(&end, superblock + 28, sizeof end);
    return end;
}

}  // namespace

bool looks_sealed(const StoredFile& file) {
    char magic[sizeof Footer::magic] = {};
    const std::uint64_t bytes = file.size();
    return bytes >= sizeof(Footer) && file.read_unchecked(bytes - sizeof(Footer), magic, sizeof magic) == 0 &&
           std::memcmp(magic, Footer{}.magic, sizeof magic) == 0;
}

std::vector<std::byte> make_seal(Storage& storage, std::uint64_t length) {
    Footer footer;
    footer.length = length;
    const std::uint64_t count = count_pieces(length);
    const std::size_t table_bytes = count * sizeof(Digest);
    std::vector<std::byte> seal(table_bytes + sizeof footer);
    ThreadBuffers buffers(piece_bytes);
    std::atomic<int> error = 0;
#pragma omp parallel for schedule(static) if (count > 16)
    for (std::uint64_t i = 0; i < count; ++i) {
        std::byte* const piece = buffers.mine();
        const std::size_t size = bytes_of(i, length);
        if (const int e = storage.read(i * piece_bytes, piece, size)) error = e;
        const Digest hash = digest({piece, size});
        std::memcpy(seal.data() + i * sizeof hash, &hash, sizeof hash);
    }
    if (error != 0) throw Hdf5Error(fmt::format("cannot be read back: {}", std::strerror(error)));
    std::memcpy(seal.data() + table_bytes, &footer, sizeof footer);
    footer.digest = digest_of(seal);
    std::memcpy(seal.data() + table_bytes, &footer, sizeof footer);
    return seal;
}

SealedFile::SealedFile(const std::filesystem::path& path) : StoredFile(path), loaded_(nothing) {
    read_seal();
}

void SealedFile::read_seal() {
    const std::uint64_t file_bytes = size_;
    unsigned char superblock[48] = {};
    const auto get = [&](std::uint64_t offset, void* data, std::size_t size) {
        if (const int error = read_unchecked(offset, data, size)) {
            if (error == ENODATA) cut_off();
            throw Hdf5Error(fmt::format("cannot be read: {}", std::strerror(error)));
        }
    };
    get(0, superblock, std::min<std::uint64_t>(sizeof superblock, file_bytes));
    const std::uint64_t end = stated_end(superblock);
    if (file_bytes < sizeof superblock + sizeof(Footer)) cut_off();
    Footer footer;
    get(file_bytes - sizeof footer, &footer, sizeof footer);
    if (std::memcmp(footer.magic, Footer{}.magic, sizeof footer.magic) != 0) {
        // A file of an older version without a seal must have exactly the size that its superblock states.
        if (file_bytes < end) cut_off();
        if (file_bytes > end) {
            throw Hdf5Error(
                fmt::format("has {} bytes after its end that are not a seal: it is damaged or cut off",
                            file_bytes - end));
        }
        return;
    }
    const std::uint64_t count = footer.length < file_bytes ? count_pieces(footer.length) : 0;
    const std::uint64_t seal_bytes = count * sizeof(Digest) + sizeof footer;
    const auto damaged = [] { throw Hdf5Error("has a damaged seal: the file is damaged or cut off"); };
    if (footer.version != 1 || footer.piece != piece_bytes || count == 0 ||
        seal_bytes != file_bytes - footer.length) {
        damaged();
    }
    std::vector<std::byte> seal(seal_bytes);
    get(footer.length, seal.data(), seal.size());
    if (digest_of(seal) != footer.digest) damaged();
    pieces_.resize(count);
    std::memcpy(pieces_.data(), seal.data(), count * sizeof(Digest));
    piece_.resize(piece_bytes);
    size_ = footer.length;
}

int SealedFile::read(std::uint64_t offset, void* data, std::size_t size) noexcept {
    char* place = static_cast<char*>(data);
    size = clear_past_end(offset, data, size);
    if (!sealed()) return read_unchecked(offset, place, size);
    while (size > 0) {
        const std::uint64_t piece = offset / piece_bytes;
        const std::size_t begin = offset % piece_bytes, piece_size = bytes_of(piece, size_);
        if (piece != loaded_) {
            loaded_ = nothing;
            if (const int e = read_unchecked(piece * piece_bytes, piece_.data(), piece_size)) return e;
            if (digest({piece_.data(), piece_size}) != pieces_[piece]) return EBADMSG;
            loaded_ = piece;
        }
        const std::size_t n = std::min(size, piece_size - begin);
        std::memcpy(place, piece_.data() + begin, n);
        place += n, offset += n, size -= n;
    }
    return 0;
}

}  // namespace lockstep::hdf5
