// Runs SGD from a graph and a schedule in memory to factors: split the edges, initialize the factors, run
// sweeps, evaluate them, stop. This code uses neither files nor the command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/frame/outcome.hpp"
#include "apps/sgd/backend.hpp"
#include "apps/sgd/split.hpp"
#include "lockstep/formats/model_file.hpp"

namespace lockstep::sgd {

/// The form of a prediction. Plain: the dot product of the factor vectors. Biased: this product plus the mean
/// weight and the biases of both endpoints. The biases are fitted before the sweeps and between them
/// (biases.hpp), and the factors are trained on the residuals of the biases.
enum class ModelForm { plain, biased };

enum class RateSchedule { constant, inverse, exponential };

/// Minimum number of training edges per vertex (rows and columns together) from which ratings count as dense,
/// or as very dense.
inline constexpr EdgeId dense_degree = 80, very_dense_degree = 250;
/// Default decay of the regularisation for very dense ratings, which need less regularisation in late sweeps.
inline constexpr double very_dense_decay = 0.2;
/// Sweep after which the regularisation decreases faster, if the ratings are dense and have little noise.
/// Runs on noisy ratings have mostly stopped by this sweep.
inline constexpr std::uint64_t release_sweep = 35;

struct SgdOptions {
    ModelForm form = ModelForm::plain;
    Device device = Device::automatic;
    int threads = 0;                  ///< number of CPU threads; 0: all
    std::uint32_t rank = 16;          ///< length of the factor vectors, 1 to max_rank
    Storage storage = Storage::fp32;  ///< precision of the factors; the reference uses double precision
    std::uint64_t sweeps = 10;
    double learning_rate = 0.01;  ///< learning rate of the first sweep
    RateSchedule rate_schedule = RateSchedule::constant;
    double decay = 0.1;  ///< decay of the rate: rate / (1 + decay t) if inverse, rate decay^t if exponential
    double regularisation = 0.1;  ///< L2 regularisation of both factors
    /// Decay of the regularisation: sweep t = 0, 1, … has regularisation / (1 + decay t).
    double regularisation_decay = 0;
    /// Whether dense ratings with held-out edges get their own defaults. If the ratings are very dense, the
    /// decay of the regularisation is `very_dense_decay`. If they are dense and have little noise
    /// (Progress::has_little_noise), the regularisation decreases faster in late sweeps. With the default
    /// patience, a run also stops when three evaluations together gain almost nothing.
    bool dense = false;
    /// Whether the learning rate is in units of 1 / s, and the regularisation in units of s, where s is the
    /// standard deviation of the residuals of the biases. The same numbers are then suitable for weights in
    /// any unit. Only for the biased form.
    bool scaled_rate = false, scaled_regularisation = false;
    /// Biased form: the biases are fitted again to the residuals of the factors after n, 2 n, 4 n, … sweeps,
    /// where n is this number. 0: they are fitted only before the sweeps.
    std::uint64_t refit_biases = 0;
    bool nonnegative = false;  ///< whether the factors are kept at or above zero (NMF)
    double test_fraction = 0;  ///< share of the edges that are held out as test edges, selected by the seed
    /// Whether the test edges are those of RunStart::split, instead of a random share.
    bool split_given = false;
    /// Number of consecutive evaluations without a better test RMSE after which the run stops; 0: no limit.
    std::uint64_t patience = 0;
    /// Whether `patience` is ignored if no edge is held out. Otherwise this is an error.
    bool patience_if_any = false;
    /// Number of sweeps between evaluations; the last sweep is always evaluated.
    std::uint64_t evaluate_every = 1;
    /// Whether every evaluation computes the training error. If false, and there are test edges, it is
    /// computed only for the factors of the result.
    bool train_errors = true;
    /// Unsynchronized strategies on a GPU: maximum number of edges that are updated concurrently; 0: chosen
    /// from the graph.
    EdgeId racing_workers = 0;
    /// Execution time in seconds after which the run stops at the end of a sweep; 0: no limit.
    double time_limit = 0;
    std::uint64_t seed = 1;
    int gpus = 1;  ///< strategy tiled: number of GPUs that share the schedule's groups
    /// Strategy tiled: maximum memory that is used on each GPU, in bytes; 0: all free memory.
    EdgeId device_memory = 0;
    PhaseOrder phase_order = PhaseOrder::mixed;
    /// Strategies agm-e and diag on a GPU: whether one thread processes one component of the vectors, as in
    /// the paper's Diag. Only for ranks 9 to 16.
    bool by_component = false;
    /// Strategies with locks on edges (EL): number of attempts to lock an edge before it is deferred to the
    /// next pass; 0: the fastest number.
    int attempts = 0;
};

/// Sets learning rate, regularisation, number of sweeps and patience to the defaults of the biased form,
/// which suit weights in any unit. If edges are held out, the regularisation decreases from sweep to sweep,
/// and the run stops when the test error grows. Otherwise nothing would stop the run in time, so the
/// regularisation is constant.
void set_biased_defaults(SgdOptions& options);

/// Returns true if the options request test edges.
inline bool is_watched(const SgdOptions& options) { return options.test_fraction > 0 || options.split_given; }

/// Returns true if sweep `sweep` (1, 2, …) is evaluated in runs of any length. The last sweep of a run is
/// evaluated in any case.
inline bool is_evaluated(const SgdOptions& options, std::uint64_t sweep) {
    return sweep % options.evaluate_every == 0;
}

/// Throws Error (usage) if options are invalid or contradict each other.
void check_options(const SgdOptions& options);

/// Returns the learning rate of sweep t = 0, 1, …
double learning_rate(const SgdOptions& options, std::uint64_t sweep);
/// Returns the regularisation of sweep t = 0, 1, …. If `is_released` (for dense ratings with little noise),
/// it decreases faster after sweep `release_sweep`.
double regularisation(const SgdOptions& options, std::uint64_t sweep, bool is_released = false);

struct Outcome : RunOutcome {
    /// Learning rate and regularisation of the run, converted to the unit of the weights.
    double learning_rate = 0, regularisation = 0;
    double regularisation_decay = 0;  ///< decay of the regularisation in the run
    bool dense = false;  ///< whether the ratings are dense, so that they get the defaults for dense ratings
    Biases biases;       ///< biases of a biased model, in addition to the factors
    /// Smallest and largest weight of the rating scale, if the weights have one (BiasResiduals::scale).
    std::optional<std::pair<float, float>> scale;
    /// RMSE of the biases without factors: of the held-out edges if there are any, otherwise of all edges.
    std::optional<double> baseline;
    /// Evaluation of the initial factors if no sweep was requested, or of the biases alone if no factors are
    /// kept.
    SweepRecord initial;
    /// Result: the last finite factors, or with early stopping those with the smallest test error.
    Factors factors;
    /// Sweep after which `factors` were saved. 0: they are the initial factors or, in the biased form, all
    /// zero, because no sweep improved on the biases.
    std::uint64_t kept_sweep = 0;
    /// Amount and rate of the copies in every sweep, if the plan is too large for the GPU.
    Streaming streaming;
    EdgeId train_edges = 0, test_edges = 0;
    /// Unsynchronized strategies on a GPU: maximum number of edges that were updated concurrently; 0 for
    /// other strategies.
    EdgeId racing_workers = 0;
};

/// The state of a run between two sweeps. It contains everything that the remaining sweeps depend on.
struct State {
    std::vector<SweepRecord> sweeps;
    Factors kept;  ///< factors with the smallest test error, or the last factors that are known to be finite
    std::uint64_t kept_sweep = 0;
    std::optional<Factors> present;  ///< current factors; nullopt if they equal `kept`
};

/// The beginning of a run, in addition to its options: a split, a model or a checkpoint; and the function
/// that saves checkpoints.
struct RunStart {
    std::optional<Split> split;  ///< split that replaces a random one by `test_fraction`
    /// Function that changes the initial factors, such as to those of a model.
    std::function<void(Factors& initial)> warm;
    /// State of an interrupted run with the same input and options, which this run continues.
    std::optional<State> state;
    /// Saves the state of the run as a checkpoint. It is called every `every_sweeps` sweeps or, if that is 0,
    /// every `every_seconds` seconds, and at the end of a run that did not diverge.
    std::function<void(const State&)> keep;
    std::uint64_t every_sweeps = 0;
    double every_seconds = 0;
    /// If several processes share the run: the share of this process. Graph and schedule then contain only
    /// its edges.
    const GraphPart* part = nullptr;
};

/// Returns the reason why the plan of a strategy cannot run on the device in the options; nullopt if it can.
/// If the device is a GPU, the plan is made to find out: O(edges + vertices). Throws the errors of run_sgd.
std::optional<std::string> why_not(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                                   const SgdOptions& options);

/// Runs SGD. Throws the errors of check_options, make_plan, apply_plan_options and the backends, and Error
/// (usage) if the split leaves no training edges, or no test edges for early stopping. Divergence is not an
/// exception, but a status of the outcome.
Outcome run_sgd(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                const SgdOptions& options, const RunCallbacks& callbacks = {}, RunStart beginning = {});

/// Returns the XXH3-128 hash of all factors without padding, and of the biases of a biased model.
std::string hash_of(const Factors& factors, std::uint32_t rank, const Biases& biases = {});
/// compact() returns factors without padding (vertices x rank, row-major); pad_vectors() adds the padding
/// again.
std::vector<float> compact(std::span<const float> factors, std::uint32_t rank);
Array<float> pad_vectors(std::span<const float> dense, std::uint32_t rank);

}  // namespace lockstep::sgd
