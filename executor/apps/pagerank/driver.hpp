// The PageRank application from a schedule file's contents to ranks. Knows nothing of files or of the command
// line.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/device.hpp"
#include "apps/pagerank/operator.hpp"
#include "lockstep/executor/arc/plan.hpp"

namespace lockstep::pagerank {

struct PageRankOptions : Parameters {
    Device device = Device::automatic;
    int threads = 0;    ///< CPU threads; 0 = all
    int warp_size = 0;  ///< of virtual warps; 0 = by the mean degree
    int chunk = 1;
    std::uint64_t repeats = 1;
};

/// Throws Error (usage) on options that cannot be.
void check_options(const PageRankOptions& options);

/// One iteration over all arcs.
struct Round {
    double seconds = 0;
    double change = 0;  ///< L1 distance to the ranks before, where measured
    double dangling = 0;
};

struct Outcome {
    std::string status;  ///< as RunEnd::status
    std::vector<Round> rounds;
    bool measured = false;     ///< whether the rounds say their L1 distance
    std::vector<float> ranks;  ///< by vertex of the graph
    std::string result_hash;   ///< XXH3-128 of `ranks`: the same for every strategy, order and device
    DeviceInfo device;
    EdgeId device_bytes = 0;
    arc::VirtualWarps warps;  ///< as used, where the strategy has them
    double plan_seconds = 0, transfer_seconds = 0;
    double execute_seconds = 0;  ///< median over the repeats
    std::string device_note;     ///< why "auto" chose the CPU, if it did
};

struct Callbacks {
    std::function<void(const Outcome& so_far)> on_start;  ///< device and plan known
    std::function<void(std::uint64_t round, const Round&)> on_round;
    std::function<bool()> interrupted;
};

/// Runs; throws as check_options and make_arc_plan, and Error (verification) where repeats differ.
/// `schedule` is the strategy's own or a vertex order, nullptr for the given one.
Outcome run_pagerank(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                     const PageRankOptions& options, const Callbacks& callbacks = {});

}  // namespace lockstep::pagerank
