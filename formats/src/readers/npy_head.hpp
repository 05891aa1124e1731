// Parser of the head of a NumPy array file (.npy): the type and shape of the array. The format is described
// at numpy.org/doc/stable/reference/generated/numpy.lib.format.html.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/formats/npy.hpp"

namespace lockstep::readers {

/// The head of an array file.
struct NpyHead {
    std::string type;              ///< type in NumPy's notation, such as "<f4"
    std::vector<NpyField> fields;  ///< fields of a structured array; empty for plain numbers
    std::vector<std::uint64_t> shape;
    bool fortran_order = false;
    char kind = 0;  ///< NumPy's character for the type: 'f', 'i', 'u', 'b', …; 'V' for a structured array
    std::size_t entry_bytes = 0;
    std::uint64_t entries = 1;
    std::size_t begin = 0;  ///< offset of the first entry in the file, in bytes
};
/// Parses the head of an array file. `file` contains the whole file or its first 64 KiB. `name` is the name
/// of the array in messages, and `advice` is appended to some messages. Throws Error if the file is no NumPy
/// array, if its numbers are big-endian, or if it declares an impossible size.
NpyHead npy_head(std::string_view file, const std::string& name, const std::string& advice);

}  // namespace lockstep::readers
