// Division of the items into blocks of T, and of the edges of each block into phases. AGM-N and SGM share
// this structure: the items of a block stay in shared memory during its phases.
#pragma once

#include <vector>

#include "lockstep/schedules/grouping.hpp"
#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

/// Divides schedule.residents into blocks of `workers` items, and sets schedule.resident_offsets. Returns the
/// block of every column. Columns that are not resident get the number of blocks instead.
std::vector<VertexId> assign_blocks(Schedule& schedule, VertexId cols, VertexId workers);

inline EdgeId block_count(const Schedule& schedule) { return schedule.resident_offsets.size() - 1; }

/// Sorts the edges of every block by matching, and sets the block and phase levels of the schedule. Positions
/// count from the first edge that is not locked. Block b has the positions blocks[b] … blocks[b + 1] - 1, and
/// matching(i) is the matching of the edge at position i. Each matching that has edges in a block is a phase
/// of this block. O(edges + blocks x matchings) time; 16 bytes per edge.
template <class MatchingAt>
void set_block_phases(Schedule& schedule, const std::vector<EdgeId>& blocks, MatchingAt matching) {
    std::vector<EdgeId>& block_phases = schedule.level(Level::block);
    std::vector<EdgeId>& phases = schedule.level(Level::phase);
    block_phases.assign(1, 0);
    phases.assign(1, 0);
    Array<EdgeId> sorted(schedule.order.size());
    const EdgeId* const order = schedule.order.data() + schedule.locked;
    std::copy_n(schedule.order.data(), schedule.locked, sorted.data());
    for (std::size_t b = 0; b + 1 < blocks.size(); ++b) {
        const EdgeId first = blocks[b], size = blocks[b + 1] - first;
        VertexId last = 0;
#pragma omp parallel for schedule(static) reduction(max : last) if (size > 1 << 16)
        for (EdgeId i = 0; i < size; ++i) last = std::max(last, matching(first + i));
        const std::vector<EdgeId> ends = group_ids(
            size, EdgeId{last} + 1, [&](EdgeId i) { return matching(first + i); },
            [&](EdgeId i) { return order[first + i]; }, sorted.size(),
            sorted.data() + schedule.locked + first);
        for (std::size_t m = 0; m + 1 < ends.size(); ++m) {
            if (ends[m + 1] > ends[m]) phases.push_back(first + ends[m + 1]);
        }
        block_phases.push_back(phases.size() - 1);
    }
    schedule.order.swap(sorted);
}

}  // namespace lockstep
