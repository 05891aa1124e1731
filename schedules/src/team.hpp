// A team of threads for steps of a few microseconds each. OpenMP threads sleep between loops, to leave a busy
// machine to others; waking sixteen of them takes longer than such a step.
#pragma once

#include <algorithm>
#include <atomic>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

class Team {
public:
    /// Constructs a team for a parallel region of `threads` threads, all of which call the functions below.
    explicit Team(int threads) : threads_(threads) {}

    /// Barrier: waits for all threads. The last thread to arrive runs `last` before they continue. Spins for
    /// about 20 µs, then sleeps, because on a busy machine the other threads need its processor.
    template <class Last>
    void meet(Last last) {
        const unsigned meeting = meeting_.load(std::memory_order_acquire);
        if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
            last();
            arrived_.store(0, std::memory_order_relaxed);
            meeting_.store(meeting + 1, std::memory_order_release);
            meeting_.notify_all();
            return;
        }
        for (int look = 0; look < 512 && meeting_.load(std::memory_order_acquire) == meeting; ++look) pause();
        meeting_.wait(meeting, std::memory_order_acquire);
    }
    /// draw_from() and draw() run f(i) for all i in [first, last); idle threads fetch chunks of indices. One
    /// thread calls draw_from(first) before a barrier, then all threads call draw(). The next barrier must
    /// come after it.
    void draw_from(EdgeId first) { next_.store(first, std::memory_order_relaxed); }
    template <class F>
    void draw(EdgeId last, F f) {
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
    std::atomic<unsigned> meeting_ = 0;
    std::atomic<EdgeId> next_ = 0;
};

}  // namespace lockstep
