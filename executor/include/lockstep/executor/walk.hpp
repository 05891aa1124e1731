// What is known of a walk without its code. A walk is a plan, its type, with `facts` as below; CMakeLists.txt
// names all of them, and makes of the names the variants that plans are.
#pragma once

#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>

#include "lockstep/schedules/form.hpp"

namespace lockstep {

/// What it runs: operators that update both ends of an edge, that combine along arcs, or that go on from
/// active vertices; or what finds the structure of a graph, lays it out, or refines a mesh, which is no graph.
enum class Family { edges, arcs, frontier, structure, meshes, layouts };

struct Walk {
    std::string_view name;
    Family family = Family::edges;
    std::optional<Form> form = {};  ///< of the schedule that it needs; none: any order will do
    /// What a sweep cannot be faster than on a GPU (tools/measure/sgd.py has the formulas;
    /// docs/research/strategies-gpu.md): "rounds", "workers", "locks", "hubs", "memory", "half" of the memory; empty:
    /// not known.
    std::string_view bound = {};
    bool virtual_warps = false;    ///< several threads a vertex, in chunks (Hong et al., PPoPP 2011)
    bool one_set = true;           ///< of edges: may have vertices of one set for both ends
    std::string_view on_cpu = {};  ///< the walk whose code a CPU runs for it; empty: its own

    constexpr bool operator==(const Walk& other) const { return name == other.name; }
};
/// Whether it visits neighbours, rather than updating both ends of edges.
constexpr bool visits_neighbours(const Walk& walk) { return walk.family != Family::edges; }

/// Calls run(std::type_identity<Plan>()) for the plan of that walk, if it is one of the variant's. Returns
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
