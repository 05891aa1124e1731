// The random start of a run: the selection of held-out edges, and the initial factors.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/sgd/backend.hpp"

namespace lockstep::sgd {

/// Returns held_out[e] for every edge e: true with probability `fraction`, by Philox of (seed, ID of the
/// edge). Returns an empty vector if `fraction` is 0. If the edges are a part of a graph, their IDs in the
/// whole graph are `first`, `first` + 1, …, or those in `numbers`.
std::vector<bool> hold_out(EdgeId edges, double fraction, std::uint64_t seed, EdgeId first = 0);
std::vector<bool> hold_out(std::span<const EdgeId> numbers, double fraction, std::uint64_t seed);

/// Returns uniform random factors, drawn by Philox of (seed, side, vertex, chunk), and scaled so that the
/// expected prediction is `mean`. If `mean` is not positive, the factors are uniform around zero.
Factors initial_factors(VertexId rows, VertexId cols, std::uint32_t rank, double mean, std::uint64_t seed);

/// Returns initial factors for training on the residuals of biases. Components are uniform around zero, so
/// that the dot product of two vectors has the standard deviation `initial_share` x `spread`: residuals are
/// small and mostly noise, so the factors should grow from almost nothing. From rank 4 on, two components are
/// set to (0, a) in rows and (a, 0) in columns, with a = `initial_correction` x sqrt(`spread`), so that their
/// products are corrections of the biases. The sweeps update these components like all others.
inline constexpr double initial_share = 0.01, initial_correction = 0.3;
Factors small_factors(VertexId rows, VertexId cols, std::uint32_t rank, double spread, std::uint64_t seed);

/// Returns the reason why a GPU cannot run a plan at this rank (why_not of edge/plan.hpp). Returns nullopt if
/// it can, or if no CUDA code was compiled for this rank.
std::optional<std::string> find_cuda_misfit(const EdgePlan& plan, std::uint32_t rank, Storage storage);

}  // namespace lockstep::sgd
