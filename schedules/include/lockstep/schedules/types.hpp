// Includes the integer types of vertices and edges (indices.hpp), and defines the checked conversion between
// integer types.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "lockstep/schedules/error.hpp"
#include "lockstep/schedules/indices.hpp"

namespace lockstep {

/// Maximum number of vertices of one side. The next larger value is reserved as a mark for "no vertex".
inline constexpr VertexId max_vertices = std::numeric_limits<VertexId>::max() - 1;

/// Converts between integer types. Throws Error with the description `what` if the value does not fit.
template <std::integral To, std::integral From>
constexpr To checked_cast(From value, const char* what) {
    if (!std::in_range<To>(value)) {
        throw Error(Failure::bad_input, std::string(what) + " is too large: " + std::to_string(value));
    }
    return static_cast<To>(value);
}

}  // namespace lockstep
