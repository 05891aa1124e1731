// Plans for operators whose vertices do not go on chip (on_chip.hpp): the same updates, walked elsewhere.
#pragma once

#include "lockstep/executor/edge/plan.hpp"

namespace lockstep {

/// A plan on chip as one off it, others as they are. The stars of a step, in all tiles of a phase of tiled,
/// become the tasks of a phase, the edges of a step of local a phase (of core-tail's tail, tasks of one):
/// what was side by side stays so, and every vertex keeps the order of its updates. AGM-N and SGM go phase
/// after phase, racing tiles edge after edge. O(edges), 20 bytes an edge.
EdgePlan off_chip(EdgePlan plan);

}  // namespace lockstep
