#include "chunks.hpp"

#include <omp.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

namespace lockstep::hdf5 {

namespace {

constexpr std::uint64_t target_bytes = 1 << 20;
static_assert(std::endian::native == std::endian::little, "entries are stored as they are in memory");

/// The sums of a block of n 16-bit words w_0, …, w_(n - 1) from which Fletcher32 is computed: Σ w_i and Σ (n
/// - i) w_i.
struct Sums {
    std::uint64_t first = 0, second = 0;
};
// A lane adds 256 even and 256 odd words of a block, so that their second sum stays below 2^32.
constexpr std::size_t lanes = 4, block_words = 2048;

/// Returns the Fletcher32 sums of one block of 16-bit words. Uses explicit vectors with 32-bit lanes, since
/// compilers do not vectorize the simple loop reliably.
Sums block_sums(const std::byte* bytes) {
    using Vector = std::uint32_t __attribute__((vector_size(4 * lanes)));
    Vector even{}, odd{}, even_second{}, odd_second{};
    for (std::size_t i = 0; i < block_words; i += 2 * lanes) {
        Vector words;
        std::memcpy(&words, bytes + 2 * i, sizeof words);
        even += words & 0xffff, even_second += even;
        odd += words >> 16, odd_second += odd;
    }
    Sums sums;
    for (std::uint64_t j = 0; j < lanes; ++j) {
        sums.first += std::uint64_t{even[j]} + odd[j];
        sums.second += 2 * lanes * (std::uint64_t{even_second[j]} + odd_second[j]) - 2 * j * even[j] -
                       (2 * j + 1) * odd[j];
    }
    return sums;
}

/// Returns a sum of Fletcher32 as HDF5 stores it. A sum that is 0 modulo 65535 is stored as 65535, unless all
/// words are 0 (`any` is false).
std::uint32_t folded(std::uint64_t residue, bool any) {
    return residue == 0 && any ? 65535 : static_cast<std::uint32_t>(residue);
}

}  // namespace

Chunks::Chunks(std::uint64_t array_entries, std::size_t stored_entry_bytes, std::uint64_t width)
    : entries(array_entries), entry_bytes(stored_entry_bytes), length(std::max<std::uint64_t>(width, 1)) {
    length *= std::max<std::uint64_t>(target_bytes / (entry_bytes * length), 1);
    length = std::clamp<std::uint64_t>(entries, 1, length);
}

template <class T>
std::size_t stored_entry_bytes(std::span<const T> values) {
    if constexpr (std::is_same_v<T, std::uint64_t>) {
        std::uint64_t bits = 0;
#pragma omp parallel for simd reduction(| : bits)
        for (std::size_t i = 0; i < values.size(); ++i) bits |= values[i];
        if (bits >> 32 == 0) return sizeof(std::uint32_t);
    }
    return sizeof(T);
}

template <class T>
void put_entries(std::span<const T> values, std::size_t entry_bytes, std::byte* place) {
    if (entry_bytes == sizeof(T)) {
        std::memcpy(place, values.data(), values.size_bytes());
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
        auto* narrow = reinterpret_cast<std::uint32_t*>(place);
        for (std::size_t i = 0; i < values.size(); ++i) narrow[i] = static_cast<std::uint32_t>(values[i]);
    }
}

template <class T>
void get_entries(const std::byte* stored, std::size_t entry_bytes, std::span<T> values) {
    if (entry_bytes == sizeof(T)) {
        std::memcpy(values.data(), stored, values.size_bytes());
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
        const auto* narrow = reinterpret_cast<const std::uint32_t*>(stored);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = narrow[i];
    }
}

std::uint32_t fletcher32(std::span<const std::byte> bytes) {
    constexpr std::uint64_t modulus = 65535;
    std::uint64_t first = 0, second = 0;
    bool any = false;
    const auto add = [&](Sums sums, std::uint64_t words) {
        any |= sums.first != 0;
        second = (second + words * first + sums.second) % modulus;
        first = (first + sums.first) % modulus;
    };
    std::size_t i = 0;
    for (; i + 2 * block_words <= bytes.size(); i += 2 * block_words)
        add(block_sums(bytes.data() + i), block_words);
    for (; i < bytes.size(); i += 2) {
        // An odd last byte is the high half of a word, because HDF5 treats words as big-endian.
        const std::uint64_t high = i + 1 < bytes.size() ? std::to_integer<std::uint64_t>(bytes[i + 1]) : 0;
        const std::uint64_t word = std::to_integer<std::uint64_t>(bytes[i]) | high << 8;
        add({word, word}, 1);
    }
    // The loops above read little-endian words. Swapping the bytes of all words multiplies the sums by 256
    // modulo 65535.
    return folded(second * 256 % modulus, any) << 16 | folded(first * 256 % modulus, any);
}

std::string array_hash(const Chunks& chunks, std::span<const Digest> of_chunks) {
    const std::uint64_t shape[] = {chunks.entries, chunks.entry_bytes};
    ContentHash hash;
    hash.add(std::span<const std::uint64_t>(shape));
    hash.add(of_chunks);
    return hash.hex();
}

template <class T>
std::string array_hash(const Chunks& chunks, std::span<const T> values) {
    std::vector<Digest> digests(chunks.count());
    ThreadBuffers buffers(chunks.bytes());
#pragma omp parallel for schedule(dynamic) if (chunks.count() > 1)
    for (std::uint64_t i = 0; i < chunks.count(); ++i) {
        put_entries(values.subspan(chunks.begin(i), chunks.size(i)), chunks.entry_bytes, buffers.mine());
        digests[i] = digest({buffers.mine(), chunks.size(i) * chunks.entry_bytes});
    }
    return array_hash(chunks, digests);
}

ThreadBuffers::ThreadBuffers(std::size_t bytes)
    : bytes_((bytes + 63) / 64 * 64), all_(bytes_ * static_cast<std::size_t>(omp_get_max_threads())) {}

std::byte* ThreadBuffers::mine() {
    return all_.data() + bytes_ * static_cast<std::size_t>(omp_get_thread_num());
}

#define LOCKSTEP_CHUNKS_OF(T)                                               \
    template std::size_t stored_entry_bytes(std::span<const T>);            \
    template void put_entries(std::span<const T>, std::size_t, std::byte*); \
    template void get_entries(const std::byte*, std::size_t, std::span<T>); \
    template std::string array_hash(const Chunks&, std::span<const T>);
LOCKSTEP_CHUNKS_OF(std::uint64_t)
LOCKSTEP_CHUNKS_OF(std::int64_t)
LOCKSTEP_CHUNKS_OF(std::uint32_t)
LOCKSTEP_CHUNKS_OF(float)
LOCKSTEP_CHUNKS_OF(char)
#undef LOCKSTEP_CHUNKS_OF

}  // namespace lockstep::hdf5
