// HDF5 files of other programs, read as guardedly as they allow: hard links only, nothing outside of the
// file, no plugins, every extent bounded by what the file stores. They have no seal, and often no checksums.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../hdf5_driver.hpp"
#include "sparse_matrix.hpp"

namespace lockstep::readers {

/// Lives inside hdf5::reading(). Members throw hdf5::Failed, naming the object.
class MatrixFile {
public:
    explicit MatrixFile(const std::filesystem::path& path);

    enum class Kind { absent, group, dataset };
    /// Every step of the path must be a hard link.
    Kind kind(const std::string& path) const;
    std::vector<std::string> children(const std::string& path) const;

    /// Attributes of an object; nothing where it has none of this name or of another kind.
    std::optional<std::string> text(const std::string& path, const std::string& attribute) const;
    std::vector<std::int64_t> integers(const std::string& path, const std::string& attribute) const;

    std::vector<std::uint64_t> extent(const std::string& path) const;
    bool is_compound(const std::string& path) const;
    std::unique_ptr<NumberArray> numbers(const std::string& path) const;
    /// An array of text, of fixed or variable length, or of integers as text.
    std::vector<std::string> strings(const std::string& path) const;

private:
    hdf5::StoredFile bytes_;
    hdf5::File file_;
};

}  // namespace lockstep::readers
