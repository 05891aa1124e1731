// Borůvka's algorithm on a GPU, over a list of edges. In each round, every tree takes its lightest edge to
// another tree, and the trees are joined along these edges; edges inside a tree leave the list. All rounds
// run in one cooperative launch, or each round in two launches.
//
// A tree takes one edge, and its root gets the root at the other end of this edge as parent. So no two
// threads write the same word. If two trees take the same edge, one of the two roots remains. There are no
// longer cycles, because the keys of all edges differ.
//
// Round r stores the lightest edge of each tree in array r % 2, and meanwhile resets the other array for all
// current trees. This suffices, because each tree of the next round has a root that is an endpoint of an edge
// of this round.
//
// A giant tree, to which most edges lead, takes no edge. All other trees take one, so that a round makes as
// much progress, and the threads do not all contend for the word of the giant tree.
#pragma once

#include "lockstep/executor/device/barrier.cuh"
#include "lockstep/executor/structure/device.cuh"
#include "lockstep/executor/structure/forest.hpp"
#include "lockstep/executor/worklist/append.cuh"

namespace lockstep::structure {

/// An edge between the trees with the roots `a` and `b`. `bits` is its weight (ordered_bits); `arc` is the
/// index of its arc from the smaller vertex, which orders edges of equal weight.
struct alignas(16) Edge {
    VertexId a, b;
    std::uint32_t bits, arc;
    __device__ __forceinline__ unsigned long long key() const {
        return static_cast<unsigned long long>(bits) << 32 | arc;
    }
};

using BlockReservation = worklist::PositionReservation<block_threads>;

/// Counters and intermediate results of the computation of a forest. Initially they are zero, except `giant`,
/// which is no_vertex.
struct ForestWords {
    EdgeId arrivals[2];            ///< arrivals at the device-wide barriers of the two launches
    unsigned long long threshold;  ///< largest key of a light edge
    unsigned sizes[3];  ///< lengths of the edge lists of three consecutive rounds; zero again after a launch
    unsigned chosen, rounds;  ///< number of edges of the forest; number of rounds of all launches
    VertexId giant;           ///< root of the tree that takes no edge; no_vertex: each round looks for one
    /// giant tree of the current round, if each half of a round is a launch of its own
    VertexId giant_of_round;
};

struct BoruvkaState {
    VertexId* parents;
    Edge* edges[2];
    unsigned long long* best[2];
    std::uint32_t* chosen;
    ForestWords* words;
    unsigned launch;  ///< index of the launch that uses these words: 0 or 1
    worklist::Append append;
};

inline constexpr unsigned boruvka_unroll = 4;

/// Returns the tree that contains most of 32 sampled endpoints of edges, or no_vertex if it contains fewer
/// than four of them. All lanes of a warp must call it, and roots must not change meanwhile.
__device__ __forceinline__ VertexId common_root(const BoruvkaState& s, const Edge* edges, unsigned count) {
    std::uint32_t drawn = (lane_of_warp() + 1) * 2654435761U;
    drawn ^= drawn >> 15;
    const Edge* const edge = edges + (EdgeId{drawn * 2246822519U} * count >> 32);
    const VertexId root = root_of(s.parents, lane_of_warp() % 2 ? __ldcg(&edge->a) : __ldcg(&edge->b));
    const auto alike = static_cast<unsigned>(__popc(__match_any_sync(~0U, root)));
    const unsigned most = most_of(~0U, alike), those = __ballot_sync(~0U, alike == most);
    const VertexId found = __shfl_sync(~0U, root, __ffs(static_cast<int>(those)) - 1);
    return most >= 4 ? found : no_vertex;
}

/// Lowers the key in best[tree] to that of `edge`, if it is lighter. Most edges are not lighter, so the
/// current key is read first. If many lanes have the same tree, only the lane with the lightest edge
/// continues, because otherwise all these lanes would contend for one word.
__device__ __forceinline__ void offer(unsigned long long* best, VertexId tree, const Edge& edge) {
    if (edge.key() >= __ldcg(best + tree)) return;
    const unsigned alike = __match_any_sync(__activemask(), tree);
    if (__popc(alike) > 4) {
        const unsigned least = least_of(alike, edge.bits);
        if (least_of(alike, edge.bits == least ? edge.arc : ~0U) != edge.arc) return;
    }
    atomicMin(best + tree, edge.key());
}

__device__ __forceinline__ Edge load_edge(const Edge* edge) {
    const uint4 words = __ldcg(reinterpret_cast<const uint4*>(edge));
    return {words.x, words.y, words.z, words.w};
}

/// First half of a round, over `count` edges. Edges between two trees stay in the list and are offered to
/// both trees. Returns the giant tree, or no_vertex if there is none, to all threads.
__device__ __forceinline__ VertexId offer_edges(const BoruvkaState& s, unsigned round, unsigned count) {
    __shared__ BlockReservation place;
    __shared__ VertexId shared_giant;
    const unsigned step = gridDim.x * block_threads * boruvka_unroll;
    const Edge* const from = s.edges[round % 2];
    Edge* const to = s.edges[(round + 1) % 2];
    unsigned long long* const best = s.best[round % 2];
    if (threadIdx.x < 32) {
        const VertexId given = s.words->giant;
        const VertexId found = given == no_vertex ? common_root(s, from, count) : given;
        if (threadIdx.x == 0) shared_giant = found;
    }
    __syncthreads();
    const VertexId giant = shared_giant;
    for (unsigned base = blockIdx.x * block_threads * boruvka_unroll; base < count; base += step) {
        Edge e[boruvka_unroll];
        VertexId a[boruvka_unroll], b[boruvka_unroll];
        unsigned kept = 0;
#pragma unroll
        for (unsigned i = 0; i < boruvka_unroll; ++i) {
            const unsigned at = base + i * block_threads + threadIdx.x;
            e[i] = at < count ? load_edge(from + at) : Edge{0, 0, 0, 0};
        }
#pragma unroll
        for (unsigned i = 0; i < boruvka_unroll; ++i)
            a[i] = peek(s.parents + e[i].a), b[i] = peek(s.parents + e[i].b);
#pragma unroll
        for (unsigned i = 0; i < boruvka_unroll; ++i)
            e[i].a = peek(s.parents + a[i]), e[i].b = peek(s.parents + b[i]);
#pragma unroll
        for (unsigned i = 0; i < boruvka_unroll; ++i) {
            if (e[i].a != a[i]) e[i].a = root_of(s.parents, e[i].a);
            if (e[i].b != b[i]) e[i].b = root_of(s.parents, e[i].b);
            if (e[i].a == e[i].b) continue;
            ++kept;
            if (e[i].a != giant) offer(best, e[i].a, e[i]);
            if (e[i].b != giant) offer(best, e[i].b, e[i]);
        }
        unsigned at = place.of(kept, s.words->sizes + (round + 1) % 3, s.append);
#pragma unroll
        for (unsigned i = 0; i < boruvka_unroll; ++i) {
            if (e[i].a != e[i].b)
                __stcg(reinterpret_cast<uint4*>(to + at++), make_uint4(e[i].a, e[i].b, e[i].bits, e[i].arc));
        }
    }
    return giant;
}

/// Second half of a round, after a barrier: joins every tree except the giant one to the tree at the other
/// end of its lightest edge.
__device__ __forceinline__ void join_trees(const BoruvkaState& s, unsigned round, VertexId giant) {
    __shared__ BlockReservation place;
    unsigned* const sizes = s.words->sizes;
    const Edge* const edges = s.edges[(round + 1) % 2];
    const unsigned long long* const best = s.best[round % 2];
    unsigned long long* const other = s.best[(round + 1) % 2];
    const unsigned left = __ldcg(sizes + (round + 1) % 3);
    if (thread_of_grid() == 0) sizes[(round + 2) % 3] = 0;
    for (unsigned base = blockIdx.x * block_threads; base < left; base += gridDim.x * block_threads) {
        const unsigned i = base + threadIdx.x;
        bool taken = false;
        Edge e{};
        if (i < left) {
            e = load_edge(edges + i);
            const unsigned long long key = e.key();
            const bool by_a = e.a != giant && __ldcg(best + e.a) == key,
                       by_b = e.b != giant && __ldcg(best + e.b) == key;
            other[e.a] = other[e.b] = ~0ULL;
            taken = by_a || by_b;
            const bool under_b = by_a && (!by_b || e.b < e.a);
            if (taken) put(s.parents + (under_b ? e.a : e.b), under_b ? e.b : e.a);
        }
        const unsigned at = place.of(taken, &s.words->chosen, s.append);
        if (taken) s.chosen[at] = e.arc;
    }
}

/// Runs all rounds in one launch. The next two kernels run one half of a round each.
__global__ void __launch_bounds__(block_threads) boruvka(const __grid_constant__ BoruvkaState s) {
    gpu::DeviceBarrier barrier(s.words->arrivals + s.launch);
    unsigned* const sizes = s.words->sizes;
    unsigned round = 0;
    for (;; ++round) {
        const unsigned count = __ldcg(sizes + round % 3);
        if (count == 0) break;
        const VertexId giant = offer_edges(s, round, count);
        barrier.sync();
        join_trees(s, round, giant);
        barrier.sync();
    }
    if (thread_of_grid() == 0) {
        sizes[(round + 2) % 3] = 0;
        s.words->rounds += round;
    }
}
__global__ void __launch_bounds__(block_threads)
    boruvka_offers(const __grid_constant__ BoruvkaState s, unsigned round, unsigned count) {
    const VertexId giant = offer_edges(s, round, count);
    if (thread_of_grid() == 0) s.words->giant_of_round = giant;
}
__global__ void __launch_bounds__(block_threads)
    boruvka_joins(const __grid_constant__ BoruvkaState s, unsigned round) {
    join_trees(s, round, s.words->giant_of_round);
    if (thread_of_grid() == 0) ++s.words->rounds;
}

class BoruvkaRounds {
public:
    BoruvkaRounds(const Undirected& plan, const RoundAxes& axes) : vertices_(plan.vertices), axes_(axes) {
        for (auto& list : edges_) list = gpu::Buffer<Edge>(plan.arcs() / 2 + 1);
        for (auto& array : best_) array = gpu::Buffer<unsigned long long>(plan.vertices);
        blocks_ = gpu::resident_blocks(boruvka, gpu::Shape{block_threads, 4}, 0);
    }
    static EdgeId bytes_of(const Undirected& plan) { return 16 * plan.arcs() + 16 * EdgeId{plan.vertices}; }

