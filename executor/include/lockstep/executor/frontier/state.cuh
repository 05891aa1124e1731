// What the kernels of the generic walk see: the arcs and the memory of a traversal, and what a round counts.
#pragma once

#include "lockstep/executor/csr/lists.cuh"
#include "lockstep/executor/frontier/run.hpp"

namespace lockstep::frontier {

using namespace gpu;

inline constexpr int block_threads = 256, block_warps = block_threads / 32;
inline constexpr unsigned nowhere = ~0U;
inline constexpr int most_lists = 3;  ///< of a round: vertices of few arcs, of more, of many

/// A round's counters, zero before it. Whatever blocks decide by was counted before a barrier and is not
/// touched after it, so that all of them decide alike.
struct RoundState {
    unsigned long long active, arcs;       ///< looked at
    unsigned long long found, found_arcs;  ///< vertices of the next round, and the arcs out of them
    unsigned long long atomics;            ///< on sizes of lists
    unsigned long long pairs;              ///< batch: arcs in the list
    unsigned long long drawn;              ///< vertices that blocks or warps have drawn
    unsigned long long end;                ///< nanoseconds
    unsigned listed[most_lists];           ///< vertices in each list of the next round
    unsigned spilled[most_lists];          ///< of them for which a thread's bin had no room
    unsigned split[2][most_lists];  ///< the same, out of the far pile, in the one or two splits of a round
    unsigned deferred;
    unsigned overflow;  ///< a bin had no room
    unsigned pull;
    __host__ __device__ unsigned next(int list) const {
        return listed[list] + split[0][list] + split[1][list];
    }
};

/// The far piles of near-far: the one that is filled, and the one that the next split leaves.
struct Piles {
    unsigned size[2];
    unsigned least[2];  ///< bits of the least value that the last split has left
};

/// Where a launch ends, for the next one.
struct Control {
    unsigned rounds;  ///< run
    unsigned phase, limit;
    unsigned finished;
};

/// An arc of the batch filter.
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
    unsigned long long pull_above;  ///< arcs out of the active vertices above which a round pulls
    CsrView out, in;
    Value* values;
    unsigned* stamps;          ///< the round in which a vertex is active, where its value does not say it
    VertexId* lists[2];        ///< of even rounds, of odd ones
    EdgeId first[most_lists];  ///< place of each list in them
    int kinds;                 ///< of lists, 1 or by degree
    unsigned char *frontier, *updated, *visited;  ///< marks
    VertexId* deferred;
    VertexId* bins;       ///< a column a thread of the grid
    unsigned* binned;     ///< entries of each, between launches
    unsigned* spilled;    ///< the round after which a vertex had no room in a bin
    unsigned* totals;     ///< what each warp of the grid will put into a list, list after list
    Pair<Value>* pairs;   ///< as long as there are arcs
    VertexId* far[2];     ///< none twice
    unsigned* far_marks;  ///< phase in whose pile a vertex is, plus 1
    Piles* piles;         ///< nullptr: no priority
    Value width;          ///< of a bucket
    RoundState* rounds;   ///< the last round of the launch before, then those of this one
    Control* control;
    EdgeId* arrivals;  ///< at the barrier
    Active active;
    Append append;
    Filter filter;
    bool adaptive, by_atomics;
    int lanes;  ///< of the workers for few arcs, 32 where warps alone are asked for; 0: none
    bool fine, warp, block;
    EdgeId small, large, defer;
    unsigned chunk, bin;

    /// Whether offers are written where nothing was, without atomics: who comes later writes the same.
    __device__ __forceinline__ bool alike() const {
        return filter != Filter::append && filter != Filter::batch;
    }
    /// The list that v belongs in.
    __device__ __forceinline__ int kind(VertexId v) const {
        if (kinds == 1) return 0;
        const EdgeId degree = out.degree(v);
        return degree >= large ? 2 : degree >= small ? 1 : 0;
    }
    /// Whether v is active in a round.
    __device__ __forceinline__ bool due(VertexId v, unsigned round) const {
        if constexpr (Op::by_rounds)
            return peek(values + v) == round;
        else
            return peek(stamps + v) == round;
    }
    /// Bits of the bound of a bucket that holds a value, and more than it.
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

/// Vertices that a block has for a list in device memory, which it appends together.
struct BlockQueue {
    static constexpr unsigned room = 1024;
    VertexId vertices[room];
    unsigned count;
};

/// What a block has on chip.
template <class Op>
struct Shared {
    struct Item {
        EdgeId begin, end;
        EdgeId shift;  ///< batch: place in the list of pairs of arc e, less e
        VertexId vertex;
        typename Op::Value value;
    };

    Item items[block_threads];
    Dealt<block_threads> dealt;  ///< their arcs
    unsigned sums[block_warps];
    typename Op::Value best[block_warps];
    // Append by the block: for the next round's list and, of operators that have priorities, for a far pile.
    BlockQueue queues[Op::by_priority ? 2 : 1];
    unsigned count, place;
    unsigned long long drawn;
    RoundState tally;
};

}  // namespace lockstep::frontier
