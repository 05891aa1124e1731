// The walk racing_tiles (racing_tiles.hpp) on the GPU: unsynchronized, with one thread block per tile, whose
// columns are in shared memory.
#pragma once

#include "lockstep/executor/edge/racing.cuh"
#include "lockstep/executor/edge/racing_tiles.hpp"

namespace lockstep::gpu {

struct RacingTilesView {
    EdgesView edges;
    EdgeId tiles;
    /// offset of each tile in the edges, and in the columns of `col_order`
    const EdgeId *tile_edges, *tile_columns;
    const VertexId* col_order;
    const std::uint16_t* place;    ///< index of each edge's column among the columns of the edge's tile
    const unsigned* tile_workers;  ///< maximum number of lane groups that process each tile
    EdgeId* counters;
};

/// Adds the changes of the lane groups of a warp to the vectors of columns in shared memory. Groups of this
/// warp with the same column add one after another, so they lose no update. Another warp may write the same
/// column between the read and the write of an addition. This is rare, and one lock per column would halve
/// the speed. All lanes must call it.
template <class Op>
__device__ __forceinline__ void add_in_turn(const Op& op, typename Op::Col& resident,
                                            const typename Op::Col& was, const typename Op::Col& col,
                                            bool busy, unsigned place) {
    __syncwarp();
    const unsigned lane = threadIdx.x % 32;
    const unsigned equal = __match_any_sync(~0U, busy ? place : ~lane);
    const int turn = __popc(equal & ((1U << lane) - 1)) / Op::Lanes::lanes;
    for (int t = 0; __any_sync(~0U, busy && turn >= t); ++t) {
        if (busy && turn == t) op.add_to(resident, was, col);
        __syncwarp();
    }
}

/// Runs one tile per thread block. The vectors of its columns stay in shared memory. The vectors of rows are
/// loaded `Ahead` edges in advance, and other thread blocks may update the same rows meanwhile.
template <EdgeOperator Op, int Ahead, bool Adds>
__global__ void __launch_bounds__(tuning::racing_tiles.threads)
    racing_tile_kernel(RacingTilesView plan, Op op) {
    extern __shared__ __align__(16) unsigned char shared[];
    // dimensions: [columns of the tile][lanes]
    auto* const column = reinterpret_cast<typename Op::Col*>(shared) + lane_of<Op>();
    constexpr int lanes = Op::Lanes::lanes;
    const EdgeId group = threadIdx.x / lanes, all = blockDim.x / lanes;
    EdgeId done = 0;
    for (EdgeId tile = blockIdx.x; tile < plan.tiles; tile += gridDim.x) {
        const EdgeId first = plan.tile_columns[tile], columns = plan.tile_columns[tile + 1] - first;
        for (EdgeId i = group; i < columns; i += all)
            column[i * lanes] = op.load_col(plan.col_order[first + i]);
        __syncthreads();

        const EdgeId end = plan.tile_edges[tile + 1], groups = min(all, EdgeId{plan.tile_workers[tile]});
        struct Records {
            VertexId u[Ahead];
            std::uint16_t place[Ahead];
            float value[Ahead];
        } present{}, next{}, after{};
        typename Op::Row row[Ahead]{}, next_row[Ahead]{};
        const auto fetch = [&](Records& records, EdgeId e) {
#pragma unroll
            for (int j = 0; j < Ahead; ++j, e += groups) {
                if (e >= end) break;
                records.u[j] = plan.edges.row[e], records.place[j] = plan.place[e],
                records.value[j] = plan.edges.value[e];
            }
        };
        const auto load = [&](const Records& records, EdgeId e) {
#pragma unroll
            for (int j = 0; j < Ahead; ++j, e += groups) {
                if (e < end) next_row[j] = op.load_row(records.u[j]);
            }
        };
        const EdgeId stride = Ahead * groups;
        EdgeId e = group < groups ? plan.tile_edges[tile] + group : end;
        fetch(next, e), fetch(after, e + stride);
        load(next, e);
        for (; __any_sync(~0U, e < end); e += stride) {
            present = next, next = after;
#pragma unroll
            for (int j = 0; j < Ahead; ++j) row[j] = next_row[j];
            fetch(after, e + 2 * stride);
            load(next, e + stride);
#pragma unroll
            for (int j = 0; j < Ahead; ++j) {
                const EdgeId at = e + static_cast<EdgeId>(j) * groups;
                const bool busy = at < end;
                auto& resident = column[present.place[j] * lanes];
                auto col = resident;
                const auto old_row = row[j];
                const auto old_col = col;
                if (busy) {
                    op.apply(row[j], col, present.value[j], EdgePosition{at, 0, at});
                    ++done;
                    if constexpr (!Adds) op.store_row(present.u[j], row[j]), resident = col;
                }
                if constexpr (Adds) {
                    if (busy) op.add_row(present.u[j], old_row, row[j]);
                    add_in_turn(op, resident, old_col, col, busy, present.place[j]);
                }
            }
        }
        __syncthreads();
        for (EdgeId i = group; i < columns; i += all)
            op.store_col(plan.col_order[first + i], column[i * lanes]);
        __syncthreads();
    }
    add_once<Op>(plan.counters + updates, done);
}

/// Number of edges whose row vectors a lane group loads in advance; it is limited by the registers.
template <class Op>
inline constexpr int racing_ahead =
    std::max<int>(1, std::min<int>(tuning::racing_ahead, 64 / static_cast<int>(sizeof(typename Op::Row))));

template <>
class DeviceWalk<RacingTilesPlan> : public Counting {
public:
    DeviceWalk(const EdgeList& list, const EdgesView& edges, const RacingTilesPlan& plan)
        : largest_(plan.largest_tile()) {
        view_.edges = edges, view_.tiles = plan.tiles(), view_.counters = counters_.data();
        put(view_.tile_edges, tile_edges_, plan.tile_edges);
        put(view_.tile_columns, tile_columns_, plan.col_parts);
        put(view_.col_order, col_order_, plan.col_order);
        static_cast<void>(checked_cast<std::uint16_t>(largest_, "columns of a tile"));
        std::vector<std::uint16_t> place_of(list.cols), place(list.edges());
        for (EdgeId t = 0; t < plan.tiles(); ++t) {
            for (EdgeId i = plan.col_parts[t]; i < plan.col_parts[t + 1]; ++i)
                place_of[plan.col_order[i]] = static_cast<std::uint16_t>(i - plan.col_parts[t]);
        }
        for (EdgeId e = 0; e < list.edges(); ++e) place[e] = place_of[list.col[e]];
        put(view_.place, place_, place);
        put(view_.tile_workers, tile_workers_, workers(plan, place));
    }
    static EdgeId bytes(const EdgeList& list, const RacingTilesPlan& plan) {
        return plan.bytes() + 2 * list.edges() + 4 * plan.tiles();
    }
    template <EdgeOperator Op>
    void sweep(const Op& op) {
        with_adding(op, [&](auto adds) {
            launch(racing_tile_kernel<Op, racing_ahead<Op>, adds()>, tuning::racing_tiles,
                   largest_ * sizeof(typename Op::Col) * Op::Lanes::lanes, view_, op);
        });
    }

private:
    /// Returns the number of lane groups per tile, such that on average at most `most_on_a_column` edges of
    /// the tile's most frequent column are processed concurrently.
    static std::vector<unsigned> workers(const RacingTilesPlan& plan,
                                         const std::vector<std::uint16_t>& place) {
        std::vector<unsigned> workers;
        for (EdgeId t = 0; t < plan.tiles(); ++t) {
            std::vector<EdgeId> degree(plan.col_parts[t + 1] - plan.col_parts[t], 0);
            const EdgeId edges = plan.tile_edges[t + 1] - plan.tile_edges[t];
            EdgeId largest = 1;
            for (EdgeId e = plan.tile_edges[t]; e < plan.tile_edges[t + 1]; ++e)
                largest = std::max(largest, ++degree[place[e]]);
            workers.push_back(static_cast<unsigned>(
                std::clamp<EdgeId>(tuning::most_on_a_column * edges / largest, 1,
                                   plan.workers / (2 * tuning::racing_ahead * plan.tiles()) + 1)));
        }
        return workers;
    }

    EdgeId largest_;
    Buffer<EdgeId> tile_edges_, tile_columns_;
    Buffer<VertexId> col_order_;
    Buffer<std::uint16_t> place_;
    Buffer<unsigned> tile_workers_;
    RacingTilesView view_{};
};

}  // namespace lockstep::gpu
