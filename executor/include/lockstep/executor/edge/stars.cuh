// phase ⊃ star on the GPU: one cooperative launch, a lane group a star.
//
// The centre stays in registers, and so do the leaves of the edges to come, which are different vertices:
// their vectors are on their way while those before are worked on. What no edge changes, ids and values, is
// asked for before the barrier.
#pragma once

#include "lockstep/executor/device/barrier.cuh"
#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/device/warp.cuh"
#include "lockstep/executor/edge/edges.cuh"
#include "lockstep/executor/edge/stars.hpp"
#include "lockstep/executor/edge/tuning.hpp"

namespace lockstep::gpu {

struct StarsView {
    EdgesView edges;
    EdgeId phases;
    const EdgeId *phase_stars, *stars;
    EdgeId* counters;
};

/// A star of a lane group, as far as it is known: its edges, and the ids and values of the next `ahead`.
struct StarAhead {
    static constexpr unsigned ahead = tuning::star_ahead;
    bool around_row = false;
    unsigned edges = 0;
    VertexId centre = 0;
    const VertexId* leaf_of = nullptr;  ///< of its edges
    const float* value_of = nullptr;
    VertexId leaf[ahead] = {};
    float value[ahead] = {};

    __device__ __forceinline__ void look(const StarsView& plan, EdgeId star) {
        const EdgeId word = load_constant(plan.stars + star), begin = word & ~StarsPlan::row_bit;
        edges = static_cast<unsigned>((load_constant(plan.stars + star + 1) & ~StarsPlan::row_bit) - begin);
        around_row = word & StarsPlan::row_bit;
        leaf_of = (around_row ? plan.edges.col : plan.edges.row) + begin;
        value_of = plan.edges.value + begin;
        if (edges) centre = load_constant((around_row ? plan.edges.row : plan.edges.col) + begin);
#pragma unroll
        for (unsigned i = 0; i < ahead; ++i) {
            if (i < edges) read(i, i);
        }
    }
    __device__ __forceinline__ void read(unsigned e, unsigned i) {
        leaf[i] = load_constant(leaf_of + e), value[i] = load_constant(value_of + e);
    }
};

/// A star's vectors in registers. `op` has the leaves for rows.
template <class Op>
struct StarInRegisters {
    static constexpr unsigned ahead = StarAhead::ahead;
    const Op& op;
    StarAhead star;
    typename Op::Col centre;
    typename Op::Row row[ahead];
    VertexId at[ahead];
    float value[ahead];

    __device__ __forceinline__ StarInRegisters(const Op& o, const StarAhead& s)
        : op(o), star(s), centre(o.load_col(s.centre)) {
#pragma unroll
        for (unsigned i = 0; i < ahead; ++i) ask<false>(i, i);
    }
    __device__ __forceinline__ void run(const Place& place) {
        unsigned e = 0;
        for (; e + 3 * ahead <= star.edges; e += ahead) run_some<true>(e, place);
        for (; e < star.edges; e += ahead) run_some<false>(e, place);
        op.store_col(star.centre, centre);
    }

private:
    /// The vector of edge e, and id and value of the one that comes so many later; `all`: they are there.
    template <bool all>
    __device__ __forceinline__ void ask(unsigned e, unsigned i) {
        if (!all && e >= star.edges) return;
        at[i] = star.leaf[i], value[i] = star.value[i];
        row[i] = op.load_row(at[i]);
        if (all || e + ahead < star.edges) star.read(e + ahead, i);
    }
    template <bool all>
    __device__ __forceinline__ void run_some(unsigned first, const Place& place) {
#pragma unroll
        for (unsigned i = 0; i < ahead; ++i) {
            if (!all && first + i >= star.edges) return;
            auto leaf = row[i];
            const VertexId leaf_at = at[i];
            const float weight = value[i];
            ask<all>(first + i + ahead, i);
            op.apply(leaf, centre, weight, Place{place.edge + first + i, place.round, place.task});
            op.store_row(leaf_at, leaf);
        }
    }
};

template <EdgeOperator Op>
__global__ void __launch_bounds__(tuning::stars.threads, 1) star_kernel(StarsView plan, Op op, Op turned) {
    __shared__ unsigned sum;
    DeviceBarrier barrier(plan.counters + arrivals);
    const EdgeId worker = worker_index<Op>(), workers = worker_count<Op>();
    EdgeId done = 0, s = load_constant(plan.phase_stars) + worker;
    StarAhead star;
    for (EdgeId p = 0; p < plan.phases; ++p) {
        const EdgeId last = load_constant(plan.phase_stars + p + 1);
        if (p == 0 && s < last) star.look(plan, s);
        for (; s < last; s += workers) {
            if (star.edges) {
                const Op mine = star.around_row ? turned : op;
                const auto first = static_cast<EdgeId>(star.value_of - plan.edges.value);
                StarInRegisters<Op>(mine, star).run(Place{first, p, s});
                done += star.edges;
            }
            if (s + workers < last) star.look(plan, s + workers);
        }
        barrier.arrive();
        s = last + worker;
        if (p + 1 < plan.phases && s < load_constant(plan.phase_stars + p + 2)) star.look(plan, s);
        barrier.wait();
    }
    add_of_block<Op>(plan.counters + updates, done, &sum);
}

template <>
class OnDevice<StarsPlan> : public Counting {
public:
    OnDevice(const EdgeList&, const EdgesView& edges, const StarsPlan& plan)
        : view_{edges, plan.phases(), nullptr, nullptr, counters_.data()} {
        put(view_.phase_stars, phase_stars_, plan.phase_stars);
        put(view_.stars, stars_, plan.stars);
    }
    static EdgeId bytes(const EdgeList&, const StarsPlan& plan) { return plan.bytes(); }
    template <EdgeOperator Op>
    void sweep(const Op& op) {
        if constexpr (requires { op.turned(); })
            launch(star_kernel<Op>, tuning::stars, 0, view_, op, op.turned());
        else
            throw Error(Failure::usage, "the operator has no turned(), which stars around rows want");
    }

private:
    Buffer<EdgeId> phase_stars_, stars_;
    StarsView view_;
};

}  // namespace lockstep::gpu
