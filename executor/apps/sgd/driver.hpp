// The SGD application, from the contents of a schedule file to the factors: split, initialise, sweep,
// evaluate, stop. It does not depend on files or on the command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/frame/outcome.hpp"
#include "apps/sgd/backend.hpp"
#include "apps/sgd/split.hpp"
#include "lockstep/formats/model_file.hpp"

namespace lockstep::sgd {

/// The form of a prediction. Plain: the product of the factors. Biased: this product plus the mean and the
/// biases of both endpoints. The biases are fitted before the sweeps (biases.hpp) and between them, and the
/// factors are trained on the residuals of the biases.
enum class ModelForm { plain, biased };

enum class RateSchedule { constant, inverse, exponential };

/// Minimum mean number of training edges per vertex of dense and of very dense ratings. The mean is the
/// number of training edges divided by the number of rows and columns.
inline constexpr EdgeId dense_degree = 80, very_dense_degree = 250;
/// Default decay of the regularisation for very dense ratings, whose best regularisation is smaller.
inline constexpr double very_dense_decay = 0.2;
/// Sweep after which the regularisation of dense ratings of little noise falls faster. Noisy ratings have
/// mostly ended by then.
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
    /// Whether dense ratings with held-out edges get defaults of their own. From `very_dense_degree` on, the
    /// decay of the regularisation is `very_dense_decay`. From `dense_degree` on, if the ratings have little
    /// noise (Progress::has_little_noise), the regularisation falls faster in late sweeps. With the default
    /// patience, three evaluations that gain almost nothing then end the run.
    bool dense = false;
    /// Whether the rate is in units of 1 / s, and the regularisation in units of s, where s is the standard
    /// deviation of the residuals of the biases. The same numbers then fit weights in any unit. Only for the
    /// biased form.
    bool scaled_rate = false, scaled_regularisation = false;
    /// Biased form: number n of sweeps after which the biases are fitted again to the residuals of the
    /// factors, for the first time; this is repeated after 2 n, 4 n, … sweeps. 0: the biases stay as fitted
    /// before the sweeps.
    std::uint64_t refit_biases = 0;
    bool nonnegative = false;  ///< whether the factors are kept at or above zero (NMF)
    double test_fraction = 0;  ///< share of the edges that is held out, by seed
    bool split_given = false;  ///< whether the test edges are those of Beginning::split instead
    /// Number of evaluations without a better test RMSE that ends the run; 0: no limit.
    std::uint64_t patience = 0;
    /// Whether `patience` is ignored, instead of refused, if no edge happens to be held out.
    bool patience_if_any = false;
    /// Number of sweeps between evaluations; the last sweep is always evaluated.
    std::uint64_t evaluate_every = 1;
    /// Whether every evaluation has the training error; if not, and there are test edges, only the kept
    /// factors have it.
    bool train_errors = true;
    /// Unsynchronized updates on a GPU: maximum number of edges in flight; 0: chosen from the graph.
    EdgeId racing_workers = 0;
    /// Execution time in seconds at which the run stops after the current sweep; 0: no limit.
    double time_limit = 0;
    std::uint64_t seed = 1;
    int gpus = 1;              ///< tiled: number of GPUs that share the schedule's groups
    EdgeId device_memory = 0;  ///< tiled: maximum memory of each GPU, in bytes; 0: all free memory
    PhaseOrder phase_order = PhaseOrder::mixed;
    /// agm-e and diag on a GPU: whether there is one thread per component, as in the paper's Diag; rank 9 to
    /// 16.
    bool by_component = false;
    /// EL: number of attempts at an edge before it is deferred to the next pass; 0: as many as are fastest.
    int attempts = 0;
};

/// Sets the rate, the regularisation, the sweeps and the stopping criterion of the biased form, for weights
/// in any unit. If edges are held out, the regularisation falls from sweep to sweep until their errors grow.
/// Otherwise it is constant, since one that falls would become too small.
void set_biased_defaults(SgdOptions& options);

/// Returns whether the options request test edges.
inline bool is_watched(const SgdOptions& options) { return options.test_fraction > 0 || options.split_given; }

