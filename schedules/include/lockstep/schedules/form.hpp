// The form of a schedule: which of its arrays are present. A walk relies on the form, therefore it is checked
// before a run (executor/plan.hpp), and by the verifier for every schedule that has the name of a builder.
#pragma once

#include <cstdint>
#include <string>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

struct Form {
    /// One bit per array. The bits of the levels are in the order of Level.
    enum Array : std::uint32_t {
        block = 1,
        phase = 2,
        tile = 4,
        step = 8,
        task = 16,
        edges = 32,  ///< `order` is not empty
        residents = 64,
        row_order = 128,
        col_order = 256,
        row_parts = 512,
        col_parts = 1024,
        locked = 2048,  ///< `locked` > 0: the leading edges run under locks
    };
    std::uint32_t has;  ///< arrays that must be present
    /// Arrays that may be present; all others must not, since another level would change which work is concurrent.
    std::uint32_t may_have = 0;
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

/// Returns the first difference between the arrays of `schedule` and `form` as text ("lacks its tile level"),
/// or an empty string if there is none. Does not compare `form.disjoint`. O(1).
std::string departure(const Graph& graph, const Schedule& schedule, const Form& form);

/// Returns the form of the schedules of the named builder for graphs with such endpoints, or nullptr for
/// other names.
const Form* form_of(const std::string& name, Ends ends);

}  // namespace lockstep
