// The contract between an application that passes values along arcs and the walks that visit the arcs.
//
// A square graph has an arc u -> v for every edge (row u, column v). In a round, every vertex u offers a
// value. Every vertex v combines the values that its in-neighbours offer, and computes its next offer from
// the result (finish). An operator does not specify the order in which arcs are visited, so every walk of
// this family can run it. It is a small trivially copyable struct that is passed to kernels by value, with
//
//     using Value, Sum               types of a value that flows along an arc, and of a combination of values
//     struct Tally                   counters of a round over all vertices: 64-bit integers
//     Value offer(u)                 the offer of u in this round; reads only results of earlier rounds
//     Sum identity(), to_sum(Value), combine(Sum, Sum), combine_atomically(Sum*, Sum)
//     void finish(v, Sum, Tally&)    writes the next offer of v; called once per vertex and round
//     bool next_round(const Tally&)  called after a round, on the copy of every worker: advances to the next
//                                    round, or returns false if there is none
//     void end_after_next_round()    makes the next round the last one
//
// and, if sums are integers, optionally two members that accelerate the CPU:
//
//     Sum without(Sum, Sum)          inverse of combine: without(combine(a, b), a) is b
//     using FastSum; bool exact(FastSum)
//                                    floating-point type to which values are added without conversion; a sum
//                                    that is exact() does not depend on the order, and converts to Sum
//
// An operator whose arcs have weights also has
//
//     Value weigh_message(Value, float weight)  the value that arrives along an arc of this weight
//
// and its plan must be made with weights. An operator that can detect changes has
//
//     Sum change(u)     the offer of u in this round minus its offer in the round before: the identity if
//                       they are equal; before the first round, no vertex has offered anything
//     bool few() const  true if so few arcs carry a change that only the changes are sent, not all offers
//
// If `combine` is exactly associative and commutative (integers, minima), the result is independent of the
// walk, the device and the number of threads. For sums of real numbers this is achieved with fixed point
// (fixed_point.hpp). An operator whose `combine` rounds (float_sums.hpp) declares
//
//     static constexpr bool inexact = true;
//
// Then the results of different walks differ in the last digits, and walks that combine atomically give
// different results from run to run.
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
    { Op::to_sum(value) } -> std::same_as<typename Op::Sum>;
    { Op::combine(sum, sum) } -> std::same_as<typename Op::Sum>;
    Op::combine_atomically(&sum, sum);
    fixed.finish(v, sum, tally);
    { op.next_round(tally) } -> std::same_as<bool>;
    op.end_after_next_round();
};

/// Concepts for the two optional parts of the contract for integer sums: subtraction, and quick
/// floating-point sums.
template <class Op>
concept Subtracts = ArcOperator<Op> && requires(typename Op::Sum sum) {
    { Op::without(sum, sum) } -> std::same_as<typename Op::Sum>;
};
template <class Op>
concept AddsQuickly = ArcOperator<Op> && requires(typename Op::FastSum sum) {
    { Op::exact(sum) } -> std::same_as<bool>;
};

/// True if the operator uses the weights of arcs.
template <class Op>
concept Weighs = ArcOperator<Op> && requires(typename Op::Value value, float weight) {
    { Op::weigh_message(value, weight) } -> std::same_as<typename Op::Value>;
};

/// True if the operator can detect that a vertex offers the same value as in the previous round.
template <class Op>
concept Changes = ArcOperator<Op> && requires(const Op op, VertexId v) {
    { op.change(v) } -> std::same_as<typename Op::Sum>;
    { op.few() } -> std::same_as<bool>;
};

/// True if the operator's sums are rounded, and so depend on the order of the additions.
template <class Op>
concept Inexact = ArcOperator<Op> && Op::inexact;

/// Returns the value that arrives at the target if `offer` is sent along arc `i` of the list that `weights`
/// describes. If the operator ignores weights, this is the offer itself.
template <ArcOperator Op, class Weights>
LOCKSTEP_HD typename Op::Value arriving(typename Op::Value offer, const Weights& weights, EdgeId i) {
    if constexpr (Weighs<Op>)
        return Op::weigh_message(offer, weights[i]);
    else
        return offer;
}

/// Number of 64-bit counters in a tally.
template <class Tally>
inline constexpr std::size_t tally_words = sizeof(Tally) / sizeof(std::uint64_t);
/// Adds the counters of `tally` to `total`, word by word.
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
