// Division of arrays into chunks, as HDF5 stores them: contents of a chunk, its checksum, and the hash of an
// array, which is computed from the hashes of its chunks. Threads write and check different chunks
// concurrently.
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

/// The division of an array with `entries` entries into chunks of about 1 MiB. If the array has two
/// dimensions, a chunk consists of whole rows. The last chunk may be shorter.
struct Chunks {
    Chunks(std::uint64_t array_entries, std::size_t stored_entry_bytes, std::uint64_t width);

    std::uint64_t count() const { return (entries + length - 1) / length; }
    std::uint64_t begin(std::uint64_t chunk) const { return chunk * length; }
    std::uint64_t size(std::uint64_t chunk) const { return std::min(length, entries - begin(chunk)); }
    std::size_t bytes() const { return length * entry_bytes; }  ///< size of a complete chunk in bytes

    std::uint64_t entries;
    std::size_t entry_bytes;  ///< size of an entry in the file, in bytes
    std::uint64_t length;     ///< number of entries of a complete chunk
};

/// Returns the size of an entry in the file, in bytes: 4 if the entries are unsigned 64-bit integers that are
/// all below 2^32, otherwise sizeof(T).
template <class T>
std::size_t stored_entry_bytes(std::span<const T> values);

/// Copies the entries of one chunk to `place`, converted to `entry_bytes` bytes each, as the file stores
/// them.
template <class T>
void put_entries(std::span<const T> values, std::size_t entry_bytes, std::byte* place);
/// Copies the stored entries of one chunk to `values`, which is the reverse of put_entries().
template <class T>
void get_entries(const std::byte* stored, std::size_t entry_bytes, std::span<T> values);

/// Returns the Fletcher32 checksum of 16-bit words. HDF5 expects it after the data of each chunk.
std::uint32_t fletcher32(std::span<const std::byte> bytes);

/// Returns the hash of an array, computed from its length, the size of its stored entries and the hashes of
/// its chunks.
std::string array_hash(const Chunks& chunks, std::span<const Digest> of_chunks);
/// Returns the hash of an array in memory. All threads compute it.
template <class T>
std::string array_hash(const Chunks& chunks, std::span<const T> values);
/// Returns the hash that a one-dimensional array would have in a file, or "" if the array is empty.
template <class T>
std::string array_hash(std::span<const T> values) {
    return values.empty() ? std::string()
                          : array_hash(Chunks(values.size(), stored_entry_bytes(values), 1), values);
}

/// One buffer per thread of a parallel region. All buffers are allocated before the region begins, because an
/// exception must not leave the region.
class ThreadBuffers {
public:
    explicit ThreadBuffers(std::size_t bytes);
    std::byte* mine();

private:
    std::size_t bytes_;
    Array<std::byte> all_;  // uninitialized, so that each thread is the first to touch its own buffer
};

}  // namespace lockstep::hdf5
