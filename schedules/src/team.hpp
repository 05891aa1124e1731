// A team of threads that works step by step, each step a few microseconds long. OpenMP's threads sleep between
// loops, so as not to be in the way on a busy machine; waking sixteen of them takes longer than such a step.
#pragma once

#include <algorithm>
#include <atomic>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

class Team {
public:
    /// Of a parallel region: every thread of it calls what follows.
    explicit Team(int threads) : threads_(threads) {}

    /// Waits for all; the last one to come runs `last` before they go on. Looks for some 20 µs whether they have
    /// come, then sleeps: on a busy machine they need its processor.
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
    /// f(i) for all i in [first, last), drawn by whoever is free. Begins with draw_from(first), ends before the
    /// next meeting.
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
