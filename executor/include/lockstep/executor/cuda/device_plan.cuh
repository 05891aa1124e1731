// A plan in device memory: owner on the host, trivially copyable view in the kernels.
#pragma once

#include <algorithm>
#include <type_traits>

#include "lockstep/executor/cuda/runtime.cuh"
#include "lockstep/executor/plan.hpp"

namespace lockstep::gpu {

/// What the kernels see of a plan; see Plan for the meaning of each array.
struct PlanView {
    EdgeId edges, locked, phases, blocks, items;
    const VertexId *row, *col;
    const float* value;
    const EdgeId *phase_offsets, *phase_tasks, *task_offsets;
    const EdgeId *phase_tiles, *tile_steps, *step_tasks;
    // Resident: worker w owns the items w, w + workers, … of a block; `entry` runs through slot_edges.
    const EdgeId *block_phases, *resident_offsets, *slot_edges, *slot_edge, *slot_phase;
    const VertexId* residents;
    const EdgeId* item_edges;
    // Online: a lock a vertex, two worklists of edges, deferred edges of items, counters.
    unsigned *row_locks, *col_locks;
    EdgeId* worklist[2];
    EdgeId* item_todo;
    EdgeId* item_left;
    EdgeId* counters;
};
static_assert(std::is_trivially_copyable_v<PlanView>);

/// Slots of PlanView::counters.
enum Counter { worklist_size_0, worklist_size_1, updates, passes, next_item, items_left, counter_count };

class DevicePlan {
public:
    /// Uploads. Throws Error (no_device) with both numbers when the device has too little memory for
    /// the plan and `other_bytes` of the application.
    DevicePlan(const Plan& plan, EdgeId other_bytes)
        : traversal_(plan.traversal),
          edge_locked_rest_(plan.edge_locked_rest),
          racing_workers_(plan.racing_workers) {
        require_memory(bytes(plan) + other_bytes, "a smaller rank needs less, --device cpu none");
        row_ = Buffer<VertexId>(plan.row), col_ = Buffer<VertexId>(plan.col),
        value_ = Buffer<float>(plan.value);
        phase_offsets_ = Buffer<EdgeId>(plan.phase_offsets), phase_tasks_ = Buffer<EdgeId>(plan.phase_tasks);
        task_offsets_ = Buffer<EdgeId>(plan.task_offsets), item_edges_ = Buffer<EdgeId>(plan.item_edges);
        phase_tiles_ = Buffer<EdgeId>(plan.phase_tiles), tile_steps_ = Buffer<EdgeId>(plan.tile_steps);
        step_tasks_ = Buffer<EdgeId>(plan.step_tasks);
        residents_ = Buffer<VertexId>(plan.residents);
        if (plan.traversal == Traversal::resident) {
            const ResidentLayout layout = resident_layout(plan);
            block_phases_ = Buffer<EdgeId>(plan.block_phases),
            resident_offsets_ = Buffer<EdgeId>(plan.resident_offsets);
            slot_edges_ = Buffer<EdgeId>(layout.slot_edges), slot_edge_ = Buffer<EdgeId>(layout.edge),
            slot_phase_ = Buffer<EdgeId>(layout.phase);
            for (std::size_t b = 0; b + 1 < plan.resident_offsets.size(); ++b) {
                largest_block_ =
                    std::max(largest_block_, plan.resident_offsets[b + 1] - plan.resident_offsets[b]);
            }
        }
        if (uses_locks(plan)) {
            row_locks_ = Buffer<unsigned>(plan.rows), col_locks_ = Buffer<unsigned>(plan.cols);
            row_locks_.zero(), col_locks_.zero();
            const EdgeId list = worklist_size(plan);
            worklist_[0] = Buffer<EdgeId>(list), worklist_[1] = Buffer<EdgeId>(list);
        }
        if (plan.traversal == Traversal::node_locked) {
            item_todo_ = Buffer<EdgeId>(plan.edges()), item_left_ = Buffer<EdgeId>(plan.residents.size());
        }
        counters_ = Buffer<EdgeId>(counter_count);
        view_ = {plan.edges(),          plan.locked,
                 plan.phases(),         plan.block_phases.empty() ? 0 : plan.block_phases.size() - 1,
                 plan.residents.size(), row_.data(),
                 col_.data(),           value_.data(),
                 phase_offsets_.data(), phase_tasks_.data(),
                 task_offsets_.data(),  phase_tiles_.data(),
                 tile_steps_.data(),    step_tasks_.data(),
                 block_phases_.data(),  resident_offsets_.data(),
                 slot_edges_.data(),    slot_edge_.data(),
                 slot_phase_.data(),    residents_.data(),
                 item_edges_.data(),    row_locks_.data(),
                 col_locks_.data(),     {worklist_[0].data(), worklist_[1].data()},
                 item_todo_.data(),     item_left_.data(),
                 counters_.data()};
    }

    const PlanView& view() const { return view_; }
    Traversal traversal() const { return traversal_; }
    bool edge_locked_rest() const { return edge_locked_rest_; }
    EdgeId racing_workers() const { return racing_workers_; }
    EdgeId largest_block() const { return largest_block_; }
    void reset_counters() { counters_.zero(); }
    std::vector<EdgeId> counters() const { return counters_.download(); }

    /// Device memory of a plan, in bytes.
    static EdgeId bytes(const Plan& plan) {
        EdgeId total = plan.bytes() - plan.id.size() * sizeof(EdgeId);
        if (plan.traversal == Traversal::resident)
            total += 16 * (plan.edges() - plan.locked) + 8 * (plan.residents.size() + 1);
        if (uses_locks(plan)) total += 4 * (EdgeId{plan.rows} + plan.cols) + 16 * worklist_size(plan);
        if (plan.traversal == Traversal::node_locked) total += 8 * plan.edges() + 8 * plan.residents.size();
        return total;
    }

private:
    static bool uses_locks(const Plan& plan) {
        return plan.locked > 0 || plan.traversal == Traversal::node_locked;
    }
    static EdgeId worklist_size(const Plan& plan) {
        return plan.traversal == Traversal::node_locked ? (plan.edge_locked_rest ? plan.edges() : 0)
                                                        : plan.locked;
    }

    Traversal traversal_;
    bool edge_locked_rest_;
    EdgeId racing_workers_;
    EdgeId largest_block_ = 0;
    Buffer<VertexId> row_, col_, residents_;
    Buffer<float> value_;
    Buffer<EdgeId> phase_offsets_, phase_tasks_, task_offsets_, item_edges_, block_phases_, resident_offsets_,
        slot_edges_, slot_edge_, slot_phase_, phase_tiles_, tile_steps_, step_tasks_;
    Buffer<unsigned> row_locks_, col_locks_;
    Buffer<EdgeId> worklist_[2], item_todo_, item_left_, counters_;
    PlanView view_{};
};

}  // namespace lockstep::gpu
