// The variants of GPU algorithms for structures and meshes with more than one. A line of the table of
// strategies selects a variant by its type and value. The headers of these families describe the variants.
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

/// A variant of any walk; monostate if the walk has only one.
using AnyWay = std::variant<std::monostate, structure::Joining, structure::Peeling, structure::Deciding,
                            structure::Picking, structure::Meet, mesh::Way>;

/// Returns the variant that corresponds to a CPU's algorithm, of which there is one per type.
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
