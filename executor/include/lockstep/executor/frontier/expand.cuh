// The expansion of active vertices in the generic walk: how their arcs are assigned to threads (the axis
// `balance`).
//
// If there are three lists by degree, each has workers of its own: groups of threads, one warp per vertex,
// and one thread block per vertex. If there is one list, or all vertices are scanned, a thread block
// processes a tile of up to 256 vertices: each thread loads the range of one vertex's arcs, and nested
// parallelism (csr/nested.cuh) distributes the arcs over the threads. If groups of threads are the only
// workers, warps can instead claim chunks of vertices independently.
#pragma once

#include "lockstep/executor/frontier/filter.cuh"

namespace lockstep::frontier {

/// The workers of a list: groups of `lanes` threads; workers that depend on the degree of each vertex
/// (mixed); one warp per vertex; one thread block per vertex; or three lists, of which the first is for
/// groups, the second for warps and the third for blocks.
enum class WorkAssignment { groups, mixed, warps, blocks, three };

/// Returns the number of vertices that the previous round has put into list `kind`.
__device__ __forceinline__ EdgeId next(const RoundState* before, int kind) {
    return __ldcg(before->listed + kind) + __ldcg(before->split[0] + kind) + __ldcg(before->split[1] + kind);
}

/// Expands the vertices of a round. A push visits the out-arcs of active vertices. A pull visits the in-arcs
/// of the vertices for which op.can_improve() is true.
template <class Op, bool Pull>
struct Expander {
    using Value = typename Op::Value;
    using Item = typename Shared<Op>::Item;
    using Lists = typename Shared<Op>::Lists;

    Worker<Op>& w;
    const State<Op>& s = w.s;
    Shared<Op>& shared = w.shared;
    const bool batch = !Pull && w.filter == Filter::batch;
    const VertexId* list = nullptr;  ///< list that is being processed; nullptr: all vertices are scanned

    __device__ __forceinline__ static float weight_of(const CsrView& lists, EdgeId e) {
        return Op::weighted ? lists.weight(e) : 1.0F;
    }
    /// Sends the offer along out-arc e of an active vertex.
    __device__ __forceinline__ void push(const Item& item, EdgeId e) {
        const VertexId v = __ldg(s.out.ends + e);
        const Value offered = s.op.offer(item.value, weight_of(s.out, e));
        if (batch) {
            s.pairs[e + item.shift] = {v, offered};
        } else if (Op::by_rounds && s.alike()) {  // all offers of a round are equal, so plain stores suffice
            if (s.active == ActiveSetForm::marks ? __ldcg(s.visited + v) != 0
                                                 : peek(s.values + v) != Op::none())
                return;
            put(s.values + v, offered);
            w.emit(v, offered);
        } else if (take_offer(s.op, s.values + v, offered)) {
            w.emit(v, offered);
        }
    }
    /// Reads in-arc e of a vertex. If its source is active, combines the source's offer into `best`.
    __device__ __forceinline__ void probe(EdgeId e, Value& best) {
        ++w.arcs;
        const VertexId u = __ldg(s.in.ends + e);
        if constexpr (Op::by_rounds) {
            const Value value = peek(s.values + u);
            if (value == w.round) best = s.op.offer(value, 1);
        } else if (s.due(u, w.round)) {
            best = combine_values(best, s.op.offer(peek(s.values + u), weight_of(s.in, e)));
        }
    }
    /// The neutral element of combine_values(), which adds two offers or returns the better one.
    static constexpr Value nothing = adds_up<Op> ? Value{} : Op::none();
    __device__ __forceinline__ static Value combine_values(Value a, Value b) {
        if constexpr (adds_up<Op>)
            return a + b;
        else
            return min(a, b);
    }
    /// Stores the combined offers of a pull. No other thread writes this vertex in this round.
    __device__ __forceinline__ void keep(const Item& item, Value best) {
        if constexpr (adds_up<Op>) {
            if (best == nothing) return;
            const Value next = s.op.apply_sum(item.value, best);
            put(s.values + item.vertex, next);
            if (s.op.active(next)) w.emit(item.vertex, next);
        } else {
            if (!(best < item.value)) return;
            put(s.values + item.vertex, best);
            w.emit(item.vertex, best);
        }
    }
    /// Pulls along one arc, and combines the offer into the vertex's value in memory with an atomic
    /// operation.
    __device__ __forceinline__ void pull_by_atomics(const Item& item, EdgeId e) {
        Value offered = nothing;
        probe(e, offered);
        if (offered != nothing && take_offer(s.op, s.values + item.vertex, offered))
            w.emit(item.vertex, offered);
    }

