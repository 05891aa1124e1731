// The walk block ⊃ phase ⊃ edge with resident columns (resident.hpp) on the GPU: a worker owns columns and
// keeps their vectors in shared memory during all phases of a block.
#pragma once

#include "lockstep/executor/device/barrier.cuh"
#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/device/warp.cuh"
#include "lockstep/executor/edge/resident.hpp"
#include "lockstep/executor/edge/small_phases.cuh"
#include "lockstep/executor/edge/tuning.hpp"

namespace lockstep::gpu {

struct ResidentView {
    PhasesView phases;
    EdgeId blocks;
    const EdgeId* block_phases;
    /// for each block: index of the first of the small phases at its end, and offset of its runs in
    /// `phases.run`
    const EdgeId *block_tail, *block_runs;
    const EdgeId* resident_offsets;
    const VertexId* residents;
    // Worker w owns the residents w, w + workers, … of a block. `slot_edges` contains the offset of each
    // resident in the four arrays after it, which have one entry per edge, sorted by (resident, phase).
    const EdgeId *slot_edges, *slot_edge;
    const std::uint32_t* slot_phase;
    const VertexId* slot_row;
    const float* slot_value;
};

/// Returns the column's vector as if it had been stored and loaded again, which may round it.
template <class Op>
__device__ __forceinline__ typename Op::Col as_stored(const Op& op, const typename Op::Col& col) {
    if constexpr (requires { op.as_stored(col); })
        return op.as_stored(col);
    else
        return col;
}

/// The data in shared memory that a thread keeps for one of its columns while the column's block runs.
template <class Op>
struct Slot {
    typename Op::Col col;
    EdgeId entry, end;    ///< remaining entries of the column in the slot arrays, sorted by phase
    std::uint32_t phase;  ///< phase, row and value of the next entry, which are loaded in advance
    VertexId row;
    float value;
};

/// Runs AGM-N and SGM (Kaleem et al., III-A.2 and III-A.3). A worker owns the residents w, w + workers, … of
/// a block, and keeps their vectors in shared memory during the block's phases. One thread block then runs
/// the small phases at the end of the block alone; it gets the vectors through device memory.
template <EdgeOperator Op>
__global__ void __launch_bounds__(tuning::resident.threads) resident_kernel(ResidentView plan, Op op) {
    extern __shared__ __align__(16) unsigned char shared[];
    // overlaps the slots; it is used only while the slots are unused
    auto& small = *reinterpret_cast<SmallPhases<Op>*>(shared);
    // dimensions: [slots][blockDim.x]; each thread uses slots of its own
    auto* slot = reinterpret_cast<Slot<Op>*>(shared);
    DeviceBarrier barrier(plan.phases.counters + arrivals);
    const EdgeId worker = worker_index<Op>(), workers = worker_count<Op>();
    unsigned done = 0;
    const auto look_ahead = [&](Slot<Op>& s) {
        // For the last entry this reads one entry past the end of the arrays, which is padding. It is never
        // processed.
        copy_word(&s.phase, plan.slot_phase + s.entry);
        copy_word(&s.row, plan.slot_row + s.entry);
        copy_word(&s.value, plan.slot_value + s.entry);
    };

    for (EdgeId b = 0; b < plan.blocks; ++b) {
        const EdgeId first = plan.resident_offsets[b], columns = plan.resident_offsets[b + 1] - first;
        const EdgeId begin = plan.block_phases[b], tail = plan.block_tail[b];
        if (begin < tail) {
            for (EdgeId i = 0, column = worker; column < columns; ++i, column += workers) {
                Slot<Op>& s = slot[i * blockDim.x + threadIdx.x];
                s.col = op.load_col(plan.residents[first + column]);
                s.entry = plan.slot_edges[first + column], s.end = plan.slot_edges[first + column + 1];
                look_ahead(s);
            }
            for (EdgeId p = begin; p < tail; ++p) {
                wait_for_copies();
                for (EdgeId i = 0, column = worker; column < columns; ++i, column += workers) {
                    Slot<Op>& s = slot[i * blockDim.x + threadIdx.x];
                    if (s.phase != p || s.entry == s.end) continue;
                    const EdgeId e = plan.slot_edge[s.entry];
                    const VertexId u = s.row;
                    auto row = op.load_row(u);
                    auto col = s.col;
                    op.apply(row, col, s.value, EdgePosition{e, p, e});
                    op.store_row(u, row);
                    s.col = as_stored(op, col);
                    ++s.entry;
                    s.phase = ~0U;
                    ++done;
                }
                // These loads come after the arrival at the barrier, because the fence of the arrival would
                // wait for them.
                barrier.arrive();
                for (EdgeId i = 0, column = worker; column < columns; ++i, column += workers) {
                    Slot<Op>& s = slot[i * blockDim.x + threadIdx.x];
                    if (s.phase == ~0U) look_ahead(s);
                }
                barrier.wait();
            }
            wait_for_copies();
            for (EdgeId i = 0, column = worker; column < columns; ++i, column += workers)
                op.store_col(plan.residents[first + column], slot[i * blockDim.x + threadIdx.x].col);
            barrier.sync();
        }
        if (plan.block_runs[b] < plan.block_runs[b + 1]) {
            if (blockIdx.x == 0)
                done += small.run(plan.phases, op, plan.block_runs[b], plan.block_runs[b + 1]);
            barrier.sync();
        }
    }
    add_of_block<Op>(plan.phases.counters + updates, done, shared);
}

inline __global__ void set_slot_values(float* slots, const EdgeId* edges, EdgeId count, const float* values) {
    const EdgeId stride = EdgeId{gridDim.x} * blockDim.x;
    for (EdgeId i = EdgeId{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride)
        slots[i] = values[edges[i]];
}

template <>
class DeviceWalk<ResidentPlan> : public Counting {
public:
    DeviceWalk(const EdgeList& list, const EdgesView& edges, const ResidentPlan& plan) : plan_(plan) {
        view_.phases = {edges, nullptr, nullptr, 0, counters_.data()};
        put(view_.phases.phase_offsets, phase_offsets_, plan.phase_offsets);
        ResidentLayout layout = resident_layout(list, plan);
        // This padding is loaded in advance, but never processed.
        layout.phase.push_back(0), layout.row.push_back(0), layout.value.push_back(0);
        view_.blocks = plan.block_phases.size() - 1;
        put(view_.block_phases, block_phases_, plan.block_phases);
        put(view_.resident_offsets, resident_offsets_, plan.resident_offsets);
        put(view_.residents, residents_, plan.residents);
        put(view_.slot_edges, slot_edges_, layout.slot_edges), put(view_.slot_edge, slot_edge_, layout.edge);
        put(view_.slot_phase, slot_phase_, layout.phase), put(view_.slot_row, slot_row_, layout.row);
        put(view_.slot_value, slot_value_, layout.value);
    }
    void set_values(const EdgeList&, const ResidentPlan&) {
        constexpr unsigned grid = 1024, threads = 256;
        set_slot_values<<<grid, threads>>>(slot_value_.data(), slot_edge_.data(), slot_edge_.size(),
                                           view_.phases.edges.value);
        LOCKSTEP_CUDA(cudaGetLastError());
    }
    static EdgeId bytes(const EdgeList& list, const ResidentPlan& plan) {
        return plan.bytes() + 20 * (list.edges() + 1) + 8 * (plan.residents.size() + 1) +
               sizeof(PhaseRun) * plan.phases() + 16 * plan.block_phases.size();
    }
    template <EdgeOperator Op>
    void prepare() {
        if (lanes_ == Op::Lanes::lanes) return;
        lanes_ = Op::Lanes::lanes;
        const std::vector<PhaseRun> runs = device_runs(plan_.phase_offsets, plan_.block_phases, lanes_);
        // This kernel runs a phase on one thread block only if no large (shared) phase follows in the same
        // block.
        std::vector<EdgeId> tail(view_.blocks), tail_runs{0};
        std::vector<PhaseRun> small;
        EdgeId r = 0;
        for (EdgeId b = 0; b < view_.blocks; ++b) {
            EdgeId first = r;
            for (; r < runs.size() && runs[r].first < plan_.block_phases[b + 1]; ++r) {
                if (runs[r].shared) first = r + 1;
            }
            tail[b] = first < r ? runs[first].first : plan_.block_phases[b + 1];
            small.insert(small.end(), runs.begin() + static_cast<std::ptrdiff_t>(first),
                         runs.begin() + static_cast<std::ptrdiff_t>(r));
            tail_runs.push_back(small.size());
        }
        put(view_.phases.run, run_, small);
        view_.phases.runs = small.size();
        put(view_.block_tail, block_tail_, tail), put(view_.block_runs, block_runs_, tail_runs);
    }
    template <EdgeOperator Op>
    void sweep(const Op& op) {
        const EdgeId slots = resident_slots(plan_, Op::Lanes::lanes, device_properties());
        launch(resident_kernel<Op>, tuning::resident,
               std::max<EdgeId>(slots * sizeof(Slot<Op>) * tuning::resident.threads, sizeof(SmallPhases<Op>)),
               view_, op);
    }

private:
    ResidentPlan plan_;
    int lanes_ = 0;  // number of lanes per edge, for which phases were grouped into runs
    Buffer<VertexId> residents_, slot_row_;
    Buffer<float> slot_value_;
    Buffer<EdgeId> phase_offsets_, block_phases_, resident_offsets_, slot_edges_, slot_edge_, block_tail_,
        block_runs_;
    Buffer<std::uint32_t> slot_phase_;
    Buffer<PhaseRun> run_;
    ResidentView view_{};
};

}  // namespace lockstep::gpu
