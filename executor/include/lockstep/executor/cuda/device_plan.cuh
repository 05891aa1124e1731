// A plan in device memory: owner on the host, trivially copyable view in the kernels.
#pragma once

#include <algorithm>
#include <span>
#include <type_traits>

#include "lockstep/executor/cuda/locks.cuh"
#include "lockstep/executor/cuda/runtime.cuh"
#include "lockstep/executor/cuda/tuning.hpp"
#include "lockstep/executor/plan.hpp"

namespace lockstep::gpu {

/// What the kernels see of a plan; see Plan for the meaning of each array.
struct PlanView {
    EdgeId edges, locked, phases, blocks, items;
    const VertexId *row, *col;
    const float* value;
    const EdgeId *phase_offsets, *phase_tasks, *task_offsets;
    const EdgeId *phase_tiles, *tile_steps, *step_tasks;
    // Phases, resident: runs of phases; resident: where a block's small phases begin, and their runs.
    const PhaseRun* run;
    EdgeId runs;
    const EdgeId *block_tail, *block_runs;
    // Racing with resident items: tile w has the edges tile_edges[w] … and the items tile_items[w] … of
    // col_order.
    EdgeId tiles;
    const EdgeId *tile_edges, *tile_items;
    const VertexId* col_order;
    const std::uint16_t* place;
    const unsigned* tile_workers;  ///< most edges in flight
    // Resident: worker w owns the items w, w + workers, … of a block; `entry` runs through slot_edges.
    const EdgeId *block_phases, *resident_offsets, *slot_edges, *slot_edge;
    const std::uint32_t* slot_phase;
    const VertexId* slot_row;
    const float* slot_value;
    const VertexId* residents;
    const EdgeId* item_edges;
    // Online: a lock a vertex, two worklists of edges or items, deferred edges of items, counters.
    unsigned *row_locks, *col_locks;
    EdgeId locked_workers;  ///< EL: most edges in flight at first
    bool locked_in_blocks;
    EdgeId* worklist[2];
    EdgeId* open_items[2];
    EdgeId* item_todo;
    EdgeId* item_left;
    EdgeId* counters;
};
static_assert(std::is_trivially_copyable_v<PlanView>);

/// An edge of the plan in registers.
struct EdgeRecord {
    EdgeId e;
    VertexId u, v;
    float value;
    __device__ __forceinline__ void read(const PlanView& plan) {
        u = plan.row[e], v = plan.col[e], value = plan.value[e];
    }
};

/// How much a thread block takes of small phases at a time (small_phases.cuh): records, and at `lanes` lanes
/// an edge the vectors that the L1 cache has room for.
struct SmallLimits {
    static constexpr int phases = 128;
    static constexpr int edges(int lanes) { return lanes <= 4 ? 1024 : 4096 / lanes; }
    /// Phases from so many edges on are worth the whole device.
    static constexpr int worth_sharing(int lanes) { return edges(lanes) / 2; }
};

/// Slots of PlanView::counters; some have three, for the last pass, the present and the next. Blocks at the
/// barrier come last.
enum Counter {
    list_size,
    updates = list_size + 3,
    passes,
    deferred_edges,
    drawn = deferred_edges + 3,
    arrivals = drawn + 3,
    counter_count
};

class DevicePlan {
public:
    /// Uploads. Throws Error (no_device) with both numbers when the device has too little memory for
    /// the plan and `other_bytes` of the application.
    DevicePlan(const Plan& plan, EdgeId other_bytes)
        : traversal_(plan.traversal),
          edge_locked_rest_(plan.edge_locked_rest),
          racing_workers_(plan.racing_workers) {
        require_memory(bytes(plan) + other_bytes, "a smaller rank needs less, --device cpu none");
        view_.edges = plan.edges(), view_.locked = plan.locked, view_.phases = plan.phases();
        view_.items = plan.residents.size();
        put(view_.row, row_, plan.row), put(view_.col, col_, plan.col), put(view_.value, value_, plan.value);
        put(view_.phase_offsets, phase_offsets_, plan.phase_offsets);
        put(view_.phase_tasks, phase_tasks_, plan.phase_tasks);
        put(view_.task_offsets, task_offsets_, plan.task_offsets);
        put(view_.phase_tiles, phase_tiles_, plan.phase_tiles);
        put(view_.tile_steps, tile_steps_, plan.tile_steps);
        put(view_.step_tasks, step_tasks_, plan.step_tasks);
        put(view_.residents, residents_, plan.residents);
        put(view_.item_edges, item_edges_, plan.item_edges);
        if (plan.traversal == Traversal::resident) upload_residents(plan);
        if (plan.traversal == Traversal::racing_tiles) upload_tiles(plan);
        if (uses_small_phases(plan))
            offsets_.phase_offsets = plan.phase_offsets, offsets_.block_phases = plan.block_phases;
        if (uses_locks(plan)) {
            row_locks_ = Buffer<unsigned>(free_locks(plan.row, plan.rows));
            col_locks_ = Buffer<unsigned>(free_locks(plan.col, plan.cols));
            view_.row_locks = row_locks_.data(), view_.col_locks = col_locks_.data();
            view_.locked_workers = plan.locked_workers, view_.locked_in_blocks = plan.locked_in_blocks;
            for (int i : {0, 1}) {
                worklist_[i] = Buffer<EdgeId>(worklist_size(plan));
                view_.worklist[i] = worklist_[i].data();
            }
        }
        if (plan.traversal == Traversal::node_locked) {
            item_todo_ = Buffer<EdgeId>(plan.edges()), item_left_ = Buffer<EdgeId>(plan.residents.size());
            view_.item_todo = item_todo_.data(), view_.item_left = item_left_.data();
            for (int i : {0, 1}) {
                open_items_[i] = Buffer<EdgeId>(plan.residents.size());
                view_.open_items[i] = open_items_[i].data();
            }
        }
        counters_ = Buffer<EdgeId>(counter_count);
        view_.counters = counters_.data();
    }

