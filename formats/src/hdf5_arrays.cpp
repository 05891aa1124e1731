// Reading and writing of arrays in HDF5 files (see hdf5.hpp). HDF5 manages only the positions of the chunks.
// Threads compute checksums and hashes in parallel, and read the bytes of chunks themselves, because HDF5's
// own filters use one thread.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "hdf5.hpp"
#include "schema.hpp"
#include "seal.hpp"

namespace lockstep::hdf5 {

namespace {

constexpr std::size_t checksum_bytes = sizeof(std::uint32_t);

/// The position of a chunk's first entry in HDF5's coordinates. The second coordinate is used only for arrays
/// of two dimensions.
using Coordinates = std::array<hsize_t, 2>;
Coordinates coordinates(const Chunks& chunks, std::uint64_t chunk, std::uint64_t width) {
    return {chunks.begin(chunk) / std::max<std::uint64_t>(width, 1), 0};
}

}  // namespace

// --- writing ---------------------------------------------------------------------------------------

template <class T>
void Writer::write(const std::string& path, std::span<const T> values, std::uint64_t width) {
    if (values.empty()) return;
    require_memory();
    const std::size_t entry_bytes = stored_entry_bytes(values);
    const Chunks chunks(values.size(), entry_bytes, width);
    const ArrayTypes types = array_types<T>();
    std::vector<hsize_t> extent{values.size()}, chunk{chunks.length};
    if (width) extent = {values.size() / width, width}, chunk = {chunks.length / width, width};
    Handle dataset =
        make_dataset(path, entry_bytes == sizeof(T) ? types.file.front() : types.file.back(), extent, chunk);
    Node& array = node(path);
    if (deflate_ > 0) {
        array.set(schema::hash, array_hash(chunks, values));
        check(H5Dwrite(dataset.get(), types.memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
              array.path + " cannot be written");
    } else {
        array.set(schema::hash, write_chunks(dataset.get(), chunks, values, width));
    }
    dataset.close("dataset " + array.path + " cannot be closed");
    check_output();
}

template <class T>
std::string Writer::write_chunks(hid_t dataset, const Chunks& chunks, std::span<const T> values,
                                 std::uint64_t width) {
    std::vector<Digest> digests(chunks.count());
    ThreadBuffers buffers(chunks.bytes() + checksum_bytes);
    herr_t result = 0;
    // Threads prepare chunks in parallel, but write them in order, so that equal contents give a
    // byte-identical file. OpenMP's `ordered` is not used, because it spins while it waits, on processors
    // that the operating system needs for writing to the disk.
    std::atomic<std::uint64_t> turn = 0;
#pragma omp parallel if (chunks.count() > 1)
    {
        const Hdf5ErrorSilencer quiet;
        std::byte* const buffer = buffers.mine();
#pragma omp for schedule(static, 1)
        for (std::uint64_t i = 0; i < chunks.count(); ++i) {
            const std::size_t used = chunks.size(i) * chunks.entry_bytes;
            put_entries(values.subspan(chunks.begin(i), chunks.size(i)), chunks.entry_bytes, buffer);
            digests[i] = digest({buffer, used});
            std::memset(buffer + used, 0, chunks.bytes() - used);
            const std::uint32_t checksum = fletcher32({buffer, chunks.bytes()});
            std::memcpy(buffer + chunks.bytes(), &checksum, checksum_bytes);
            const Coordinates at = coordinates(chunks, i, width);
            for (std::uint64_t now = turn; now != i; now = turn) turn.wait(now);
            if (result >= 0)
                result = H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, at.data(), chunks.bytes() + checksum_bytes,
                                        buffer);
            turn = i + 1;
            turn.notify_all();
            start_flushing();
        }
    }
    check(result, "a chunk cannot be written");
    return array_hash(chunks, digests);
}

// --- reading ---------------------------------------------------------------------------------------

void Reader::take_memory(const StoredArray& array, std::uint64_t bytes) {
    if (bytes > memory_left_) {
        throw Hdf5Error(fmt::format("{} needs {} bytes of memory; {} are left of this machine's", array.path,
                                    bytes, memory_left_));
    }
    memory_left_ -= bytes;
}

std::uint64_t Reader::entries_of(const StoredArray& array, const std::vector<EntryRange>& ranges) {
    std::uint64_t entries = 0, last = 0;
    for (const EntryRange& range : ranges) {
        if (range.begin < last || range.end < range.begin || range.end > array.chunks.entries)
            throw Hdf5Error(fmt::format("{} has no entries {} to {}: the levels of the schedule do not match",
                                        array.path, range.begin, range.end));
        entries += range.end - range.begin, last = range.end;
    }
    return entries;
}

template <class T>
void Reader::read_array(const StoredArray& array, std::span<T> values) {
    require_memory();
    std::string hash;
    if (array.as_written) {
        hash = read_chunks(array, values);
    } else {
        check(H5Dread(array.dataset.get(), array_types<T>().memory, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                      values.data()),
              array.path + " cannot be read, it is damaged");
        hash = array_hash<T>(array.chunks, values);
    }
    if (hash != array.hash)
        throw Hdf5Error(array.path + " does not agree with its hash: the file is damaged or was changed");
}

/// Reads the chunks that contain the ranges. A chunk is read only once, even if it contains several ranges.
template <class T>
void Reader::read_ranges(const StoredArray& array, const std::vector<EntryRange>& ranges,
                         std::span<T> values) {
    require_memory();
    const Chunks& chunks = array.chunks;
    const Handle file_space(H5Dget_space(array.dataset.get()), H5Sclose, array.path, " has no dataspace");
    std::vector<T> loaded;
    std::uint64_t chunk = chunks.count();  // index of the chunk in `loaded`
    const auto load = [&](std::uint64_t wanted) {
        if (std::exchange(chunk, wanted) == wanted) return;
        const hsize_t begin = chunks.begin(chunk), count = chunks.size(chunk);
        loaded.resize(count);
        check(H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, &begin, nullptr, &count, nullptr),
              array.path + " has no such entries");
        const Handle memory_space(H5Screate_simple(1, &count, nullptr), H5Sclose, "no dataspace");
        check(H5Dread(array.dataset.get(), array_types<T>().memory, memory_space.get(), file_space.get(),
                      H5P_DEFAULT, loaded.data()),
              array.path + " cannot be read, it is damaged");
    };
    auto to = values.begin();
    for (const EntryRange& range : ranges) {
        for (std::uint64_t at = range.begin; at < range.end;) {
            load(at / chunks.length);
            const std::uint64_t offset = at - chunks.begin(chunk);
            const std::uint64_t count = std::min<std::uint64_t>(range.end - at, loaded.size() - offset);
            to = std::copy_n(loaded.begin() + static_cast<std::ptrdiff_t>(offset), count, to);
            at += count;
        }
    }
}

