// The head of an array file in NumPy's format:
// numpy.org/doc/stable/reference/generated/numpy.lib.format.html.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/formats/npy.hpp"

namespace lockstep::readers {

struct NpyHead {
    std::string type;              ///< type as NumPy writes it: "<f4"
    std::vector<NpyField> fields;  ///< fields of a structured array, whose kind is 'V'
    std::vector<std::uint64_t> shape;
    bool fortran_order = false;
    char kind = 0;  ///< NumPy's type character: 'f', 'i', 'u', 'b', …
    std::size_t entry_bytes = 0;
    std::uint64_t entries = 1;
    std::size_t begin = 0;  ///< byte offset of the entries
};
/// Parses the head of an array. `file` is the whole file or its first 64 KB, `name` is its name in messages,
/// and `advice` is appended to messages. Throws Error if this is not such an array, if the array is
/// big-endian, or if it declares an impossible size.
NpyHead npy_head(std::string_view file, const std::string& name, const std::string& advice);

}  // namespace lockstep::readers
