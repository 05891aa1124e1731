// The variants of GPU algorithms of the families `structure` and `mesh`. A line in the table of strategies
// selects a variant by the type and the value of an enum. The headers of the two families describe the
// variants.
#pragma once

#include <variant>

namespace lockstep {

namespace structure {
enum class ComponentMethod { sampled, soman };
enum class CoreMethod { push, pull, local };
enum class IndependentSetMethod { rounds, at_once };
enum class ForestMethod { all, filtered };
enum class IntersectionMethod { lists, table, bits };
}  // namespace structure

namespace mesh {
enum class RefinementMethod { supersteps, priority_locks, exclusive };
}  // namespace mesh

/// A variant of any algorithm; monostate if the walk has only one variant.
using WalkVariant = std::variant<std::monostate, structure::ComponentMethod, structure::CoreMethod,
                                 structure::IndependentSetMethod, structure::ForestMethod,
                                 structure::IntersectionMethod, mesh::RefinementMethod>;

/// Returns the variant that corresponds to the CPU's algorithm, of which there is only one per type.
constexpr WalkVariant cpu_variant_of(const WalkVariant& variant) {
    constexpr WalkVariant variants[] = {{},
                                        structure::ComponentMethod::sampled,
                                        structure::CoreMethod::local,
                                        structure::IndependentSetMethod::at_once,
                                        structure::ForestMethod::filtered,
                                        structure::IntersectionMethod::bits,
                                        mesh::RefinementMethod::supersteps};
    return variants[variant.index()];
}

}  // namespace lockstep