/// Reads the chunks without HDF5, on all threads, and returns the hash of the array. The Fletcher32 checksums
/// are not checked, because the hash covers the same bytes and is four times as long.
template <class T>
std::string Reader::read_chunks(const StoredArray& array, std::span<T> values) {
    const Chunks& chunks = array.chunks;
    std::vector<haddr_t> address(chunks.count());
    for (std::uint64_t i = 0; i < chunks.count(); ++i) {
        const Coordinates at = coordinates(chunks, i, array.extent.size() > 1 ? array.extent[1] : 0);
        unsigned skipped_filters = 0;
        hsize_t size = 0;
        check(
            H5Dget_chunk_info_by_coord(array.dataset.get(), at.data(), &skipped_filters, &address[i], &size),
            array.path + " has damaged chunks");
        if (address[i] == HADDR_UNDEF || size != chunks.bytes() + checksum_bytes || skipped_filters != 0) {
            throw Hdf5Error(fmt::format("{} has a damaged chunk, number {}", array.path, i));
        }
    }
    std::vector<Digest> digests(chunks.count());
    ThreadBuffers buffers(chunks.bytes());
    std::atomic<int> error{0};
#pragma omp parallel for schedule(dynamic) if (chunks.count() > 1)
    for (std::uint64_t i = 0; i < chunks.count(); ++i) {
        const std::span<T> part = values.subspan(chunks.begin(i), chunks.size(i));
        const bool as_stored = chunks.entry_bytes == sizeof(T);
        std::byte* const place = as_stored ? reinterpret_cast<std::byte*>(part.data()) : buffers.mine();
        const std::size_t used = chunks.size(i) * chunks.entry_bytes;
        if (const int e = bytes_->read_unchecked(address[i], place, used)) {
            error = e;
            continue;
        }
        digests[i] = digest({place, used});
        if (!as_stored) get_entries(place, chunks.entry_bytes, part);
    }
    if (error != 0)
        throw Hdf5Error(fmt::format("{} cannot be read: {}", array.path,
                                    error == ENODATA ? "the file is cut off" : std::strerror(error)));
    return array_hash(chunks, digests);
}

#define LOCKSTEP_ARRAYS_OF(T)                                                           \
    template void Writer::write(const std::string&, std::span<const T>, std::uint64_t); \
    template void Reader::read_array(const StoredArray&, std::span<T>);                 \
    template void Reader::read_ranges(const StoredArray&, const std::vector<EntryRange>&, std::span<T>);
LOCKSTEP_ARRAYS_OF(std::uint64_t)
LOCKSTEP_ARRAYS_OF(std::int64_t)
LOCKSTEP_ARRAYS_OF(std::uint32_t)
LOCKSTEP_ARRAYS_OF(float)
LOCKSTEP_ARRAYS_OF(char)
#undef LOCKSTEP_ARRAYS_OF

}  // namespace lockstep::hdf5
