// Integer types of every Lockstep component, and checked conversion between them.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "lockstep/schedules/error.hpp"

namespace lockstep {

/// A row (user) or column (item) of the graph; graphs have fewer than 2^32 - 1 vertices a side.
using VertexId = std::uint32_t;
/// A position in an edge list, or a count of edges. Always 64-bit: graphs outgrow 2^32 edges.
using EdgeId = std::uint64_t;

/// Largest vertex count of one side; the value above it marks "no vertex".
inline constexpr VertexId max_vertices = std::numeric_limits<VertexId>::max() - 1;

/// Converts between integer types. Throws Error naming `what` when the value does not fit.
template <std::integral To, std::integral From>
constexpr To checked_cast(From value, const char* what) {
    if (!std::in_range<To>(value)) {
        throw Error(Failure::bad_input, std::string(what) + " is too large: " + std::to_string(value));
    }
    return static_cast<To>(value);
}

}  // namespace lockstep
