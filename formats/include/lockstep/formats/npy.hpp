// Arrays in NumPy's format (.npy), as bytes. They store vertex states and edge payloads of user-defined
// updates.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "lockstep/schedules/array.hpp"

namespace lockstep {

/// A field of a structured array: one or more numbers of one type in each entry.
struct NpyField {
    std::string name;          ///< name of the field; empty if the array is not structured
    char kind = 0;             ///< NumPy's type character: 'f', 'i', 'u', 'b', …; 'V': raw bytes
    std::size_t bytes = 0;     ///< size of one number
    std::uint64_t count = 1;   ///< number of consecutive numbers
    std::uint64_t offset = 0;  ///< offset in bytes from the start of the entry
};

struct NpyArray {
    /// Type as NumPy writes it: "<f4", or for a structured array "[('x', '<f4'), ('n', '<i8')]".
    std::string type;
    std::vector<std::uint64_t> shape;
    Array<std::byte> bytes;  ///< row-major, little-endian

    std::uint64_t rows() const { return shape.empty() ? 1 : shape[0]; }
    /// Returns the size in bytes of one entry of the first dimension; 0 if there are no entries.
    std::uint64_t row_bytes() const { return rows() == 0 ? 0 : bytes.size() / rows(); }
    bool structured() const { return type.starts_with('['); }
};

/// Returns the fields of a type that NumPy wrote. If the entries are plain numbers, that is one field without
/// a name. Throws Error (bad_input) for a type that is not NumPy's, for nested structures and for big-endian
/// numbers.
std::vector<NpyField> npy_fields(const std::string& type);

/// Reads an array. A 2-D array may have C or Fortran order; a structured array may have any numeric fields.
/// Throws FormatError if the file is not such an array, is truncated, contains big-endian numbers, or has
/// more than two dimensions in Fortran order.
NpyArray read_npy(const std::filesystem::path& path);
/// Writes an array atomically. Throws OutputError.
void write_npy(const std::filesystem::path& path, const NpyArray& array);

}  // namespace lockstep
