// Walk: the properties of a walk that host code can read without including its kernels. A walk is a plan type
// with a member `facts` of this type. CMakeLists.txt lists all walks, and generates the variants of plans
// from this list.
#pragma once

#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>

#include "lockstep/schedules/form.hpp"

namespace lockstep {

/// The kind of a walk. It runs operators that update both endpoints of an edge (edges), that combine values
/// along arcs (arcs), or that start from active vertices (frontier). Or it finds the structure of a graph,
/// refines a mesh, or lays out a graph.
enum class Family { edges, arcs, frontier, structure, meshes, layouts };

struct Walk {
    std::string_view name;
    Family family = Family::edges;
    /// form of the schedule that the walk requires; none: any order is accepted
    std::optional<Form> form = {};
    /// Resource that limits the speed of a sweep on a GPU: "rounds", "workers", "locks", "hubs", "memory" or
    /// "half" (of the memory); empty: unknown. tools/measure/sgd.py and docs/research/strategies-gpu.md
    /// contain the formulas.
    std::string_view bound = {};
    /// whether several threads process a vertex, and several vertices at a time (Hong et al., PPoPP 2011)
    bool virtual_warps = false;
    bool one_set = true;           ///< whether both endpoints of an edge may be vertices of one set
    std::string_view on_cpu = {};  ///< walk whose code a CPU runs instead; empty: the walk itself

    constexpr bool operator==(const Walk& other) const { return name == other.name; }
};
/// Returns true if the walk visits neighbours instead of updating both endpoints of edges.
constexpr bool visits_neighbours(const Walk& walk) { return walk.family != Family::edges; }

/// Calls run(std::type_identity<Plan>()), where Plan is the plan type of `walk`, if this is one of the
/// variant's types. Returns whether it is.
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
