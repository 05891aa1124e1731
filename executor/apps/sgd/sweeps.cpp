#include "apps/sgd/sweeps.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>

#include "lockstep/executor/ranks.hpp"

namespace lockstep::sgd {

namespace {

/// Returns options that may avoid a divergence, for the error message. An update changes a factor by rate x
/// error x the other factor. At the start, errors and products of factors are as large as the weights w, so
/// rate x |w| is the relative change of a factor. It must be well below 1, and so must rate x regularisation.
/// The default rate of 0.01 with ratings up to 5 has a relative change of 0.05, which is therefore the target
/// for weights in any unit.
std::string remedy(const EdgePlan& plan, const SgdOptions& o, double rate) {
    constexpr double part = 0.05;
    double largest = 0;
    for (const float w : plan.value) largest = std::max(largest, std::abs(static_cast<double>(w)));
    largest = ranks().most(largest);
    const double by_weights = largest > 0 ? part / largest : std::numeric_limits<double>::infinity();
    double regularisation = o.regularisation;
    const bool too_strong = regularisation > 0.1 * largest;  // the regularisation would outweigh the weights
    // the default of 0.1 for weights up to 5, scaled to the largest weight
    if (too_strong) regularisation = 0.02 * largest;
    const double stable =
        std::min({by_weights, regularisation > 0 ? part / regularisation : by_weights, rate / 4});
    std::string text = fmt::format("Try --learning-rate {:.1g}", stable);
    if (too_strong) text += fmt::format(" --regularisation {:.1g}", regularisation);
    if (o.rate_schedule == RateSchedule::exponential && o.decay > 1) text += " --decay 1";
    return text + fmt::format(" ({} up to {:.4g})",
                              o.form == ModelForm::biased ? "residual weights" : "weights", largest);
}

}  // namespace

double root_mean(double squared_error, EdgeId edges) {
    return edges ? std::sqrt(squared_error / static_cast<double>(edges))
                 : std::numeric_limits<double>::quiet_NaN();
}

bool Progress::count(const SweepRecord& record) {
    constexpr double little = 5e-4;  // relative gain of the test error that counts as almost nothing
    const std::optional<double> rmse_test = record.metric("rmse_test");
    if (rmse_test) {
        is_slow_ = record.sweep >= 40 && std::min(best_, *rmse_test) > (1 - little) * before_[2];
        before_[2] = before_[1], before_[1] = before_[0], before_[0] = std::min(best_, *rmse_test);
        if (record.sweep <= release_sweep) has_little_noise_ = before_[0] < little_error_;
    }
    behind_ = keeps_best_ && rmse_test && !(*rmse_test < best_);
    if (behind_) {
        without_ += record.sweep > plateau_;
        return false;
    }
    if (rmse_test) best_ = *rmse_test;
    without_ = 0;
    return true;
}

std::string mismatch(const State& state, const SgdOptions& options, const Outcome& outcome) {
    const auto is_tested = [](const SweepRecord& record) { return record.metric("rmse_test").has_value(); };
    const bool tested = std::any_of(state.sweeps.begin(), state.sweeps.end(), is_tested);
    if (!tested || (!options.patience && options.form == ModelForm::plain)) return {};
    Progress progress(options, outcome);
    std::uint64_t kept = 0;
    for (const SweepRecord& record : state.sweeps) {
        if (progress.is_over())
            return fmt::format("with --early-stop {} it would have stopped after sweep {}", options.patience,
                               record.sweep - 1);
        const bool evaluated = is_tested(record);
        if (evaluated != is_evaluated(options, record.sweep))
            return fmt::format("sweep {} was {}evaluated, but with --evaluate-every {} it is{}", record.sweep,
                               evaluated ? "" : "not ", options.evaluate_every, evaluated ? " not" : "");
        if (evaluated && progress.count(record)) kept = record.sweep;
    }
    if (kept == state.kept_sweep) return {};
    return fmt::format("it keeps sweep {}, but with --early-stop {} the best is sweep {}", state.kept_sweep,
                       options.patience, kept);
}

Sweeps::Sweeps(Backend& backend, const EdgePlan& plan, const SgdOptions& options,
               const RunCallbacks& callbacks, const RunStart& beginning, Outcome& outcome)
    : backend_(backend),
      plan_(plan),
      options_(options),
      callbacks_(callbacks),
      beginning_(beginning),
      outcome_(outcome),
      progress_(options, outcome),
      last_kept_(omp_get_wtime()) {}

void Sweeps::run() {
    save();
    if (beginning_.state) resume(*beginning_.state);
    if (options_.sweeps == 0) set_errors(outcome_.initial, true);
    while (outcome_.status == "ok" && outcome_.sweeps.size() < options_.sweeps) sweep();
    if (outcome_.status == "diverged") {
        restore();
        return complete();
    }
    if (!closed_) keep();
    // The result of early stopping is the factors of the best evaluation, even if all sweeps were run.
    const bool stopped = progress_.is_over() && outcome_.status == "stopped-early";
    if (progress_.is_behind() && (outcome_.status == "ok" || stopped)) restore();
    complete();
}

/// Resumes from a checkpoint: restores the factors, the history and the state of early stopping.
void Sweeps::resume(const State& state) {
    if (state.present) backend_.set(*state.present);
    saved_sweep_ = state.kept_sweep;
    for (const SweepRecord& record : state.sweeps) {
        outcome_.sweeps.push_back(record);
        outcome_.kept_sweep = record.sweep;
        outcome_.execute_seconds += record.seconds;
        if (is_evaluated(options_, record.sweep))
            progress_.count(record);
        else if (&record == &state.sweeps.back() && is_last(record.sweep))
            close(outcome_.sweeps.back());
        if (callbacks_.on_round) callbacks_.on_round(outcome_.sweeps.back());
    }
    if (!state.sweeps.empty() && outcome_.status == "ok") look_for_end();
}

void Sweeps::sweep() {
    const std::uint64_t t = outcome_.sweeps.size();
    const double rate = learning_rate(options_, t);
    const double shrinkage = rate * regularisation(options_, t, progress_.has_little_noise());
    const Step step{static_cast<float>(rate), static_cast<float>(1 - shrinkage)};
    SweepRecord& record = outcome_.sweeps.emplace_back();
    record.sweep = t + 1;
    const SweepCounts counts = backend_.sweep(step, &record.seconds);
    outcome_.execute_seconds += record.seconds;
    outcome_.kept_sweep = record.sweep;
    record.updates = counts.updates;
    record.passes = counts.passes;

    // The metric "f" is the share of the hub's edges that are updated in a pass. It is computed from counts,
    // or from the number of passes if the hub is processed last (NL-EL on a GPU).
    const auto tried = static_cast<double>(counts.hub_tries), done = static_cast<double>(counts.hub_edges);
    if (options_.attempts)
        record.metrics.push_back({"f", tried > 0 ? done / tried : 1 / static_cast<double>(record.passes)});
    const bool evaluated = is_evaluated(options_, record.sweep);
    set_errors(record, evaluated);
    if (evaluated)
        count(record);
    else if (is_last(record.sweep))
        close(record);
    if (callbacks_.on_round) callbacks_.on_round(record);
    if (outcome_.status == "ok") look_for_end();
    if (outcome_.status == "ok" && !closed_ && is_due()) keep();
}

/// Sets the training and test errors of a record; they precede its other metrics.
void Sweeps::set_errors(SweepRecord& record, bool evaluated) {
    std::erase_if(record.metrics, [](const auto& metric) { return metric.name.starts_with("rmse_"); });
    double train = std::numeric_limits<double>::quiet_NaN();
    if (evaluated) {
        if (!trains_unwatched()) train = train_error();
        const double start = omp_get_wtime();
        if (outcome_.test_edges)
            record.metrics.insert(
                record.metrics.begin(),
                {"rmse_test", root_mean(backend_.test_squared_error(), outcome_.test_edges)});
        outcome_.evaluate_seconds += omp_get_wtime() - start;
    }
    record.metrics.insert(record.metrics.begin(), {"rmse_train", train});
}

double Sweeps::train_error() {
    const double start = omp_get_wtime();
    const double error = root_mean(backend_.train_squared_error(), outcome_.train_edges);
    outcome_.evaluate_seconds += omp_get_wtime() - start;
    return error;
}

/// Computes the training error of the resulting factors, if no evaluation has computed it.
void Sweeps::complete() {
    if (!trains_unwatched() || outcome_.kept_sweep == 0) return;
    for (SweepRecord& record : outcome_.sweeps) {
        if (record.sweep == outcome_.kept_sweep && record.metric("rmse_test"))
            record.metrics[0].value = train_error();
    }
}

/// Returns the error by which divergence is detected: it is NaN or infinite if any factor is.
double Sweeps::find_watched_error(const SweepRecord& record) const {
    return trains_unwatched() ? record.metric("rmse_test").value() : record.metrics[0].value;
}

/// Evaluates the last sweep, although its number is not due for an evaluation. Saves the checkpoint before,
/// because a longer run would not evaluate this sweep, and resuming must give the same result.
void Sweeps::close(SweepRecord& record) {
    keep();
    closed_ = true;
    set_errors(record, true);
    count(record);
}

void Sweeps::count(const SweepRecord& record) {
    if (outcome_.train_edges && !std::isfinite(find_watched_error(record))) {
        const double rate = learning_rate(options_, record.sweep - 1);
        return stop("diverged", fmt::format("the factors diverged in sweep {} at learning rate {:g}; the "
                                            "last finite factors are kept. {}",
                                            record.sweep, rate, remedy(plan_, options_, rate)));
    }
    if (!progress_.count(record)) return;
    saved_sweep_ = record.sweep;
    save();
}

void Sweeps::save() {
    const double start = omp_get_wtime();
    backend_.save();
    outcome_.evaluate_seconds += omp_get_wtime() - start;
}

bool Sweeps::is_late(std::uint64_t sweep) const {
    return options_.time_limit > 0 && outcome_.execute_seconds >= options_.time_limit &&
           sweep < options_.sweeps;
}

void Sweeps::look_for_end() {
    const std::uint64_t sweep = outcome_.sweeps.size();
    if (progress_.out_of_patience()) {
        stop("stopped-early",
             fmt::format("no better test RMSE than {:.6g} in {} evaluations: stopped after sweep {}",
                         progress_.best(), options_.patience, sweep));
    } else if (progress_.is_over()) {
        stop("stopped-early",
             fmt::format(
                 "the test error decreased by less than 0.05 % in three evaluations: stopped after sweep {}",
                 sweep));
    } else if (is_late(sweep)) {
        stop("stopped-early",
             fmt::format("the time limit of {:g} s was reached: stopped after sweep {} of {}",
                         options_.time_limit, sweep, options_.sweeps));
    } else if (callbacks_.interrupted && callbacks_.interrupted()) {
        stop("interrupted", fmt::format("interrupted after sweep {}", sweep));
    }
}

void Sweeps::stop(const char* status, std::string message) {
    outcome_.status = status;
    outcome_.message = std::move(message);
}

bool Sweeps::is_due() const {
    if (beginning_.every_sweeps) return outcome_.sweeps.size() % beginning_.every_sweeps == 0;
    return ranks().broadcast_value(omp_get_wtime() - last_kept_) >= beginning_.every_seconds;
}

void Sweeps::keep() {
    if (!beginning_.keep) return;
    State state{outcome_.sweeps, backend_.copy_saved_factors(), saved_sweep_, {}};
    if (saved_sweep_ != outcome_.sweeps.size()) backend_.factors(state.present.emplace());
    beginning_.keep(state);
    last_kept_ = omp_get_wtime();
}

void Sweeps::restore() {
    backend_.restore();
    outcome_.kept_sweep = saved_sweep_;
}

}  // namespace lockstep::sgd
