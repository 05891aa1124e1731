// The undirected graph in the memory of a GPU, and the arcs of the vertices of a block, dealt out to its
// threads.
#pragma once

#include "lockstep/executor/arc/rounds.cuh"
#include "lockstep/executor/frontier/filter.cuh"
#include "lockstep/executor/structure/trees.hpp"
#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep::structure {

using frontier::lane_of_warp;
using frontier::lanes_below;
using frontier::sum_before;

inline constexpr int block_threads = 256;

/// What kernels see of an Undirected.
struct UndirectedView {
    arc::OffsetsView offsets;
    const VertexId* ends;
    const float* weights;   ///< nullptr: all 1
    const VertexId* order;  ///< nullptr: as given
    VertexId vertices;

    __device__ __forceinline__ VertexId vertex(VertexId p) const { return order ? order[p] : p; }
};

inline UndirectedView upload(const Undirected& plan, gpu::DeviceArrays& arrays) {
    return {arrays(plan.offsets), arrays(plan.ends), plan.weights.empty() ? nullptr : arrays(plan.weights),
            plan.order.empty() ? nullptr : arrays(plan.order), plan.vertices};
}

/// The vertex of this thread, where there are as many threads as vertices.
__device__ __forceinline__ VertexId vertex_of_thread() { return blockIdx.x * block_threads + threadIdx.x; }
inline unsigned blocks_for(EdgeId threads) {
    return static_cast<unsigned>(std::max<EdgeId>(1, (threads + block_threads - 1) / block_threads));
}

/// Launches a thread a vertex.
template <class... Parameters, class... Arguments>
void for_vertices(void (*kernel)(Parameters...), VertexId vertices, const Arguments&... arguments) {
    kernel<<<blocks_for(vertices), block_threads>>>(arguments...);
    LOCKSTEP_CUDA(cudaGetLastError());
}

/// Appends v of each lane that has one to a list, with one atomic operation a warp. All lanes.
template <class Entry>
__device__ __forceinline__ void append(Entry* list, unsigned* size, bool has, Entry v) {
    const unsigned all = __ballot_sync(~0U, has);
    unsigned first = 0;
    if (lane_of_warp() == 0 && all) first = atomicAdd(size, static_cast<unsigned>(__popc(all)));
    first = __shfl_sync(~0U, first, 0);
    if (has) list[first + static_cast<unsigned>(__popc(all & lanes_below()))] = v;
}

/// Calls visit(vertex, arc) for the arcs [begin, end) of the vertex of each thread: few by the thread, many
/// by its warp, very many by the block. All threads of the block; one without a vertex has begin = end.
template <class Visit>
__device__ __forceinline__ void each_arc(VertexId v, EdgeId begin, EdgeId end, Visit visit) {
    struct List {
        EdgeId begin, end;
        VertexId vertex;
    };
    __shared__ List long_lists[block_threads];
    __shared__ unsigned count;
    const EdgeId degree = end - begin;
    const bool few = degree < 32, very_many = degree >= 2048;
    if (few) {
        for (EdgeId e = begin; e < end; ++e) visit(v, e);
    }
    __syncwarp();
    for (unsigned left = __ballot_sync(~0U, !few && !very_many); left; left &= left - 1) {
        const int from = __ffs(static_cast<int>(left)) - 1;
        const VertexId owner = __shfl_sync(~0U, v, from);
        const EdgeId first = __shfl_sync(~0U, begin, from), last = __shfl_sync(~0U, end, from);
        for (EdgeId e = first + lane_of_warp(); e < last; e += 32) visit(owner, e);
        __syncwarp();
    }
    if (!__syncthreads_or(very_many)) return;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if (very_many) long_lists[atomicAdd(&count, 1U)] = {begin, end, v};
    __syncthreads();
    for (unsigned i = 0; i < count; ++i) {
        const List list = long_lists[i];
        for (EdgeId e = list.begin + threadIdx.x; e < list.end; e += block_threads) visit(list.vertex, e);
    }
    __syncthreads();
}

}  // namespace lockstep::structure
