// The filters of the generic walk: they collect the vertices whose values have improved, and make the list of
// the next round. The atomic operations on list lengths are counted.
//
// A vertex is listed by the first thread that stores the number of the next round for it, in the vertex's
// stamp (or in its value, if that is the round). Filters with append or scan never list a vertex twice.
// Filters with bins may list it several times, as in the paper (SIMD-X): if two threads find a vertex
// concurrently, both keep it. This saves one atomic operation per vertex and does not affect the values.
#pragma once

#include "lockstep/executor/frontier/state.cuh"

namespace lockstep::frontier {

__device__ __forceinline__ unsigned warp_of_grid() { return blockIdx.x * block_warps + threadIdx.x / 32; }

/// Returns a reference to element i of this thread's bin.
template <class Op>
__device__ __forceinline__ VertexId& in_bin(const State<Op>& s, unsigned i) {
    return s.bins[i * threads_of_grid() + thread_of_grid()];
}
/// Returns how many of the vertices in this thread's bin belong to list `kind`.
template <class Op>
__device__ __forceinline__ unsigned binned_of(const State<Op>& s, unsigned binned, int kind) {
    if (s.kinds == 1) return binned;
    unsigned count = 0;
    for (unsigned i = 0; i < binned; ++i) count += s.kind(in_bin(s, i)) == kind;
    return count;
}
/// Stores, for each list, the number of vertices that each warp will append. count(kind) returns the number
/// of the calling thread.
template <class Op, class Count>
__device__ __forceinline__ void add_totals(const State<Op>& s, Count count) {
    for (int kind = 0; kind < s.kinds; ++kind) {
        const unsigned total = sum_of_warp(count(kind));
        if (lane_of_warp() == 0) s.totals[kind * gridDim.x * block_warps + warp_of_grid()] = total;
    }
}

/// The state of one thread in a round. It collects improved vertices, and counts vertices, arcs and atomic
/// operations.
template <class Op>
struct Worker {
    using Value = typename Op::Value;

    const State<Op>& s;
    Shared<Op>& shared;
    RoundState* mine;
    unsigned round, phase, limit;
    bool pull;
    /// filter that this round uses
    Filter filter = pull && s.filter == Filter::batch ? Filter::append : s.filter;
    unsigned* listed = mine->listed;  ///< length of each list of the next round
    unsigned binned = 0, active = 0, found = 0, atomics = 0;
    unsigned long long arcs = 0, found_arcs = 0;

