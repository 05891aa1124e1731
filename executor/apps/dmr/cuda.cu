// Delaunay mesh refinement on a GPU: selects the kernels for the method of resolving conflicts.
#include "lockstep/executor/mesh/rounds.cuh"

namespace lockstep::mesh {

namespace {

template <RefinementMethod method>
Totals run_refinement(Mesh& mesh, const Rules& rules, worklist::Loop loop, const OnRound& on_round) {
    DeviceWalk<method> device(mesh, rules);
    const Totals totals = device.refine(loop, on_round);
    device.download(mesh);
    return totals;
}

}  // namespace

Totals refine_on_cuda(Mesh& mesh, const Rules& rules, RefinementMethod method, worklist::Loop loop,
                      const OnRound& on_round) {
    const auto run = method == RefinementMethod::supersteps ? run_refinement<RefinementMethod::supersteps>
                     : method == RefinementMethod::priority_locks
                         ? run_refinement<RefinementMethod::priority_locks>
                         : run_refinement<RefinementMethod::exclusive>;
    return run(mesh, rules, loop, on_round);
}

}  // namespace lockstep::mesh
