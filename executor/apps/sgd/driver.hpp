// The SGD application from a schedule file's contents to factors: split, initialise, sweep, evaluate,
// stop. Knows nothing of files or of the command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/frame/outcome.hpp"
#include "apps/sgd/backend.hpp"
#include "apps/sgd/split.hpp"
#include "lockstep/formats/model_file.hpp"

namespace lockstep::sgd {

/// What is predicted: the product of the factors, or, biased, beside it the mean and the biases of both ends,
/// which are fitted before the sweeps (biases.hpp) and between them; the factors are of what these leave.
enum class ModelForm { plain, biased };

enum class RateSchedule { constant, inverse, exponential };

/// Minimum mean number of training edges per vertex of dense and of very dense ratings. The mean is the number of
/// training edges divided by the number of rows and columns.
inline constexpr EdgeId dense_degree = 80, very_dense_degree = 250;
/// Default decay of the regularisation for very dense ratings, whose best regularisation is smaller.
inline constexpr double very_dense_decay = 0.2;
/// Sweep after which the regularisation of dense ratings of little noise falls faster. Noisy ratings have mostly
/// ended by then.
inline constexpr std::uint64_t release_sweep = 35;

struct SgdOptions {
    ModelForm form = ModelForm::plain;
    Device device = Device::automatic;
    int threads = 0;                  ///< CPU threads; 0 = all
    std::uint32_t rank = 16;          ///< 1 … max_rank
    Storage storage = Storage::fp32;  ///< of the factors; the reference's are double precision
    std::uint64_t sweeps = 10;
    double learning_rate = 0.01;  ///< of the first sweep
    RateSchedule rate_schedule = RateSchedule::constant;
    double decay = 0.1;               ///< inverse: rate / (1 + decay t); exponential: rate decay^t
    double regularisation = 0.1;      ///< L2, of both factors
    double regularisation_decay = 0;  ///< regularisation of sweep t = 0, 1, …: regularisation / (1 + decay t)
    /// Whether dense ratings with held-out edges get defaults of their own. From `very_dense_degree` on the decay of the
    /// regularisation is `very_dense_decay`. From `dense_degree` on, if the ratings have little noise
    /// (Progress::has_little_noise), the regularisation falls faster in late sweeps, and with the default patience
    /// three evaluations that gain next to nothing end the run.
    bool dense = false;
    /// biased: the rate is in units of 1 / s and the regularisation of s, where s is the standard deviation
    /// of what the biases leave of the weights: the same numbers then serve weights of any unit.
    bool scaled_rate = false, scaled_regularisation = false;
    /// biased: the biases are fitted anew, to what the factors leave, after so many sweeps, twice as many, four times, …;
    /// 0: they stay as fitted before
    std::uint64_t refit_biases = 0;
    bool nonnegative = false;      ///< NMF
    double test_fraction = 0;      ///< of the edges, held out by seed
    bool split_given = false;      ///< test edges are those of Beginning::split instead
    std::uint64_t patience = 0;    ///< stop after so many evaluations without a better test RMSE; 0 = never
    bool patience_if_any = false;  ///< never, too, where no edge happens to be held out, instead of refusing
    std::uint64_t evaluate_every = 1;  ///< sweeps between evaluations; the last sweep is always evaluated
    bool train_errors =
        true;  ///< of every evaluation; else, where there are test edges, of the kept factors alone
    EdgeId racing_workers = 0;  ///< racing on the GPU: edges in flight; 0 = chosen from the graph
    double time_limit = 0;  ///< stop after the sweep with which execution takes so many seconds; 0 = never
    std::uint64_t seed = 1;
    int gpus = 1;              ///< tiled: GPUs that share the schedule's groups
    EdgeId device_memory = 0;  ///< tiled: bytes to take of each GPU at most; 0 = all that are free
    PhaseOrder phase_order = PhaseOrder::mixed;
    bool by_component =
        false;         ///< agm-e, diag on a GPU: a component a thread, as the paper's Diag; rank 9 to 16
    int attempts = 0;  ///< EL: at an edge, before it is put off to the next pass; 0 = as many as pay
};

/// Rate, regularisation, sweeps and stopping of the biased form, for weights of any unit. Where edges are
/// held out the regularisation falls from sweep to sweep until their errors grow; without, it stays where
/// that is late.
void set_biased_defaults(SgdOptions& options);

/// Whether there are to be test edges.
inline bool is_watched(const SgdOptions& options) { return options.test_fraction > 0 || options.split_given; }

/// Whether sweep 1, 2, … is evaluated in a run of any length; its last one always is.
inline bool is_evaluated(const SgdOptions& options, std::uint64_t sweep) {
    return sweep % options.evaluate_every == 0;
}

/// Throws Error (usage) on options that cannot be.
void check_options(const SgdOptions& options);

/// Returns the learning rate of sweep t = 0, 1, …
double learning_rate(const SgdOptions& options, std::uint64_t sweep);
/// Returns the regularisation of sweep t = 0, 1, …; if it `is_released`, it falls faster after `release_sweep`.
double regularisation(const SgdOptions& options, std::uint64_t sweep, bool is_released = false);

struct Outcome : RunOutcome {
    double learning_rate = 0, regularisation = 0;  ///< that were taken, not scaled
    double regularisation_decay = 0;               ///< that was taken
    bool dense = false;  ///< whether the ratings are dense, and get the defaults of such ratings
    Biases biases;       ///< of the biased form
    std::optional<std::pair<float, float>> scale;  ///< that the weights lie on, if they do (Remainder)
    std::optional<double>
        baseline;         ///< RMSE of the biases alone: of the held-out edges, or of all without such
    SweepRecord initial;  ///< errors of the initial factors, where no sweep was asked for; of none, where
                          ///< none is kept
    Factors factors;      ///< the last good ones; with early stopping the best
    std::uint64_t kept_sweep =
        0;  ///< that they are of; 0: the initial ones, or, after sweeps of the biased form, none
    Streaming streaming;  ///< where the plan is too large for the GPU
    EdgeId train_edges = 0, test_edges = 0;
    EdgeId racing_workers = 0;  ///< racing on the GPU: most edges in flight; 0 for other strategies
};

/// A run between two sweeps: all that the rest of it depends on.
struct State {
    std::vector<SweepRecord> sweeps;
    Factors kept;  ///< the best, or the last that are known to be good
    std::uint64_t kept_sweep = 0;
    std::optional<Factors> present;  ///< nothing: the same
};

/// Where a run begins, if that is not what its options say; and where it leaves its state.
struct Beginning {
    std::optional<Split> split;                  ///< instead of test_fraction
    std::function<void(Factors& initial)> warm;  ///< changes the initial factors
    std::optional<State>
        state;  ///< to go on from, of a run that has begun alike: then as if it had not ended
    /// Called every so many sweeps, or else seconds, and when the run ends, unless it diverged.
    std::function<void(const State&)> keep;
    std::uint64_t every_sweeps = 0;
    double every_seconds = 0;
    const GraphPart* part = nullptr;  ///< of several processes: graph and schedule are of its tiles
};

/// Why the plan of a strategy does not fit the device that the options name, if it does not. On a GPU it
/// makes the plan: O(edges + vertices). Throws as run_sgd.
std::optional<std::string> why_not(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                                   const SgdOptions& options);

/// Runs; throws as check_options. Divergence is an outcome, not an exception.
Outcome run_sgd(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                const SgdOptions& options, const RunCallbacks& callbacks = {}, Beginning beginning = {});

/// XXH3-128 over the components of both sides, padding left out, and the biases, where there are such.
std::string hash_of(const Factors& factors, std::uint32_t rank, const Biases& biases = {});
/// Without the padding: vertices x rank, row-major; and with it again.
std::vector<float> compact(std::span<const float> factors, std::uint32_t rank);
Array<float> padded(std::span<const float> dense, std::uint32_t rank);

}  // namespace lockstep::sgd
