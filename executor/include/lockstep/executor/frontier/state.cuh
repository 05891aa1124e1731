// Data of the kernels of the generic walk: the arcs and the memory of a traversal, and the counters of a
// round.
#pragma once

#include "lockstep/executor/csr/lists.cuh"
#include "lockstep/executor/frontier/run.hpp"

namespace lockstep::frontier {

using namespace gpu;

inline constexpr int block_threads = 256, block_warps = block_threads / 32;
inline constexpr unsigned nowhere = ~0U;
/// Maximum number of lists per round: vertices of low, medium and high degree.
inline constexpr int most_lists = 3;

/// Counters of a round, initially zero. The counters on which blocks base a decision are final before a
/// barrier and do not change after it, so that all blocks decide identically.
struct RoundState {
    unsigned long long active, arcs;       ///< vertices and arcs that were visited
    unsigned long long found, found_arcs;  ///< number of vertices of the next round, and of their out-arcs
    unsigned long long atomics;            ///< number of atomic operations on sizes of lists
    unsigned long long pairs;              ///< batch: number of arcs in the list
    unsigned long long drawn;              ///< number of vertices that blocks or warps have claimed
    unsigned long long end;                ///< time at the end of the round in nanoseconds
    unsigned listed[most_lists];           ///< number of vertices in each list of the next round
    unsigned spilled[most_lists];          ///< number of these vertices that did not fit into a thread's bin
    /// Vertices that each split (at most two per round) moved from the far pile to each list.
    unsigned split[2][most_lists];
    unsigned deferred;
    unsigned overflow;  ///< nonzero if a bin was full
    unsigned pull;
    /// Returns the number of vertices in a list of the next round.
    __host__ __device__ unsigned next(int list) const {
        return listed[list] + split[0][list] + split[1][list];
    }
};

/// Far piles of near-far: the pile that is being filled, and the pile that the next split leaves.
struct Piles {
    unsigned size[2];
    unsigned least[2];  ///< bits of the minimum value that the last split left in the pile
};

/// State at the end of a launch, from which the next launch continues.
struct Control {
    unsigned rounds;  ///< number of rounds that were run
    unsigned phase, limit;
    unsigned finished;
};

/// An arc in the list of the batch filter.
template <class Value>
struct Pair {
    VertexId target;
    Value offered;
};

template <class Op>
struct State {
    using Value = typename Op::Value;

    Op op;
    VertexId vertices;
    /// A round pulls if the active vertices have more out-arcs; without adaptive direction: 0 if every round
    /// pulls.
    unsigned long long pull_above;
    CsrView out, in;
    Value* values;
    unsigned* stamps;          ///< round in which a vertex is active, unless the vertex's value is this round
    VertexId* lists[2];        ///< lists of even and of odd rounds
    EdgeId first[most_lists];  ///< index of the first element of each list in `lists`
    int kinds;                 ///< number of lists: 1, or 3 by degree
    unsigned char *frontier, *updated, *visited;  ///< one mark per vertex
    VertexId* deferred;
    VertexId* bins;       ///< bins, interleaved: one column per thread of the grid
    unsigned* binned;     ///< number of vertices in each bin, between launches
    unsigned* spilled;    ///< last round in which a vertex did not fit into a bin
    unsigned* totals;     ///< number of vertices that each warp of the grid appends, list after list
    Pair<Value>* pairs;   ///< capacity: number of arcs
    VertexId* far[2];     ///< far piles; neither contains a vertex twice
    unsigned* far_marks;  ///< phase of the far pile that contains the vertex, plus 1
    Piles* piles;         ///< nullptr: no priorities
    Value width;          ///< width of a bucket
    RoundState* rounds;   ///< last round of the previous launch, followed by the rounds of this launch
    Control* control;
    EdgeId* arrivals;  ///< number of arrivals at the barrier
    Active active;
    Append append;
    Filter filter;
    bool adaptive, by_atomics;
    int lanes;  ///< threads per vertex of low degree; 32 if only warps are used; 0: none
    bool fine, warp, block;
    EdgeId small, large, defer;
    unsigned chunk, bin;

    /// Returns true if, for operators by rounds, new values are written without atomics: all offers of a
    /// round are equal, so every later writer writes the same value.
    __device__ __forceinline__ bool alike() const {
        return filter != Filter::append && filter != Filter::batch;
    }
    /// Returns the index of the list to which `v` belongs by its degree.
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
    /// Returns the bits of the upper bound of a bucket that begins at the value with the given bits. The
    /// bound is greater than this value.
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

/// Vertices that a block will append to a list in device memory with one atomic operation.
struct BlockQueue {
    static constexpr unsigned room = 1024;
    VertexId vertices[room];
    unsigned count;
};

/// Shared memory of a block.
template <class Op>
struct Shared {
    struct Item {
        EdgeId begin, end;
        EdgeId shift;  ///< batch: index in the list of pairs of arc e, minus e
        VertexId vertex;
        typename Op::Value value;
    };

    Item items[block_threads];
    Dealt<block_threads> dealt;  ///< even distribution of the items' arcs over the threads
    unsigned sums[block_warps];
    typename Op::Value best[block_warps];
    // Queues for appends by the block: to the next round's list and, for operators with priorities, to a far
    // pile.
    BlockQueue queues[Op::by_priority ? 2 : 1];
    unsigned count, place;
    unsigned long long drawn;
    RoundState tally;
};

}  // namespace lockstep::frontier
