// The sweeps of implicit ALS: evaluate, keep the best factors, stop.
#pragma once

#include "apps/als/ranking.hpp"
#include "apps/frame/outcome.hpp"

namespace lockstep::als {

/// Without held-out edges, whose lists say when to stop.
inline constexpr std::uint64_t unwatched_sweeps = 8;

struct AlsOptions : Settings {
    Device device = Device::automatic;
    int threads = 0;  ///< 0 = all
    std::uint64_t sweeps = 16, seed = 1;
    std::uint64_t patience = 3;          ///< evaluations without a better NDCG; 0 = never stop
    std::size_t evaluated_users = 2048;  ///< after a sweep, most of them; in the end all are
};

struct Outcome final : RunOutcome {
    Factors factors;
    std::uint64_t kept_sweep = 0;
    EdgeId train_edges = 0, test_edges = 0;
    double mean_weight = 1;  ///< of a training edge
    bool weighted = false;   ///< not all are 1
    Quality quality;         ///< of the factors that are kept, of all users with held-out edges
};

/// Returns the factors that the first sweep begins with: every component of every vector uniform in ±1 / (2
/// sqrt(rank)), by Philox of the seed. The vectors of vertices without an edge are 0. No component may be 0
/// for a whole side: it would stay 0 in all sweeps.
Factors initial_factors(const Problem& problem, std::uint64_t seed);

/// Fits the training edges of the split. Throws Error as make_problem and the engines do, and where the
/// factors were larger than the machine's memory.
std::unique_ptr<Outcome> run_als(const Graph& graph, const sgd::Split& split, const AlsOptions& options,
                                 const RunCallbacks& callbacks);

}  // namespace lockstep::als
