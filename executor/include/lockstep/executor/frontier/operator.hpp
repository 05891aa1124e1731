// The contract between an application over active vertices and the walks that run it.
//
// A square graph has an arc u -> v for every edge (row u, column v). In a round, every active vertex sends an
// offer along each of its out-arcs. If an offer improves the value of a vertex, this vertex is active in a
// later round. The traversal ends when no vertex is active. (These are Active, Compute and Combine of SIMD-X,
// USENIX ATC 2019.)
//
// Values only improve, and a better value never makes worse offers. A stale value therefore does no harm,
// rounds may run in any order, and the final values do not depend on the walk or the device. An operator is a
// small trivially copyable struct that is passed to kernels by value, with
//
//     using Value                    4-byte type, compared by <: smaller values are better; a float must not
//                                    be negative, because a GPU compares bits
//     Value none()                   value of a vertex that has not been reached: the worst value
//     Value start()                  value of the source
//     Value offer(Value, float)      offer of a vertex with this value along an arc of this weight: never
//                                    better than the value, and never none(): it is limited to `most`
//     Value most                     a result with this value has overflowed its type
//     bool can_improve(Value)        true if a pull may still improve a vertex with this value
//
// and these compile-time constants:
//
//     bool weighted                  offers depend on weights
//     bool by_rounds                 the value of a vertex is the round in which it is active
//     bool by_priority               better values may be processed first; requires
//         std::uint32_t step(Value, float delta)   returns the bucket of width delta that contains a value
//
// Optional members:
//
//     bool everywhere = true         the traversal has no source; requires
//         Value start(VertexId, EdgeId degree)     returns the initial value of a vertex
//         bool active(Value)                       returns true if a vertex with this initial value is active
//     bool take(Value* value, Value offered)
//                                    combines `offered` into `*value` atomically by another operation than
//                                    the minimum; returns true, only once, if this makes the vertex active.
//                                    Requires
//         Value apply_sum(Value value, Value sum)   returns the new value after all offers of a round, whose
//                                                  sum is given; active(Value) of it decides if the vertex
//                                                  is active
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
    { op.can_improve(value) } -> std::same_as<bool>;
    { Op::most } -> std::convertible_to<typename Op::Value>;
    requires std::same_as<decltype(Op::weighted), const bool>;
    requires std::same_as<decltype(Op::by_rounds), const bool>;
    requires std::same_as<decltype(Op::by_priority), const bool>;
};

/// True if the offers to a vertex are added up ("aggregation" in SIMD-X); otherwise only the best offer
/// counts ("vote").
template <class Op>
inline constexpr bool adds_up = requires(const Op op, typename Op::Value value) {
    op.apply_sum(value, value);
};

template <class Op>
inline constexpr bool from_everywhere = requires {
    Op::everywhere;
};

/// Combines an offer into a value. Returns true if this makes the vertex active.
template <class Op>
LOCKSTEP_HD bool take_offer(const Op& op, typename Op::Value* value, typename Op::Value offered) {
    if constexpr (requires { op.take(value, offered); })
        return op.take(value, offered);
    else
        return improve(value, offered);
}

}  // namespace lockstep::frontier
