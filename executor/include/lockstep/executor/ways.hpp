// The ways that a GPU has through a structure or a mesh where there are several: a line of the table of
// strategies names one by its type. What each is, the headers of these families say.
#pragma once

#include <variant>

namespace lockstep {

namespace structure {
enum class Joining { sampled, soman };
enum class Peeling { push, pull, local };
enum class Deciding { rounds, at_once };
enum class Picking { all, filtered };
enum class Meet { lists, table, bits };
}  // namespace structure

namespace mesh {
enum class Way { supersteps, priority_locks, exclusive };
}  // namespace mesh

/// None: the walk says it all.
using AnyWay = std::variant<std::monostate, structure::Joining, structure::Peeling, structure::Deciding,
                            structure::Picking, structure::Meet, mesh::Way>;

/// What a CPU goes instead, which has one of each.
constexpr AnyWay on_cpu(const AnyWay& way) {
    constexpr AnyWay ways[] = {{},
                               structure::Joining::sampled,
                               structure::Peeling::local,
                               structure::Deciding::at_once,
                               structure::Picking::filtered,
                               structure::Meet::bits,
                               mesh::Way::supersteps};
    return ways[way.index()];
}

}  // namespace lockstep
