// Runs the sweeps of SGD: evaluates the factors, keeps the best ones, stops early, and saves checkpoints.
#pragma once

#include <limits>
#include <string>

#include "apps/sgd/driver.hpp"

namespace lockstep::sgd {

/// The state of early stopping: the test errors so far, and what follows from them.
class Progress {
public:
    /// Begins without evaluations. `outcome` must contain `dense` and the error of the biases without factors
    /// (`baseline`).
    Progress(const SgdOptions& options, const Outcome& outcome)
        : patience_(options.patience),
          // Factors that begin near zero need several sweeps before they reduce the error.
          plateau_(options.form == ModelForm::biased ? 10 : 0),
          little_error_(outcome.dense ? little_noise * outcome.baseline.value_or(0) : 0),
          ends_slow_(options.patience && options.patience_if_any),
          keeps_best_(patience_ || options.form == ModelForm::biased) {}
    /// Adds an evaluation. Returns true if its factors should be saved: those with the smallest test error so
    /// far or, in the plain form without patience, those of every evaluation.
    bool count(const SweepRecord& record);
    bool is_over() const { return out_of_patience() || (ends_slow_ && has_little_noise_ && is_slow_); }
    bool out_of_patience() const { return patience_ && without_ >= patience_; }
    /// Returns true if the ratings are dense and have little noise: by sweep `release_sweep`, the factors
    /// explain so much of the error that the regularisation causes most of the rest.
    bool has_little_noise() const { return has_little_noise_; }
    /// Returns true if an evaluation before the last one had a smaller test error.
    bool is_behind() const { return behind_; }
    double best() const { return best_; }

private:
    /// Maximum test error of ratings with little noise, relative to the error of the biases without factors.
    /// At 0.6, the factors explain 64 % of the variance. Synthetic ratings, made from a few factors, reach
    /// this value; we have seen no ratings by people that do.
    static constexpr double little_noise = 0.6;

    std::uint64_t patience_, plateau_, without_ = 0;
    double little_error_;
    bool ends_slow_, keeps_best_, behind_ = false;
    bool has_little_noise_ = false;
    /// Whether the last three evaluations together reduced the test error by almost nothing; only from sweep
    /// 40 on.
    bool is_slow_ = false;
    double best_ = std::numeric_limits<double>::infinity();
    double before_[3] = {best_, best_, best_};  ///< smallest test error one, two and three evaluations ago
};

/// Verifies that a run with these options can have reached the state of a checkpoint: that the right sweeps
/// were evaluated, the right sweep was kept, and the run had not stopped. Returns the first contradiction, or
/// an empty string. `outcome` is the outcome of the resumed run before its first sweep.
std::string mismatch(const State& state, const SgdOptions& options, const Outcome& outcome);

/// Runs the sweeps on a backend. `outcome` must contain the numbers of edges, and receives the records of the
/// sweeps, times, status and message. At the end, the backend contains the factors of the result. All
/// references must outlive this object.
class Sweeps {
public:
    Sweeps(Backend& backend, const EdgePlan& plan, const SgdOptions& options, const RunCallbacks& callbacks,
           const RunStart& beginning, Outcome& outcome);
    void run();
    /// Returns true if the factors of the result have no smaller test error than the biases without factors.
    bool learnt_nothing() const {
        return outcome_.baseline && outcome_.test_edges && saved_sweep_ > 0 &&
               outcome_.kept_sweep == saved_sweep_ && progress_.best() >= *outcome_.baseline;
    }

private:
    void resume(const State& state);
    void sweep();
    void set_errors(SweepRecord& record, bool evaluated);
    double train_error();
    void complete();
    double find_watched_error(const SweepRecord& record) const;
    bool trains_unwatched() const { return !options_.train_errors && outcome_.test_edges > 0; }
    void close(SweepRecord& record);
    void count(const SweepRecord& record);
    bool is_last(std::uint64_t sweep) const { return sweep == options_.sweeps || is_late(sweep); }
    bool is_late(std::uint64_t sweep) const;
    void look_for_end();
    void stop(const char* status, std::string message);
    bool is_due() const;
    void keep();
    void save();
    void restore();

    Backend& backend_;
    const EdgePlan& plan_;
    const SgdOptions& options_;
    const RunCallbacks& callbacks_;
    const RunStart& beginning_;
    Outcome& outcome_;
    Progress progress_;
    double last_kept_;
    std::uint64_t saved_sweep_ = 0;
    bool closed_ = false;
};

/// Returns the root mean square error of `edges` edges; NaN if there are no edges.
double root_mean(double squared_error, EdgeId edges);

}  // namespace lockstep::sgd
