// Runs implicit ALS from a graph and a split in memory to factors: makes the problem, runs sweeps on a
// device, evaluates them, keeps the best factors and stops early.
#pragma once

#include "apps/als/ranking.hpp"
#include "apps/frame/outcome.hpp"

namespace lockstep::als {

/// Default number of sweeps if no edges are held out. Without test edges, no evaluation shows when to stop.
inline constexpr std::uint64_t unwatched_sweeps = 8;

struct AlsOptions : Settings {
    Device device = Device::automatic;
    int threads = 0;  ///< number of CPU threads; 0: all
    std::uint64_t sweeps = 16, seed = 1;
    /// Number of consecutive evaluations without a better NDCG after which the run stops; 0: no limit.
    std::uint64_t patience = 3;
    /// Maximum number of users that are evaluated after a sweep. After the last sweep, all users with
    /// held-out edges are evaluated.
    std::size_t evaluated_users = 2048;
};

struct Outcome final : RunOutcome {
    Factors factors;
    std::uint64_t kept_sweep = 0;
    EdgeId train_edges = 0, test_edges = 0;
    double mean_weight = 1;  ///< mean weight of a training edge
    bool weighted = false;   ///< whether any weight differs from 1
    /// Quality of the recommendations of the returned factors, over all users with held-out edges.
    Quality quality;
};

/// Returns the factors with which the first sweep begins. Each component is uniform in ±1 / (2 sqrt(rank)),
/// drawn by Philox from the seed. The vectors of vertices without an edge are 0. A component must not be 0 in
/// all vectors of a side, because it would then stay 0 in all sweeps.
Factors initial_factors(const Problem& problem, std::uint64_t seed);

/// Fits factors to the training edges of the split. Throws the errors of make_problem and of the solvers, and
/// Error if the factors would exceed the machine's memory.
std::unique_ptr<Outcome> run_als(const Graph& graph, const sgd::Split& split, const AlsOptions& options,
                                 const RunCallbacks& callbacks);

}  // namespace lockstep::als
