// Arrays in chunks: what stands in a chunk, its checksum, and the hash of an array from those of its chunks.
// Chunks are independent of each other, so threads make and check them side by side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lockstep/formats/hash.hpp"
#include "lockstep/schedules/array.hpp"

namespace lockstep::hdf5 {

/// How an array of `entries` is cut: into runs of whole rows of about 1 MiB, the last one shorter.
struct Chunks {
    Chunks(std::uint64_t array_entries, std::size_t stored_entry_bytes, std::uint64_t width);

    std::uint64_t count() const { return (entries + length - 1) / length; }
    std::uint64_t begin(std::uint64_t chunk) const { return chunk * length; }
    std::uint64_t size(std::uint64_t chunk) const { return std::min(length, entries - begin(chunk)); }
    std::size_t bytes() const { return length * entry_bytes; }  ///< of a whole chunk

    std::uint64_t entries;
    std::size_t entry_bytes;  ///< in the file
    std::uint64_t length;     ///< entries of a whole chunk
};

/// Bytes of an entry in the file: 4 for unsigned 64-bit entries that all fit, otherwise sizeof(T).
template <class T>
std::size_t stored_entry_bytes(std::span<const T> values);

/// The entries of one chunk as they are stored, in `place`.
template <class T>
void put_entries(std::span<const T> values, std::size_t entry_bytes, std::byte* place);
/// The inverse.
template <class T>
void get_entries(const std::byte* stored, std::size_t entry_bytes, std::span<T> values);

/// HDF5's Fletcher32 of 16-bit words, the checksum that its filter expects behind a chunk.
std::uint32_t fletcher32(std::span<const std::byte> bytes);

/// Hash of an array: of its length, its stored entry size and the hashes of its chunks.
std::string array_hash(const Chunks& chunks, std::span<const Digest> of_chunks);
/// The same from an array in memory, in parallel.
template <class T>
std::string array_hash(const Chunks& chunks, std::span<const T> values);
/// The same of an array of rank 1, cut and stored as it would be; "" where it is empty.
template <class T>
std::string array_hash(std::span<const T> values) {
    return values.empty() ? std::string()
                          : array_hash(Chunks(values.size(), stored_entry_bytes(values), 1), values);
}

/// One buffer a thread, taken before the threads start: memory that runs out is then an exception as ever.
class ThreadBuffers {
public:
    explicit ThreadBuffers(std::size_t bytes);
    std::byte* mine();

private:
    std::size_t bytes_;
    Array<std::byte> all_;  // which a thread touches when it needs it
};

}  // namespace lockstep::hdf5
