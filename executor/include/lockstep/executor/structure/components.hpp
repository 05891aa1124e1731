// Connected components: labels every vertex with the smallest vertex of its component.
#pragma once

#include "lockstep/executor/structure/round_axes.hpp"
#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep::structure {

// There are two algorithms for a GPU (`ComponentMethod`). Sampling finds the giant component early and then
// skips its arcs (Sutton, Ben-Nun, Barak, "Optimizing parallel graph connectivity computation via subgraph
// sampling", IPDPS 2018). The other one runs rounds of hooking and pointer jumping (Soman, Kishore,
// Narayanan, "A fast GPU algorithm for graph connectivity", IPDPSW 2010).

/// Returns a runner for the CPU, which uses sampling. The plan must outlive the runner.
Runner components_on_cpu(const Undirected& plan, int threads);
/// Returns a runner for the GPU. Throws Error (no_device) with the required and the free number of bytes if
/// the device has too little memory.
Runner components_on_cuda(const Undirected& plan, ComponentMethod joining, const RoundAxes& axes = {});

}  // namespace lockstep::structure
