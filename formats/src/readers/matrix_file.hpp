// HDF5 files of other programs. They are read as carefully as possible: only hard links, no other files, no
// plugins, and all extents are checked against the bytes that the file stores. These files have no seal, and
// often no checksums.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../hdf5_driver.hpp"
#include "sparse_matrix.hpp"

namespace lockstep::readers {

/// An open HDF5 file; it must be used inside hdf5::reading(). Members throw hdf5::Failed with the name of the
/// object.
class MatrixFile {
public:
    explicit MatrixFile(const std::filesystem::path& path);

    enum class Kind { absent, group, dataset };
    /// Returns the kind of an object. Throws if a part of the path is not a hard link.
    Kind kind(const std::string& path) const;
    std::vector<std::string> children(const std::string& path) const;

    /// The next two functions return an attribute of an object, or nothing if the object has no such
    /// attribute or if it has another type.
    std::optional<std::string> text(const std::string& path, const std::string& attribute) const;
    std::vector<std::int64_t> integers(const std::string& path, const std::string& attribute) const;

    std::vector<std::uint64_t> extent(const std::string& path) const;
    bool is_compound(const std::string& path) const;
    std::unique_ptr<NumberArray> numbers(const std::string& path) const;
    /// Returns an array of text of fixed or variable length, or an array of integers converted to text.
    std::vector<std::string> strings(const std::string& path) const;

private:
    hdf5::StoredFile bytes_;
    hdf5::File file_;
};

}  // namespace lockstep::readers
