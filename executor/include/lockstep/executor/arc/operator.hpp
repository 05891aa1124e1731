// The contract between an application that passes values along arcs and the walks that visit them.
//
// A square graph has an arc u -> v for every edge (row u, column v). In a round every vertex u offers a
// value, every vertex v combines what its in-neighbours offer, and finishes with the result. An operator
// says nothing about who visits whom: push, pull, edges, virtual warps, bins and tiles all run it. It is a
// small trivially copyable struct, passed to kernels by value, with
//
//     using Value, Sum               what flows along an arc; what values are combined into
//     struct Tally                   what a round counts over all vertices: 64-bit whole numbers
//     Value offer(u)                 what u offers in this round: reads only what an earlier round wrote
//     Sum identity(), lift(Value), combine(Sum, Sum), combine_atomically(Sum*, Sum)
//     void finish(v, Sum, Tally&)    writes what v offers in the next round; once a vertex and round
//     bool next_round(const Tally&)  after a round, on a copy that every worker has: goes on to the next
//                                    one, or says that there is none
//     void make_last()               the next round shall be the last one
//
// and, where sums are of whole numbers, two things that make a CPU faster:
//
//     Sum without(Sum, Sum)          undoes combine: without(combine(a, b), a) is b
//     using Quick; bool exact(Quick) a floating-point type to which values are added as they are; a sum that
//                                    is exact() is that of any other order, and converts to Sum
//
// An operator whose arcs have weights has, too,
//
//     Value along(Value, float weight)  what arrives of an offer by an arc of this weight
//
// and then a plan must be made with weights. One that can tell what has changed has
//
//     Sum change(u)     what u offers in this round, less what it offered in the one before: the identity
//                       where it is the same; before the first round all have offered nothing
//     bool few() const  whether so few arcs have a change that the changes are sent, rather than all offers
//
// Where `combine` is exactly associative and commutative (whole numbers, minima) the result depends on neither
// walk, device nor number of threads. Sums of reals can be had so in fixed point (fixed_point.hpp). An
// operator whose `combine` rounds (float_sums.hpp) says so:
//
//     static constexpr bool inexact = true;
//
// Then walks differ in the last digits, and those that combine atomically differ from run to run.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "lockstep/executor/lanes.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep {

template <class Op>
concept ArcOperator = std::is_trivially_copyable_v<Op> && std::is_trivially_copyable_v<typename Op::Tally> &&
    requires(Op op, const Op fixed, VertexId v, typename Op::Value value, typename Op::Sum sum,
             typename Op::Tally tally) {
    { fixed.offer(v) } -> std::same_as<typename Op::Value>;
    { Op::identity() } -> std::same_as<typename Op::Sum>;
    { Op::lift(value) } -> std::same_as<typename Op::Sum>;
    { Op::combine(sum, sum) } -> std::same_as<typename Op::Sum>;
    Op::combine_atomically(&sum, sum);
    fixed.finish(v, sum, tally);
    { op.next_round(tally) } -> std::same_as<bool>;
    op.make_last();
};

/// The two parts of the contract that may be missing.
template <class Op>
concept Subtracts = ArcOperator<Op> && requires(typename Op::Sum sum) {
    { Op::without(sum, sum) } -> std::same_as<typename Op::Sum>;
};
template <class Op>
concept AddsQuickly = ArcOperator<Op> && requires(typename Op::Quick sum) {
    { Op::exact(sum) } -> std::same_as<bool>;
};

/// Whether its arcs have weights.
template <class Op>
concept Weighs = ArcOperator<Op> && requires(typename Op::Value value, float weight) {
    { Op::along(value, weight) } -> std::same_as<typename Op::Value>;
};

/// Whether it tells what has changed.
template <class Op>
concept Changes = ArcOperator<Op> && requires(const Op op, VertexId v) {
    { op.change(v) } -> std::same_as<typename Op::Sum>;
    { op.few() } -> std::same_as<bool>;
};

/// Whether its sums depend on their order.
template <class Op>
concept Inexact = ArcOperator<Op> && Op::inexact;

/// What arrives of `offer` by arc i of the list that `weights` are of, which operators without leave alone.
template <ArcOperator Op, class Weights>
LOCKSTEP_HD typename Op::Value arriving(typename Op::Value offer, const Weights& weights, EdgeId i) {
    if constexpr (Weighs<Op>)
        return Op::along(offer, weights[i]);
    else
        return offer;
}

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

}  // namespace lockstep
