// k-cores: the subgraph that remains after repeatedly removing all vertices with fewer than k neighbours. The
// core number of a vertex is the largest k whose core contains it (Seidman, Social Networks 1983).
#pragma once

#include <optional>

#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep::structure {

// The algorithms of a GPU, `Peeling`, differ in who subtracts. Push: a removed vertex subtracts one from the
// degree of each neighbour, never below k (SIMD-X). Pull: a remaining vertex counts its neighbours that were
// removed; in rounds that remove few vertices, those push. Local: push, and a block continues with the
// vertices that it has just found, from a queue in shared memory, without waiting for other blocks (as in
// Ahmad et al., "Accelerating k-core decomposition by a GPU", ICDE 2023).

/// Builds a runner, whose threads continue with the vertices that they find. The values of its Solution are
/// core numbers; with `k`, 1 in the k-core and 0 outside. The plan must live as long as the runner.
Runner cores_on_cpu(const Undirected& plan, std::optional<std::uint32_t> k, int threads);
/// Builds a runner for the GPU. Throws Error (no_device), with the needed and the free bytes, if the device
/// has too little memory.
Runner cores_on_cuda(const Undirected& plan, Peeling peeling, std::optional<std::uint32_t> k);

}  // namespace lockstep::structure
