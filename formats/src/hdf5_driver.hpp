// The HDF5 file driver of Lockstep. HDF5 reads and writes every byte of a file through it, so that bytes are
// checked against the file's seal, and write errors are handled.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hdf5.hpp"

namespace lockstep::hdf5 {

/// The bytes of one file, to which the driver directs HDF5. read(), write() and truncate() return 0 or an
/// errno value; EBADMSG means that bytes do not match the seal of the file. Bytes past the end read as zeros.
class Storage {
public:
    Storage() = default;
    virtual ~Storage() = default;
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;

    virtual std::uint64_t size() const noexcept { return 0; }
    virtual int read(std::uint64_t offset, void* data, std::size_t size) noexcept = 0;
    virtual int write(std::uint64_t offset, const void* data, std::size_t size) noexcept;
    virtual int truncate(std::uint64_t size) noexcept;
};

/// A file that HDF5 only reads. The constructor throws Hdf5Error if the file cannot be opened or is not a
/// regular file.
class StoredFile : public Storage {
public:
    explicit StoredFile(const std::filesystem::path& path);
    ~StoredFile() override;

    std::uint64_t size() const noexcept override { return size_; }
    int read(std::uint64_t offset, void* data, std::size_t size) noexcept override;
    /// Reads exactly `size` bytes, without checking them. Returns ENODATA if the file ends earlier.
    /// Thread-safe.
    int read_unchecked(std::uint64_t offset, void* data, std::size_t size) const noexcept;

protected:
    /// Sets the part of `data` to zero that lies past the end of the file, if `size` bytes are read at
    /// `offset`. Returns the number of bytes before the end.
    std::size_t clear_past_end(std::uint64_t offset, void* data, std::size_t size) const noexcept;

    std::uint64_t size_ = 0;  ///< size of the HDF5 data in bytes, without the seal

private:
    int file_;
};

/// Opens the file in `storage`, which must outlive the returned object. Throws Hdf5Error.
File open_file(Storage& storage);
/// Creates an empty file in `storage`, which must outlive the returned object. Throws Hdf5Error.
File create_file(Storage& storage);

/// Returns a new HDF5 property list of the given class.
Handle property_list(hid_t kind);
/// Sets properties with which attributes and links are stored in the header of their object, which has a
/// checksum. Turns time stamps off.
void keep_compact(hid_t creation);

}  // namespace lockstep::hdf5
