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
            if (s.spilled) s.spilled[v] = nowhere;
            if (s.frontier) s.frontier[v] = s.visited[v] = active, s.updated[v] = 0;
        }
        const unsigned all = __ballot_sync(~0U, active);
        if (!all) continue;
        const auto arcs = sum_of_warp(active ? s.out.degree(v) : EdgeId{0});
        if (lane_of_warp() == 0) {
            atomicAdd(&s.rounds[0].found, static_cast<unsigned long long>(__popc(all)));
            atomicAdd(&s.rounds[0].found_arcs, static_cast<unsigned long long>(arcs));
        }
        for (int kind = 0, its = active ? s.kind(v) : s.kinds; kind < s.kinds; ++kind) {
            const unsigned place = place_in(s.rounds[0].listed + kind, kind == its);
            if (kind == its && s.lists[0]) s.lists[0][s.first[kind] + place] = v;
        }
    }
    if (thread_of_grid() == 0 && s.piles) *s.piles = {{0, 0}, {nowhere, nowhere}};
}

/// One list's part of a round, number `kind`; `binned`: what kernels before it in this round have put into bins
/// stays there.
template <class Op, Taken By, bool Pull>
__global__ void __launch_bounds__(block_threads)
    expand_kernel(const __grid_constant__ State<Op> s, int kind, EdgeId count, bool binned, unsigned at,
                  unsigned round, unsigned phase, unsigned limit) {
    __shared__ Shared<Op> shared;
    Worker<Op> w{s, shared, s.rounds + at + 1, round, phase, limit, Pull};
    if (binned) w.binned = s.binned[thread_of_grid()];
    w.begin();
    Expander<Op, Pull>{w}.template run_list<By>(kind, count);
    w.end();
    if (s.binned) s.binned[thread_of_grid()] = w.binned;
}

/// What goes on after expand_kernel, each in a launch and with the registers of its own.
enum class Step { deferred, pairs, bins, count, list, marks, split };
template <class Op, Step What>
__global__ void __launch_bounds__(block_threads)
    step_kernel(const __grid_constant__ State<Op> s, unsigned at, unsigned round, unsigned phase,
                unsigned limit, unsigned which, unsigned new_limit) {
    __shared__ Shared<Op> shared;
    RoundState* const mine = s.rounds + at + 1;
    const bool strided = s.filter == Filter::strided;
    if constexpr (What == Step::bins) {
        place_bins(s, shared, mine, round, s.binned[thread_of_grid()]);
    } else if constexpr (What == Step::count) {
        count_due(s, round + 1, strided);
    } else if constexpr (What == Step::list) {
        place_due(s, shared, mine, round + 1, strided);
    } else {
        Worker<Op> w{s, shared, mine, round, phase, limit, false};
        if (What == Step::deferred && s.binned) w.binned = s.binned[thread_of_grid()];
        w.begin();
        if constexpr (What == Step::deferred) Expander<Op, false>{w}.run_deferred();
        if constexpr (What == Step::pairs) Expander<Op, false>{w}.run_pairs();
        if constexpr (What == Step::marks) take_marks(s, w);
        if constexpr (What == Step::split) split(s, w, which, new_limit);
        if (What == Step::deferred && s.binned) s.binned[thread_of_grid()] = w.binned;
        w.end();
    }
}

/// Rounds until there are no active vertices, or `most`, or the direction is the other one's.
template <class Op, Taken By, Launched What>
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
        if (What != Launched::push && pull)
            Expander<Op, true>{w}.template run<By>(before);
        else if (What != Launched::pull)
            Expander<Op, false>{w}.template run<By>(before);
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
        } else if (s.active == Active::marks) {
            again();
            take_marks(s, w);
            w.end();
            barrier.sync();
        }
        if (by_ballot) {
            count_due(s, round + 1, s.filter == Filter::strided);
            barrier.sync();
            place_due(s, shared, mine, round + 1, s.filter == Filter::strided);
            barrier.sync();
        }
        const auto any = [](const unsigned* sizes) {
            return __ldcg(sizes) + __ldcg(sizes + 1) + __ldcg(sizes + 2) > 0;
        };
        more = s.lists[0] ? any(mine->listed) : __ldcg(&mine->found) > 0;
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
            more = any(mine->split[which]);
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
