// What becomes of an improved vertex: the filters that make the next round's list, and the appends, whose
// atomic operations are counted.
//
// Who is first to put the next round's number on a vertex (its stamp, or its value, where that is the round)
// lists it. Lists that are appended to or scanned for have no vertex twice. Bins may, as their source has them
// (SIMD-X): two threads that find a vertex in the same moment both keep it, which costs an atomic operation less
// a vertex and does the values no harm.
#pragma once

#include "lockstep/executor/frontier/state.cuh"

namespace lockstep::frontier {

__device__ __forceinline__ unsigned warp_of_grid() { return blockIdx.x * block_warps + threadIdx.x / 32; }

/// The i-th vertex in this thread's bin.
template <class Op>
__device__ __forceinline__ VertexId& in_bin(const State<Op>& s, unsigned i) {
    return s.bins[i * threads_of_grid() + thread_of_grid()];
}
/// Of those in it, how many belong in a list.
template <class Op>
__device__ __forceinline__ unsigned binned_of(const State<Op>& s, unsigned binned, int kind) {
    if (s.kinds == 1) return binned;
    unsigned count = 0;
    for (unsigned i = 0; i < binned; ++i) count += s.kind(in_bin(s, i)) == kind;
    return count;
}
/// What each warp will put into the lists, of what each of its threads will.
template <class Op, class Count>
__device__ __forceinline__ void tell_totals(const State<Op>& s, Count count) {
    for (int kind = 0; kind < s.kinds; ++kind) {
        const unsigned total = sum_of_warp(count(kind));
        if (lane_of_warp() == 0) s.totals[kind * gridDim.x * block_warps + warp_of_grid()] = total;
    }
}

/// What a thread does in a round.
template <class Op>
struct Worker {
    using Value = typename Op::Value;

    const State<Op>& s;
    Shared<Op>& shared;
    RoundState* mine;
    unsigned round, phase, limit;
    bool pull;
    Filter filter = pull && s.filter == Filter::batch ? Filter::append : s.filter;  ///< in force
    unsigned* listed = mine->listed;  ///< what is appended to the next round's lists
    unsigned binned = 0, active = 0, found = 0, atomics = 0;
    unsigned long long arcs = 0, found_arcs = 0;

    /// A place in a list for each lane that is here.
    __device__ __forceinline__ unsigned reserve(unsigned* size, bool by_warp) {
        if (!by_warp) {
            ++atomics;
            return atomicAdd(size, 1U);
        }
        const unsigned here = __activemask(),
                       leader = static_cast<unsigned>(__ffs(static_cast<int>(here))) - 1;
        unsigned first = 0;
        if (lane_of_warp() == leader) {
            ++atomics;
            first = atomicAdd(size, static_cast<unsigned>(__popc(here)));
        }
        return __shfl_sync(here, first, static_cast<int>(leader)) +
               static_cast<unsigned>(__popc(here & lanes_below()));
    }
    __device__ __forceinline__ VertexId* next_list(int kind) const {
        return s.lists[(round + 1) & 1] + s.first[kind];
    }
    __device__ __forceinline__ bool in_bins() const {
        return filter == Filter::online || filter == Filter::jit;
    }

    /// Whether v is found for the first time in this round. (Exactly, where it is appended.)
    __device__ __forceinline__ bool first(VertexId v) {
        if constexpr (Op::by_rounds) {
            return true;
        } else {
            if (filter == Filter::append || filter == Filter::batch)
                return atomicExch(s.stamps + v, round + 1) != round + 1;
            const bool is_first = peek(s.stamps + v) != round + 1;
            if (is_first) put(s.stamps + v, round + 1);
            return is_first;
        }
    }

