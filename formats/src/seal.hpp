// The seal of a file: hashes of its bytes, stored after the end of the HDF5 data, where HDF5 does not read.
// SCHEMA.md describes its layout.
#pragma once

#include <filesystem>
#include <vector>

#include "hdf5_driver.hpp"
#include "lockstep/formats/hash.hpp"

namespace lockstep::hdf5 {

/// Returns the bytes of the seal for the first `length` bytes of `storage`, hashed by all threads at memory
/// speed. Reads these bytes back, since HDF5 writes some of them more than once. Throws Failed with the
/// error.
std::vector<std::byte> make_seal(Storage& storage, std::uint64_t length);

/// Returns true if a file ends like a sealed file.
bool looks_sealed(const StoredFile& file);

/// A file that HDF5 reads. Each piece of a sealed file is checked when it is first read, and HDF5 gets the
/// data from the checked copy. So HDF5 never sees a byte that was not checked against the seal.
class SealedFile : public StoredFile {
public:
    /// Checks the file without HDF5. Throws Failed if it is not a regular file, not an HDF5 file with
    /// checksums, truncated, longer than it states, or if its seal is damaged.
    explicit SealedFile(const std::filesystem::path& path);

    bool sealed() const { return !pieces_.empty(); }
    /// Reads checked bytes. (All threads read arrays with read_unchecked, since arrays have hashes of their
    /// own.)
    int read(std::uint64_t offset, void* data, std::size_t size) noexcept override;

private:
    void read_seal();

    std::vector<Digest> pieces_;
    std::vector<std::byte> piece_;  ///< the last piece that was checked
    std::uint64_t loaded_;
};

}  // namespace lockstep::hdf5
