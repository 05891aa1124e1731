// ParallelErrors, which carries an exception out of an OpenMP region. Without it, an exception that leaves a
// region terminates the program.
#pragma once

#include <atomic>
#include <exception>

namespace lockstep {

/// Stores the first exception that a team of threads throws, until the parallel region has ended. It has a
/// cache line of its own, because all threads read it for every item of their loops, and a neighbouring
/// variable that one of them writes would take the line from the others.
class alignas(64) ParallelErrors {
public:
    /// Calls f() and stores its exception, if any. Does nothing if an earlier call of any thread has thrown.
    template <class F>
    void run(F&& f) noexcept {
        if (failed()) return;
        try {
            f();
        } catch (...) {
            if (!taken_.exchange(true, std::memory_order_relaxed)) first_ = std::current_exception();
            failed_.store(true, std::memory_order_relaxed);
        }
    }
    bool failed() const noexcept { return failed_.load(std::memory_order_relaxed); }
    /// Rethrows the stored exception, if there is one. It must be called after the end of the parallel
    /// region, which is a barrier.
    void rethrow() const {
        if (first_) std::rethrow_exception(first_);
    }

private:
    std::atomic<bool> taken_{false}, failed_{false};
    std::exception_ptr first_;
};

}  // namespace lockstep
