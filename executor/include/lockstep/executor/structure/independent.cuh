// A maximal independent set on a GPU (independent.hpp).
//
// At once: all blocks are resident, each owns some vertices and looks at those that wait again and again,
// from where they waited; nothing is a round, and no block waits for another in a barrier. The undecided
// vertex that goes first of all can be decided, so that there is always a block that goes on. Vertices of
// many neighbours have a warp each, when those of few do not get on.
#pragma once

#include <memory>

#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/structure/device.cuh"
#include "lockstep/executor/structure/independent.hpp"

namespace lockstep::structure {

inline constexpr EdgeId independent_many = 32;  ///< neighbours

struct IndependentState {
    UndirectedView graph;
    std::uint32_t* words;
    uint2* lists;     ///< vertices that wait, and where: two a block, of `room` each
    VertexId* large;  ///< those of many neighbours: the same
    EdgeId room;
    unsigned* passes;  ///< of the block that had the most
};

__global__ void start_words(const UndirectedView g, const Priority priority, std::uint32_t* words) {
    const VertexId p = vertex_of_thread();
    if (p >= g.vertices) return;
    const EdgeId degree = g.offsets.degree(p);
    words[p] = degree ? priority.key(g.vertex(p), degree) : Priority::in;
}

/// `decide` for a vertex of many neighbours, by a warp; whether it is decided.
__device__ __forceinline__ bool decide_by_warp(const UndirectedView& g, std::uint32_t* words, VertexId v) {
    const std::uint32_t mine = peek(words + v);
    if (mine == Priority::out || mine == Priority::in) return true;
    const EdgeId begin = g.offsets[v], end = g.offsets[v + EdgeId{1}];
    for (EdgeId first = begin; first < end; first += 32) {
        const EdgeId e = first + lane_of_warp();
        const VertexId u = e < end ? __ldg(g.ends + e) : v;
        const std::uint32_t theirs = e < end ? peek(words + u) : Priority::out;
        if (__any_sync(~0U, theirs == Priority::in)) {
            if (lane_of_warp() == 0) put(words + v, Priority::out);
            return true;
        }
        if (__any_sync(~0U, theirs < mine || (theirs == mine && g.vertex(u) < g.vertex(v)))) return false;
    }
    if (lane_of_warp() == 0) put(words + v, Priority::in);
    for (EdgeId e = begin + lane_of_warp(); e < end; e += 32) {
        const VertexId u = __ldg(g.ends + e);
        if (peek(words + u) != Priority::out) put(words + u, Priority::out);
    }
    return true;
}

__global__ void __launch_bounds__(block_threads) decide_at_once(const __grid_constant__ IndependentState s) {
    __shared__ unsigned waiting[2], large[2];
    constexpr unsigned warps = block_threads / 32;
    uint2* const lists[] = {s.lists + EdgeId{blockIdx.x} * 2 * s.room,
                            s.lists + (EdgeId{blockIdx.x} * 2 + 1) * s.room};
    VertexId* const larges[] = {s.large + EdgeId{blockIdx.x} * 2 * s.room,
                                s.large + (EdgeId{blockIdx.x} * 2 + 1) * s.room};
    if (threadIdx.x < 2) waiting[threadIdx.x] = large[threadIdx.x] = 0;
    __syncthreads();
    const EdgeId groups = (EdgeId{s.graph.vertices} + 31) / 32;
    for (EdgeId g = blockIdx.x + EdgeId{threadIdx.x / 32} * gridDim.x; g < groups;
         g += EdgeId{gridDim.x} * warps) {
        const EdgeId p = g * 32 + lane_of_warp();
        if (p >= s.graph.vertices) continue;
        const auto v = static_cast<VertexId>(p);
        if (s.graph.offsets.degree(v) >= independent_many) {
            larges[0][atomicAdd(&large[0], 1U)] = v;
        } else if (const std::uint32_t at = decide(s.graph, s.words, v, 0); at != decided) {
            lists[0][atomicAdd(&waiting[0], 1U)] = {v, at};
        }
    }
    unsigned in = 0, in_large = 0, passes = 1;
    for (;; ++passes) {
        __syncthreads();
        const unsigned count = waiting[in], many = large[in_large];
        if (count + many == 0) break;
        for (unsigned i = threadIdx.x; i < count; i += block_threads) {
            const uint2 w = lists[in][i];
            if (const std::uint32_t at = decide(s.graph, s.words, w.x, w.y); at != decided)
                lists[in ^ 1][atomicAdd(&waiting[in ^ 1], 1U)] = {w.x, at};
        }
        __syncthreads();
        const bool stuck = waiting[in ^ 1] == count;
        if (stuck) {  // also where there was none
            for (unsigned i = threadIdx.x / 32; i < many; i += warps) {
                const VertexId v = larges[in_large][i];
                const bool done = decide_by_warp(s.graph, s.words, v);
                if (!done && lane_of_warp() == 0)
                    larges[in_large ^ 1][atomicAdd(&large[in_large ^ 1], 1U)] = v;
                __syncwarp();
            }
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            waiting[in] = 0;
            if (stuck) large[in_large] = 0;
        }
        in ^= 1;
        if (stuck) in_large ^= 1;
    }
    if (threadIdx.x == 0) atomicMax(s.passes, passes);
}

/// Rounds: who has a neighbour that goes before it, and is not out.
__global__ void __launch_bounds__(block_threads)
    find_blocked(const UndirectedView g, const std::uint32_t* words, const VertexId* list, unsigned count,
                 std::uint32_t* blocked) {
    const unsigned i = blockIdx.x * block_threads + threadIdx.x;
    const VertexId v = i < count ? list[i] : 0;
    if (i < count) put(blocked + v, 0U);
    __syncthreads();
    each_arc(v, i < count ? g.offsets[v] : 0, i < count ? g.offsets[v + EdgeId{1}] : 0,
             [&](VertexId w, EdgeId e) {
                 const VertexId u = __ldg(g.ends + e);
                 const std::uint32_t theirs = words[u], mine = words[w];
                 if (theirs < mine || (theirs == mine && g.vertex(u) < g.vertex(w))) put(blocked + w, 1U);
             });
}
__global__ void __launch_bounds__(block_threads)
    take_free(const UndirectedView g, std::uint32_t* words, const VertexId* list, unsigned count,
              const std::uint32_t* blocked) {
    const unsigned i = blockIdx.x * block_threads + threadIdx.x;
    const VertexId v = i < count ? list[i] : 0;
    const bool takes = i < count && !blocked[v];
    if (takes) put(words + v, Priority::in);
    each_arc(v, takes ? g.offsets[v] : 0, takes ? g.offsets[v + EdgeId{1}] : 0,
             [&](VertexId, EdgeId e) { put(words + __ldg(g.ends + e), Priority::out); });
}
/// The undecided vertices of a list; nullptr: of all.
__global__ void keep_undecided(const UndirectedView g, const std::uint32_t* words, const VertexId* list,
                               unsigned count, VertexId* next, unsigned* size) {
    const unsigned i = blockIdx.x * block_threads + threadIdx.x;
    const VertexId v = i < count ? list ? list[i] : i : 0;
    append(next, size, i < count && words[v] != Priority::in && words[v] != Priority::out, v);
}
__global__ void tell_members(const UndirectedView g, const std::uint32_t* words, std::uint32_t* values) {
    const VertexId p = vertex_of_thread();
    if (p < g.vertices) values[g.vertex(p)] = words[p] == Priority::in ? 1 : 0;
}

class DeviceIndependent {
public:
    DeviceIndependent(const Undirected& plan, const Priority& priority, Deciding deciding)
        : plan_(plan),
          priority_(priority),
          graph_(upload(plan, arrays_)),
          words_(plan.vertices),
          values_(plan.vertices),
          size_(1) {
        if (deciding == Deciding::at_once) {
            blocks_ = gpu::resident_blocks(decide_at_once, gpu::Shape{block_threads, 8}, 0);
            const EdgeId room = ((EdgeId{plan.vertices} + 31) / 32 + blocks_ - 1) / blocks_ * 32;
            waiting_ = gpu::Buffer<uint2>(2 * blocks_ * room);
            lists_ = gpu::Buffer<VertexId>(2 * blocks_ * room);
            state_ = {graph_, words_.data(), waiting_.data(), lists_.data(), room, size_.data()};
        } else {
            lists_ = gpu::Buffer<VertexId>(2 * EdgeId{plan.vertices});
            blocked_ = gpu::Buffer<std::uint32_t>(plan.vertices);
        }
    }
    static EdgeId bytes_of(const Undirected& plan) { return plan.bytes() + 32 * EdgeId{plan.vertices}; }

