// The variants of GPU algorithms of the families `structure` and `mesh`. A line in the table of strategies
// selects a variant by the type and the value of an enum. The headers of the two families describe the
// variants.
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

/// A variant of any algorithm; monostate if the walk has only one variant.
using AnyWay = std::variant<std::monostate, structure::Joining, structure::Peeling, structure::Deciding,
                            structure::Picking, structure::Meet, mesh::Way>;

/// Returns the variant that corresponds to the CPU's algorithm, of which there is only one per type.
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
