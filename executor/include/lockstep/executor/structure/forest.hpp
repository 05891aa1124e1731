// Minimum spanning forests: one tree of minimum total weight per connected component (Borůvka, 1926). Edges
// of equal weight are ordered by their smaller and then by their larger vertex. The forest is therefore
// unique and does not depend on the algorithm.
#pragma once

#include <bit>

#include "lockstep/executor/structure/round_axes.hpp"
#include "lockstep/executor/structure/trees.hpp"
#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep::structure {

// There are two algorithms for a GPU (`ForestMethod`). The first runs Borůvka's rounds over all edges. In the
// second, every vertex first picks its lightest arc. If there are many edges, rounds over only the light
// edges follow. Finally, rounds run over the edges that leave the giant tree (the idea of filter-Kruskal:
// Osipov, Sanders, Singler, ALENEX 2009; and of ECL-MST: Fallin et al., SC 2023).

/// Returns an integer for a weight, such that integers compare as the weights do. A weight is never -0 (see
/// Undirected).
LOCKSTEP_HD std::uint32_t ordered_bits(float weight) {
#if defined(__CUDA_ARCH__)
    const std::uint32_t bits = __float_as_uint(weight);
#else
    const auto bits = std::bit_cast<std::uint32_t>(weight);
#endif
    return bits >> 31 ? ~bits : bits | std::uint32_t{1} << 31;
}

/// Returns a runner for the CPU. The values of its Solution are the edges of the forest in ascending order,
/// as two vertices each, the smaller one first. The plan must have the given order of vertices, and weights
/// if the graph has weights; it must outlive the runner. Throws ScheduleError if there are 2^32 arcs or more.
Runner forest_on_cpu(const Undirected& plan, int threads);
/// Returns a runner for the GPU. Throws Error (no_device) with the required and the free number of bytes if
/// the device has too little memory.
Runner forest_on_cuda(const Undirected& plan, ForestMethod picking,
                      const RoundAxes& axes = {.append = worklist::Append::block,
                                               .loop = worklist::Loop::outlined});

/// Returns edges in ascending order, as two vertices each. `arcs` contains one arc of each edge in any order.
/// Uses all threads.
std::vector<std::uint32_t> edges_of_arcs(const Undirected& plan, std::vector<std::uint32_t> arcs);
/// Throws ScheduleError if there are 2^32 arcs or more, because a 64-bit key contains a weight and a 32-bit
/// arc index.
void require_numbers(const Undirected& plan);

}  // namespace lockstep::structure
