// A spanning forest of least weight: a tree for every component. Edges are ordered by weight, those of one
// weight by their smaller and then their larger vertex; so there is exactly one, however it is found
// (Borůvka, 1926).
#pragma once

#include <bit>

#include "lockstep/executor/structure/round_axes.hpp"
#include "lockstep/executor/structure/trees.hpp"
#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep::structure {

// Picking is how a GPU finds it: Borůvka's rounds over all edges; or vertices first pick their lightest arcs,
// rounds go over the lightest edges alone where there are many, and then over what leaves the giant tree (the
// idea of filter-Kruskal: Osipov, Sanders, Singler, ALENEX 2009; and of ECL-MST: Fallin et al., SC 2023).

/// Bits in the order of the weights. -0 is none of them (Undirected).
LOCKSTEP_HD std::uint32_t ordered_bits(float weight) {
#if defined(__CUDA_ARCH__)
    const std::uint32_t bits = __float_as_uint(weight);
#else
    const auto bits = std::bit_cast<std::uint32_t>(weight);
#endif
    return bits >> 31 ? ~bits : bits | std::uint32_t{1} << 31;
}

/// The values of a Solution are the edges of the forest, two vertices each, the smaller one first, in
/// ascending order. The plan has its vertices as given, and weights, if the graph has any; it must live as
/// long as the runner. Throws ScheduleError from 2^32 arcs up.
Runner forest_on_cpu(const Undirected& plan, int threads);
/// Throws Error (no_device) with both numbers where the device has too little memory.
Runner forest_on_cuda(const Undirected& plan, Picking picking,
                      const RoundAxes& axes = {.append = worklist::Append::block,
                                               .loop = worklist::Loop::outlined});

/// Of one arc of each edge, in any order. On all threads.
std::vector<std::uint32_t> edges_of_arcs(const Undirected& plan, std::vector<std::uint32_t> arcs);
/// Throws ScheduleError from 2^32 arcs up, whose numbers have no room beside a weight.
void require_numbers(const Undirected& plan);

}  // namespace lockstep::structure
