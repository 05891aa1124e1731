// What a walk makes its plan of.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "lockstep/executor/edge/list.hpp"
#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

/// Where the edges of an order are once the held-out ones are gone.
class Kept {
public:
    Kept() = default;  ///< everywhere: there are none
    /// Of the edges of an order; those that are not held out go to `rest`.
    Kept(std::span<const EdgeId> order, const std::vector<bool>& held_out, Array<EdgeId>& rest);

    bool all() const { return words_.empty(); }
    EdgeId before(EdgeId position) const {
        if (all()) return position;
        const Word& word = words_[position / 64];
        const std::uint64_t behind = ~std::uint64_t{0} << position % 64;
        return word.before + static_cast<EdgeId>(std::popcount(word.kept & ~behind));
    }

private:
    struct Word {
        std::uint64_t kept;  // a bit a position
        EdgeId before;       // kept edges before them
    };
    Array<Word> words_;  // empty: all are kept
};

struct PlanParts {
    EdgeList& edges;           ///< in the order of the schedule, which a walk may change
    const Schedule* schedule;  ///< nullptr: none, of walks that take any order
    const Kept& kept;

    const std::vector<EdgeId>& level(Level level) const { return schedule->level(level); }
    /// Offsets of a level in edges.
    std::vector<EdgeId> offsets(Level level) const {
        std::vector<EdgeId> offsets = edge_offsets(*schedule, level);
        if (kept.all()) return offsets;
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = kept.before(offsets[i]);
        return offsets;
    }
};

}  // namespace lockstep
