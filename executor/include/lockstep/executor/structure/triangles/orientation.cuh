// Builds the lists of kept neighbours on the GPU: every edge is kept at the endpoint that comes later in the
// order by degree (triangles.hpp). A warp processes a window of 1,024 arcs. A first pass marks and counts the
// arcs to keep, and a second pass writes them to their positions.
#pragma once

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "lockstep/executor/structure/device.cuh"
#include "lockstep/executor/structure/triangles.hpp"

namespace lockstep::structure {

inline constexpr unsigned window = 1024;

/// The lists of kept neighbours: ranges [x, y) of `ends`. Hubs are the first `hubs` vertices of the order.
struct KeptView {
    uint2 *heads, *tails;  ///< range of each vertex's neighbours that are hubs, and of its other neighbours
    VertexId* ends;        ///< kept neighbours: first those that are hubs, for all vertices, then the others
    const VertexId* rank;  ///< position of each vertex in the order by degree
    VertexId vertices, hubs;
    /// whether heads, tails and ends are indexed by, and contain, ranks instead of vertices
    bool renumbered;
};

/// The data that the first pass leaves for the second: marks (one bit per arc), and counts per window, of
/// which the second pass needs the prefix sums.
struct MarksView {
    unsigned *heads, *tails, *head_sums, *tail_sums;
};

/// Returns the vertex to whose list arc e belongs: the first one, from `row` on, whose list ends after e. All
/// lanes must call it.
__device__ __forceinline__ VertexId row_of(const UndirectedView& g, EdgeId e, VertexId row, bool has) {
    const EdgeId at = EdgeId{row} + lane_of_warp();
    const EdgeId end = at < g.vertices ? g.offsets[at + 1] : ~EdgeId{0};
    unsigned before = 0;  // number of the next 32 lists that end at e or before
#pragma unroll
    for (unsigned step = 16; step > 0; step /= 2) {
        if (__shfl_sync(~0U, end, static_cast<int>(before + step - 1)) <= e) before += step;
    }
    if (__shfl_sync(~0U, end, static_cast<int>(before)) <= e) ++before;
    if (!has || before < 32) return row + before;
    return lockstep::row_of(g.offsets, e, row + 32, g.vertices);  // many vertices without arcs lie between
}

/// Calls visit(i, row, e, has) for the arcs of window w, for i = 0 … 31 and 32 arcs at a time. `row` is the
/// vertex of arc e; `has` is false if e is not less than `arcs`.
template <class Visit>
__device__ __forceinline__ void for_each_in_window(const UndirectedView& g, EdgeId w, EdgeId arcs,
                                                   Visit visit) {
    VertexId row = lockstep::row_of(g.offsets, w * window, 0, g.vertices);
    for (unsigned i = 0; i < window / 32; ++i) {
        const EdgeId e = w * window + i * 32 + lane_of_warp();
        const bool has = e < arcs;
        const VertexId mine = row_of(g, e, row, has);
        visit(i, mine, e, has);
        if (__any_sync(~0U, !has)) break;
        row = __shfl_sync(~0U, mine, 31);
    }
}

__device__ __forceinline__ EdgeId warp_number() {
    return (EdgeId{blockIdx.x} * block_threads + threadIdx.x) / 32;
}

__global__ void __launch_bounds__(block_threads)
    mark_kept(const __grid_constant__ UndirectedView g, EdgeId arcs, const __grid_constant__ KeptView kept,
              const __grid_constant__ MarksView marks) {
    const EdgeId w = warp_number();
    if (w * window >= arcs) return;
    unsigned my_heads = 0, my_tails = 0;  // lane i has the bits of the i-th group of 32 arcs
    for_each_in_window(g, w, arcs, [&](unsigned i, VertexId row, EdgeId e, bool has) {
        const VertexId end_rank = has ? kept.rank[g.ends[e]] : 0;
        const bool keeps = has && end_rank < kept.rank[row];
        const unsigned heads = __ballot_sync(~0U, keeps && end_rank < kept.hubs),
                       tails = __ballot_sync(~0U, keeps && end_rank >= kept.hubs);
        if (lane_of_warp() == i) my_heads = heads, my_tails = tails;
    });
    marks.heads[w * 32 + lane_of_warp()] = my_heads;
    marks.tails[w * 32 + lane_of_warp()] = my_tails;
    const unsigned heads = sum_of_warp(static_cast<unsigned>(__popc(my_heads))),
                   tails = sum_of_warp(static_cast<unsigned>(__popc(my_tails)));
    if (lane_of_warp() == 0) marks.head_sums[w] = heads, marks.tail_sums[w] = tails;
}

/// Writes the kept arcs to their positions. `marks` contains the prefix sums of the counts of all windows,
/// followed by the total.
__global__ void __launch_bounds__(block_threads)
    write_kept(const __grid_constant__ UndirectedView g, EdgeId arcs, EdgeId windows,
               const __grid_constant__ KeptView kept, const __grid_constant__ MarksView marks) {
    const EdgeId w = warp_number();
    if (w * window >= arcs) return;
    const unsigned my_heads = marks.heads[w * 32 + lane_of_warp()],
                   my_tails = marks.tails[w * 32 + lane_of_warp()];
    unsigned head = marks.head_sums[w], tail = marks.head_sums[windows] + marks.tail_sums[w];
    for_each_in_window(g, w, arcs, [&](unsigned i, VertexId row, EdgeId e, bool has) {
        const unsigned heads = __shfl_sync(~0U, my_heads, static_cast<int>(i)),
                       tails = __shfl_sync(~0U, my_tails, static_cast<int>(i)), below = lanes_below(),
                       bit = 1U << lane_of_warp();
        const unsigned my_head = head + static_cast<unsigned>(__popc(heads & below)),
                       my_tail = tail + static_cast<unsigned>(__popc(tails & below));
        if (has) {
            const bool is_head = heads & bit, is_tail = tails & bit;
            if (is_head || is_tail)
                kept.ends[is_head ? my_head : my_tail] = kept.renumbered ? kept.rank[g.ends[e]] : g.ends[e];
            const VertexId place = kept.renumbered ? kept.rank[row] : row;
            const EdgeRange edges = g.edges_of(row);
            if (e == edges.first) kept.heads[place].x = my_head, kept.tails[place].x = my_tail;
            if (e + 1 == edges.last)
                kept.heads[place].y = my_head + is_head, kept.tails[place].y = my_tail + is_tail;
        }
        head += static_cast<unsigned>(__popc(heads));
        tail += static_cast<unsigned>(__popc(tails));
    });
}

__global__ void __launch_bounds__(block_threads)
    take_degrees(UndirectedView g, unsigned* degrees, VertexId* vertices) {
    const VertexId v = vertex_of_thread();
    if (v < g.vertices) degrees[v] = static_cast<unsigned>(g.degree(v)), vertices[v] = v;
}
__global__ void __launch_bounds__(block_threads)
    take_ranks(const VertexId* order, VertexId vertices, VertexId* rank) {
    const VertexId place = vertex_of_thread();
    if (place < vertices) rank[order[place]] = place;
}

/// The lists of kept neighbours in device memory. Each call of make() builds them again.
class Orientation {
public:
    /// Allocates the memory. The plan must have arcs.
    Orientation(const Undirected& plan, VertexId hubs, bool renumbered)
        : arcs_(plan.arcs()),
          windows_((arcs_ + window - 1) / window),
          degree_bits_(std::bit_width(plan.largest)),
          hubs_(hubs),
          renumbered_(renumbered),
          graph_(upload(plan, arrays_)),
          degrees_(2 * EdgeId{plan.vertices}),
          order_(2 * EdgeId{plan.vertices}),
          rank_(plan.vertices),
          bounds_(2 * EdgeId{plan.vertices}),
          ends_(arcs_ / 2),
          marks_(64 * windows_),
          sums_(2 * (windows_ + 1)) {
        std::size_t sort = 0, scan = 0;
        sort_degrees(nullptr, sort), scan_sums(nullptr, scan, 0);
        scratch_bytes_ = std::max(sort, scan);
        scratch_ = gpu::Buffer<std::byte>(scratch_bytes_);
    }
    static EdgeId bytes_of(const Undirected& plan) {
        const EdgeId n = plan.vertices, m = plan.arcs();
        return plan.bytes() + 40 * n + 2 * m + m / 4 + (EdgeId{1} << 24);
    }
    KeptView view() const {
        return {bounds_.data(),  bounds_.data() + graph_.vertices,
                ends_.data(),    rank_.data(),
                graph_.vertices, hubs_,
                renumbered_};
    }
    void make() {
        sums_.zero(), bounds_.zero();
        const unsigned blocks = blocks_for(windows_ * 32);
        for_vertices(take_degrees, graph_.vertices, graph_, degrees_.data(), order_.data());
        std::size_t bytes = scratch_bytes_;
        sort_degrees(scratch_.data(), bytes);
        for_vertices(take_ranks, graph_.vertices, order_.data() + graph_.vertices, graph_.vertices,
                     rank_.data());
        const MarksView marks{marks_.data(), marks_.data() + 32 * windows_, sums_.data(),
                              sums_.data() + windows_ + 1};
        mark_kept<<<blocks, block_threads>>>(graph_, arcs_, view(), marks);
        for (const EdgeId half : {EdgeId{0}, windows_ + 1})
            scan_sums(scratch_.data(), bytes = scratch_bytes_, half);
        write_kept<<<blocks, block_threads>>>(graph_, arcs_, windows_, view(), marks);
        LOCKSTEP_CUDA(cudaGetLastError());
    }

private:
    void sort_degrees(void* scratch, std::size_t& bytes) {
        const auto n = static_cast<std::int64_t>(graph_.vertices);
        LOCKSTEP_CUDA(cub::DeviceRadixSort::SortPairsDescending(scratch, bytes, degrees_.data(),
                                                                degrees_.data() + n, order_.data(),
                                                                order_.data() + n, n, 0, degree_bits_));
    }
    void scan_sums(void* scratch, std::size_t& bytes, EdgeId from) {
        LOCKSTEP_CUDA(cub::DeviceScan::ExclusiveSum(scratch, bytes, sums_.data() + from, sums_.data() + from,
                                                    static_cast<std::int64_t>(windows_ + 1)));
    }

    EdgeId arcs_, windows_;
    int degree_bits_;
    VertexId hubs_;
    bool renumbered_;
    gpu::DeviceArrays arrays_;
    UndirectedView graph_;
    gpu::Buffer<unsigned> degrees_;
    gpu::Buffer<VertexId> order_, rank_;
    gpu::Buffer<uint2> bounds_;
    gpu::Buffer<VertexId> ends_;
    gpu::Buffer<unsigned> marks_, sums_;
    std::size_t scratch_bytes_ = 0;
    gpu::Buffer<std::byte> scratch_;
};

}  // namespace lockstep::structure
