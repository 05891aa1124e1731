// The contract between an application over active vertices and whoever runs it.
//
// A square graph has an arc u -> v for every edge (row u, column v). In a round every active vertex sends an
// offer along its out-arcs; a vertex whose value an offer improves is active in a later round; none is active
// at the end. (Active, Compute and Combine of SIMD-X, USENIX ATC 2019.) Values only ever improve, and offers
// only improve with the value that they are made of, so that a stale value does no harm, rounds may come in
// any order, and the last values are the same whoever runs the operator. It is a small trivially copyable
// struct, passed to kernels by value, with
//
//     using Value                    4 bytes, compared by <: the smaller, the better; a float is never
//                                    negative, since a GPU compares bits
//     Value none()                   of a vertex that nothing has reached: the worst
//     Value start()                  of the source
//     Value offer(Value, float)      what a vertex of this value sends along an arc of this weight: never
//                                    better than its value, never none(): it stays at `most` instead
//     Value most                     such a value came about: the result does not fit its type
//     bool wants(Value)              whether a pull may still improve a vertex of this value
//
// and what is known of it when it is compiled:
//
//     bool weighted                  whether offers depend on weights
//     bool by_rounds                 the value of a vertex is the round in which it is active
//     bool by_priority               better values may go first: with
//         std::uint32_t step(Value, float delta)   the bucket of width delta that a value is in
//
// It may have, besides:
//
//     bool everywhere = true         a traversal begins at no source: with
//         Value start(VertexId, EdgeId degree)     the first value of a vertex
//         bool active(Value)                       whether a vertex of this first value is active at first
//     bool take(Value* value, Value offered)
//                                    atomically combines the two in another way than the better one; whether
//                                    the vertex is active by that: once. With
//         Value gathered(Value value, Value sum)   what a value becomes by all offers of a round, added up;
//                                                  whether it is active by that, active(Value) says
#pragma once

#include <concepts>
#include <type_traits>

#include "lockstep/executor/device/atomics.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep::frontier {

template <class Op>
concept FrontierOperator = std::is_trivially_copyable_v<Op> && sizeof(typename Op::Value) == 4 &&
                           requires(const Op op, typename Op::Value value) {
    { op.none() } -> std::same_as<typename Op::Value>;
    { op.start() } -> std::same_as<typename Op::Value>;
    { op.offer(value, 1.0F) } -> std::same_as<typename Op::Value>;
    { op.wants(value) } -> std::same_as<bool>;
    { Op::most } -> std::convertible_to<typename Op::Value>;
    requires std::same_as<decltype(Op::weighted), const bool>;
    requires std::same_as<decltype(Op::by_rounds), const bool>;
    requires std::same_as<decltype(Op::by_priority), const bool>;
};

/// Whether offers add up (aggregation), rather than the best one counting (vote).
template <class Op>
inline constexpr bool adds_up = requires(const Op op, typename Op::Value value) {
    op.gathered(value, value);
};

template <class Op>
inline constexpr bool from_everywhere = requires {
    Op::everywhere;
};

/// What becomes of an offer: whether it changed the value so that the vertex is active.
template <class Op>
LOCKSTEP_HD bool take_offer(const Op& op, typename Op::Value* value, typename Op::Value offered) {
    if constexpr (requires { op.take(value, offered); })
        return op.take(value, offered);
    else
        return improve(value, offered);
}

}  // namespace lockstep::frontier
