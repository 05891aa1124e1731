// The seal of a file: hashes of its bytes, behind its end, where HDF5 does not look. SCHEMA.md has its form.
#pragma once

#include <filesystem>
#include <vector>

#include "hdf5_driver.hpp"
#include "lockstep/formats/hash.hpp"

namespace lockstep::hdf5 {

/// The bytes of the seal of the first `length` bytes of `storage`, hashed by all threads at the speed of
/// memory. Reads them again: HDF5 has written some more than once. Throws Failed, naming the error.
std::vector<std::byte> make_seal(Storage& storage, std::uint64_t length);

/// Whether a file ends as a sealed one does.
bool looks_sealed(const StoredFile& file);

/// A file that HDF5 reads. Every piece of a sealed file is checked when it is first asked for and handed
/// over from the copy that was checked, so that HDF5 sees no byte that the seal does not know.
class SealedFile : public StoredFile {
public:
    /// Looks at the file without HDF5. Throws Failed when it is no regular file, no HDF5 with checksums,
    /// cut off, longer than it says, or when its seal is damaged.
    explicit SealedFile(const std::filesystem::path& path);

    bool sealed() const { return !pieces_.empty(); }
    /// (Arrays are read unchecked by all threads: they have hashes of their own.)
    int read(std::uint64_t offset, void* data, std::size_t size) noexcept override;

private:
    void read_seal();

    std::vector<Digest> pieces_;
    std::vector<std::byte> piece_;  ///< the last one checked
    std::uint64_t loaded_;
};

}  // namespace lockstep::hdf5
