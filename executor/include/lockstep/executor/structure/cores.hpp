// k-cores: what is left of a graph when vertices of fewer than k neighbours are taken away until there are
// none. The core number of a vertex is the largest k whose core it is in (Seidman, Social Networks 1983).
#pragma once

#include <optional>

#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep::structure {

// Peeling says who does the subtracting. Push: a vertex that is taken away subtracts one from each
// neighbour's degree, never below k (SIMD-X). Pull: a vertex that is left counts its neighbours that were
// taken away; in a round in which few are, those push. Local: push, and a block goes on with what it has just
// found, from a queue on chip, without waiting for the others (Ahmad et al., "Accelerating k-core
// decomposition by a GPU", ICDE 2023, do so too).

/// The values of a Solution are core numbers; with `k`, 1 in the k-core and 0 outside. The plan must live as
/// long as the runner. A thread goes on with what it finds.
Runner cores_on_cpu(const Undirected& plan, std::optional<std::uint32_t> k, int threads);
/// Throws Error (no_device) with both numbers where the device has too little memory.
Runner cores_on_cuda(const Undirected& plan, Peeling peeling, std::optional<std::uint32_t> k);

}  // namespace lockstep::structure
