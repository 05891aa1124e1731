// A spanning forest of least weight on a GPU (forest.hpp): which edges there are to choose from. The rounds,
// in which trees choose, are in boruvka.cuh.
#pragma once

#include <memory>

#include "lockstep/executor/structure/boruvka.cuh"
#include "lockstep/executor/structure/trees.cuh"

namespace lockstep::structure {

inline constexpr EdgeId pick_most = 1024;     ///< arcs of a vertex that picks; hubs are picked by the others
inline constexpr unsigned light_arcs = 8192;  ///< a block's, when the light ones are looked for

struct ForestState {
    UndirectedView graph;
    VertexId* parents;
    std::uint32_t* picks;      ///< arcs; no_vertex: none
    VertexId* rows;            ///< in which every 8192nd arc is
    std::uint32_t* threshold;  ///< bits of a weight: below it edges are light
    VertexId* giant;
    std::uint32_t* chosen;  ///< arcs of the forest
    unsigned* sizes;        ///< of chosen, and of the list of edges; and how many rounds there were

    __device__ __forceinline__ std::uint32_t bits(EdgeId e) const {
        return graph.weights ? ordered_bits(__ldg(graph.weights + e)) : 0;
    }
};

/// The weight below which about a share of the edges is, from a sample; none is light, or all are, where the
/// share says so.
__global__ void find_threshold(const __grid_constant__ ForestState s, EdgeId arcs, unsigned wanted) {
    __shared__ std::uint32_t sample[1024];
    std::uint32_t drawn = (threadIdx.x + 1) * 2654435761U;
    drawn = (drawn ^ drawn >> 16) * 2246822519U;
    drawn ^= drawn >> 13;
    const std::uint32_t mine = s.bits(static_cast<EdgeId>(drawn) * arcs >> 32);
    sample[threadIdx.x] = mine;
    __syncthreads();
    unsigned before = 0;
    for (unsigned i = 0; i < 1024; ++i) before += sample[i] < mine || (sample[i] == mine && i < threadIdx.x);
    if (before == wanted) *s.threshold = mine;
}

/// The first of the lightest arcs that lanes have found, each by its weight; no_vertex where none has. All
/// lanes. A vertex's arcs are in the order of the edges of one weight.
__device__ __forceinline__ std::uint32_t lightest_of_warp(std::uint32_t bits, std::uint32_t arc) {
    return __reduce_min_sync(~0U, bits == __reduce_min_sync(~0U, bits) ? arc : no_vertex);
}

/// Every vertex's lightest arc.
__global__ void __launch_bounds__(block_threads) pick_arcs(const __grid_constant__ ForestState s, bool all) {
    constexpr unsigned few = 8, together = 4;
    const VertexId v = vertex_of_thread();
    const bool here = v < s.graph.vertices;
    const EdgeId begin = here ? s.graph.offsets[v] : 0, end = here ? s.graph.offsets[v + EdgeId{1}] : 0;
    if (here) s.parents[v] = v;
    for (EdgeId tile = (begin + light_arcs - 1) / light_arcs; tile * light_arcs < end; ++tile)
        s.rows[tile] = v;
    std::uint32_t pick = no_vertex;
    const auto degree = static_cast<unsigned>(end - begin);
    if (degree <= few) {
        std::uint32_t least = ~0U;
#pragma unroll
        for (unsigned i = 0; i < few; ++i) {
            const std::uint32_t bits = i < degree ? s.bits(begin + i) : ~0U;
            if (bits < least) least = bits, pick = static_cast<std::uint32_t>(begin + i);
        }
    }
    for (unsigned left = __ballot_sync(~0U, degree > few && (all || degree <= pick_most)); left;
         left &= left - 1) {
        const int from = __ffs(static_cast<int>(left)) - 1;
        const EdgeId first = __shfl_sync(~0U, begin, from);
        const unsigned count = __shfl_sync(~0U, degree, from);
        std::uint32_t least = ~0U, lightest = no_vertex;
        for (unsigned base = 0; base < count; base += 32 * together) {
#pragma unroll
            for (unsigned i = 0; i < together; ++i) {
                const unsigned at = base + 32 * i + lane_of_warp();
                const std::uint32_t bits = at < count ? s.bits(first + at) : ~0U;
                if (bits < least) least = bits, lightest = static_cast<std::uint32_t>(first + at);
            }
        }
        lightest = lightest_of_warp(least, lightest);
        if (lane_of_warp() == static_cast<unsigned>(from)) pick = lightest;
    }
    if (here) s.picks[v] = pick;
}
__global__ void join_picks(const __grid_constant__ ForestState s) {
    const VertexId v = vertex_of_thread();
    const std::uint32_t arc = v < s.graph.vertices ? s.picks[v] : no_vertex;
    const bool joined = arc != no_vertex && join(s.parents, v, __ldg(s.graph.ends + arc));
    append(s.chosen, s.sizes, joined, arc);
}

/// The light edges between two trees. A block reads the weights of its arcs, and the rest of the light ones:
/// these are few, so they are dealt out anew.
__global__ void __launch_bounds__(block_threads)
    list_light(const __grid_constant__ ForestState s, EdgeId arcs, Edge* edges) {
    constexpr unsigned together = 8;
    __shared__ PlaceOfBlock place;
    __shared__ std::uint16_t light[light_arcs];
    __shared__ unsigned size;
    const std::uint32_t threshold = *s.threshold;
    const EdgeId first = EdgeId{blockIdx.x} * light_arcs;
    if (threadIdx.x == 0) size = 0;
    __syncthreads();
    for (unsigned base = threadIdx.x; base < light_arcs; base += together * block_threads) {
        std::uint32_t bits[together];
#pragma unroll
        for (unsigned i = 0; i < together; ++i) {
            const EdgeId e = first + base + i * block_threads;
            bits[i] = e < arcs ? s.bits(e) : ~0U;
        }
#pragma unroll
        for (unsigned i = 0; i < together; ++i) {
            if (bits[i] < threshold)
                light[atomicAdd(&size, 1U)] = static_cast<std::uint16_t>(base + i * block_threads);
        }
    }
    __syncthreads();
    const VertexId low = s.rows[blockIdx.x],
                   high = first + light_arcs < arcs ? s.rows[blockIdx.x + 1] : s.graph.vertices - 1;
    const unsigned count = size;
    for (unsigned base = 0; base < count; base += block_threads) {
        Edge found{};
        if (base + threadIdx.x < count) {
            const EdgeId e = first + light[base + threadIdx.x];
            VertexId row = low, beyond = high + 1;  // offsets[row] <= e < offsets[beyond]
            while (beyond - row > 1) {
                const VertexId middle = row + (beyond - row) / 2;
                (s.graph.offsets[middle] <= e ? row : beyond) = middle;
            }
            const VertexId end = __ldg(s.graph.ends + e);
            if (end > row)
                found = {__ldg(s.parents + row), __ldg(s.parents + end), s.bits(e),
                         static_cast<std::uint32_t>(e)};
        }
        const bool leaves = found.a != found.b;
        const unsigned at = place.of(leaves, s.sizes + 1);
        if (leaves) edges[at] = found;
    }
}

/// The edges that leave a tree other than the giant, as heavy as the threshold or heavier. Of those from one
/// vertex to the giant the lightest: any other one would close a cycle in which it is the heaviest. It is
/// seen from this end only, and has to look for its number where the giant's vertex has it.
struct RestOfEdges {
    const ForestState& s;
    const std::uint32_t threshold = *s.threshold;
    const VertexId giant = *s.giant;