    /// Visits the arcs of an item with a group of threads (csr/nested.cuh).
    template <class Group>
    __device__ __forceinline__ void visit_list(const Item& item, const Group& group) {
        if constexpr (Pull) {
            if (s.combine == CombineMethod::atomics) {
                for (EdgeId e = item.first + group.lane; e < item.last; e += group.lanes)
                    pull_by_atomics(item, e);
                return;
            }
            Value best = nothing;
            for (EdgeId first = item.first; first < item.last; first += group.lanes) {
                if (first + group.lane < item.last) probe(first + group.lane, best);
                if (Op::by_rounds && group.any(best < Op::none())) break;
            }
            best = group.reduce(best, combine_values, shared.best);
            if (group.lane == 0) keep(item, best);
        } else {
            for (EdgeId e = item.first + group.lane; e < item.last; e += group.lanes) push(item, e);
        }
    }
    /// Visits one arc of an item whose other arcs are visited by other threads at the same time.
    __device__ __forceinline__ void visit_number(const Item& item, EdgeId e) {
        if constexpr (Pull) {
            if (Op::by_rounds && !s.op.can_improve(peek(s.values + item.vertex))) return;
            pull_by_atomics(item, e);
        } else {
            push(item, e);
        }
    }
    __device__ __forceinline__ Item from_lane(const Item& item, int lane, unsigned mask) const {
        Item other;
        other.first = __shfl_sync(mask, item.first, lane), other.last = __shfl_sync(mask, item.last, lane);
        other.vertex = __shfl_sync(mask, item.vertex, lane),
        other.value = __shfl_sync(mask, item.value, lane);
        other.shift = batch ? __shfl_sync(mask, item.shift, lane) : 0;
        return other;
    }

    /// Loads the range of arcs of list element i (or of vertex i, without a list). Returns true if it should
    /// be expanded now. Returns false if the vertex is not active or has no arcs, or if it was deferred
    /// because it has too many arcs.
    __device__ __forceinline__ bool fetch(EdgeId i, Item& item) {
        if constexpr (Pull) {
            item.vertex = static_cast<VertexId>(i);
            item.value = peek(s.values + item.vertex);
            if (!s.op.can_improve(item.value)) return false;
        } else {
            if (list) {
                item.vertex = list[i];
            } else {
                item.vertex = static_cast<VertexId>(i);
                if (s.active == ActiveSetForm::marks) {
                    if (!__ldcg(s.frontier + i)) return false;
                    s.frontier[i] = 0;
                } else if (!s.due(item.vertex, w.round)) {
                    return false;
                }
            }
            item.value = peek(s.values + item.vertex);
        }
        ++w.active;
        const EdgeRange arcs = (Pull ? s.in : s.out).edges_of(item.vertex);
        item.first = arcs.first, item.last = arcs.last;
        const EdgeId degree = item.last - item.first;
        if constexpr (!Pull) {
            w.arcs += degree;
            if (s.defer && degree > s.defer) {
                s.deferred[w.reserve(&w.mine->deferred, false)] = item.vertex;
                return false;
            }
            if (batch && degree) {
                ++w.atomics;
                item.shift = atomicAdd(&w.mine->pairs, static_cast<unsigned long long>(degree)) - item.first;
            }
        }
        return degree > 0;
    }

