// Connected components: every vertex gets the smallest vertex that it is connected with.
#pragma once

#include "lockstep/executor/structure/round_axes.hpp"
#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep::structure {

// Joining: by sampling, which finds the giant component early and does not look at its arcs any more (Sutton,
// Ben-Nun, Barak, "Optimizing parallel graph connectivity computation via subgraph sampling", IPDPS 2018),
// or by hooking and pointer jumping in rounds (Soman, Kishore, Narayanan, "A fast GPU algorithm for graph
// connectivity", IPDPSW 2010).

/// The plan must live as long as the runner. By sampling.
Runner components_on_cpu(const Undirected& plan, int threads);
/// Throws Error (no_device) with both numbers where the device has too little memory.
Runner components_on_cuda(const Undirected& plan, Joining joining, const RoundAxes& axes = {});

}  // namespace lockstep::structure
