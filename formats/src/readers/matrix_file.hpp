// Reading of HDF5 files that other programs have written, such as AnnData. Such files have no seal and often
// no checksums, so they are read with precautions: only hard links are followed, no other files and no
// plugins are opened, and all sizes are checked against the bytes that the file stores.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../hdf5_driver.hpp"
#include "sparse_matrix.hpp"

namespace lockstep::readers {

/// An open HDF5 file of another program. It must be used inside hdf5::reading(). The functions throw
/// hdf5::Hdf5Error with the name of the faulty object.
class MatrixFile {
public:
    explicit MatrixFile(const std::filesystem::path& path);

    enum class Kind { absent, group, dataset };
    /// Returns the kind of the object at `path`. Throws if a part of the path is not a hard link.
    Kind kind(const std::string& path) const;
    std::vector<std::string> children(const std::string& path) const;

    /// Return the value of an attribute of an object. Return nothing if the object has no such attribute, or
    /// if the attribute has another type.
    std::optional<std::string> text(const std::string& path, const std::string& attribute) const;
    std::vector<std::int64_t> integers(const std::string& path, const std::string& attribute) const;

    std::vector<std::uint64_t> extent(const std::string& path) const;
    std::unique_ptr<NumberArray> numbers(const std::string& path) const;
    /// Returns an array of texts, which may have fixed or variable length. Integers are converted to text.
    std::vector<std::string> strings(const std::string& path) const;

private:
    hdf5::StoredFile bytes_;
    hdf5::File file_;
};

}  // namespace lockstep::readers
