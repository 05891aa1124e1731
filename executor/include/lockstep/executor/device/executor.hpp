// Executors select a device: CpuExecutor a CPU, CudaExecutor a GPU. A loop whose result does not depend on
// the order of its iterations is written once, as a function template over the executor:
//
//     template <class Executor>
//     void start_alone(const Executor& executor, VertexId* parents, VertexId vertices) {
//         for_each_vertex(executor, vertices, [=] LOCKSTEP_KERNEL(VertexId v) { parents[v] = v; });
//     }
//
// A function that is called on a GPU must capture by value, and nvcc requires that the function around it is
// not a private member.
#pragma once

#if defined(__CUDACC__)
#include "lockstep/executor/device/runtime.cuh"
#define LOCKSTEP_KERNEL __device__
#else
#define LOCKSTEP_KERNEL
#endif
#include "lockstep/schedules/types.hpp"

namespace lockstep {

struct CpuExecutor {
    int threads;
};
/// Calls work(v) for every v < count. Each thread processes about equally many consecutive v.
template <class Work>
void for_each_vertex(const CpuExecutor& cpu, VertexId count, Work work) {
#pragma omp parallel for schedule(static) num_threads(cpu.threads)
    for (VertexId v = 0; v < count; ++v) work(v);
}

#if defined(__CUDACC__)
struct CudaExecutor {
    static constexpr unsigned block_threads = 256;
};
template <class Work>
__global__ void __launch_bounds__(CudaExecutor::block_threads)
    vertex_kernel(VertexId count, const Work work) {
    const VertexId v = blockIdx.x * CudaExecutor::block_threads + threadIdx.x;
    if (v < count) work(v);
}
/// Launches work(v) for every v < count, with one thread each, in the default stream. Throws CudaError.
template <class Work>
void for_each_vertex(const CudaExecutor& cuda, VertexId count, const Work& work) {
    if (count == 0) return;
    vertex_kernel<<<(count - 1) / cuda.block_threads + 1, cuda.block_threads>>>(count, work);
    LOCKSTEP_CUDA(cudaGetLastError());
}
#endif

}  // namespace lockstep