    Solution run() {
        const VertexId n = plan_.vertices;
        Solution solution;
        if (n == 0) return solution;
        gpu::Timer timer;
        for_vertices(start_words, n, graph_, priority_, words_.data());
        if (blocks_) {
            LOCKSTEP_CUDA(cudaMemsetAsync(size_.data(), 0, sizeof(unsigned)));
            gpu::launch_blocks(decide_at_once, blocks_, block_threads, 0, state_);
        } else {
            solution.rounds = by_rounds();
        }
        for_vertices(tell_members, n, graph_, words_.data(), values_.data());
        solution.seconds = timer.seconds();
        if (blocks_) solution.rounds = size_.download()[0];
        solution.values = values_.download();
        return solution;
    }

private:
    std::uint64_t by_rounds() {
        VertexId* const lists[] = {lists_.data(), lists_.data() + plan_.vertices};
        const auto keep = [&](const VertexId* list, unsigned count, VertexId* next) {
            LOCKSTEP_CUDA(cudaMemsetAsync(size_.data(), 0, sizeof(unsigned)));
            for_vertices(keep_undecided, count, graph_, words_.data(), list, count, next, size_.data());
            return size_.download()[0];
        };
        unsigned count = keep(nullptr, plan_.vertices, lists[0]);
        std::uint64_t round = 0;
        for (; count; ++round) {
            const VertexId* const list = lists[round % 2];
            for_vertices(find_blocked, count, graph_, words_.data(), list, count, blocked_.data());
            for_vertices(take_free, count, graph_, words_.data(), list, count, blocked_.data());
            count = keep(list, count, lists[(round + 1) % 2]);
        }
        return round;
    }

    const Undirected& plan_;
    const Priority priority_;
    gpu::DeviceArrays arrays_;
    const UndirectedView graph_;
    gpu::Buffer<std::uint32_t> words_, values_, blocked_;
    gpu::Buffer<uint2> waiting_;
    gpu::Buffer<VertexId> lists_;
    gpu::Buffer<unsigned> size_;
    unsigned blocks_ = 0;
    IndependentState state_{};
};

Runner independent_on_cuda(const Undirected& plan, const Priority& priority, Deciding deciding) {
    const EdgeId bytes = DeviceIndependent::bytes_of(plan);
    gpu::require_memory(bytes, "--device cpu needs none");
    gpu::Timer transfer;
    const auto work = std::make_shared<DeviceIndependent>(plan, priority, deciding);
    return {bytes, transfer.seconds(), [work] { return work->run(); }};
}

}  // namespace lockstep::structure
