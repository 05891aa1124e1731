// What a layout draws: numbers and permutations of (seed, what for, position), by Philox.
#pragma once

#include <vector>

#include "lockstep/schedules/types.hpp"

namespace lockstep::layout {

/// Sweep s = 1, 2, … has the numbers 2 s and 2 s + 1.
enum class Drawn : std::uint32_t { places = 0, pivots = 0x70697630, start = 0x73746172 };

/// A word for each of 0 … count - 1.
std::vector<std::uint32_t> draw(std::uint64_t seed, std::uint32_t what, VertexId count);
/// 0 … count - 1 in the order of such words.
std::vector<VertexId> permutation(std::uint64_t seed, std::uint32_t what, VertexId count);

}  // namespace lockstep::layout
