// Integer types of all Lockstep components (indices.hpp), and checked conversion between integer types.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "lockstep/schedules/error.hpp"
#include "lockstep/schedules/indices.hpp"

namespace lockstep {

/// Maximum number of vertices of one side. The next larger value marks "no vertex".
inline constexpr VertexId max_vertices = std::numeric_limits<VertexId>::max() - 1;

/// Converts between integer types. Throws Error, which names `what`, if the value does not fit.
template <std::integral To, std::integral From>
constexpr To checked_cast(From value, const char* what) {
    if (!std::in_range<To>(value)) {
        throw Error(Failure::bad_input, std::string(what) + " is too large: " + std::to_string(value));
    }
    return static_cast<To>(value);
}

}  // namespace lockstep
