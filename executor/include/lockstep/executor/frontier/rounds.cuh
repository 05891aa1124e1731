// Rounds over active vertices on the GPU, of the generic walk: a launch a step, or many rounds in one
// cooperative launch with a device-wide barrier between their steps.
#pragma once

#include <bit>
#include <chrono>
#include <memory>

#include "lockstep/executor/device/barrier.cuh"
#include "lockstep/executor/frontier/expand.cuh"
#include "lockstep/executor/frontier/piles.cuh"

namespace lockstep::frontier {

enum class Launched { push, pull, both };

template <class Op>
__device__ __forceinline__ bool pulls(const State<Op>& s, const RoundState* before) {
    return s.adaptive ? __ldcg(&before->found_arcs) > s.pull_above : s.pull_above == 0;
}

/// First values, and who is active at first: the source, or whoever the operator says. The first round's
/// counters are zero.
template <class Op>
__global__ void __launch_bounds__(block_threads)
    start_kernel(const __grid_constant__ State<Op> s, VertexId source) {
    for (EdgeId first = thread_of_grid() - lane_of_warp(); first < s.vertices; first += threads_of_grid()) {
        const auto v = static_cast<VertexId>(first + lane_of_warp());
        const bool here = first + lane_of_warp() < s.vertices;
        bool active = here && v == source;
        typename Op::Value value = active ? Op::start() : Op::none();
        if constexpr (from_everywhere<Op>) {
            if (here) value = s.op.start(v, s.out.degree(v));
            active = here && s.op.active(value);
        }
        if (here) {
            s.values[v] = value;
            if (s.stamps) s.stamps[v] = active ? 0 : nowhere;
            if (s.far_marks) s.far_marks[v] = 0;
        }
        const unsigned all = __ballot_sync(~0U, active);
        if (s.marked[0] && lane_of_warp() == 0) s.marked[0][v / 32] = all, s.marked[1][v / 32] = 0;
        if (!all) continue;
        const auto arcs = sum_of_warp(active ? s.out.degree(v) : EdgeId{0});
        if (lane_of_warp() == 0) {
            atomicAdd(&s.rounds[0].found, static_cast<unsigned long long>(__popc(all)));
            atomicAdd(&s.rounds[0].found_arcs, static_cast<unsigned long long>(arcs));
        }
        const unsigned place = place_in(&s.rounds[0].listed, active);
        if (active && s.lists[0]) s.lists[0][place] = v;
    }
    if (thread_of_grid() == 0 && s.piles) *s.piles = {{0, 0}, {nowhere, nowhere}};
}

/// The marks of a round that is over.
template <class Op>
__device__ __forceinline__ void clear_marks(const State<Op>& s, unsigned round) {
    for (EdgeId i = thread_of_grid(); i * 32 < s.vertices; i += threads_of_grid()) s.marked[round & 1][i] = 0;
}

template <class Op, bool Mixed, bool Pull>
__global__ void __launch_bounds__(block_threads)
    expand_kernel(const __grid_constant__ State<Op> s, unsigned at, unsigned round, unsigned phase,
                  unsigned limit) {
    __shared__ Shared<Op> shared;
    Worker<Op> w{s, shared, s.rounds + at + 1, round, phase, limit, Pull};
    w.begin();
    Expander<Op, Pull>{w}.template run<Mixed>(s.rounds[at].next());
    w.end();
    if (s.binned) s.binned[blockIdx.x * block_threads + threadIdx.x] = w.binned;
}

/// What goes on after expand_kernel, in a launch of its own.
enum class Step { deferred, pairs, bins, count, list, marks, split };
template <class Op>
__global__ void __launch_bounds__(block_threads)
    step_kernel(const __grid_constant__ State<Op> s, Step step, unsigned at, unsigned round, unsigned phase,
                unsigned limit, unsigned which, unsigned new_limit) {
    __shared__ Shared<Op> shared;
    RoundState* const mine = s.rounds + at + 1;
    Worker<Op> w{s, shared, mine, round, phase, limit, false};
    const unsigned thread = blockIdx.x * block_threads + threadIdx.x;
    const bool strided = s.filter == Filter::strided;
    if (step == Step::bins) return place_bins(s, shared, mine, round, s.binned[thread]);
    if (step == Step::count) return count_due(s, round + 1, strided);
    if (step == Step::list) return place_due(s, shared, mine, round + 1, strided);
    if (step == Step::marks) return clear_marks(s, round);
    if (step == Step::deferred && s.binned) w.binned = s.binned[thread];
    w.begin();
    if (step == Step::deferred)
        Expander<Op, false>{w}.run_deferred();
    else if (step == Step::pairs)
        Expander<Op, false>{w}.run_pairs();
    else
        split(s, w, which, new_limit);
    if (step == Step::deferred && s.binned) s.binned[thread] = w.binned;
    w.end();
}

/// Rounds until there are no active vertices, or `most`, or the direction is the other one's.
template <class Op, bool Mixed, Launched What>
__global__ void __launch_bounds__(block_threads)
    rounds_kernel(const __grid_constant__ State<Op> s, unsigned first_round, unsigned most, unsigned phase,
                  unsigned limit) {
    __shared__ Shared<Op> shared;
    gpu::DeviceBarrier barrier(s.arrivals);
    const bool leads = thread_of_grid() == 0;
    bool more = true;
    unsigned at = 0;
    for (; more && at < most; ++at) {
        const RoundState* const before = s.rounds + at;
        RoundState* const mine = s.rounds + at + 1;
        const unsigned round = first_round + at;
        const bool pull = What == Launched::pull || (What == Launched::both && pulls(s, before));
        if (What != Launched::both && s.adaptive && pulls(s, before) != pull) break;
        Worker<Op> w{s, shared, mine, round, phase, limit, pull};
        w.begin();
        const unsigned listed =
            __ldcg(&before->listed) + __ldcg(&before->split[0]) + __ldcg(&before->split[1]);
        if (What != Launched::push && pull)
            Expander<Op, true>{w}.template run<Mixed>(listed);
        else if (What != Launched::pull)
            Expander<Op, false>{w}.template run<Mixed>(listed);
        w.end();
        barrier.sync();
        const auto again = [&] {  // another step of this round
            w.arcs = w.active = w.found = w.atomics = 0, w.found_arcs = 0;
            w.begin();
        };
        if (!pull && s.defer && __ldcg(&mine->deferred)) {
            again();
            Expander<Op, false>{w}.run_deferred();
            w.end();
            barrier.sync();
        }
        bool by_ballot = w.filter == Filter::ballot || w.filter == Filter::strided;
        if (w.filter == Filter::batch) {
            again();
            Expander<Op, false>{w}.run_pairs();
            w.end();
            barrier.sync();
        } else if (w.filter == Filter::jit && __ldcg(&mine->overflow)) {
            by_ballot = true;
        } else if (w.filter == Filter::online || w.filter == Filter::jit) {
            place_bins(s, shared, mine, round, w.binned);
            barrier.sync();
        } else if (s.active == Active::bitmap) {
            clear_marks(s, round);
            barrier.sync();
        }
        if (by_ballot) {
            count_due(s, round + 1, s.filter == Filter::strided);
            barrier.sync();
            place_due(s, shared, mine, round + 1, s.filter == Filter::strided);
            barrier.sync();
        }
        more = s.active == Active::list ? __ldcg(&mine->listed) > 0 : __ldcg(&mine->found) > 0;
        for (unsigned which = 0; which < 2 && !more && s.piles; ++which) {
            const unsigned left = __ldcg(&s.piles->size[phase & 1]);
            if (left == 0) break;
            const unsigned least = __ldcg(&s.piles->least[phase & 1]);
            const unsigned next = s.limit_above(which && least != nowhere ? max(limit, least) : limit);
            w.phase = phase, w.limit = limit;
            again();
            split(s, w, which, next);
            w.binned = 0;
            w.end();
            barrier.sync();
            more = __ldcg(&mine->split[which]) > 0;
            if (leads) s.piles->size[phase & 1] = 0, s.piles->least[phase & 1] = nowhere;
            barrier.sync();
            ++phase, limit = next;
        }
        if (leads) {
            mine->pull = pull;
            mine->end = gpu::nanoseconds();
        }
    }
    if (leads) *s.control = {at, phase, limit, !more};
}

/// The values by vertex.
template <class Value>
__global__ void scatter_kernel(const Value* values, const VertexId* order, VertexId vertices, Value* result) {
    for (EdgeId p = thread_of_grid(); p < vertices; p += threads_of_grid()) result[order[p]] = values[p];
}

}  // namespace lockstep::frontier