    /// What a lane knows of the arcs to the giant.
    struct Lightest {
        std::uint32_t bits = ~0U, arc = no_vertex;
    };
    /// Whether an arc of v, if it is one, leads to another tree than the giant, and is listed here.
    __device__ __forceinline__ bool keeps(bool here, VertexId v, VertexId root, EdgeId e,
                                          Lightest& to_giant) const {
        const VertexId end = here ? __ldg(s.graph.ends + e) : v;
        const std::uint32_t bits = here ? s.bits(e) : 0;
        const VertexId other = here ? __ldg(s.parents + end) : root;
        if (here && other == giant && bits < to_giant.bits) to_giant = {bits, static_cast<std::uint32_t>(e)};
        return other != root && other != giant && v < end && bits >= threshold;
    }
    __device__ __forceinline__ Edge edge(VertexId v, VertexId root, EdgeId e) const {
        const VertexId end = __ldg(s.graph.ends + e);
        EdgeId number = e;
        if (end < v) {
            EdgeId first = s.graph.offsets[end], last = s.graph.offsets[end + EdgeId{1}];
            while (last - first > 1) {
                const EdgeId middle = first + (last - first) / 2;
                (__ldg(s.graph.ends + middle) <= v ? first : last) = middle;
            }
            number = first;
        }
        return {root, __ldg(s.parents + end), s.bits(e), static_cast<std::uint32_t>(number)};
    }
};
__global__ void __launch_bounds__(block_threads)
    list_rest(const __grid_constant__ ForestState s, Edge* edges) {
    constexpr unsigned few = 8;
    __shared__ PlaceOfBlock place;
    const RestOfEdges rest{s};
    const VertexId v = vertex_of_thread();
    const VertexId root = v < s.graph.vertices ? __ldg(s.parents + v) : rest.giant;
    const bool looks = v < s.graph.vertices && root != rest.giant;
    const EdgeId begin = looks ? s.graph.offsets[v] : 0, end = looks ? s.graph.offsets[v + EdgeId{1}] : 0;
    RestOfEdges::Lightest to_giant;
    unsigned kept = 0;
    if (looks && end - begin <= few) {
#pragma unroll
        for (unsigned i = 0; i < few; ++i)
            kept |= unsigned{rest.keeps(begin + i < end, v, root, begin + i, to_giant)} << i;
    }
    for (unsigned left = __ballot_sync(~0U, end - begin > few); left; left &= left - 1) {
        const int from = __ffs(static_cast<int>(left)) - 1;
        const EdgeId first = __shfl_sync(~0U, begin, from), last = __shfl_sync(~0U, end, from);
        const VertexId owner = __shfl_sync(~0U, v, from), its_root = __shfl_sync(~0U, root, from);
        RestOfEdges::Lightest found;
        for (EdgeId e = first + lane_of_warp(); e - lane_of_warp() < last; e += 32) {
            const bool keeps = rest.keeps(e < last, owner, its_root, e, found);
            append(edges, s.sizes + 1, keeps, keeps ? rest.edge(owner, its_root, e) : Edge{});
        }
        const std::uint32_t arc = lightest_of_warp(found.bits, found.arc);
        if (lane_of_warp() == static_cast<unsigned>(from)) to_giant.arc = arc;
    }
    const bool joins = to_giant.arc != no_vertex;
    unsigned at = place.of(static_cast<unsigned>(__popc(kept)) + joins, s.sizes + 1);
    if (joins) edges[at++] = rest.edge(v, root, to_giant.arc);
    for (; kept; kept &= kept - 1)
        edges[at++] = rest.edge(v, root, begin + static_cast<unsigned>(__ffs(static_cast<int>(kept))) - 1);
}

class DeviceForest {
public:
    DeviceForest(const Undirected& plan, Picking picking)
        : plan_(plan),
          picking_(picking),
          // Some edges a vertex suffice to join nearly all.
          wanted_(static_cast<unsigned>(
              std::min(1024.0, 0.25 * 2048 * plan.vertices / static_cast<double>(plan.arcs() + 1)))),
          splits_(picking == Picking::filtered && !plan.weights.empty() && wanted_ < 64),
          graph_(upload(plan, arrays_)),
          parents_(plan.vertices),
          chosen_(plan.vertices),
          picks_(plan.vertices),
          rows_(plan.arcs() / light_arcs + 1),
          words_(8),
          rounds_(plan) {
        state_ = {graph_,        parents_.data(),   picks_.data(),  rows_.data(),
                  words_.data(), words_.data() + 1, chosen_.data(), words_.data() + 2};
    }
    static EdgeId bytes_of(const Undirected& plan) {
        return plan.bytes() + 12 * EdgeId{plan.vertices} + plan.arcs() / light_arcs * 4 +
               BoruvkaRounds::bytes_of(plan);
    }

