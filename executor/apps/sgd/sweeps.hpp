// The sweeps of a run: evaluate, keep the best factors, stop, leave checkpoints.
#pragma once

#include "apps/sgd/driver.hpp"

namespace lockstep::sgd {

/// `outcome` has the numbers of edges, and gets sweeps, times, status and message; the backend is left with
/// the factors that count. All references must outlive it.
class Sweeps {
public:
    Sweeps(Backend& backend, const EdgePlan& plan, const SgdOptions& options, const RunCallbacks& callbacks,
           const Beginning& beginning, Outcome& outcome);
    void run();
    /// Whether the best factors, which are kept, are no better on the test edges than the biases alone.
    bool learnt_nothing() const {
        return outcome_.baseline && options_.patience && saved_sweep_ > 0 &&
               outcome_.kept_sweep == saved_sweep_ && best_ >= *outcome_.baseline;
    }

private:
    void go_on(const State& state);
    void sweep();
    void measure(SweepRecord& record);
    /// Of an evaluation: whether it is the best so far, or all count as good.
    bool count_progress(const SweepRecord& record);
    bool is_late(std::uint64_t sweep) const;
    void look_for_end();
    void stop(const char* status, std::string message);
    bool is_due() const;
    void keep();
    void restore();

    Backend& backend_;
    const EdgePlan& plan_;
    const SgdOptions& options_;
    const RunCallbacks& callbacks_;
    const Beginning& beginning_;
    Outcome& outcome_;
    double best_, last_kept_;
    std::uint64_t without_progress_ = 0, saved_sweep_ = 0;
};

/// NaN where there are none.
double root_mean(double squared_error, EdgeId edges);

}  // namespace lockstep::sgd
