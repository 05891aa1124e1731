// Arrays in NumPy's format (.npy), as bytes: states and payloads of updates.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "lockstep/schedules/array.hpp"

namespace lockstep {

struct NpyArray {
    std::string type;  ///< as NumPy says it: "<f4"
    std::vector<std::uint64_t> shape;
    Array<std::byte> bytes;  ///< row-major, little-endian

    std::uint64_t rows() const { return shape.empty() ? 1 : shape[0]; }
    /// Of one of the first dimension; 0 where there is none.
    std::uint64_t row_bytes() const { return rows() == 0 ? 0 : bytes.size() / rows(); }
};

/// An array of two dimensions may have either order. Throws FormatError on what is no such array, on another byte
/// order, on more dimensions in Fortran's order, and on a file that is cut off.
NpyArray read_npy(const std::filesystem::path& path);
/// Atomically. Throws OutputError.
void write_npy(const std::filesystem::path& path, const NpyArray& array);

}  // namespace lockstep