    /// v has been improved to a value.
    __device__ __forceinline__ void emit(VertexId v, Value value) {
        if (s.piles && bits_of(value) >= limit) {
            if (atomicExch(s.far_marks + v, phase + 1) != phase + 1) put_off(v);
            return;
        }
        if (s.active == Active::marks) {  // step marks counts it
            s.updated[v] = 1;
            return;
        }
        if (!first(v)) return;
        ++found;
        if (s.adaptive) found_arcs += s.out.degree(v);
        if (filter == Filter::append || filter == Filter::batch)
            add(v);
        else if (in_bins())
            keep(v);
    }
    /// Into a list of the next round; into the far pile of the phase.
    __device__ __forceinline__ void add(VertexId v) {
        if (s.kinds == 1) return append(shared.queues[0], next_list(0), listed, v);
        for (int kind = 0, its = s.kind(v); kind < most_lists;
             ++kind) {  // lanes that append side by side: to one list
            if (kind == its) next_list(kind)[reserve(listed + kind, s.append != Append::thread)] = v;
        }
    }
    __device__ __forceinline__ void put_off(VertexId v) {
        if constexpr (Op::by_priority)
            append(shared.queues[1], s.far[phase & 1], &s.piles->size[phase & 1], v);
    }
    __device__ __forceinline__ void append(BlockQueue& queue, VertexId* list, unsigned* size, VertexId v) {
        if (s.append == Append::block) {
            const unsigned at = atomicAdd(&queue.count, 1U);
            if (at < BlockQueue::room) {
                queue.vertices[at] = v;
                return;
            }
        }
        list[reserve(size, s.append != Append::thread)] = v;
    }
    __device__ __forceinline__ void keep(VertexId v) {
        if (binned < s.bin) {
            in_bin(s, binned++) = v;
        } else if (filter == Filter::online) {
            if (atomicExch(s.spilled + v, round) == round) return;
            const int kind = s.kind(v);
            next_list(kind)[reserve(mine->spilled + kind, false)] = v;
        } else {
            put(&mine->overflow, 1U);
        }
    }

