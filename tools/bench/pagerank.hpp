// Timings of PageRank for lockstep-bench.
#pragma once

#include <nlohmann/json.hpp>

#include "lockstep/schedules/graph.hpp"

namespace lockstep::bench {

/// Times PageRank with `rounds` rounds on the CPU for every strategy, and a plain OpenMP pull for comparison.
/// Runs each of them `runs` times in turn and reports the medians. Throws Error (verification) if a strategy
/// and the plain pull disagree.
nlohmann::ordered_json run_pagerank(const Graph& graph, int runs, std::uint64_t rounds);

/// Times PageRank on the GPU with every strategy of virtual warps: warps of 1, 2, 4, … 64 threads x chunks of
/// 1 to 10 (section 4.1 of the paper). Without a GPU it runs on the CPU, where all shapes are alike. Returns
/// for each shape the seconds of up to `runs` runs of `rounds` rounds; fewer if they add up to 0.2 seconds.
/// Throws Error (verification) unless the results of all shapes are bitwise identical.
nlohmann::ordered_json run_warp_shapes(const Graph& graph, int runs, std::uint64_t rounds);

/// Times PageRank of `rounds` rounds on the GPU (the CPU if there is none) with every strategy, with exact
/// sums and with float sums, in the given order and sorted by degree. Returns for each variant the seconds of
/// `runs` runs and its work, and the time per access to an array with one element per vertex. If the `runs`
/// runs of a variant would take more than `all_within` seconds, its runs end when they add up to one second.
/// Throws Error (verification) if results with exact sums are not bitwise identical, or results with float
/// sums differ by more than rounding allows.
nlohmann::ordered_json run_variants(const Graph& graph, int runs, std::uint64_t rounds, double all_within);

}  // namespace lockstep::bench
