// Concurrent claims of vertices by stars, for the stars builder (stars.cpp): several threads extend stars at
// the same time, and a vertex must go to only one star of a phase.
#pragma once

#include <atomic>

#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// The state of each vertex in the current phase: free, claimed by a star in the current round, or taken. If
/// several stars claim a vertex in a round, the claim of the star with the smallest number remains. A claim
/// counts only for its round; a taken vertex stays taken until the end of the phase.
class StarClaims {
public:
    explicit StarClaims(std::size_t vertices) : of_(vertices) { forget(); }
    /// Starts a phase, in which all vertices are free.
    void next_phase() {
        if (taken_ < 2 * max_rounds) forget();
        taken_ -= max_rounds, round_ = taken_ + max_rounds;
    }
    /// Starts a round. Discards the claims of vertices that were not taken. At most `max_rounds` - 1 calls
    /// per phase.
    void next_round() { --round_; }

    bool is_free(std::size_t v) const { return load(v) >> 32 != taken_; }
    void claim(std::size_t v, std::uint32_t number) {
        const std::uint64_t mine = round_ << 32 | number;
        std::uint64_t there = load(v);
        while (mine < there && !place(v).compare_exchange_weak(there, mine, std::memory_order_relaxed)) {
        }
    }
    bool has(std::size_t v, std::uint32_t number) const { return load(v) == (round_ << 32 | number); }
    /// Marks `v` as taken. Only the star that has the claim of v may call it.
    void take(std::size_t v) { place(v).store(taken_ << 32, std::memory_order_relaxed); }
    void prefetch(std::size_t v) const { __builtin_prefetch(&of_[v], 1); }

private:
    using MarkReference = std::atomic_ref<std::uint64_t>;
    static constexpr std::uint64_t max_rounds = 256;
    void forget() {
        taken_ = ~std::uint32_t{0} - max_rounds;
#pragma omp parallel for schedule(static)
        for (std::size_t v = 0; v < of_.size(); ++v) of_[v] = ~std::uint64_t{0};
    }
    MarkReference place(std::size_t v) const { return MarkReference(of_[v]); }
    std::uint64_t load(std::size_t v) const { return place(v).load(std::memory_order_relaxed); }

    // vertex -> (round << 32 | number of the star); later rounds have smaller numbers.
    mutable Array<std::uint64_t> of_;
    std::uint64_t taken_ = 0, round_ = 0;
};

}  // namespace lockstep