    /// All threads of the block, before and after its work.
    __device__ __forceinline__ void begin() {
        if (threadIdx.x == 0) {
            for (BlockQueue& queue : shared.queues) queue.count = 0;
            shared.tally = RoundState{};
        }
        __syncthreads();
    }
    /// The block's queues go to their lists when they are half full, or `now`.
    __device__ __forceinline__ void flush(bool now) {
        if (s.append != Append::block) return;
        if (filter == Filter::append || filter == Filter::batch || s.piles)
            flush(shared.queues[0], next_list(0), listed, now);
        if constexpr (Op::by_priority)
            if (s.piles) flush(shared.queues[1], s.far[phase & 1], &s.piles->size[phase & 1], now);
    }
    __device__ __forceinline__ void flush(BlockQueue& queue, VertexId* list, unsigned* size, bool now) {
        __syncthreads();
        const unsigned count = min(queue.count, BlockQueue::room);
        if (count > (now ? 0U : BlockQueue::room / 2)) {
            if (threadIdx.x == 0) {
                ++atomics;
                shared.place = atomicAdd(size, count);
            }
            __syncthreads();
            for (unsigned i = threadIdx.x; i < count; i += block_threads)
                list[shared.place + i] = queue.vertices[i];
            __syncthreads();
            if (threadIdx.x == 0) queue.count = 0;
        }
        __syncthreads();
    }
    __device__ __forceinline__ void end() {
        flush(true);
        using Count = unsigned long long;
        RoundState& tally = shared.tally;
        add_of_warp(&tally.active, Count{active}), add_of_warp(&tally.arcs, arcs);
        add_of_warp(&tally.found, Count{found}), add_of_warp(&tally.found_arcs, found_arcs);
        add_of_warp(&tally.atomics, Count{atomics});
        if (in_bins()) tell_totals(s, [&](int kind) { return binned_of(s, binned, kind); });
        __syncthreads();
        if (threadIdx.x == 0) {
            const auto tell = [](Count* sum, Count count) {
                if (count) atomicAdd(sum, count);
            };
            tell(&mine->active, tally.active), tell(&mine->arcs, tally.arcs), tell(&mine->found, tally.found);
            tell(&mine->found_arcs, tally.found_arcs), tell(&mine->atomics, tally.atomics);
        }
        __syncthreads();
    }
};

/// Entries of a list by the warps before this one. All threads of the block.
template <class Op>
__device__ __forceinline__ unsigned place_of_warp(const State<Op>& s, Shared<Op>& shared, int kind) {
    const unsigned first = blockIdx.x * block_warps, warp = threadIdx.x / 32;
    const unsigned* const totals = s.totals + kind * gridDim.x * block_warps;
    unsigned sum = 0;
    for (unsigned i = threadIdx.x; i < first; i += block_threads) sum += __ldcg(totals + i);
    sum = sum_of_warp(sum);
    if (lane_of_warp() == 0) shared.sums[warp] = sum;
    __syncthreads();
    unsigned place = 0;
    for (unsigned i = 0; i < block_warps; ++i) place += shared.sums[i];
    for (unsigned i = 0; i < warp; ++i) place += __ldcg(totals + first + i);
    __syncthreads();
    return place;
}
/// The last warp knows how long a list is.
__device__ __forceinline__ void tell_length(RoundState* mine, int kind, unsigned length) {
    if (warp_of_grid() == gridDim.x * block_warps - 1 && lane_of_warp() == 0) mine->listed[kind] = length;
}

/// Online: the bins one after another, behind what had no room in them.
template <class Op>
__device__ void place_bins(const State<Op>& s, Shared<Op>& shared, RoundState* mine, unsigned round,
                           unsigned binned) {
    for (int kind = 0; kind < s.kinds; ++kind) {
        const unsigned count = binned_of(s, binned, kind);
        const unsigned place = place_of_warp(s, shared, kind) + __ldcg(mine->spilled + kind);
        VertexId* at = s.lists[(round + 1) & 1] + s.first[kind] + place + sum_before(count);
        for (unsigned i = 0; i < binned; ++i) {
            const VertexId v = in_bin(s, i);
            if (s.kind(v) == kind) *at++ = v;
        }
        tell_length(mine, kind, place + sum_of_warp(count));
    }
}

/// The vertices that a warp looks at, words of 32 or, strided, a range a lane: calls visit(vertex, whether it
/// is due in the round) in all lanes at once.
template <class Op, class Visit>
__device__ __forceinline__ void scan_due(const State<Op>& s, unsigned round, bool strided, Visit visit) {
    const EdgeId warps = EdgeId{gridDim.x} * block_warps, g = warp_of_grid();
    const EdgeId words = (EdgeId{s.vertices} + 31) / 32, share = (words + warps - 1) / warps;
    const EdgeId first = min(g * share, words), last = min(first + share, words);
    for (EdgeId word = first; word < last; ++word) {
        const EdgeId v = strided ? first * 32 + lane_of_warp() * (last - first) + (word - first)
                                 : word * 32 + lane_of_warp();
        visit(static_cast<VertexId>(v), v < s.vertices && s.due(static_cast<VertexId>(v), round));
    }
}
/// How many of them each lane sees, list after list.
template <class Op>
struct DueCounts {
    unsigned of[most_lists] = {};
    __device__ DueCounts(const State<Op>& s, unsigned round, bool strided) {
        scan_due(s, round, strided, [&](VertexId v, bool due) {
            const int its = due ? s.kind(v) : most_lists;
#pragma unroll
            for (int kind = 0; kind < most_lists; ++kind) of[kind] += kind == its;
        });
    }
    __device__ __forceinline__ unsigned operator()(int kind) const {
        return kind == 0 ? of[0] : kind == 1 ? of[1] : of[2];
    }
};

/// Ballot and strided: what each warp will put into the lists of a round; and, behind a barrier, the lists.
template <class Op>
__device__ void count_due(const State<Op>& s, unsigned round, bool strided) {
    tell_totals(s, DueCounts<Op>(s, round, strided));
}
template <class Op>
__device__ void place_due(const State<Op>& s, Shared<Op>& shared, RoundState* mine, unsigned round,
                          bool strided) {
    for (int kind = 0; kind < s.kinds; ++kind) {
        unsigned place = place_of_warp(s, shared, kind);
        VertexId* const list = s.lists[round & 1] + s.first[kind];
        const auto belongs = [&](VertexId v, bool due) { return due && s.kind(v) == kind; };
        if (strided) {
            const unsigned count = DueCounts<Op>(s, round, true)(kind);
            unsigned at = place + sum_before(count);
            scan_due(s, round, true, [&](VertexId v, bool due) {
                if (belongs(v, due)) list[at++] = v;
            });
            place += sum_of_warp(count);
        } else {
            scan_due(s, round, false, [&](VertexId v, bool due) {
                const bool mine = belongs(v, due);
                const unsigned all = __ballot_sync(~0U, mine);
                if (mine) list[place + static_cast<unsigned>(__popc(all & lanes_below()))] = v;
                place += static_cast<unsigned>(__popc(all));
            });
        }
        tell_length(mine, kind, place);
    }
}

/// Marks (Harish and Narayanan's second kernel): what was updated is the frontier of the next round.
template <class Op>
__device__ void take_marks(const State<Op>& s, Worker<Op>& w) {
    for (EdgeId i = thread_of_grid(); i < s.vertices; i += threads_of_grid()) {
        if (!__ldcg(s.updated + i)) continue;
        const auto v = static_cast<VertexId>(i);
        s.updated[v] = 0, s.frontier[v] = 1, s.visited[v] = 1;
        if constexpr (!Op::by_rounds) put(s.stamps + v, w.round + 1);
        ++w.found;
        if (s.adaptive) w.found_arcs += s.out.degree(v);
    }
}

}  // namespace lockstep::frontier
