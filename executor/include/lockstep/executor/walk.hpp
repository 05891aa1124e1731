// Properties of a walk that host code reads without including its kernels. A walk is a plan type with a member
// `facts`, a `Walk`. CMakeLists.txt lists all walks, and generates the variants of plans from the list.
#pragma once

#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>

#include "lockstep/schedules/form.hpp"

namespace lockstep {

/// The kind of work that a walk does: it runs operators that update both endpoints of an edge, that combine
/// values along arcs, or that start from active vertices; or it finds the structure of a graph, lays the
/// graph out, or refines a mesh (which is not a graph).
enum class Family { edges, arcs, frontier, structure, meshes, layouts };

struct Walk {
    std::string_view name;
    Family family = Family::edges;
    std::optional<Form> form = {};  ///< form of the schedule that the walk needs; none: any order will do
    /// Resource that bounds the speed of a sweep on a GPU (formulas: tools/measure/sgd.py;
    /// docs/research/strategies-gpu.md): "rounds", "workers", "locks", "hubs", "memory", "half" (of the
    /// memory); empty: unknown.
    std::string_view bound = {};
    bool virtual_warps = false;    ///< several threads per vertex, in chunks (Hong et al., PPoPP 2011)
    bool one_set = true;           ///< whether both endpoints of an edge may be vertices of one set
    std::string_view on_cpu = {};  ///< walk whose code a CPU runs instead; empty: the walk itself

    constexpr bool operator==(const Walk& other) const { return name == other.name; }
};
/// Returns true if the walk visits neighbours instead of updating both endpoints of edges.
constexpr bool visits_neighbours(const Walk& walk) { return walk.family != Family::edges; }

/// Calls run(std::type_identity<Plan>()) for the plan of `walk` if it is one of the variant's types. Returns
/// whether it is.
template <class Plans>
struct WalksOf;
template <class... Plans>
struct WalksOf<std::variant<Plans...>> {
    template <class Run>
    static bool call(const Walk& walk, Run run) {
        return ((Plans::facts == walk && (run(std::type_identity<Plans>()), true)) || ...);
    }
};

}  // namespace lockstep
