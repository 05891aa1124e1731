// Delaunay mesh refinement on a GPU: selects the kernels for the method of resolving conflicts.
#include "lockstep/executor/mesh/rounds.cuh"

namespace lockstep::mesh {

namespace {

template <Way way>
Totals refined(Mesh& mesh, const Rules& rules, worklist::Loop loop, const OnRound& on_round) {
    OnDevice<way> device(mesh, rules);
    const Totals totals = device.refine(loop, on_round);
    device.download(mesh);
    return totals;
}

}  // namespace

Totals refine_on_cuda(Mesh& mesh, const Rules& rules, Way way, worklist::Loop loop, const OnRound& on_round) {
    const auto run = way == Way::supersteps       ? refined<Way::supersteps>
                     : way == Way::priority_locks ? refined<Way::priority_locks>
                                                  : refined<Way::exclusive>;
    return run(mesh, rules, loop, on_round);
}

}  // namespace lockstep::mesh
