// The seal of a file: hashes of all its bytes, in pieces of 64 KiB. It is stored after the HDF5 data, where
// HDF5 does not read, and lets a reader detect any damage before HDF5 parses the file. SCHEMA.md describes
// the layout.
#pragma once

#include <filesystem>
#include <vector>

#include "hdf5_driver.hpp"
#include "lockstep/formats/hash.hpp"

namespace lockstep::hdf5 {

/// Returns the seal of the first `length` bytes of `storage`, computed on all threads. Reads these bytes back
/// from the file, because HDF5 writes some of them more than once. Throws Hdf5Error if they cannot be read.
std::vector<std::byte> make_seal(Storage& storage, std::uint64_t length);

/// Returns whether the last bytes of a file look like those of a seal.
bool looks_sealed(const StoredFile& file);

/// A file that HDF5 reads, and whose bytes are checked. If the file has a seal, a piece is checked whenever
/// it is read from the disk, and HDF5 gets a copy of the checked piece.
class SealedFile : public StoredFile {
public:
    /// Checks the structure of the file without HDF5. Throws Hdf5Error if it is not a regular file, is not an
    /// HDF5 file with checksums, is shorter or longer than it states, or has a damaged seal.
    explicit SealedFile(const std::filesystem::path& path);

    bool sealed() const { return !pieces_.empty(); }
    /// Reads bytes and checks them against the seal. Arrays are read by read_unchecked() on all threads
    /// instead, since they have hashes of their own.
    int read(std::uint64_t offset, void* data, std::size_t size) noexcept override;

private:
    void read_seal();

    std::vector<Digest> pieces_;
    std::vector<std::byte> piece_;  ///< the piece that was checked last
    std::uint64_t loaded_;
};

}  // namespace lockstep::hdf5
