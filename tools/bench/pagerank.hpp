// PageRank's times, for lockstep-bench.
#pragma once

#include <nlohmann/json.hpp>

#include "lockstep/schedules/graph.hpp"

namespace lockstep::bench {

/// PageRank of `rounds` rounds on the CPU, every strategy, beside a plain OpenMP pull: `runs` runs of each in
/// turn, of which the median counts. Throws Error (verification) where a strategy and the plain pull
/// disagree.
nlohmann::ordered_json run_pagerank(const Graph& graph, int runs, std::uint64_t rounds);

/// PageRank on the GPU (the CPU where there is none, where all shapes are alike), every strategy of virtual
/// warps by warps of 1, 2, 4, … 64 threads x chunks of 1 to 10 (section 4.1 of the source): the seconds of up
/// to `runs` runs of `rounds` rounds, of fewer where they add up to a fifth of a second. Throws Error
/// (verification) where two shapes differ by a bit.
nlohmann::ordered_json run_warp_shapes(const Graph& graph, int runs, std::uint64_t rounds);

/// Times PageRank of `rounds` rounds on the GPU (the CPU if there is none) by every strategy, with exact sums and
/// sums of floats, in the given order and sorted by degree. Returns of each variant the seconds of `runs` runs and
/// its work, and the time of an access to an array with one element per vertex. A variant whose `runs` runs would
/// take more than `all_within` seconds is run until its runs add up to one second. Throws Error (verification)
/// if exact sums differ by a bit, or sums of floats by more than their rounding allows.
nlohmann::ordered_json run_variants(const Graph& graph, int runs, std::uint64_t rounds, double all_within);

}  // namespace lockstep::bench
