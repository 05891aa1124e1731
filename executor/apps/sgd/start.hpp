// The start of a run: the held-out edges, and the initial factors.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/sgd/backend.hpp"

namespace lockstep::sgd {

/// Returns held_out[e] for every edge: true with probability `fraction`, by Philox of (seed, ID of the edge).
/// Returns an empty vector if `fraction` is 0. For a part of a graph, the IDs are those of the whole graph:
/// they begin at `first`, or are given as `numbers`.
std::vector<bool> hold_out(EdgeId edges, double fraction, std::uint64_t seed, EdgeId first = 0);
std::vector<bool> hold_out(std::span<const EdgeId> numbers, double fraction, std::uint64_t seed);

/// Returns uniform random factors by Philox of (seed, side, vertex, chunk), scaled so that the expected
/// prediction is `mean`; they are centred on zero if `mean` is not positive.
Factors initial_factors(VertexId rows, VertexId cols, std::uint32_t rank, double mean, std::uint64_t seed);

/// Returns initial factors for the residuals of biases: uniform around zero, such that the product of two
/// vectors has the standard deviation `initial_share` x `spread`. The residuals are small, and mostly noise,
/// so the factors grow from almost nothing. From rank 4 on, two components are corrections of the biases,
/// (0, a) and (a, 0) with a = `initial_correction` x sqrt(`spread`). The sweeps update them like all others.
inline constexpr double initial_share = 0.01, initial_correction = 0.3;
Factors small_factors(VertexId rows, VertexId cols, std::uint32_t rank, double spread, std::uint64_t seed);

/// Returns the reason why the GPU cannot run a plan at this rank (why_not of edge/plan.hpp), or nothing if it
/// can or if CUDA was not compiled in for this rank.
std::optional<std::string> cuda_misfit(const EdgePlan& plan, std::uint32_t rank, Storage storage);

}  // namespace lockstep::sgd
