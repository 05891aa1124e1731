#include "apps/sgd/driver.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "apps/sgd/biased_backend.hpp"
#include "apps/sgd/biases.hpp"
#include "apps/sgd/plan_options.hpp"
#include "apps/sgd/reference.hpp"
#include "apps/sgd/start.hpp"
#include "apps/sgd/sweeps.hpp"
#include "lockstep/executor/ranks.hpp"
#include "lockstep/formats/hash.hpp"
#include "lockstep/schedules/tile_grid.hpp"

namespace lockstep::sgd {

namespace {

std::unique_ptr<Backend> make_backend(const Problem& problem, const Factors& initial,
                                      const SgdOptions& options, std::string* note) {
    const int threads = options.threads ? options.threads : omp_get_max_threads();
    switch (common_device(options.device, note)) {
        case Device::cuda:
            return make_cuda_backend(problem, initial);
        case Device::reference:
            return make_reference_backend(problem, initial);
        default:
            return make_cpu_backend(problem, initial, threads);
    }
}

// These two functions add the squares of weights, or the weights, to `sum` in edge order. The processes call
// them one after another, each with its own edges.
void add_squares(const std::vector<Triple>& edges, double& sum) {
    for (const Triple& t : edges) sum += static_cast<double>(t.value) * static_cast<double>(t.value);
}
void add_weights(const SomeEdges& edges, double& sum) {
    // Numbers such as ratings, which are multiples of 2^-24 with sums below 2^29, are added exactly, so the
    // order of the additions does not matter and threads may add them in parallel.
    constexpr double unit = 0x1p-24, most = 0x1p29;
    const auto fits = [](double w) {
        return std::abs(w) < most && static_cast<double>(static_cast<std::int64_t>(w / unit)) == w / unit;
    };
    const EdgeId count = edges.graph.edges();
    bool exact = fits(sum);
    double total = 0, magnitude = std::abs(sum);
#pragma omp parallel for schedule(static) reduction(+ : total, magnitude) reduction(&& : exact)
    for (EdgeId e = 0; e < count; ++e) {
        const double w = edges.is_training_edge(e) ? double{edges.graph.weight(e)} : 0;
        total += w, magnitude += std::abs(w), exact = exact && fits(w);
    }
    if (exact && magnitude < most) return static_cast<void>(sum += total);
    for (EdgeId e = 0; e < count; ++e) {
        if (edges.is_training_edge(e)) sum += edges.graph.weight(e);
    }
}

/// Converts a learning rate and a regularisation that are relative to the scale of the weights into absolute
/// ones. The scale is the standard deviation of the residuals of the biases. Residuals below a thousandth of
/// the weights' deviation are rounding noise, so the scale is at least this value.
SgdOptions unscale_options(SgdOptions options, const BiasFit& fit) {
    constexpr double least = 1e-3;
    if (const double spread = std::max(fit.spread, least * fit.deviation); spread > 0) {
        if (options.scaled_rate) options.learning_rate /= spread;
        if (options.scaled_regularisation) options.regularisation *= spread;
    }
    options.scaled_rate = options.scaled_regularisation = false;
    return options;
}

/// Sets all factors to zero, so that only the biases predict. Called if the factors do not improve the test
/// error.
void keep_biases_alone(Outcome& outcome, double rmse_train) {
    std::fill(outcome.factors.row.begin(), outcome.factors.row.end(), 0.0F);
    std::fill(outcome.factors.col.begin(), outcome.factors.col.end(), 0.0F);
    outcome.factors.biases = outcome.biases;
    outcome.kept_sweep = 0;
    outcome.initial.metrics = {{"rmse_train", rmse_train}, {"rmse_test", *outcome.baseline}};
    if (!outcome.message.empty()) outcome.message += "; ";
    outcome.message += "no sweep was better than the biases alone: all factors of the model are 0";
}

/// Throws Error (diverged) if an initial factor exceeds the range of the precision in which it is stored.
void check_range(const Factors& initial, const SgdOptions& options) {
    constexpr float most = 65504;  // largest finite number in fp16
    if (options.storage != Storage::fp16 || options.device == Device::reference) return;
    for (const Array<float>* side : {&initial.row, &initial.col}) {
        if (std::ranges::any_of(*side, [](float f) { return std::abs(f) > most; }))
            throw Error(Failure::diverged, fmt::format("the initial factors exceed {:g}, the maximum of "
                                                       "fp16; use --storage fp32, or divide the weights",
                                                       most));
    }
}

double seconds_since(double start) { return omp_get_wtime() - start; }

}  // namespace

void set_biased_defaults(SgdOptions& o) {
    // docs/guides/recommender.md explains the values of these defaults.
    const bool watched = is_watched(o);
    o.learning_rate = 0.03, o.scaled_rate = true;
    o.rate_schedule = RateSchedule::inverse, o.decay = 0.1;
    o.regularisation = 0.15, o.scaled_regularisation = true;
    o.regularisation_decay = watched ? 0.1 : 0;
    o.dense = watched;
    o.sweeps = watched ? 100 : 30;
    o.patience = watched ? 3 : 0;
    o.refit_biases = 5;
    o.patience_if_any = true;
}

void check_options(const SgdOptions& o) {
    const auto refuse = [](const std::string& message) { throw Error(Failure::usage, message); };
    if (o.rank < 1 || o.rank > max_rank)
        refuse(fmt::format("the rank must be 1 to {}, not {}", max_rank, o.rank));
    if (!(o.learning_rate > 0) || !std::isfinite(o.learning_rate))
        refuse("the learning rate must be positive");
    if (!(o.regularisation >= 0) || !std::isfinite(o.regularisation))
        refuse("the regularisation must not be negative");
    if (!(o.decay >= 0) || !std::isfinite(o.decay)) refuse("the decay must not be negative");
    if (!(o.regularisation_decay >= 0) || !std::isfinite(o.regularisation_decay))
        refuse("the decay of the regularisation must not be negative");
    if (!(o.test_fraction >= 0 && o.test_fraction < 1))
        refuse("the test fraction must be at least 0 and below 1");
    if (o.patience > 0 && !is_watched(o)) refuse("early stopping needs held-out edges: give --test-fraction");
    if (o.evaluate_every < 1) refuse("evaluations must be at least one sweep apart");
    if (o.form == ModelForm::biased && o.nonnegative)
        refuse(
            "nonnegative factors cannot fit the residuals of the biases: --nonnegative requires the plain "
            "form");
    if (o.form == ModelForm::plain && (o.scaled_rate || o.scaled_regularisation))
        refuse(
            "learning rate and regularisation are scaled by the residuals of the biases: the plain form has "
            "no biases");
    if (o.gpus < 1) refuse("the number of GPUs must be at least 1");
    if (!(o.time_limit >= 0)) refuse("the time limit must not be negative");
    if (o.threads < 0) refuse("the number of threads must not be negative");
}

double learning_rate(const SgdOptions& o, std::uint64_t sweep) {
    const auto t = static_cast<double>(sweep);
    switch (o.rate_schedule) {
        case RateSchedule::inverse:
            return o.learning_rate / (1 + o.decay * t);
        case RateSchedule::exponential:
            return o.learning_rate * std::pow(o.decay, t);
        default:
            return o.learning_rate;
    }
}

double regularisation(const SgdOptions& o, std::uint64_t sweep, bool is_released) {
    const auto t = static_cast<double>(sweep);
    const double faster = is_released ? std::clamp(1 + 0.3 * (t - double{release_sweep}), 1.0, 4.0) : 1;
    return o.regularisation / (1 + o.regularisation_decay * t) / faster;
}

std::string hash_of(const Factors& factors, std::uint32_t rank, const Biases& biases) {
    ContentHash hash;
    for (const Array<float>* side : {&factors.row, &factors.col}) {
        if (stride_of(rank) == rank)
            hash.add(std::span<const float>(*side));
        else
            hash.add(std::span<const float>(compact(*side, rank)));
    }
    if (!biases.empty()) {
        hash.add(std::span<const float>(&biases.mean, 1));
        hash.add(std::span<const float>(biases.row));
        hash.add(std::span<const float>(biases.col));
    }
    return hash.hex();
}

std::optional<std::string> why_not(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                                   const SgdOptions& options) {
    bool may_not = false;  // whether the plan type of the walk defines why_not()
    WalksOf<EdgeWalk>::call(walk_of(strategy, graph.ends), [&]<class Plan>(std::type_identity<Plan>) {
        may_not =
            requires(const Plan& p, const EdgePlan& e, const OperatorSize& s, const gpu::Properties& d) {
            p.why_not(e, s, d);
        };
    });
    std::string ignored;
    if (!may_not || usable_device(options.device, &ignored) != Device::cuda) return {};
    const EdgePlan plan =
        make_plan(graph, strategy, schedule, Endpoints::both,
                  hold_out(graph.edges(), options.test_fraction, options.seed), options.phase_order);
    return find_cuda_misfit(plan, options.rank, options.storage);
}

Outcome run_sgd(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                const SgdOptions& requested, const RunCallbacks& callbacks, RunStart beginning) {
    check_options(requested);
    Outcome outcome;

    double start = omp_get_wtime();
    const GraphPart* const part = beginning.part;
    Split split = beginning.split ? std::move(*beginning.split)
                                  : split_by_seed(graph, requested.test_fraction, requested.seed);
    const std::vector<bool>& held_out = split.held_out;
    std::vector<Triple>& test = split.test;
    const SomeEdges in_order{part ? part->rows : graph, part ? split.held_rows : held_out};
    const bool biased = requested.form == ModelForm::biased;
    std::optional<BiasFitter> fitter;
    // Tiles with resident rows contain all edges of their rows, but not all edges of their columns, so the
    // columns are collected from all processes.
    if (biased && part && rows_reside(*schedule))
        fitter.emplace(in_order, SomeEdges{all_of_some_columns(in_order), {}});
    else if (biased)
        fitter.emplace(in_order, SomeEdges{graph, held_out});
    const BiasFit fit = biased ? fitter->fit() : BiasFit{};
    if (!requested.refit_biases) fitter.reset();
    outcome.biases = fit.biases;
    SgdOptions options = unscale_options(requested, fit);
    outcome.learning_rate = options.learning_rate, outcome.regularisation = options.regularisation;
    EdgePlan plan = make_plan(graph, strategy, schedule, Endpoints::both, held_out, options.phase_order);
    outcome.racing_workers = apply_plan_options(plan, strategy, options);
    outcome.train_edges = ranks().sum(plan.edges());
    outcome.test_edges = ranks().sum(EdgeId{test.size()});
    if (outcome.train_edges == 0 && outcome.test_edges > 0)
        throw Error(Failure::usage,
                    fmt::format("--test-fraction {:.12g} holds out all {} edges and leaves none to train on; "
                                "choose a smaller one, or another --seed",
                                options.test_fraction, outcome.test_edges));
    const bool tested = outcome.test_edges > 0;
    if (options.patience_if_any && !tested) options.patience = 0, options.regularisation_decay = 0;
    const EdgeId degree = outcome.train_edges / std::max(EdgeId{1}, EdgeId{graph.rows} + graph.cols);
    outcome.dense = options.dense && tested && degree >= dense_degree;
    if (outcome.dense && degree >= very_dense_degree) options.regularisation_decay = very_dense_decay;
    outcome.regularisation_decay = options.regularisation_decay;
    if (options.patience && !tested)
        throw Error(Failure::usage,
                    fmt::format("early stopping needs held-out edges, but --test-fraction {:g} of {} edges "
                                "holds out none; choose a larger one, or another --seed",
                                options.test_fraction, outcome.train_edges));
    Factors initial;
    std::optional<BiasResiduals> remainder;
    if (!biased) {
        // The weights are added in edge order, not in plan order, so that the mean and the initial factors
        // are the same for every strategy.
        const double sum = ranks().in_turn(0.0, [&](double& so_far) { add_weights(in_order, so_far); });
        const double mean = outcome.train_edges ? sum / static_cast<double>(outcome.train_edges) : 0;
        initial = initial_factors(graph.rows, graph.cols, options.rank, mean, options.seed);
    } else {
        remainder.emplace(plan, test);
        outcome.scale = remainder->scale();
        remainder->subtract_biases(fit.biases);
        outcome.baseline =
            tested ? root_mean(ranks().in_turn(0.0, [&](double& so_far) { add_squares(test, so_far); }),
                               outcome.test_edges)
                   : fit.spread;
        initial = small_factors(graph.rows, graph.cols, options.rank, fit.spread, options.seed);
    }
    initial.biases = fit.biases;
    if (beginning.warm) {
        beginning.warm(initial);
        if (fitter) initial.biases = fitter->fit(initial, options.rank).biases;
    }
    // The initial factors are clipped too, because no update clips the vectors of vertices without edges.
    if (options.nonnegative) {
        for (auto* side : {&initial.row, &initial.col})
            std::ranges::transform(*side, side->begin(), [](float x) { return std::max(x, 0.0F); });
    }
    if (beginning.state) initial = beginning.state->kept;
    check_range(initial, options);
    if (biased) remainder->subtract_biases(initial.biases);
    outcome.plan_seconds = seconds_since(start);

    const float floor = options.nonnegative ? 0.0F : -std::numeric_limits<float>::infinity();
    const Problem problem{
        plan,           test, options.rank, floor, options.storage, options.gpus, options.device_memory,
        part != nullptr};
    start = omp_get_wtime();
    std::unique_ptr<Backend> backend = make_backend(problem, initial, options, &outcome.device_note);
    outcome.transfer_seconds = seconds_since(start);  // includes the time until the device is initialized
    if (biased) {
        backend = std::make_unique<BiasedBackend>(
            std::move(backend), *remainder, initial.biases, options.refit_biases,
            beginning.state ? beginning.state->sweeps.size() : 0, outcome.fit_seconds, initial,
            [&](const FactorsView& factors) { return fitter->fit(factors, options.rank).biases; });
    }
    outcome.device = backend->device();
    outcome.device_bytes = backend->device_bytes();
    outcome.streaming = backend->streaming();
    if (callbacks.on_start) callbacks.on_start(outcome);

    Sweeps sweeps(*backend, plan, options, callbacks, beginning, outcome);
    sweeps.run();
    start = omp_get_wtime();
    backend->factors(initial);  // reuses the memory of the initial factors for the result
    outcome.factors = std::move(initial);
    if (sweeps.learnt_nothing()) keep_biases_alone(outcome, fit.spread);
    outcome.biases = outcome.factors.biases;
    outcome.result_hash = hash_of(outcome.factors, options.rank, outcome.biases);
    outcome.result_seconds = seconds_since(start);
    return outcome;
}

}  // namespace lockstep::sgd
