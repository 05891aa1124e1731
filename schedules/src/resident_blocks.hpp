// Blocks of T items with their phases: the structure that AGM-N and SGM have in common.
#pragma once

#include <vector>

#include "lockstep/schedules/grouping.hpp"
#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

/// Divides schedule.residents into blocks of `workers` items. Returns the block of every column; for columns
/// that are not resident, it is the number of blocks.
std::vector<VertexId> assign_blocks(Schedule& schedule, VertexId cols, VertexId workers);

inline EdgeId block_count(const Schedule& schedule) { return schedule.resident_offsets.size() - 1; }

/// Sorts the edges of every block by their matchings and sets the block and phase levels. Block b is
/// [blocks[b], blocks[b + 1]) in the part of the order behind `locked`; `matching(i)` is the matching of the
/// i-th edge of that part. Every matching that has an edge in the block is a phase.
/// O(edges + blocks x matchings); 16 bytes per edge.
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
