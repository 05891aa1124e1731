// The sweeps of implicit ALS: evaluate, keep the best factors, stop.
#pragma once

#include "apps/als/ranking.hpp"
#include "apps/frame/outcome.hpp"

namespace lockstep::als {

/// Default number of sweeps if no edges are held out, so that no test shows when to stop.
inline constexpr std::uint64_t unwatched_sweeps = 8;

struct AlsOptions : Settings {
    Device device = Device::automatic;
    int threads = 0;  ///< number of CPU threads; 0: all
    std::uint64_t sweeps = 16, seed = 1;
    /// Number of evaluations without a better NDCG that ends the run; 0: no limit.
    std::uint64_t patience = 3;
    /// Maximum number of users that are evaluated after a sweep; at the end all are.
    std::size_t evaluated_users = 2048;
};

struct Outcome final : RunOutcome {
    Factors factors;
    std::uint64_t kept_sweep = 0;
    EdgeId train_edges = 0, test_edges = 0;
    double mean_weight = 1;  ///< mean weight of a training edge
    bool weighted = false;   ///< whether some weight is not 1
    Quality quality;         ///< quality of the kept factors, over all users with held-out edges
};

/// Returns the factors that the first sweep begins with: every component of every vector uniform in ±1 / (2
/// sqrt(rank)), by Philox of the seed. The vectors of vertices without an edge are 0. No component may be 0
/// for a whole side: it would stay 0 in all sweeps.
Factors initial_factors(const Problem& problem, std::uint64_t seed);

/// Fits factors to the training edges of the split. Throws Error as make_problem and the solvers do, and if
/// the factors would exceed the machine's memory.
std::unique_ptr<Outcome> run_als(const Graph& graph, const sgd::Split& split, const AlsOptions& options,
                                 const RunCallbacks& callbacks);

}  // namespace lockstep::als
