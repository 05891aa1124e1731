// The form of a schedule: the set of its arrays that are present. Each walk supports one form, so a run
// checks the form of its schedule first (executor/plan.hpp). The verifier checks the form of every schedule
// that has the name of a builder.
#pragma once

#include <cstdint>
#include <string>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

/// The arrays that a schedule must have and may have.
struct Form {
    /// One bit per array of a schedule. The bits of the levels are in the order of the enumeration Level.
    enum Array : std::uint32_t {
        block = 1,
        phase = 2,
        tile = 4,
        step = 8,
        task = 16,
        edges = 32,  ///< the order of the edges is not empty
        residents = 64,
        row_order = 128,
        col_order = 256,
        row_parts = 512,
        col_parts = 1024,
        locked = 2048,  ///< `locked` > 0: the first edges run under locks
    };
    std::uint32_t has;  ///< arrays that must be present
    /// Arrays that may also be present. All other arrays must be absent, because another level would change
    /// which edges run concurrently.
    std::uint32_t may_have = 0;
    Disjoint disjoint = Disjoint::both;

    bool operator==(const Form&) const = default;
};

namespace forms {
inline constexpr Form phases{Form::edges | Form::phase};
inline constexpr Form resident{Form::edges | Form::block | Form::phase | Form::residents};
inline constexpr Form resident_after_locks{resident.has, Form::locked};
inline constexpr Form tasks{Form::edges | Form::phase | Form::task};
inline constexpr Form rows{tasks.has, 0, Disjoint::col};
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
inline constexpr Form adjacency{Form::edges | Form::row_order | Form::col_order, 0, Disjoint::none};
inline constexpr Form edge_order{Form::edges, 0, Disjoint::none};
inline constexpr Form vertex_order{Form::row_order | Form::col_order, 0, Disjoint::none};
inline constexpr Form vertex_parts{vertex_order.has | Form::row_parts | Form::col_parts, 0, Disjoint::none};
}  // namespace forms

/// Returns the first array that `schedule` has in excess or lacks, compared with `form`, as text such as
/// "lacks its tile level", or an empty string if there is no difference. Does not compare `form.disjoint`.
/// O(1).
std::string departure(const Graph& graph, const Schedule& schedule, const Form& form);

/// Returns the form of the schedules that the builder named `name` builds for graphs with endpoints of kind
/// `ends`, or nullptr if there is no such builder.
const Form* form_of(const std::string& name, Ends ends);

}  // namespace lockstep
