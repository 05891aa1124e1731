// Serial PageRank in double precision, pushed along the rows of the graph: the yardstick of every variant,
// and the proof of a result. Shares no code with the walks or the operator.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/pagerank/operator.hpp"

namespace lockstep::pagerank {

/// Rounds of equation 1 of the source from equal ranks, until `on_round` (which may be missing) returns
/// false, given the L1 distance of the last two. O(rounds (arcs + vertices)).
std::vector<double> reference_ranks(const Graph& graph, const Parameters& parameters,
                                    const std::function<bool(const Round&)>& on_round = {});

/// How far ranks are from those of the reference.
struct Check {
    double distance = 0;  ///< L1, relative to the sum of the reference
    double worst = 0;     ///< largest relative error of one vertex
    double sum = 0;       ///< of the ranks
    double residual = 0;  ///< L1 distance to one more step
    std::string problem;  ///< empty: good
};
/// `ranks` by vertex, after `rounds` rounds. Good are an L1 distance of at most 1e-6, no rank wrong by more
/// than 1e-5, and, with dangling ranks spread, a sum within 1e-6 of 1. O(rounds arcs), serial.
Check check_ranks(const Graph& graph, const std::vector<float>& ranks, std::uint64_t rounds,
                  const Parameters& parameters);

}  // namespace lockstep::pagerank
