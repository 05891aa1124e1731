// The file driver through which HDF5 reads and writes every byte of Lockstep's files.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hdf5.hpp"

namespace lockstep::hdf5 {

/// The bytes of one file. `read`, `write` and `truncate` return 0 or an errno value; EBADMSG means that bytes
/// do not match the file's seal. Addresses past the end read as zeros.
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

/// A file that is read. Throws Failed if the file is not a regular file or cannot be opened.
class StoredFile : public Storage {
public:
    explicit StoredFile(const std::filesystem::path& path);
    ~StoredFile() override;

    std::uint64_t size() const noexcept override { return size_; }
    int read(std::uint64_t offset, void* data, std::size_t size) noexcept override;
    /// Reads exactly `size` bytes; returns ENODATA if the file ends before. Thread-safe.
    int read_unchecked(std::uint64_t offset, void* data, std::size_t size) const noexcept;

protected:
    /// Sets the bytes of `data` that lie past the end of the file to zero, and returns the number of bytes
    /// before the end.
    std::size_t clear_past_end(std::uint64_t offset, void* data, std::size_t size) const noexcept;

    std::uint64_t size_ = 0;  ///< size that HDF5 may see, without the seal

private:
    int file_;
};

/// Opens the file in `storage`, which must outlive the returned object. Throws Failed.
File open_file(Storage& storage);
/// Creates an empty file in `storage`, which must outlive the returned object. Throws Failed.
File create_file(Storage& storage);

Handle property_list(hid_t kind);
/// Keeps attributes and links in the object header, which carries a checksum, and turns time stamps off.
void keep_compact(hid_t creation);

}  // namespace lockstep::hdf5