    /// Cuts the phases into runs for edges of so many lanes each; once.
    void prepare(int lanes) {
        if (run_lanes_ == lanes || offsets_.phase_offsets.empty()) return;
        run_lanes_ = lanes;
        const std::vector<PhaseRun> runs =
            phase_runs(offsets_, static_cast<EdgeId>(SmallLimits::worth_sharing(lanes)),
                       static_cast<EdgeId>(SmallLimits::edges(lanes)), SmallLimits::phases);
        put(view_.run, run_, runs);
        view_.runs = runs.size();
        if (offsets_.block_phases.empty()) return;
        // Of a block's runs, only those behind its last shared one are small phases to it.
        std::vector<EdgeId> tail(view_.blocks), tail_runs{0};
        std::vector<PhaseRun> small;
        EdgeId r = 0;
        for (EdgeId b = 0; b < view_.blocks; ++b) {
            EdgeId first = r;
            for (; r < runs.size() && runs[r].first < offsets_.block_phases[b + 1]; ++r) {
                if (runs[r].shared) first = r + 1;
            }
            tail[b] = first < r ? runs[first].first : offsets_.block_phases[b + 1];
            small.insert(small.end(), runs.begin() + static_cast<std::ptrdiff_t>(first),
                         runs.begin() + static_cast<std::ptrdiff_t>(r));
            tail_runs.push_back(small.size());
        }
        put(view_.run, run_, small);
        view_.runs = small.size();
        put(view_.block_tail, block_tail_, tail), put(view_.block_runs, block_runs_, tail_runs);
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
            total += 20 * (plan.edges() - plan.locked + 1) + 8 * (plan.residents.size() + 1);
        if (plan.traversal == Traversal::racing_tiles) total += 2 * plan.edges();
        if (uses_small_phases(plan))
            total += sizeof(PhaseRun) * plan.phases() + 16 * plan.block_phases.size();
        if (uses_locks(plan)) total += 4 * (EdgeId{plan.rows} + plan.cols) + 16 * worklist_size(plan);
        if (plan.traversal == Traversal::node_locked) total += 8 * plan.edges() + 24 * plan.residents.size();
        return total;
    }

private:
    template <class T>
    static void put(const T*& view, Buffer<T>& buffer, std::type_identity_t<std::span<const T>> values) {
        buffer = Buffer<T>(values);
        view = buffer.data();
    }
    static bool uses_locks(const Plan& plan) {
        return plan.locked > 0 || plan.traversal == Traversal::node_locked;
    }
    static bool uses_small_phases(const Plan& plan) {
        return plan.traversal == Traversal::phases || plan.traversal == Traversal::resident;
    }
    static EdgeId worklist_size(const Plan& plan) {
        return plan.traversal == Traversal::node_locked ? (plan.edge_locked_rest ? plan.edges() : 0)
                                                        : plan.locked;
    }
    static std::vector<unsigned> free_locks(const Array<VertexId>& ends, VertexId vertices) {
        std::vector<unsigned> word(vertices, 0);
        for (const VertexId v : ends) ++word[v];
        for (unsigned& w : word) w = Lock::free_word(w);
        return word;
    }
    void upload_residents(const Plan& plan) {
        ResidentLayout layout = resident_layout(plan);
        layout.phase.push_back(0), layout.row.push_back(0), layout.value.push_back(0);  // looked at, not used
        view_.blocks = plan.block_phases.size() - 1;
        put(view_.block_phases, block_phases_, plan.block_phases);
        put(view_.resident_offsets, resident_offsets_, plan.resident_offsets);
        put(view_.slot_edges, slot_edges_, layout.slot_edges), put(view_.slot_edge, slot_edge_, layout.edge);
        put(view_.slot_phase, slot_phase_, layout.phase), put(view_.slot_row, slot_row_, layout.row);
        put(view_.slot_value, slot_value_, layout.value);
        largest_block_ = largest_part(plan.resident_offsets);
    }
    void upload_tiles(const Plan& plan) {
        std::vector<std::uint16_t> place_of(plan.cols), place(plan.edges());
        largest_block_ = largest_part(plan.col_parts);
        static_cast<void>(checked_cast<std::uint16_t>(largest_block_, "items of a block"));
        view_.tiles = plan.tile_edges.size() - 1;
        for (EdgeId w = 0; w < view_.tiles; ++w) {
            for (EdgeId i = plan.col_parts[w]; i < plan.col_parts[w + 1]; ++i)
                place_of[plan.col_order[i]] = static_cast<std::uint16_t>(i - plan.col_parts[w]);
        }
        for (EdgeId e = 0; e < plan.edges(); ++e) place[e] = place_of[plan.col[e]];
        std::vector<unsigned> workers;
        for (EdgeId w = 0; w < view_.tiles; ++w) {
            std::vector<EdgeId> degree(plan.col_parts[w + 1] - plan.col_parts[w], 0);
            EdgeId largest = 1;
            for (EdgeId e = plan.tile_edges[w]; e < plan.tile_edges[w + 1]; ++e)
                largest = std::max(largest, ++degree[place[e]]);
            const EdgeId by_item =
                tuning::most_on_an_item * (plan.tile_edges[w + 1] - plan.tile_edges[w]) / largest;
            workers.push_back(static_cast<unsigned>(std::clamp<EdgeId>(
                by_item, 1, plan.racing_workers / (2 * tuning::racing_ahead * view_.tiles) + 1)));
        }
        put(view_.tile_workers, tile_workers_, workers);
        put(view_.tile_edges, tile_edges_, plan.tile_edges),
            put(view_.tile_items, tile_items_, plan.col_parts);
        put(view_.col_order, col_order_, plan.col_order), put(view_.place, place_, place);
    }
    static EdgeId largest_part(const std::vector<EdgeId>& parts) {
        EdgeId largest = 0;
        for (std::size_t b = 0; b + 1 < parts.size(); ++b)
            largest = std::max(largest, parts[b + 1] - parts[b]);
        return largest;
    }

    Traversal traversal_;
    bool edge_locked_rest_;
    EdgeId racing_workers_;
    EdgeId largest_block_ = 0;
    int run_lanes_ = 0;
    Plan offsets_;  // phase and block offsets alone, for `prepare`
    Buffer<VertexId> row_, col_, residents_, slot_row_, col_order_;
    Buffer<float> value_, slot_value_;
    Buffer<EdgeId> phase_offsets_, phase_tasks_, task_offsets_, item_edges_, block_phases_, resident_offsets_,
        slot_edges_, slot_edge_, phase_tiles_, tile_steps_, step_tasks_, block_tail_, block_runs_,
        tile_edges_, tile_items_;
    Buffer<std::uint32_t> slot_phase_;
    Buffer<std::uint16_t> place_;
    Buffer<unsigned> tile_workers_;
    Buffer<PhaseRun> run_;
    Buffer<unsigned> row_locks_, col_locks_;
    Buffer<EdgeId> worklist_[2], open_items_[2], item_todo_, item_left_, counters_;
    PlanView view_{};
};

}  // namespace lockstep::gpu
