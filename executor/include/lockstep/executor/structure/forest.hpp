// The minimum spanning forest: one tree per component. Edges are ordered by weight, and edges of equal weight
// by their smaller and then their larger vertex, so that the forest is unique, whichever algorithm finds it
// (Borůvka, 1926).
#pragma once

#include <bit>

#include "lockstep/executor/structure/round_axes.hpp"
#include "lockstep/executor/structure/trees.hpp"
#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep::structure {

// The algorithms of a GPU, `Picking`: Borůvka's rounds over all edges; or first every vertex picks its
// lightest arc, then rounds run over the lightest edges only if there are many edges, and finally over the
// edges that leave the giant tree (the idea of filter-Kruskal: Osipov, Sanders, Singler, ALENEX 2009; and of
// ECL-MST: Fallin et al., SC 2023).

/// Returns an integer that orders weights as floats do. A weight is never -0 (see Undirected).
LOCKSTEP_HD std::uint32_t ordered_bits(float weight) {
#if defined(__CUDA_ARCH__)
    const std::uint32_t bits = __float_as_uint(weight);
#else
    const auto bits = std::bit_cast<std::uint32_t>(weight);
#endif
    return bits >> 31 ? ~bits : bits | std::uint32_t{1} << 31;
}

/// Builds a runner. The values of its Solution are the edges of the forest in ascending order: two vertices
/// each, the smaller one first. The plan must have its vertices in their given order, and weights if the
/// graph has any; it must live as long as the runner. Throws ScheduleError if there are 2^32 arcs or more.
Runner forest_on_cpu(const Undirected& plan, int threads);
/// Builds a runner for the GPU. Throws Error (no_device), with the needed and the free bytes, if the device
/// has too little memory.
Runner forest_on_cuda(const Undirected& plan, Picking picking,
                      const RoundAxes& axes = {.append = worklist::Append::block,
                                               .loop = worklist::Loop::outlined});

/// Returns the edges in ascending order, two vertices each; `arcs` contains one arc of each edge, in any
/// order. Uses all threads.
std::vector<std::uint32_t> edges_of_arcs(const Undirected& plan, std::vector<std::uint32_t> arcs);
/// Throws ScheduleError if there are 2^32 arcs or more: a 64-bit key holds a weight and a 32-bit arc index.
void require_numbers(const Undirected& plan);

}  // namespace lockstep::structure
