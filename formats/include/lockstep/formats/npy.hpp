// Reading and writing of arrays in NumPy's format (.npy). User-defined updates use such files for the states
// of vertices and the data of edges.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "lockstep/schedules/array.hpp"

namespace lockstep {

/// A field of a structured array: one or more consecutive numbers of one type in each entry.
struct NpyField {
    std::string name;          ///< name of the field; empty if the array is not structured
    char kind = 0;             ///< NumPy's type character: 'f', 'i', 'u', 'b', …; 'V': raw bytes
    std::size_t bytes = 0;     ///< size of one number in bytes
    std::uint64_t count = 1;   ///< number of numbers in the field
    std::uint64_t offset = 0;  ///< offset of the field in bytes from the start of the entry
};

/// An array as bytes, with its type and shape.
struct NpyArray {
    /// Type in NumPy's notation: "<f4", or for a structured array "[('x', '<f4'), ('n', '<i8')]".
    std::string type;
    std::vector<std::uint64_t> shape;
    Array<std::byte> bytes;  ///< entries in row-major order; numbers are little-endian

    std::uint64_t rows() const { return shape.empty() ? 1 : shape[0]; }
    /// Returns the size in bytes of one entry of the first dimension, or 0 if there are no entries.
    std::uint64_t row_bytes() const { return rows() == 0 ? 0 : bytes.size() / rows(); }
    bool structured() const { return type.starts_with('['); }
};

/// Returns the fields of an array whose type is `type`. If the array is not structured, returns one field
/// without a name. Throws Error (bad_input) if NumPy does not know the type, and for nested structures and
/// big-endian numbers.
std::vector<NpyField> npy_fields(const std::string& type);

/// Reads an array. A structured array may have any numeric fields. A 2-D array may have C or Fortran order;
/// more dimensions require C order. Throws FormatError if the file is no such array, is truncated, or
/// contains big-endian numbers.
NpyArray read_npy(const std::filesystem::path& path);
/// Writes an array with an AtomicFile. Throws OutputError.
void write_npy(const std::filesystem::path& path, const NpyArray& array);

}  // namespace lockstep
