// A spanning forest of least weight on a GPU (forest.hpp): which edges there are to choose from. The rounds,
// in which trees choose, are in boruvka.cuh.
#pragma once

#include <memory>

#include "lockstep/executor/structure/boruvka.cuh"
#include "lockstep/executor/structure/trees.cuh"

namespace lockstep::structure {

inline constexpr EdgeId pick_most = 1024;     ///< arcs of a vertex that picks; hubs are picked by the others
inline constexpr unsigned light_arcs = 2048;  ///< a block's, when the light ones are looked for

struct ForestState {
    UndirectedView graph;
    VertexId* parents;
    std::uint32_t* picks;      ///< arcs; no_vertex: none
    VertexId* rows;            ///< in which every 2048th arc is
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

/// Every vertex's lightest arc, the first of several: a list is in the order of the edges of one weight.
__global__ void __launch_bounds__(block_threads) pick_arcs(const __grid_constant__ ForestState s, bool all) {
    const VertexId v = vertex_of_thread();
    const bool here = v < s.graph.vertices;
    const EdgeId begin = here ? s.graph.offsets[v] : 0, end = here ? s.graph.offsets[v + EdgeId{1}] : 0;
    if (here) s.parents[v] = v;
    for (EdgeId tile = (begin + light_arcs - 1) / light_arcs; tile * light_arcs < end; ++tile)
        s.rows[tile] = v;
    constexpr std::uint64_t no_key = ~std::uint64_t{0};
    std::uint64_t best = no_key;
    const auto look = [&](EdgeId e) {
        const std::uint64_t key = std::uint64_t{s.bits(e)} << 32 | e;
        if (key < best) best = key;
    };
    const bool few = end - begin <= 8, picks = all || end - begin <= pick_most;
    for (EdgeId e = begin; few && e < end; ++e) look(e);
    for (unsigned left = __ballot_sync(~0U, !few && picks); left; left &= left - 1) {
        const int from = __ffs(static_cast<int>(left)) - 1;
        const EdgeId first = __shfl_sync(~0U, begin, from), last = __shfl_sync(~0U, end, from);
        const std::uint64_t kept = best;
        best = no_key;
#pragma unroll 4
        for (EdgeId e = first + lane_of_warp(); e < last; e += 32) look(e);
#pragma unroll
        for (int width = 16; width > 0; width /= 2) {
            const std::uint64_t other = __shfl_xor_sync(~0U, best, width);
            if (other < best) best = other;
        }
        if (lane_of_warp() != static_cast<unsigned>(from)) best = kept;
    }
    if (here) s.picks[v] = static_cast<std::uint32_t>(best);  // the low half of no_key is no_vertex
}
__global__ void join_picks(const __grid_constant__ ForestState s) {
    const VertexId v = vertex_of_thread();
    const std::uint32_t arc = v < s.graph.vertices ? s.picks[v] : no_vertex;
    const bool joined = arc != no_vertex && join(s.parents, v, __ldg(s.graph.ends + arc));
    append(s.chosen, s.sizes, joined, arc);
}

/// The light edges between two trees. A block reads the weights of its arcs, and the rest of the light ones.
__global__ void __launch_bounds__(block_threads)
    list_light(const __grid_constant__ ForestState s, EdgeId arcs, Edge* edges) {
    __shared__ PlaceOfBlock place;
    constexpr unsigned each = light_arcs / block_threads;
    const std::uint32_t threshold = *s.threshold;
    const EdgeId first = EdgeId{blockIdx.x} * light_arcs;
    const VertexId low = s.rows[blockIdx.x],
                   high = first + light_arcs < arcs ? s.rows[blockIdx.x + 1] : s.graph.vertices - 1;
    std::uint32_t bits[each];
#pragma unroll
    for (unsigned i = 0; i < each; ++i) {
        const EdgeId e = first + i * block_threads + threadIdx.x;
        bits[i] = e < arcs ? s.bits(e) : ~0U;
    }
    Edge found[each];
    unsigned count = 0;
#pragma unroll
    for (unsigned i = 0; i < each; ++i) {
        if (bits[i] >= threshold) continue;
        const EdgeId e = first + i * block_threads + threadIdx.x;
        VertexId row = low, beyond = high + 1;  // offsets[row] <= e < offsets[beyond]
        while (beyond - row > 1) {
            const VertexId middle = row + (beyond - row) / 2;
            (s.graph.offsets[middle] <= e ? row : beyond) = middle;
        }
        const VertexId end = __ldg(s.graph.ends + e);
        if (end < row) continue;
        const VertexId a = peek(s.parents + row), b = peek(s.parents + end);
        if (a != b) found[count++] = {a, b, bits[i], static_cast<std::uint32_t>(e)};
    }
    const unsigned at = place.of(count, s.sizes + 1);
    for (unsigned i = 0; i < count; ++i) edges[at + i] = found[i];
}

/// The edges that leave a tree other than the giant, as heavy as the threshold or heavier. Next to the giant
/// one is seen from the other end, and has to look for its number where the giant's vertex has it.
struct RestOfEdges {
    const ForestState& s;
    const std::uint32_t threshold = *s.threshold;
    const VertexId giant = *s.giant;

    __device__ __forceinline__ bool keeps(VertexId v, VertexId root, EdgeId e) const {
        const VertexId end = __ldg(s.graph.ends + e), other = peek(s.parents + end);
        return other != root && (v < end || other == giant) && s.bits(e) >= threshold;
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
        return {root, peek(s.parents + end), s.bits(e), static_cast<std::uint32_t>(number)};
    }
};
__global__ void __launch_bounds__(block_threads)
    list_rest(const __grid_constant__ ForestState s, Edge* edges) {
    __shared__ PlaceOfBlock place;
    const RestOfEdges rest{s};
    const VertexId v = vertex_of_thread();
    const bool here = v < s.graph.vertices;
    const VertexId root = here ? peek(s.parents + v) : no_vertex;
    const bool looks = here && root != rest.giant;
    const EdgeId begin = looks ? s.graph.offsets[v] : 0, end = looks ? s.graph.offsets[v + EdgeId{1}] : 0;
    const bool few = end - begin <= 32;
    unsigned kept = 0;
    for (unsigned i = 0; few && i < end - begin; ++i) kept |= unsigned{rest.keeps(v, root, begin + i)} << i;
    unsigned at = place.of(static_cast<unsigned>(__popc(kept)), s.sizes + 1);
    for (; kept; kept &= kept - 1)
        edges[at++] = rest.edge(v, root, begin + static_cast<unsigned>(__ffs(static_cast<int>(kept))) - 1);
    for (unsigned left = __ballot_sync(~0U, !few); left; left &= left - 1) {
        const int from = __ffs(static_cast<int>(left)) - 1;
        const EdgeId first = __shfl_sync(~0U, begin, from), last = __shfl_sync(~0U, end, from);
        const VertexId owner = __shfl_sync(~0U, v, from), its_root = __shfl_sync(~0U, root, from);
        for (EdgeId e = first + lane_of_warp(); e - lane_of_warp() < last; e += 32) {
            const bool keeps = e < last && rest.keeps(owner, its_root, e);
            append(edges, s.sizes + 1, keeps, keeps ? rest.edge(owner, its_root, e) : Edge{});
        }
    }
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
