// The sweeps of a run: evaluate, keep the best factors, stop, save checkpoints.
#pragma once

#include <limits>
#include <string>

#include "apps/sgd/driver.hpp"

namespace lockstep::sgd {

/// The state of early stopping: the test errors so far, and their consequences.
class Progress {
public:
    /// Begins without evaluations. `outcome` must have `dense` and the error of the biases alone.
    Progress(const SgdOptions& options, const Outcome& outcome)
        : patience_(options.patience),
          // Factors that begin near zero need some sweeps until they reduce the error.
          plateau_(options.form == ModelForm::biased ? 10 : 0),
          little_error_(outcome.dense ? little_noise * outcome.baseline.value_or(0) : 0),
          ends_slow_(options.patience && options.patience_if_any),
          keeps_best_(patience_ || options.form == ModelForm::biased) {}
    /// Counts an evaluation. Returns true if its factors are to be kept; in the plain form without patience,
    /// all are.
    bool count(const SweepRecord& record);
    bool is_over() const { return out_of_patience() || (ends_slow_ && has_little_noise_ && is_slow_); }
    bool out_of_patience() const { return patience_ && without_ >= patience_; }
    /// Returns true if the ratings are dense, and the factors explain so much of the error by `release_sweep`
    /// that the rest is mostly due to the regularisation.
    bool has_little_noise() const { return has_little_noise_; }
    /// Returns true if the last evaluation was not the best.
    bool is_behind() const { return behind_; }
    double best() const { return best_; }

private:
    /// Maximum test error of ratings of little noise, as a share of the error of the biases alone: at 0.6 the
    /// factors explain 64 % of the variance. Ratings made from a few planted factors reach it; no ratings by
    /// people have been seen to.
    static constexpr double little_noise = 0.6;

    std::uint64_t patience_, plateau_, without_ = 0;
    double little_error_;
    bool ends_slow_, keeps_best_, behind_ = false;
    bool has_little_noise_ = false;
    /// Whether, from sweep 40 on, the last three evaluations together gained almost nothing.
    bool is_slow_ = false;
    double best_ = std::numeric_limits<double>::infinity();
    double before_[3] = {best_, best_, best_};  ///< best errors one, two and three evaluations ago
};

/// Returns the reason why a run with these options cannot have had this state, or an empty string if it can.
/// The check covers which sweeps are evaluated, which one is kept, and when the run stops. `outcome` is that
/// of the resumed run, before its first sweep.
std::string mismatch(const State& state, const SgdOptions& options, const Outcome& outcome);

/// Runs the sweeps. `outcome` contains the numbers of edges, and receives the sweeps, times, status and
/// message. The backend is left with the factors of the result. All references must outlive this object.
class Sweeps {
public:
    Sweeps(Backend& backend, const EdgePlan& plan, const SgdOptions& options, const RunCallbacks& callbacks,
           const Beginning& beginning, Outcome& outcome);
    void run();
    /// Returns whether the best factors, which are kept, are no better on the test edges than the biases
    /// alone.
    bool learnt_nothing() const {
        return outcome_.baseline && outcome_.test_edges && saved_sweep_ > 0 &&
               outcome_.kept_sweep == saved_sweep_ && progress_.best() >= *outcome_.baseline;
    }

private:
    void go_on(const State& state);
    void sweep();
    void set_errors(SweepRecord& record, bool evaluated);
    double train_error();
    void complete();
    double watched_error(const SweepRecord& record) const;
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
    const Beginning& beginning_;
    Outcome& outcome_;
    Progress progress_;
    double last_kept_;
    std::uint64_t saved_sweep_ = 0;
    bool closed_ = false;
};

/// Returns the root mean square error; NaN if there are no edges.
double root_mean(double squared_error, EdgeId edges);

}  // namespace lockstep::sgd
