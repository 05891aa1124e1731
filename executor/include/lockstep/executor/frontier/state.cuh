// The data of the generic walk on a GPU: the arrays of a traversal, the counters of a round, and the shared
// memory of a thread block.
#pragma once

#include "lockstep/executor/csr/nested.cuh"
#include "lockstep/executor/frontier/run.hpp"

namespace lockstep::frontier {

using namespace gpu;

inline constexpr int block_threads = 256, block_warps = block_threads / 32;
inline constexpr unsigned nowhere = ~0U;
/// Maximum number of lists per round, one each for vertices of low, medium and high degree.
inline constexpr int max_lists = 3;

/// The counters of a round, initially zero. If thread blocks make a decision from a counter, it is final
/// before a barrier and unchanged after it, so that all of them decide in the same way.
struct RoundState {
    unsigned long long active, arcs;       ///< number of vertices and arcs that this round has visited
    unsigned long long found, found_arcs;  ///< number of vertices of the next round, and of their out-arcs
    unsigned long long atomics;            ///< number of atomic operations on the lengths of lists
    unsigned long long pairs;              ///< filter batch: number of pairs in the list of pairs
    /// number of vertices that thread blocks or warps have claimed from the work queue
    unsigned long long drawn;
    unsigned long long end;       ///< time at the end of the round in nanoseconds
    unsigned listed[max_lists];   ///< number of vertices in each list of the next round
    unsigned spilled[max_lists];  ///< number of vertices in each list that did not fit into a bin
    /// Number of vertices that each split (at most two per round) has moved from the far pile to each list.
    unsigned split[2][max_lists];
    /// number of vertices that were deferred because of their degree
    unsigned deferred;
    unsigned overflow;  ///< nonzero if a bin has overflowed
    /// nonzero if the round pulled
    unsigned pull;
    /// Returns the total number of vertices in a list of the next round.
    __host__ __device__ unsigned next(int list) const {
        return listed[list] + split[0][list] + split[1][list];
    }
};

/// The far piles of the priority near_far: one is being filled, the other one is left by the next split.
struct FarPiles {
    unsigned size[2];
    unsigned least[2];  ///< bits of the minimum value that the last split has left in the pile
};

/// The state at the end of a launch, from which the next launch continues.
struct Control {
    unsigned rounds;  ///< number of rounds that were run
    unsigned phase, limit;
    unsigned finished;
};

/// An arc in the list of the filter batch: its target and the offer to it.
template <class Value>
struct Pair {
    VertexId target;
    Value offered;
};

/// The state of a traversal, with the axes of its configuration.
template <class Op>
struct State : Axes {
    using Value = typename Op::Value;

    Op op;
    VertexId vertices;
    /// A round pulls if the active vertices have more out-arcs than this. If the direction is not adaptive: 0
    /// if every round pulls, otherwise nonzero.
    unsigned long long pull_above;
    CsrView out, in;
    Value* values;
    /// next round in which each vertex is active; nullptr if the value of a vertex is this round
    unsigned* stamps;
    VertexId* lists[2];       ///< list of the active vertices of even rounds, and of odd rounds
    EdgeId first[max_lists];  ///< offset of each of the lists by degree in an element of `lists`
    int kinds;                ///< number of lists per round: 1, or 3 by degree
    /// marks per vertex: active now, active in the next round, reached
    unsigned char *frontier, *updated, *visited;
    VertexId* deferred;
    VertexId* bins;     ///< bins of all threads, interleaved: element i of all bins is contiguous
    unsigned* binned;   ///< number of vertices in each bin, between launches
    unsigned* spilled;  ///< last round in which each vertex was found but did not fit into a bin
    unsigned* totals;  ///< number of vertices that each warp of the grid appends to each list, sorted by list
    Pair<Value>* pairs;   ///< list of pairs of the filter batch, with a capacity of the number of arcs
    VertexId* far[2];     ///< far piles of even and odd phases; no vertex is twice in one pile
    unsigned* far_marks;  ///< phase of the far pile that contains each vertex, plus 1
    FarPiles* piles;      ///< sizes of the far piles; nullptr: no priorities
    Value width;          ///< width of the buckets of priorities
    /// counters of the last round of the previous launch, followed by those of the rounds of this launch
    RoundState* rounds;
    Control* control;
    EdgeId* arrivals;  ///< number of arrivals of thread blocks at the device-wide barrier
    bool adaptive;

    /// For operators whose values are rounds: returns true if new values are stored without atomics. All
    /// offers of a round are equal, so all writers of a vertex store the same value.
    __device__ __forceinline__ bool alike() const {
        return filter != Filter::append && filter != Filter::batch;
    }
    /// Returns the index of the list to which `v` belongs because of its degree.
    __device__ __forceinline__ int kind(VertexId v) const {
        if (kinds == 1) return 0;
        const EdgeId degree = out.degree(v);
        return degree >= large ? 2 : degree >= small ? 1 : 0;
    }
    /// Returns true if `v` is active in round `round`.
    __device__ __forceinline__ bool due(VertexId v, unsigned round) const {
        if constexpr (Op::by_rounds)
            return peek(values + v) == round;
        else
            return peek(stamps + v) == round;
    }
    /// Returns the bits of the upper bound of a bucket, whose lower bound has the bits `bits`. The upper
    /// bound is always greater than the lower bound.
    LOCKSTEP_HD unsigned limit_above(unsigned bits) const {
        const Value value = value_of<Value>(bits);
        unsigned above;
        if constexpr (std::is_same_v<Value, float>)
            above = bits_of(value + width);
        else
            above = value < Op::most - width ? value + width : Op::most + 1;
        return above > bits ? above : bits + 1;
    }
};

/// Vertices in shared memory that a thread block appends to a list in device memory with one atomic
/// operation.
struct BlockQueue {
    static constexpr unsigned capacity = 1024;
    VertexId vertices[capacity];
    unsigned count;
};

/// The shared memory of a thread block.
template <class Op>
struct Shared {
    /// A vertex whose arcs [first, last) are expanded.
    struct Item {
        EdgeId first, last;
        EdgeId shift;  ///< filter batch: index of arc e in the list of pairs, minus e
        VertexId vertex;
        typename Op::Value value;
    };
    using Lists = Nested<block_threads, Item>;

    Lists lists;
    unsigned sums[block_warps];
    typename Op::Value best[block_warps];
    // Queues of the vertices that the block will append to the list of the next round and, for operators with
    // priorities, to the far pile.
    BlockQueue queues[Op::by_priority ? 2 : 1];
    unsigned place;
    unsigned long long drawn;
    RoundState tally;
};

}  // namespace lockstep::frontier