/// Returns whether sweep 1, 2, … is evaluated in a run of any length. The last sweep of a run is always
/// evaluated, too.
inline bool is_evaluated(const SgdOptions& options, std::uint64_t sweep) {
    return sweep % options.evaluate_every == 0;
}

/// Throws Error (usage) on options that are invalid or contradict each other.
void check_options(const SgdOptions& options);

/// Returns the learning rate of sweep t = 0, 1, …
double learning_rate(const SgdOptions& options, std::uint64_t sweep);
/// Returns the regularisation of sweep t = 0, 1, …; if it `is_released`, it falls faster after
/// `release_sweep`.
double regularisation(const SgdOptions& options, std::uint64_t sweep, bool is_released = false);

struct Outcome : RunOutcome {
    /// Learning rate and regularisation of the run, in the unit of the weights.
    double learning_rate = 0, regularisation = 0;
    double regularisation_decay = 0;  ///< decay of the regularisation in the run
    bool dense = false;               ///< whether the ratings are dense, and get the defaults of such ratings
    Biases biases;                    ///< biases of the biased form
    /// Ends of the scale of the weights, if they have one (Remainder::scale).
    std::optional<std::pair<float, float>> scale;
    std::optional<double>
        baseline;  ///< RMSE of the biases alone: of the held-out edges, or, if there are none, of all edges
    /// Errors of the initial factors if no sweep was requested; errors without factors if none are kept.
    SweepRecord initial;
    Factors factors;  ///< last factors that are finite; with early stopping the best ones
    /// Sweep of `factors`; 0: the initial factors, or, after sweeps of the biased form, none (all are 0).
    std::uint64_t kept_sweep = 0;
    Streaming streaming;  ///< copies in every sweep, if the plan is too large for the GPU
    EdgeId train_edges = 0, test_edges = 0;
    /// Unsynchronized updates on a GPU: maximum number of edges in flight; 0 for other strategies.
    EdgeId racing_workers = 0;
};

/// The state of a run between two sweeps: everything on which the rest of the run depends.
struct State {
    std::vector<SweepRecord> sweeps;
    Factors kept;  ///< best factors, or the last ones known to be finite
    std::uint64_t kept_sweep = 0;
    std::optional<Factors> present;  ///< present factors; empty: they are the kept ones
};

/// The beginning of a run, if it differs from that of the options, and the function that saves the state.
struct Beginning {
    std::optional<Split> split;                  ///< split that replaces `test_fraction`
    std::function<void(Factors& initial)> warm;  ///< function that changes the initial factors
    std::optional<State>
        state;  ///< state of an earlier run with the same beginning, which is resumed as if it had not ended
    /// Saves a state. It is called every `every_sweeps` sweeps, or, if that is 0, every `every_seconds`
    /// seconds, and when the run ends, unless it diverged.
    std::function<void(const State&)> keep;
    std::uint64_t every_sweeps = 0;
    double every_seconds = 0;
    /// If there are several processes, the part of this one: graph and schedule contain only its tiles.
    const GraphPart* part = nullptr;
};

/// Returns the reason why the plan of a strategy does not fit the device that the options name, or nothing if
/// it fits. On a GPU this makes the plan: O(edges + vertices). Throws as run_sgd does.
std::optional<std::string> why_not(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                                   const SgdOptions& options);

/// Runs SGD. Throws as check_options, make_plan, tell_plan and the backends do, and Error (usage) if the
/// split leaves no edges to train on, or no held-out edges for early stopping. Divergence is reported in the
/// outcome, not by an exception.
Outcome run_sgd(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                const SgdOptions& options, const RunCallbacks& callbacks = {}, Beginning beginning = {});

/// Returns the XXH3-128 hash of the components of both sides, without padding, and of the biases, if there
/// are any.
std::string hash_of(const Factors& factors, std::uint32_t rank, const Biases& biases = {});
/// Returns factors without padding: vertices x rank, row-major. `padded` adds the padding again.
std::vector<float> compact(std::span<const float> factors, std::uint32_t rank);
Array<float> padded(std::span<const float> dense, std::uint32_t rank);

}  // namespace lockstep::sgd
