// PlanParts: the edges, the schedule and the held-out edges, from which each walk builds its plan.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "lockstep/executor/edge/list.hpp"
#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

/// Maps a position in the schedule's order of the edges to the position in the same order without the
/// held-out edges.
class TrainingPositions {
public:
    TrainingPositions() = default;  ///< maps each position to itself, because no edge is held out
    /// Builds the map for the edges `order`. Stores in `rest` the edges e of `order` without held_out[e].
    TrainingPositions(std::span<const EdgeId> order, const std::vector<bool>& held_out, Array<EdgeId>& rest);

    bool all() const { return words_.empty(); }
    /// Returns the number of edges before `position` that are not held out: the new position.
    EdgeId before(EdgeId position) const {
        if (all()) return position;
        const Word& word = words_[position / 64];
        const std::uint64_t behind = ~std::uint64_t{0} << position % 64;
        return word.before + static_cast<EdgeId>(std::popcount(word.kept & ~behind));
    }

private:
    struct Word {
        std::uint64_t kept;  // one bit per position: whether its edge is kept, i.e. not held out
        EdgeId before;       // number of kept edges at all positions before those of this word
    };
    Array<Word> words_;  // empty if no edge is held out
};

struct PlanParts {
    EdgeList& edges;           ///< edges in the order of the schedule; a walk may reorder them
    const Schedule* schedule;  ///< nullptr for walks that accept any order
    const TrainingPositions& kept;

    const std::vector<EdgeId>& level(Level level) const { return schedule->level(level); }
    /// Returns the offset of each part of a level of the schedule, in the edges that are not held out.
    std::vector<EdgeId> offsets(Level level) const {
        std::vector<EdgeId> offsets = edge_offsets(*schedule, level);
        if (kept.all()) return offsets;
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = kept.before(offsets[i]);
        return offsets;
    }
};

}  // namespace lockstep
