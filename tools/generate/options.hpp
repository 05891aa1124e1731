// The options of lockstep-generate.
#pragma once

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "cli.hpp"

namespace lockstep::generate {

/// Maximum number of vertices per side: the largest number of vertices that the 32-bit IDs of binary triples
/// can distinguish.
inline constexpr VertexId max_generated_vertices = std::numeric_limits<std::int32_t>::max();

struct Kind;

struct GenerateOptions {
    const Kind* kind = nullptr;
    std::optional<std::string> output, output_format, scale, sides, weights;
    std::optional<std::uint64_t> seed, points;
    std::optional<int> decimals;
    std::optional<VertexId> users, items, max_degree, width, height, vertices, degree;
    std::optional<EdgeId> edges, edge_factor;
    std::optional<std::uint32_t> rank;
    std::optional<double> noise, mean, deviation, drop, a, b, c;
    bool no_duplicates = false, no_self_loops = false, both_arcs = false, force = false;

    void list(Fields& fields);
};

/// Returns the value of an option. Throws UsageError if it is not given.
template <class T>
const T& required(const std::optional<T>& value, const char* option) {
    if (!value) throw cli::UsageError(fmt::format("--{} is missing", option));
    return *value;
}

/// Parses "none" or "LOW..HIGH". Throws UsageError.
std::optional<std::pair<double, double>> range(const std::optional<std::string>& text, const char* option);

}  // namespace lockstep::generate
