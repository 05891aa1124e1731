// Relaxes the springs of a mesh on a GPU.
#include "lockstep/executor/update/run.cuh"
#include "relax.hpp"

using namespace lockstep;

Positions relax_on_gpu(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                       const Positions& from) {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return {};
    update::DeviceRun<Spring> run(graph, strategy, schedule);
    run.vertices = from;
    run.set_edges(std::vector<Spring::Edge>(graph.edges(), {1}));
    for (int sweep = 0; sweep < sweeps; ++sweep) run.sweep(parameters);
    run.gather();
    return run.vertices;
}
