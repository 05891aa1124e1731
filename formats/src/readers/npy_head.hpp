// The head of an array in NumPy's format: numpy.org/doc/stable/reference/generated/numpy.lib.format.html.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/formats/npy.hpp"

namespace lockstep::readers {

struct NpyHead {
    std::string type;              ///< "<f4"
    std::vector<NpyField> fields;  ///< of a structured array, whose kind is 'V'
    std::vector<std::uint64_t> shape;
    bool fortran_order = false;
    char kind = 0;  ///< 'f', 'i', 'u', 'b', …
    std::size_t entry_bytes = 0;
    std::uint64_t entries = 1;
    std::size_t begin = 0;  ///< of the entries
};
/// `file` is all of it, or its first 64 KB; `name` is what messages call it, `advice` what they end with.
/// Throws Error on what is no such array, is big-endian, or declares an impossible size.
NpyHead npy_head(std::string_view file, const std::string& name, const std::string& advice);

}  // namespace lockstep::readers
