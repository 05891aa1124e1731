// Where the threads of a team meet.
#pragma once

#include <atomic>
#include <thread>

namespace lockstep::cpu {

/// The barrier of a superstep. Spins briefly, as the others are about to arrive, then yields: where the
/// team has to share its cores, a spinning thread would hold up the one it waits for.
class Barrier {
public:
    /// `team` is the number of threads that meet, the same in every call of a parallel region.
    void arrive_and_wait(int team) {
        const unsigned round = round_.load(std::memory_order_relaxed);
        if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == team) {
            arrived_.store(0, std::memory_order_relaxed);
            round_.store(round + 1, std::memory_order_release);
            return;
        }
        for (int spins = 0; round_.load(std::memory_order_acquire) == round; ++spins) {
            if (spins > 2000) std::this_thread::yield();
        }
    }

private:
    std::atomic<int> arrived_{0};
    std::atomic<unsigned> round_{0};
};

}  // namespace lockstep::cpu