    /// Expands the lists that the previous round has made, or all vertices.
    template <WorkAssignment By>
    __device__ __forceinline__ void run(const RoundState* before) {
        const auto sized = [&](int kind) {
            return Pull || !s.lists[0] ? EdgeId{s.vertices} : next(before, kind);
        };
        if constexpr (By == WorkAssignment::three && !Pull) {
            run_list<WorkAssignment::groups>(0, sized(0)), run_list<WorkAssignment::warps>(1, sized(1)),
                run_list<WorkAssignment::blocks>(2, sized(2));
        } else {
            run_list<By == WorkAssignment::three ? WorkAssignment::mixed : By>(0, sized(0));
        }
    }
    /// Expands one list, or all vertices.
    template <WorkAssignment By>
    __device__ __forceinline__ void run_list(int kind, EdgeId count) {
        if (!Pull && s.lists[0]) list = s.lists[w.round & 1] + s.first[kind];
        if constexpr (By == WorkAssignment::warps)
            by_warps(count);
        else if constexpr (By == WorkAssignment::blocks)
            by_blocks(count);
        else if (By == WorkAssignment::groups && s.chunk && s.append != Append::block)
            drawn_by_warps(count);
        else
            in_tiles<By>(count);
    }

private:
    /// Returns the number of threads per vertex if groups of threads are the only workers.
    __device__ __forceinline__ unsigned lanes() const {
        return s.balance.lanes ? static_cast<unsigned>(s.balance.lanes) : 32;
    }
    /// Expands one vertex per warp.
    __device__ __forceinline__ void by_warps(EdgeId count) {
        for (EdgeId i = warp_of_grid(); i < count; i += EdgeId{gridDim.x} * block_warps) {
            Item item{};
            Lists::by_lanes(item, lane_of_warp() == 0 && fetch(i, item), 32, *this);
        }
    }
    __device__ __forceinline__ void by_blocks(EdgeId count) {
        for (EdgeId i = blockIdx.x; i < count; i += gridDim.x) {
            Item item{};
            shared.lists.by_block(item, threadIdx.x == 0 && fetch(i, item), *this);
        }
    }
    /// Expands chunks of vertices, which each warp claims from a counter. Warps do not wait for each other.
    __device__ __forceinline__ void drawn_by_warps(EdgeId count) {
        for (;;) {
            EdgeId first = 0;
            if (lane_of_warp() == 0)
                first = atomicAdd(&w.mine->drawn, static_cast<unsigned long long>(s.chunk));
            first = __shfl_sync(~0U, first, 0);
            if (first >= count) return;
            const EdgeId last = min(first + s.chunk, count);
            for (EdgeId f = first; f < last; f += 32) {
                Item item{};
                const EdgeId i = f + lane_of_warp();
                Lists::by_lanes(item, i < last && fetch(i, item), lanes(), *this);
            }
        }
    }
    /// Expands tiles of up to 256 vertices per thread block. Tiles are distributed statically or claimed from
    /// a counter.
    template <WorkAssignment By>
    __device__ __forceinline__ void in_tiles(EdgeId count) {
        // If there are few vertices, the tiles are smaller, so that all thread blocks get some.
        const EdgeId fair = (count + gridDim.x - 1) / gridDim.x;
        const EdgeId width =
            s.chunk ? block_threads : min(EdgeId{block_threads}, max(EdgeId{32}, (fair + 31) & ~EdgeId{31}));
        const auto tile = [&](EdgeId first, EdgeId last) {
            Item item{};
            const EdgeId i = first + threadIdx.x;
            const bool has = threadIdx.x < width && i < last && fetch(i, item);
            if constexpr (By == WorkAssignment::mixed)
                shared.lists.each(s, item, has, *this);
            else
                Lists::by_lanes(item, has, lanes(), *this);
            w.flush(false);
        };
        // Both kinds of distribution share one loop, so that the compiler inlines the code of a tile only
        // once.
        for (EdgeId first = blockIdx.x * width;; first += gridDim.x * width) {
            if (s.chunk) {
                if (threadIdx.x == 0)
                    shared.drawn = atomicAdd(&w.mine->drawn, static_cast<unsigned long long>(s.chunk));
                __syncthreads();
                first = shared.drawn;
                __syncthreads();
            }
            if (first >= count) break;
            const EdgeId last = min(first + (s.chunk ? s.chunk : width), count);
            for (EdgeId f = first; f < last; f += width) tile(f, last);
        }
    }

public:
    /// Expands the deferred vertices. Their arcs are divided into pieces, which are distributed over all
    /// thread blocks.
    __device__ __forceinline__ void run_deferred() {
        constexpr EdgeId piece = 4 * block_threads;
        const unsigned count = __ldcg(&w.mine->deferred);
        // index of this block's next piece, counted from the first piece of vertex i
        EdgeId number = blockIdx.x;
        for (unsigned i = 0; i < count; ++i) {
            Item item{};
            item.vertex = s.deferred[i];
            item.value = peek(s.values + item.vertex);
            const EdgeRange arcs = s.out.edges_of(item.vertex);
            const EdgeId pieces = (arcs.size() + piece - 1) / piece;
            for (; number < pieces; number += gridDim.x) {
                item.first = arcs.first + number * piece, item.last = min(item.first + piece, arcs.last);
                if (batch) {
                    if (threadIdx.x == 0)
                        shared.drawn = atomicAdd(&w.mine->pairs,
                                                 static_cast<unsigned long long>(item.last - item.first)),
                        ++w.atomics;
                    __syncthreads();
                    item.shift = shared.drawn - item.first;
                    __syncthreads();
                }
                visit_list(item, WholeBlock<block_threads>());
                w.flush(false);
            }
            number -= pieces;
        }
    }

    /// Filter batch: processes the list of pairs (target, offer) that the expansion has written.
    __device__ __forceinline__ void run_pairs() {
        const EdgeId count = __ldcg(&w.mine->pairs);
        for (EdgeId first = EdgeId{blockIdx.x} * block_threads; first < count; first += threads_of_grid()) {
            const EdgeId i = first + threadIdx.x;
            if (i < count) {
                const Pair<Value> pair = s.pairs[i];
                if (take_offer(s.op, s.values + pair.target, pair.offered)) w.emit(pair.target, pair.offered);
            }
            w.flush(false);
        }
    }
};

}  // namespace lockstep::frontier
