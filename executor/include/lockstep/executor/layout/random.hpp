// Random numbers and permutations for layouts. They are functions of (seed, purpose, index), by the generator
// Philox, so they do not depend on the number of threads.
#pragma once

#include <vector>

#include "lockstep/schedules/types.hpp"

namespace lockstep::layout {

/// The purposes of random numbers. In addition, sweep s = 1, 2, … uses the purposes 2 s and 2 s + 1.
enum class RandomStream : std::uint32_t { places = 0, pivots = 0x70697630, start = 0x73746172 };

/// Returns `count` random words, for the purpose `what`.
std::vector<std::uint32_t> draw_random(std::uint64_t seed, std::uint32_t what, VertexId count);
/// Returns a random permutation of 0 … count - 1, for the purpose `what`.
std::vector<VertexId> permutation(std::uint64_t seed, std::uint32_t what, VertexId count);

}  // namespace lockstep::layout
