// Connected components: labels every vertex with the smallest vertex of its component.
#pragma once

#include "lockstep/executor/structure/round_axes.hpp"
#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep::structure {

// The algorithms of a GPU, `Joining`: sampling, which finds the giant component early and then skips its arcs
// (Sutton, Ben-Nun, Barak, "Optimizing parallel graph connectivity computation via subgraph sampling", IPDPS
// 2018), or rounds of hooking and pointer jumping (Soman, Kishore, Narayanan, "A fast GPU algorithm for graph
// connectivity", IPDPSW 2010).

/// Builds a runner that uses sampling. The plan must live as long as the runner.
Runner components_on_cpu(const Undirected& plan, int threads);
/// Builds a runner for the GPU. Throws Error (no_device), with the needed and the free bytes, if the device
/// has too little memory.
Runner components_on_cuda(const Undirected& plan, Joining joining, const RoundAxes& axes = {});

}  // namespace lockstep::structure
