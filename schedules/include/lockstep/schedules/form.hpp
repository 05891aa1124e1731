// The form of a schedule: which of its arrays are there. A walk relies on it, so it is asked for before a
// schedule is run (executor/plan.hpp), and by the checker for every name that a builder has.
#pragma once

#include <cstdint>
#include <string>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

struct Form {
    /// Bits; those of the levels are in the order of Level.
    enum Array : std::uint32_t {
        block = 1,
        phase = 2,
        tile = 4,
        step = 8,
        task = 16,
        edges = 32,  ///< `order`
        residents = 64,
        row_order = 128,
        col_order = 256,
        row_parts = 512,
        col_parts = 1024,
        locked = 2048,  ///< leading edges under locks
    };
    std::uint32_t has;           ///< must be there
    std::uint32_t may_have = 0;  ///< all others must not: another level would change what runs at once
    Disjoint disjoint = Disjoint::both;

    bool operator==(const Form&) const = default;
};

namespace forms {
inline constexpr Form phases{Form::edges | Form::phase};
inline constexpr Form resident{Form::edges | Form::block | Form::phase | Form::residents};
inline constexpr Form resident_after_locks{resident.has, Form::locked};
inline constexpr Form tasks{Form::edges | Form::phase | Form::task};
inline constexpr Form tiles{Form::edges | Form::phase | Form::tile | Form::step | Form::task |
                                Form::row_order | Form::col_order | Form::row_parts | Form::col_parts,
                            Form::block};
inline constexpr Form regions{Form::edges | Form::phase | Form::tile | Form::step};
inline constexpr Form item_blocks{
    Form::edges | Form::phase | Form::task | Form::row_order | Form::col_order | Form::col_parts, 0,
    Disjoint::col};
inline constexpr Form targets{
    Form::edges | Form::phase | Form::tile | Form::task | Form::row_order | Form::col_order, 0,
    Disjoint::col};
inline constexpr Form binned_targets{targets.has | Form::col_parts, 0, Disjoint::col};
inline constexpr Form adjacency{Form::edges | Form::row_order | Form::col_order, 0, Disjoint::none};
inline constexpr Form edge_order{Form::edges, 0, Disjoint::none};
inline constexpr Form vertex_order{Form::row_order | Form::col_order, 0, Disjoint::none};
inline constexpr Form vertex_parts{vertex_order.has | Form::row_parts | Form::col_parts, 0, Disjoint::none};
}  // namespace forms

/// How the arrays of `schedule` depart from `form`, in words ("lacks its tile level"); empty where they do
/// not. `form.disjoint` is not compared. O(1).
std::string departure(const Graph& graph, const Schedule& schedule, const Form& form);

/// The form that the builder of that name gives for such graphs; nullptr for other names.
const Form* form_of(const std::string& name, Ends ends);

}  // namespace lockstep