    /// Returns the list of edges that run() will read.
    Edge* edges() { return edges_[0].data(); }
    /// Runs rounds until no edge connects two trees. `launch` is 0 in the first call with these words, and 1
    /// in the second.
    void run(VertexId* parents, std::uint32_t* chosen, ForestWords* words, unsigned launch) {
        LOCKSTEP_CUDA(cudaMemsetAsync(best_[0].data(), 0xff, sizeof(unsigned long long) * vertices_));
        const BoruvkaState state{.parents = parents,
                                 .edges = {edges_[0].data(), edges_[1].data()},
                                 .best = {best_[0].data(), best_[1].data()},
                                 .chosen = chosen,
                                 .words = words,
                                 .launch = launch,
                                 .append = axes_.append};
        if (axes_.loop == worklist::Loop::outlined)
            return gpu::launch_blocks(boruvka, blocks_, block_threads, 0, state);
        for (unsigned round = 0;; ++round) {
            const unsigned count = download(&words->sizes[round % 3], 1)[0];
            if (count == 0) break;
            boruvka_offers<<<blocks_, block_threads>>>(state, round, count);
            boruvka_joins<<<blocks_, block_threads>>>(state, round);
            LOCKSTEP_CUDA(cudaGetLastError());
        }
        LOCKSTEP_CUDA(cudaMemsetAsync(words->sizes, 0, sizeof words->sizes));
    }

private:
    const VertexId vertices_;
    const RoundAxes axes_;
    gpu::Buffer<Edge> edges_[2];
    gpu::Buffer<unsigned long long> best_[2];
    unsigned blocks_ = 0;
};

}  // namespace lockstep::structure
