// What a run starts from: the edges that are held out, and the factors.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/sgd/backend.hpp"

namespace lockstep::sgd {

/// held_out[e] for every edge, each with probability `fraction`, by Philox of (seed, e). Empty for 0. Of some
/// edges of a graph the first of which is e = `first` there; or whose numbers there are given.
std::vector<bool> hold_out(EdgeId edges, double fraction, std::uint64_t seed, EdgeId first = 0);
std::vector<bool> hold_out(std::span<const EdgeId> numbers, double fraction, std::uint64_t seed);

/// Uniform random factors by Philox of (seed, side, vertex, chunk), scaled so that the expected
/// prediction is `mean`; centred on zero when `mean` is not positive.
Factors initial_factors(VertexId rows, VertexId cols, std::uint32_t rank, double mean, std::uint64_t seed);

/// The same for what biases leave: uniform around zero, the product of two `initial_share` of
/// `spread` on average: what biases leave is small, and noise for the most part, so that the factors grow
/// from next to nothing. From rank 4 on two components are corrections of the biases, (0, a) and (a, 0) with
/// a = `initial_correction` times the root of `spread`: as free as the others from then on.
inline constexpr double initial_share = 0.01, initial_correction = 0.3;
Factors small_factors(VertexId rows, VertexId cols, std::uint32_t rank, double spread, std::uint64_t seed);

/// Why the GPU here cannot run a plan at this rank, if it cannot (why_not of edge/plan.hpp); nothing where
/// CUDA was not compiled in for it.
std::optional<std::string> cuda_misfit(const EdgePlan& plan, std::uint32_t rank, Storage storage);

}  // namespace lockstep::sgd
