// The walk for schedules of the form phase ⊃ edge, such as AGM-E and Diag: all edges of a phase run
// concurrently, and a device-wide barrier follows each phase. Here are the plan and the CPU code.
#pragma once

#include <omp.h>

#include <algorithm>
#include <vector>

#include "lockstep/executor/edge/locks.hpp"
#include "lockstep/executor/edge/plan_parts.hpp"
#include "lockstep/executor/edge/update.hpp"
#include "lockstep/executor/walk.hpp"

namespace lockstep {

struct PhasesPlan {
    static constexpr Walk facts{.name = "phases", .form = forms::phases, .bound = "rounds"};
    std::vector<EdgeId> phase_offsets;  ///< index of the first edge of each phase, and the number of edges
    /// On a GPU: one thread processes one component of an edge's vectors (Diag's F x E), if the operator
    /// supports it.
    bool by_component = false;

    static PhasesPlan make(const PlanParts& parts) { return {parts.offsets(Level::phase)}; }
    EdgeId phases() const { return phase_offsets.empty() ? 0 : phase_offsets.size() - 1; }
    EdgeId bytes() const { return bytes_of(phase_offsets); }
    template <class Model>
    static void terms(Model& m) {
        m.add_rounds(m.probe.phase_round);
        m.add_memory_of_rounds();
    }
};

/// A run: the consecutive phases [first, last) between two barriers of all workers. It is either one large
/// phase that all workers share, or several small phases that one worker (on a GPU one thread block) runs
/// alone, because barriers of all workers would cost more than parallelism gains.
struct PhaseRun {
    EdgeId first, last;
    EdgeId begin, end;  ///< range of the edges of these phases
    EdgeId largest;     ///< number of edges of the largest of these phases
    /// whether all workers process these edges together; the run is then a single phase
    bool shared;
};
/// Divides the phases into runs. A phase with at least `worth_sharing` edges is a run of its own, shared by
/// all workers. Smaller phases are joined into runs of at most `max_edges` edges and `max_phases` phases
/// within one block. `block_phases` contains the offset of each block in the phases; it may be empty.
/// O(phases)
inline std::vector<PhaseRun> phase_runs(const std::vector<EdgeId>& phase_offsets,
                                        const std::vector<EdgeId>& block_phases, EdgeId worth_sharing,
                                        EdgeId max_edges = ~EdgeId{0}, EdgeId max_phases = ~EdgeId{0}) {
    std::vector<PhaseRun> runs;
    EdgeId block = 0;
    for (EdgeId p = 0; p + 1 < phase_offsets.size(); ++p) {
        bool starts_block = false;
        while (block < block_phases.size() && block_phases[block] <= p)
            starts_block |= block_phases[block++] == p;
        const EdgeId begin = phase_offsets[p], end = phase_offsets[p + 1], size = end - begin;
        const bool shared = size >= worth_sharing;
        if (!shared && !starts_block && !runs.empty() && !runs.back().shared &&
            end - runs.back().begin <= max_edges && p - runs.back().first < max_phases) {
            runs.back().last = p + 1, runs.back().end = end;
            runs.back().largest = std::max(runs.back().largest, size);
        } else {
            runs.push_back({p, p + 1, begin, end, size, shared});
        }
    }
    return runs;
}

namespace cpu {

template <EdgeOperator Op>
SweepCounts sweep_phases(const EdgeList& edges, const std::vector<EdgeId>& phase_offsets,
                         const std::vector<EdgeId>& block_phases, const Op& op, int threads) {
    // minimum number of edges of a phase that all threads share; a barrier of two threads takes about 0.3 µs
    constexpr EdgeId worth_sharing = 512;
    const std::vector<PhaseRun> runs = phase_runs(phase_offsets, block_phases, worth_sharing);
    EdgeId updates = 0;
#pragma omp parallel num_threads(threads) reduction(+ : updates)
    {
        const int team = omp_get_num_threads();  // OpenMP may start fewer threads than requested
        const auto me = static_cast<EdgeId>(omp_get_thread_num()), shares = static_cast<EdgeId>(team);
        for (const PhaseRun& run : runs) {
            if (run.shared) {
                const EdgeId size = run.end - run.begin;
                const EdgeId first = run.begin + size * me / shares,
                             last = run.begin + size * (me + 1) / shares;
                update_edges(edges, op, first, last, run.first);
                updates += last - first;
            } else if (me == 0) {
                for (EdgeId p = run.first; p < run.last; ++p)
                    update_edges(edges, op, phase_offsets[p], phase_offsets[p + 1], p);
                updates += run.end - run.begin;
            }
#pragma omp barrier
        }
    }
    return {updates, 1};
}

template <EdgeOperator Op>
SweepCounts sweep(const EdgeList& edges, const PhasesPlan& plan, const Op& op, Locks&, int threads) {
    return sweep_phases(edges, plan.phase_offsets, {}, op, threads);
}

}  // namespace cpu

}  // namespace lockstep
