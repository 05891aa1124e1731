// Triangles on the GPU.
#include "lockstep/executor/structure/triangles.cuh"

namespace lockstep {

structure::Runner structure::triangles_on_cuda(const Undirected& plan, const Meeting& meeting,
                                               bool by_vertex) {
    if (plan.arcs() == 0) return triangles_on_cpu(plan, by_vertex, 1);
    if (plan.arcs() >> 33)
        throw Error(Failure::bad_input, "triangles on a GPU are limited to graphs of 2^32 edges");
    return runner_of<DeviceTriangles>(DeviceTriangles::bytes_of(plan, meeting, by_vertex), plan, meeting,
                                      by_vertex);
}

}  // namespace lockstep
