// Exceptions in OpenMP regions. An exception that leaves such a region would terminate the program.
#pragma once

#include <atomic>
#include <exception>

namespace lockstep {

/// Keeps the first exception of a team of threads until the parallel region ends.
class ParallelErrors {
public:
    /// Calls f(), unless a call has already thrown in some thread.
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
    /// Rethrows the stored exception, if any. Must be called after the parallel region, whose end is a
    /// barrier.
    void rethrow() const {
        if (first_) std::rethrow_exception(first_);
    }

private:
    std::atomic<bool> taken_{false}, failed_{false};
    std::exception_ptr first_;
};

}  // namespace lockstep
