// The undirected graph in the memory of a GPU, and helpers to launch kernels on it.
#pragma once

#include <memory>

#include "lockstep/executor/csr/arrays.cuh"
#include "lockstep/executor/csr/lists.cuh"
#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/device/streams.cuh"
#include "lockstep/executor/structure/trees.hpp"
#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep::structure {

using namespace gpu;

inline constexpr int block_threads = 256;

/// The arrays of an Undirected (undirected.hpp) that kernels access.
struct UndirectedView : CsrView {
    const VertexId* order;  ///< vertex of the graph at each position; nullptr: both are the same
    VertexId vertices;

    __device__ __forceinline__ VertexId vertex(VertexId p) const { return order ? order[p] : p; }
};

inline UndirectedView upload(const Undirected& plan, gpu::DeviceArrays& arrays) {
    return {arrays(plan), arrays(plan.order), plan.vertices};
}

/// Returns the vertex of this thread, in a launch with one thread per vertex.
__device__ __forceinline__ VertexId vertex_of_thread() { return blockIdx.x * block_threads + threadIdx.x; }
inline unsigned blocks_for(EdgeId threads) {
    return static_cast<unsigned>(std::max<EdgeId>(1, (threads + block_threads - 1) / block_threads));
}

/// Launches a kernel with one thread per vertex.
template <class... Parameters, class... Arguments>
void for_vertices(void (*kernel)(Parameters...), VertexId vertices, const Arguments&... arguments) {
    kernel<<<blocks_for(vertices), block_threads>>>(arguments...);
    LOCKSTEP_CUDA(cudaGetLastError());
}

/// Returns a runner that constructs Work(plan, parameters…), which has its data in device memory, and calls
/// its run().
template <class Work, class... Parameters>
Runner runner_of(EdgeId bytes, const Undirected& plan, const Parameters&... parameters) {
    gpu::require_memory(bytes, "or use --device cpu");
    gpu::Timer transfer;
    const auto work = std::make_shared<Work>(plan, parameters...);
    return {bytes, transfer.seconds(), [work] { return work->run(); }};
}

}  // namespace lockstep::structure
