// Mesh refinement on the GPU.
#include "lockstep/executor/mesh/rounds.cuh"

namespace lockstep::mesh {

Totals refine_on_cuda(Mesh& mesh, const Rules& rules, bool, Loop loop, const OnRound& on_round) {
    OnDevice device(mesh, rules);
    Totals totals = device.refine(loop, on_round);
    device.download(mesh);
    return totals;
}

}  // namespace lockstep::mesh
