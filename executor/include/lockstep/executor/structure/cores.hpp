// k-cores. The k-core of a graph is the subgraph that remains after vertices with fewer than k neighbours
// have been removed repeatedly. The core number of a vertex is the largest k whose k-core contains it
// (Seidman, Social Networks 1983).
#pragma once

#include <optional>

#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep::structure {

// There are three algorithms for a GPU (`CoreMethod`). Push: a removed vertex subtracts one from the degree
// of each neighbour, but not below k (SIMD-X). Pull: a remaining vertex counts its neighbours that were
// removed; rounds that remove few vertices push instead. Local: like push, but a thread block puts the
// vertices that it has found into a queue in shared memory, and continues with them without waiting for other
// blocks (as in Ahmad et al., "Accelerating k-core decomposition by a GPU", ICDE 2023).

/// Returns a runner for the CPU, in which each thread continues with the vertices that it has found. The
/// values of its Solution are the core numbers or, if `k` is given, 1 for vertices in the k-core and 0 for
/// others. The plan must outlive the runner.
Runner cores_on_cpu(const Undirected& plan, std::optional<std::uint32_t> k, int threads);
/// Returns a runner for the GPU. Throws Error (no_device) with the required and the free number of bytes if
/// the device has too little memory.
Runner cores_on_cuda(const Undirected& plan, CoreMethod peeling, std::optional<std::uint32_t> k);

}  // namespace lockstep::structure
