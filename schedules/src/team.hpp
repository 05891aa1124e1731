// A team of threads whose parallel steps take only a few microseconds, with a barrier that spins. OpenMP
// threads sleep between parallel loops, so that other programs can use the processors; waking sixteen threads
// would take longer than such a step.
#pragma once

#include <algorithm>
#include <atomic>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// Barriers and dynamic loops inside one OpenMP parallel region.
class Team {
public:
    /// Constructs the team of a parallel region with `threads` threads. All of them must call the functions
    /// below.
    explicit Team(int threads) : threads_(threads) {}

    /// Barrier: returns when all threads have called it. The last thread to arrive runs last() before any
    /// thread returns. Waiting threads spin for about 20 µs, then sleep, because on a busy machine the other
    /// threads may need their processors.
    template <class Last>
    void sync(Last last) {
        const unsigned epoch = epoch_.load(std::memory_order_acquire);
        if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
            last();
            arrived_.store(0, std::memory_order_relaxed);
            epoch_.store(epoch + 1, std::memory_order_release);
            epoch_.notify_all();
            return;
        }
        for (int look = 0; look < 512 && epoch_.load(std::memory_order_acquire) == epoch; ++look) pause();
        epoch_.wait(epoch, std::memory_order_acquire);
    }
    /// A loop over [first, last) in which idle threads fetch chunks of 64 indices and run f(i). One thread
    /// must call reset_queue(first) before a barrier; after the barrier all threads call process_queue(last,
    /// f). Another barrier must follow before the next loop.
    void reset_queue(EdgeId first) { next_.store(first, std::memory_order_relaxed); }
    template <class F>
    void process_queue(EdgeId last, F f) {
        constexpr EdgeId at_a_time = 64;
        for (EdgeId i; (i = next_.fetch_add(at_a_time, std::memory_order_relaxed)) < last;) {
            for (const EdgeId end = std::min(last, i + at_a_time); i < end; ++i) f(i);
        }
    }

private:
    static void pause() {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }

    const int threads_;
    std::atomic<int> arrived_ = 0;
    std::atomic<unsigned> epoch_ = 0;
    std::atomic<EdgeId> next_ = 0;
};

}  // namespace lockstep
