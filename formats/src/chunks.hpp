// Arrays in chunks: the content of a chunk, its checksum, and the hash of an array, which is computed from
// the hashes of its chunks. Chunks are independent, so threads write and check them concurrently.
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

/// Partition of an array of `entries` into chunks of whole rows, each of about 1 MiB; the last one may be
/// shorter.
struct Chunks {
    Chunks(std::uint64_t array_entries, std::size_t stored_entry_bytes, std::uint64_t width);

    std::uint64_t count() const { return (entries + length - 1) / length; }
    std::uint64_t begin(std::uint64_t chunk) const { return chunk * length; }
    std::uint64_t size(std::uint64_t chunk) const { return std::min(length, entries - begin(chunk)); }
    std::size_t bytes() const { return length * entry_bytes; }  ///< size of a whole chunk

    std::uint64_t entries;
    std::size_t entry_bytes;  ///< size of an entry in the file
    std::uint64_t length;     ///< number of entries of a whole chunk
};

/// Returns the size of an entry in the file: 4 bytes for unsigned 64-bit entries that all fit into 32 bits,
/// otherwise sizeof(T).
template <class T>
std::size_t stored_entry_bytes(std::span<const T> values);

/// Copies the entries of one chunk to `place`, as they are stored in the file.
template <class T>
void put_entries(std::span<const T> values, std::size_t entry_bytes, std::byte* place);
/// Copies stored entries to `values`; the inverse of put_entries.
template <class T>
void get_entries(const std::byte* stored, std::size_t entry_bytes, std::span<T> values);

/// Returns HDF5's Fletcher32 checksum of 16-bit words, which its filter expects after the data of a chunk.
std::uint32_t fletcher32(std::span<const std::byte> bytes);

/// Returns the hash of an array: of its length, its stored entry size and the hashes of its chunks.
std::string array_hash(const Chunks& chunks, std::span<const Digest> of_chunks);
/// Returns the hash of an array in memory, computed in parallel.
template <class T>
std::string array_hash(const Chunks& chunks, std::span<const T> values);
/// Returns the hash that an array of rank 1 would have in a file; "" if the array is empty.
template <class T>
std::string array_hash(std::span<const T> values) {
    return values.empty() ? std::string()
                          : array_hash(Chunks(values.size(), stored_entry_bytes(values), 1), values);
}

/// One buffer per thread. All are allocated before the threads start, so that a failed allocation is an
/// ordinary exception.
class ThreadBuffers {
public:
    explicit ThreadBuffers(std::size_t bytes);
    std::byte* mine();

private:
    std::size_t bytes_;
    Array<std::byte> all_;  // uninitialized; each thread touches its own part on first use
};

}  // namespace lockstep::hdf5