    /// Reserves one element at the end of the list with length `*size`, and returns its index. If `by_warp`,
    /// lanes that call the function together for the same list share one atomic operation.
    __device__ __forceinline__ unsigned reserve(unsigned* size, bool by_warp) {
        if (!by_warp) {
            ++atomics;
            return atomicAdd(size, 1U);
        }
        const unsigned here = __match_any_sync(__activemask(), reinterpret_cast<unsigned long long>(size));
        const unsigned leader = static_cast<unsigned>(__ffs(static_cast<int>(here))) - 1;
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

    /// Returns true if `v` is found for the first time in this round. With the filters append and batch,
    /// exactly one thread gets true; with other filters, several may.
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

    /// Collects vertex `v`, whose value has been improved to `value`, for a later round.
    __device__ __forceinline__ void emit(VertexId v, Value value) {
        if (s.piles && bits_of(value) >= limit) {
            if (atomicExch(s.far_marks + v, phase + 1) != phase + 1) move_to_far_pile(v);
            return;
        }
        if (s.active == ActiveSetForm::marks) {  // these vertices are counted by take_marks()
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
    /// Appends `v` to a list of the next round.
    __device__ __forceinline__ void add(VertexId v) {
        if (s.kinds == 1) return append(shared.queues[0], next_list(0), listed, v);
        const int kind = s.kind(v);
        next_list(kind)[reserve(listed + kind, s.append != Append::thread)] = v;
    }
    __device__ __forceinline__ void move_to_far_pile(VertexId v) {
        if constexpr (Op::by_priority)
            append(shared.queues[1], s.far[phase & 1], &s.piles->size[phase & 1], v);
    }
    __device__ __forceinline__ void append(BlockQueue& queue, VertexId* list, unsigned* size, VertexId v) {
        if (s.append == Append::block) {
            const unsigned at = atomicAdd(&queue.count, 1U);
            if (at < BlockQueue::capacity) {
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

    /// Starts the work of a thread block on a round. All threads of the block must call it.
    __device__ __forceinline__ void begin() {
        if (threadIdx.x == 0) {
            for (BlockQueue& queue : shared.queues) queue.count = 0;
            shared.tally = RoundState{};
        }
        __syncthreads();
    }
    /// Appends the block's queues in shared memory to the lists, if a queue is half full or if `now`.
    __device__ __forceinline__ void flush(bool now) {
        if (s.append != Append::block) return;
        if (filter == Filter::append || filter == Filter::batch || s.piles)
            flush(shared.queues[0], next_list(0), listed, now);
        if constexpr (Op::by_priority)
            if (s.piles) flush(shared.queues[1], s.far[phase & 1], &s.piles->size[phase & 1], now);
    }
    __device__ __forceinline__ void flush(BlockQueue& queue, VertexId* list, unsigned* size, bool now) {
        __syncthreads();
        const unsigned count = min(queue.count, BlockQueue::capacity);
        if (count > (now ? 0U : BlockQueue::capacity / 2)) {
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
        if (in_bins()) add_totals(s, [&](int kind) { return binned_of(s, binned, kind); });
        __syncthreads();
        if (threadIdx.x == 0) {
            const auto add_total = [](Count* sum, Count count) {
                if (count) atomicAdd(sum, count);
            };
            add_total(&mine->active, tally.active), add_total(&mine->arcs, tally.arcs),
                add_total(&mine->found, tally.found);
            add_total(&mine->found_arcs, tally.found_arcs), add_total(&mine->atomics, tally.atomics);
        }
        __syncthreads();
    }
};

/// Returns the number of vertices that all warps before this one append to list `kind`. All threads of the
/// block must call it.
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
/// Stores the length of list `kind`. Only the last warp of the grid stores it, because `length` is complete
/// there.
__device__ __forceinline__ void store_length(RoundState* mine, int kind, unsigned length) {
    if (warp_of_grid() == gridDim.x * block_warps - 1 && lane_of_warp() == 0) mine->listed[kind] = length;
}

/// Filters online and jit: copies the vertices of all bins to the lists. In the lists, they follow the
/// vertices that did not fit into a bin.
template <class Op>
__device__ void place_bins(const State<Op>& s, Shared<Op>& shared, RoundState* mine, unsigned round,
                           unsigned binned) {
    for (int kind = 0; kind < s.kinds; ++kind) {
        const unsigned count = binned_of(s, binned, kind);
        const unsigned place = place_of_warp(s, shared, kind) + __ldcg(mine->spilled + kind);
        VertexId* at = s.lists[(round + 1) & 1] + s.first[kind] + place + exclusive_sum(count);
        for (unsigned i = 0; i < binned; ++i) {
            const VertexId v = in_bin(s, i);
            if (s.kind(v) == kind) *at++ = v;
        }
        store_length(mine, kind, place + sum_of_warp(count));
    }
}

/// Calls visit(v, due) for the vertices of this warp, where `due` is true if v is active in the round. All
/// lanes call it concurrently, for 32 consecutive vertices or, if `strided`, each for the next vertex of a
/// range of its own.
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
/// For each list, the number of active vertices that this lane visits.
template <class Op>
struct DueCounts {
    unsigned of[max_lists] = {};
    __device__ DueCounts(const State<Op>& s, unsigned round, bool strided) {
        scan_due(s, round, strided, [&](VertexId v, bool due) {
            const int its = due ? s.kind(v) : max_lists;
#pragma unroll
            for (int kind = 0; kind < max_lists; ++kind) of[kind] += kind == its;
        });
    }
    __device__ __forceinline__ unsigned operator()(int kind) const {
        return kind == 0 ? of[0] : kind == 1 ? of[1] : of[2];
    }
};

/// Filters ballot and strided: stores the number of vertices that each warp appends to each list of a round.
/// After a barrier, place_due() writes these lists.
template <class Op>
__device__ void count_due(const State<Op>& s, unsigned round, bool strided) {
    add_totals(s, DueCounts<Op>(s, round, strided));
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
            unsigned at = place + exclusive_sum(count);
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
        store_length(mine, kind, place);
    }
}

/// Active vertices as marks (Harish and Narayanan's second kernel): the vertices that were updated in this
/// round become active in the next round.
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
