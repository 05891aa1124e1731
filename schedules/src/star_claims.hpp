// Concurrent claims of vertices by the centres of stars (stars.cpp).
#pragma once

#include <atomic>

#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// The owner of each vertex in a phase. If several centres claim a vertex in a round, the one with the
/// smallest number wins; the claim is final when the winner takes the vertex.
class Claims {
public:
    explicit Claims(std::size_t vertices) : of_(vertices) { forget(); }
    /// Starts a phase: all vertices are free.
    void next_phase() {
        if (taken_ < 2 * most_rounds) forget();
        taken_ -= most_rounds, round_ = taken_ + most_rounds;
    }
    /// Starts a round: claims of vertices that were not taken are discarded. At most `most_rounds` - 1 calls
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
    /// Marks `v` as taken. Only the centre that won the claim calls it.
    void take(std::size_t v) { place(v).store(taken_ << 32, std::memory_order_relaxed); }
    void prefetch(std::size_t v) const { __builtin_prefetch(&of_[v], 1); }

private:
    using Place = std::atomic_ref<std::uint64_t>;
    static constexpr std::uint64_t most_rounds = 256;
    void forget() {
        taken_ = ~std::uint32_t{0} - most_rounds;
#pragma omp parallel for schedule(static)
        for (std::size_t v = 0; v < of_.size(); ++v) of_[v] = ~std::uint64_t{0};
    }
    Place place(std::size_t v) const { return Place(of_[v]); }
    std::uint64_t load(std::size_t v) const { return place(v).load(std::memory_order_relaxed); }

    mutable Array<std::uint64_t> of_;  // vertex -> round << 32 | number; later rounds have smaller values
    std::uint64_t taken_ = 0, round_ = 0;
};

}  // namespace lockstep