    Solution run() {
        const VertexId n = plan_.vertices;
        Solution solution;
        if (n == 0) return solution;
        gpu::Timer timer;
        // threshold, giant, size of the forest, size of the list of edges
        LOCKSTEP_CUDA(cudaMemsetAsync(words_.data(), 0, 8 * sizeof(unsigned)));
        LOCKSTEP_CUDA(cudaMemsetAsync(state_.giant, 0xff, sizeof(VertexId)));
        if (picking_ == Picking::filtered) {
            for_vertices(pick_arcs, n, state_, !splits_);
            for_vertices(join_picks, n, state_);
            for_vertices(shorten, n, parents_.data(), n);
            if (splits_) {
                find_threshold<<<1, 1024>>>(state_, plan_.arcs(), wanted_);
                list_light<<<static_cast<unsigned>((plan_.arcs() + light_arcs - 1) / light_arcs),
                             block_threads>>>(state_, plan_.arcs(), rounds_.edges());
                LOCKSTEP_CUDA(cudaGetLastError());
                rounds_.run(parents_.data(), nullptr, chosen_.data(), state_.sizes);
                for_vertices(shorten, n, parents_.data(), n);
                find_giant<<<1, 32>>>(graph_, parents_.data(), state_.giant);
                LOCKSTEP_CUDA(cudaMemsetAsync(state_.sizes + 1, 0, sizeof(unsigned)));
            }
        } else {
            for_vertices(start_alone, n, parents_.data(), n);
        }
        for_vertices(list_rest, n, state_, rounds_.edges());
        rounds_.run(parents_.data(), splits_ ? state_.giant : nullptr, chosen_.data(), state_.sizes);
        solution.seconds = timer.seconds();
        const std::vector<unsigned> words = words_.download();
        std::vector<std::uint32_t> arcs(words[2]);
        solution.rounds = words[4];
        LOCKSTEP_CUDA(
            cudaMemcpy(arcs.data(), chosen_.data(), std::span(arcs).size_bytes(), cudaMemcpyDeviceToHost));
        solution.values = edges_of_arcs(plan_, std::move(arcs));
        return solution;
    }

private:
    const Undirected& plan_;
    const Picking picking_;
    const unsigned wanted_;  ///< of 1,024 edges: light ones
    const bool splits_;
    gpu::DeviceArrays arrays_;
    const UndirectedView graph_;
    gpu::Buffer<VertexId> parents_;
    gpu::Buffer<std::uint32_t> chosen_, picks_;
    gpu::Buffer<VertexId> rows_;
    gpu::Buffer<unsigned> words_;
    BoruvkaRounds rounds_;
    ForestState state_{};
};

Runner forest_on_cuda(const Undirected& plan, Picking picking) {
    require_numbers(plan);
    const EdgeId bytes = DeviceForest::bytes_of(plan);
    gpu::require_memory(bytes, "--device cpu needs none");
    gpu::Timer transfer;
    const auto work = std::make_shared<DeviceForest>(plan, picking);
    return {bytes, transfer.seconds(), [work] { return work->run(); }};
}

}  // namespace lockstep::structure
