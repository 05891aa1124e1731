// The kernels of the generic walk on a GPU: one launch per step of a round, or many rounds in one cooperative
// launch with a device-wide barrier between the steps.
#pragma once

#include <bit>
#include <chrono>
#include <memory>

#include "lockstep/executor/device/barrier.cuh"
#include "lockstep/executor/frontier/expand.cuh"
#include "lockstep/executor/frontier/piles.cuh"

namespace lockstep::frontier {

enum class LaunchDirection { push, pull, both };

template <class Op>
__device__ __forceinline__ bool pulls(const State<Op>& s, const RoundState* before) {
    return s.adaptive ? __ldcg(&before->found_arcs) > s.pull_above : s.pull_above == 0;
}

/// Sets the initial values, and lists the initially active vertices: the source, or the vertices that the
/// operator selects. The counters of the first round must be zero.
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

/// Expands list `kind` in a round. `binned` is true if earlier kernels of this round have put vertices into
/// the bins, which are then kept.
template <class Op, WorkAssignment By, bool Pull>
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

/// The steps of a round after the expansion. A step is a launch of its own or, in a launch of many rounds, a
/// function that is not inlined, because a kernel that contained all steps would need the maximum of their
/// registers. `binned` is the number of vertices in the thread's bin; the function returns its new value.
enum class Step { deferred, pairs, bins, count, list, marks, split };
template <class Op, Step What>
__device__ __noinline__ unsigned take_step(const State<Op>& s, Shared<Op>& shared, RoundState* mine,
                                           unsigned round, unsigned phase, unsigned limit, unsigned which,
                                           unsigned new_limit, unsigned binned) {
    const bool strided = s.filter == Filter::strided;
    if constexpr (What == Step::bins) {
        place_bins(s, shared, mine, round, binned);
    } else if constexpr (What == Step::count) {
        count_due(s, round + 1, strided);
    } else if constexpr (What == Step::list) {
        place_due(s, shared, mine, round + 1, strided);
    } else {
        Worker<Op> w{s, shared, mine, round, phase, limit, false};
        if (What == Step::deferred) w.binned = binned;
        w.begin();
        if constexpr (What == Step::deferred) Expander<Op, false>{w}.run_deferred();
        if constexpr (What == Step::pairs) Expander<Op, false>{w}.run_pairs();
        if constexpr (What == Step::marks) take_marks(s, w);
        if constexpr (What == Step::split) split(s, w, which, new_limit);
        binned = w.binned;
        w.end();
    }
    return binned;
}
template <Step What>
inline constexpr std::integral_constant<Step, What> this_step{};

template <class Op, Step What>
__global__ void __launch_bounds__(block_threads)
    step_kernel(const __grid_constant__ State<Op> s, unsigned at, unsigned round, unsigned phase,
                unsigned limit, unsigned which, unsigned new_limit) {
    __shared__ Shared<Op> shared;
    constexpr bool uses_bins = What == Step::deferred || What == Step::bins;
    unsigned binned = uses_bins && s.binned ? s.binned[thread_of_grid()] : 0;
    binned = take_step<Op, What>(s, shared, s.rounds + at + 1, round, phase, limit, which, new_limit, binned);
    if (What == Step::deferred && s.binned) s.binned[thread_of_grid()] = binned;
}

/// Runs rounds until no vertex is active, until `most` rounds have been run, or until the direction changes
/// to one that this kernel does not contain.
template <class Op, WorkAssignment By, LaunchDirection What>
__global__ void __launch_bounds__(block_threads, What == LaunchDirection::both ? 2 : 3)
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
        const bool pull =
            What == LaunchDirection::pull || (What == LaunchDirection::both && pulls(s, before));
        if (What != LaunchDirection::both && s.adaptive && pulls(s, before) != pull) break;
        Worker<Op> w{s, shared, mine, round, phase, limit, pull};
        w.begin();
        if (What != LaunchDirection::push && pull)
            Expander<Op, true>{w}.template run<By>(before);
        else if (What != LaunchDirection::pull)
            Expander<Op, false>{w}.template run<By>(before);
        w.end();
        barrier.sync();
        unsigned binned = w.binned;
        const auto step = [&]<Step it>(std::integral_constant<Step, it>, unsigned which = 0,
                                       unsigned next = 0) {
            binned = take_step<Op, it>(s, shared, mine, round, phase, limit, which, next, binned);
            barrier.sync();
        };
        if (!pull && s.defer && __ldcg(&mine->deferred)) step(this_step<Step::deferred>);
        bool by_ballot = w.filter == Filter::ballot || w.filter == Filter::strided;
        if (w.filter == Filter::batch)
            step(this_step<Step::pairs>);
        else if (w.filter == Filter::jit && __ldcg(&mine->overflow))
            by_ballot = true;
        else if (w.filter == Filter::online || w.filter == Filter::jit)
            step(this_step<Step::bins>);
        else if (s.active == ActiveSetForm::marks)
            step(this_step<Step::marks>);
        if (by_ballot) step(this_step<Step::count>), step(this_step<Step::list>);
        const auto any = [](const unsigned* sizes) {
            return __ldcg(sizes) + __ldcg(sizes + 1) + __ldcg(sizes + 2) > 0;
        };
        more = s.lists[0] ? any(mine->listed) : __ldcg(&mine->found) > 0;
        for (unsigned which = 0; which < 2 && !more && s.piles; ++which) {
            const unsigned left = __ldcg(&s.piles->size[phase & 1]);
            if (left == 0) break;
            const unsigned least = __ldcg(&s.piles->least[phase & 1]);
            const unsigned next = s.limit_above(which && least != nowhere ? max(limit, least) : limit);
            step(this_step<Step::split>, which, next);
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

/// Copies the values from the order of the positions to the order of the graph's vertices.
template <class Value>
__global__ void scatter_kernel(const Value* values, const VertexId* order, VertexId vertices, Value* result) {
    for (EdgeId p = thread_of_grid(); p < vertices; p += threads_of_grid()) result[order[p]] = values[p];
}

}  // namespace lockstep::frontier
