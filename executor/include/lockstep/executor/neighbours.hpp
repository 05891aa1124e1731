// Neighbour iteration: the contract between an application that passes values along edges and the
// traversals that visit neighbours, and the arrays that they walk.
//
// A square graph has an arc u -> v for every edge (row u, column v). In a round every vertex u offers a
// value, every vertex v combines what its in-neighbours offer, and finishes with the result. An operator
// says nothing about who visits whom: pull, push, edge-parallel, virtual warps, bins and tiles all run it.
// It is a small trivially copyable struct, passed to kernels by value, with
//
//     using Value, Sum               what flows along an arc; what values are combined into
//     struct Tally                   what a round counts over all vertices: 64-bit whole numbers
//     Value offer(u)                 what u offers in this round: reads only what an earlier round wrote
//     Sum identity(), lift(Value), combine(Sum, Sum), combine_atomically(Sum*, Sum)
//     Sum* accumulator(v)            push and edges: where the values for v are combined; identity before
//     void finish(v, Sum, Tally&)    writes what v offers in the next round; once a vertex and round
//     bool advance(const Tally&)     after a round, on a copy that every worker has: goes on to the next
//                                    one, or says that there is none
//     void make_last()               the next round shall be the last one
//
// and, where sums are of whole numbers, two things that make a CPU faster:
//
//     Sum without(Sum, Sum)          undoes combine: without(combine(a, b), a) is b
//     using Quick; bool exact(Quick) a floating-point type to which values are added as they are; a sum that
//                                    is exact() is that of any other order, and converts to Sum
//
// Where `combine` is exactly associative and commutative (whole numbers, minima) the result depends on
// neither traversal, device nor number of threads. Sums of reals can be had so in fixed point.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <optional>
#include <type_traits>
#include <vector>

#include "lockstep/executor/lanes.hpp"
#include "lockstep/executor/strategy.hpp"
#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

template <class Op>
concept NeighbourOperator = std::is_trivially_copyable_v<Op> &&
    std::is_trivially_copyable_v<typename Op::Tally> &&
    requires(Op op, const Op fixed, VertexId v, typename Op::Value value, typename Op::Sum sum,
             typename Op::Tally tally) {
    { fixed.offer(v) } -> std::same_as<typename Op::Value>;
    { Op::identity() } -> std::same_as<typename Op::Sum>;
    { Op::lift(value) } -> std::same_as<typename Op::Sum>;
    { Op::combine(sum, sum) } -> std::same_as<typename Op::Sum>;
    Op::combine_atomically(&sum, sum);
    { fixed.accumulator(v) } -> std::same_as<typename Op::Sum*>;
    fixed.finish(v, sum, tally);
    { op.advance(tally) } -> std::same_as<bool>;
    op.make_last();
};

/// The two parts of the contract that may be missing.
template <class Op>
concept Subtracts = NeighbourOperator<Op> && requires(typename Op::Sum sum) {
    { Op::without(sum, sum) } -> std::same_as<typename Op::Sum>;
};
template <class Op>
concept AddsQuickly = NeighbourOperator<Op> && requires(typename Op::Quick sum) {
    { Op::exact(sum) } -> std::same_as<bool>;
};

/// A tally as its 64-bit words.
template <class Tally>
inline constexpr std::size_t tally_words = sizeof(Tally) / sizeof(std::uint64_t);
template <class Tally>
void add_tally(Tally& total, const Tally& tally) {
    static_assert(sizeof(Tally) % sizeof(std::uint64_t) == 0);
    using Words = std::array<std::uint64_t, tally_words<Tally>>;
    auto sum = std::bit_cast<Words>(total);
    const auto more = std::bit_cast<Words>(tally);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
    total = std::bit_cast<Tally>(sum);
}

/// Offsets into an edge list: 4 bytes each, and a fifth where there are 2^32 edges or more.
struct OffsetsView {
    const std::uint32_t* low;
    const std::uint8_t* high;  ///< nullptr: all zero
    LOCKSTEP_HD EdgeId operator[](EdgeId i) const {
        return high ? static_cast<EdgeId>(high[i]) << 32 | low[i] : low[i];
    }
};
struct Offsets {
    std::vector<std::uint32_t> low{0};
    std::vector<std::uint8_t> high;

    Offsets() = default;
    /// Throws Error (bad_input) from 2^40 edges up.
    explicit Offsets(const std::vector<EdgeId>& offsets);
    OffsetsView view() const { return {low.data(), high.empty() ? nullptr : high.data()}; }
    EdgeId operator[](EdgeId i) const { return view()[i]; }
    EdgeId bytes() const { return 4 * low.size() + high.size(); }
};

/// Virtual warps (Hong et al., "Accelerating CUDA graph algorithms at maximum warp", PPoPP 2011): `width`
/// threads a vertex; they take `chunk` x width vertices at a time, whose offsets they fetch together.
struct VirtualWarps {
    int width = 32;  ///< 1, 2, 4, … 64
    int chunk = 1;   ///< 1 … 10
};

/// Tiles [first, last) of a plan whose targets have as many threads each.
struct Bin {
    VertexId first, last;
};

/// What a traversal walks: vertices by their position in one order, arcs grouped by source or target.
struct NeighbourPlan {
    Traversal traversal = Traversal::pull;
    bool prepared = false;
    std::optional<VirtualWarps> warps;
    VertexId vertices = 0;
    EdgeId arcs = 0;
    std::vector<VertexId> order;  ///< position -> vertex; empty: the given order

    Offsets out;              ///< position -> its arcs by source; always there: it has the degrees
    Array<VertexId> targets;  ///< push, edges: by source
    Array<VertexId> sources;  ///< edges: by source; else by target
    Offsets in;               ///< pull, tiles, bins: position -> its arcs by target

    std::vector<VertexId> tiles;  ///< tiles, bins: tile -> positions
    std::vector<Bin> bins;        ///< bins: four, a block, a warp, eight threads and one thread a target
    VertexId hot = 0;  ///< the first so many vertices offer so much more than others that they belong on chip

    /// Push and edges combine into accumulators, which every vertex finishes from afterwards.
    bool scatters() const {
        return traversal == Traversal::push || traversal == Traversal::edge_soa ||
               traversal == Traversal::edge_aos;
    }
    EdgeId bytes() const;
};

/// The arrays for a strategy. `schedule` is the strategy's own, or a vertex order (nullptr: as given); push
/// takes its row order (by out-degree), the others its column order. Threads share the work. Throws
/// ScheduleError where the graph is not square, where the schedule is of another graph or not grouped by
/// target, and where its concurrent work is not disjoint on targets: no atomics guard them then.
/// O(arcs log(largest degree)) time, 8 to 12 bytes an arc.
NeighbourPlan make_neighbour_plan(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                                  VirtualWarps warps = {});

/// Tiles of targets with more arcs than this are run by a whole thread block each.
inline constexpr EdgeId block_tile = 4096;

}  // namespace lockstep
