// Exceptions in OpenMP regions: one that leaves a region would end the program.
#pragma once

#include <atomic>
#include <exception>

namespace lockstep {

/// Keeps the first exception of a team until the region is over.
class ParallelErrors {
public:
    /// Calls f() unless some thread has failed before.
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
    /// After the region, whose end is a barrier.
    void rethrow() const {
        if (first_) std::rethrow_exception(first_);
    }

private:
    std::atomic<bool> taken_{false}, failed_{false};
    std::exception_ptr first_;
};

}  // namespace lockstep
