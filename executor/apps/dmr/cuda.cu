// Mesh refinement on the GPU.
#include "lockstep/executor/mesh/rounds.cuh"

namespace lockstep::mesh {

namespace {

template <bool keeps>
Totals refined(Mesh& mesh, const Rules& rules, Loop loop, const OnRound& on_round) {
    OnDevice<keeps> device(mesh, rules);
    const Totals totals = device.refine(loop, on_round);
    device.download(mesh);
    return totals;
}

}  // namespace

Totals refine_on_cuda(Mesh& mesh, const Rules& rules, bool keeps_cavities, Loop loop,
                      const OnRound& on_round) {
    return keeps_cavities ? refined<true>(mesh, rules, loop, on_round)
                          : refined<false>(mesh, rules, loop, on_round);
}

}  // namespace lockstep::mesh
