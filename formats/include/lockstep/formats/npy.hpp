// Arrays in NumPy's format (.npy), as bytes: states and payloads of updates.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "lockstep/schedules/array.hpp"

namespace lockstep {

/// Numbers of one type in each entry of an array.
struct NpyField {
    std::string name;          ///< empty if the array is not structured
    char kind = 0;             ///< 'f', 'i', 'u', 'b', …; 'V': bytes
    std::size_t bytes = 0;     ///< of a number
    std::uint64_t count = 1;   ///< numbers, one after another
    std::uint64_t offset = 0;  ///< bytes from the start of the entry
};

struct NpyArray {
    std::string type;  ///< NumPy's text: "<f4"; of a structured array "[('x', '<f4'), ('n', '<i8')]"
    std::vector<std::uint64_t> shape;
    Array<std::byte> bytes;  ///< row-major, little-endian

    std::uint64_t rows() const { return shape.empty() ? 1 : shape[0]; }
    /// Bytes of an entry of the first dimension; 0 if there is none.
    std::uint64_t row_bytes() const { return rows() == 0 ? 0 : bytes.size() / rows(); }
    bool structured() const { return type.starts_with('['); }
};

/// Returns the fields of a type as NumPy writes it; one without a name if the entries are numbers. Throws
/// Error (bad_input) on a type that is not NumPy's, on nested structures and on big-endian numbers.
std::vector<NpyField> npy_fields(const std::string& type);

/// Reads an array. One of two dimensions may have either order; one of structures may have any fields of
/// numbers. Throws FormatError on a file that is no such array, on big-endian numbers, on more dimensions in
/// Fortran's order, and on a file that is cut off.
NpyArray read_npy(const std::filesystem::path& path);
/// Atomically. Throws OutputError.
void write_npy(const std::filesystem::path& path, const NpyArray& array);

}  // namespace lockstep
