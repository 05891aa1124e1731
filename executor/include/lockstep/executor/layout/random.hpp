// Random numbers and permutations of a layout, as functions of (seed, purpose, index) by Philox.
#pragma once

#include <vector>

#include "lockstep/schedules/types.hpp"

namespace lockstep::layout {

/// The purposes of random numbers. Sweep s = 1, 2, … uses the purposes 2 s and 2 s + 1.
enum class Drawn : std::uint32_t { places = 0, pivots = 0x70697630, start = 0x73746172 };

/// Returns a random word for each of 0 … count - 1.
std::vector<std::uint32_t> draw(std::uint64_t seed, std::uint32_t what, VertexId count);
/// Returns a random permutation of 0 … count - 1.
std::vector<VertexId> permutation(std::uint64_t seed, std::uint32_t what, VertexId count);

}  // namespace lockstep::layout
