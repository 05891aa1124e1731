// Connected components on a GPU (components.hpp).
//
// The algorithm with sampling: every vertex hooks to one of its first neighbours, i.e. takes it as parent.
// After a few steps of path shortening, most vertices are in one giant tree. Then only the vertices outside
// the giant tree process their arcs, which include all arcs between them and the giant tree. If there is no
// giant tree, all vertices process their arcs, so the arcs are distributed in tiles of equal work
// (tiles.cuh). If degrees are skewed and the vertices are not ordered with hubs first, a vertex hooks to a
// neighbour with more arcs. Hubs are often neighbours of each other, so nearly all vertices are then soon in
// one tree.
#include <optional>

#include "lockstep/executor/csr/nested.cuh"
#include "lockstep/executor/structure/components.hpp"
#include "lockstep/executor/structure/tiles.cuh"
#include "lockstep/executor/structure/trees.cuh"
#include "lockstep/executor/worklist/stages.cuh"

namespace lockstep::structure {

/// The rank by which a vertex chooses its parent. Vertices with more arcs rank higher, and among vertices
/// with equally many arcs those with smaller indices.
struct Rank {
    EdgeId degree;
    VertexId vertex;
    __device__ __forceinline__ bool above(const Rank& other) const {
        return degree != other.degree ? degree > other.degree : vertex < other.vertex;
    }
};
__device__ __forceinline__ Rank rank_of(const UndirectedView& g, VertexId v) { return {g.degree(v), v}; }

/// Hooks every vertex to its first (smallest) neighbour, if this is smaller than the vertex.
__global__ void hook_to_first(const UndirectedView g, const Tiles tiles, VertexId* parents, VertexId* least) {
    const VertexId p = vertex_of_thread();
    if (p >= g.vertices) return;
    const EdgeRange edges = g.edges_of(p);
    parents[p] = edges.size() ? min(p, __ldg(g.ends + edges.first)) : p;
    if (g.order) least[p] = g.order[p];
    tiles.mark(g, p);
}

/// Hooks every vertex to a vertex that ranks higher. This is the first such vertex among its first two
/// neighbours or, if there is none, among the next 512, which the whole warp searches.
__global__ void hook_to_hub(const UndirectedView g, const Tiles tiles, VertexId* parents, VertexId* least) {
    constexpr EdgeId few = 2, many = 512;
    const VertexId v = vertex_of_thread();
    const bool here = v < g.vertices;
    const EdgeRange edges = edges_if(here, g, v);
    const Rank mine{edges.size(), v};
    VertexId parent = v;
    for (EdgeId e = edges.first; e < min(edges.first + few, edges.last) && parent == v; ++e) {
        const Rank other = rank_of(g, __ldg(g.ends + e));
        if (other.above(mine)) parent = other.vertex;
    }
    for_each_list(parent == v && edges.size() > few, edges, [&](int lane, const EdgeRange& list) {
        const Rank theirs{list.size(), __shfl_sync(~0U, v, lane)};
        for (EdgeId e = list.first + few; e < min(list.first + few + many, list.last); e += 32) {
            const EdgeId i = e + lane_of_warp();
            const Rank other = i < list.last ? rank_of(g, __ldg(g.ends + i)) : theirs;
            const unsigned above = __ballot_sync(~0U, other.above(theirs));
            if (!above) continue;
            const VertexId found = __shfl_sync(~0U, other.vertex, __ffs(static_cast<int>(above)) - 1);
            if (lane_of_warp() == static_cast<unsigned>(lane)) parent = found;
            break;
        }
    });
    if (!here) return;
    parents[v] = parent;
    least[v] = v;
    tiles.mark(g, v);
}

/// Joins trees along the arcs of every vertex outside the giant component, until the vertex is in it. Arcs
/// that are then skipped are processed from their other endpoints. If `giant_first`, the root of the giant
/// component remains a root.
///
/// Most endpoints that are in the same tree have the same parent. Therefore the parents are compared before a
/// join, which avoids contention for the word of a root. For this comparison, a stale parent from the L1
/// cache suffices.
__global__ void __launch_bounds__(block_threads)
    join_rest(const UndirectedView g, const Tiles tiles, VertexId* parents, const VertexId* giant_root,
              bool giant_first) {
    const VertexId giant = *giant_root;
    const Tile tile(g, tiles);
    tile.for_each_vertex([&](VertexId v, bool here) {
        const bool outside = here && peek(parents + v) != giant;
        for_each_edge<block_threads>(v, tile.edges_if(outside, v), [&](VertexId u, EdgeId e) {
            const VertexId root = root_of(parents, u);
            if (root == giant) return;
            const VertexId end = __ldg(g.ends + e);
            if (root != __ldca(parents + end)) join(parents, root, end, giant_first ? giant : no_vertex);
        });
    });
}

/// Makes every vertex a child of its root, and stores the smallest vertex of each tree in `least`, in which
/// each element is initially the vertex itself. For the giant component, each thread block updates `least`
/// only once.
__global__ void __launch_bounds__(block_threads)
    settle(const UndirectedView g, VertexId* parents, VertexId* least, const VertexId* giant_root) {
    __shared__ VertexId least_of_giant;
    if (threadIdx.x == 0) least_of_giant = no_vertex;
    __syncthreads();
    const VertexId p = vertex_of_thread(), giant = *giant_root;
    const bool here = p < g.vertices;
    const VertexId root = here ? shorten_path(parents, p) : no_vertex, v = here ? g.vertex(p) : no_vertex;
    if (here && root != giant && root != p) improve(least + root, v);
    const VertexId of_giant = min_of_warp(here && root == giant ? v : no_vertex);
    if (lane_of_warp() == 0 && of_giant != no_vertex) atomicMin(&least_of_giant, of_giant);
    __syncthreads();
    if (threadIdx.x == 0 && least_of_giant != no_vertex) improve(least + giant, least_of_giant);
}
__global__ void label(const UndirectedView g, const VertexId* parents, const VertexId* least,
                      VertexId* labels) {
    const VertexId p = vertex_of_thread();
    if (p < g.vertices) labels[g.vertex(p)] = least[parents[p]];
}

/// Soman's algorithm: rounds in which larger roots hook to smaller ones, until nothing changes. After each
/// round, every vertex is a child of its root.
struct SomanRounds {
    enum class Step { hook, shorten };
    static constexpr gpu::Shape shape{block_threads, 4};
    using Order = worklist::Stages<Step::hook, Step::shorten>;
    struct State {
        unsigned round;
    };
    using Lists = Nested<block_threads, OwnedList<EdgeId>>;

    UndirectedView g;
    VertexId* parents;
    unsigned* hooked;  ///< for each of three consecutive rounds: whether a root has hooked
    Shares shares;

    LOCKSTEP_HD static constexpr bool decides(Step step) { return step == Step::hook; }
    template <Step step>
    __device__ auto run(State& s) const {
        if constexpr (step == Step::hook) {
            if (s.round > 0 && __ldcg(hooked + (s.round - 1) % 3) == 0) return worklist::NextStage::stop;
            if (thread_of_grid() == 0) hooked[(s.round + 1) % 3] = 0;
            hook(hooked + s.round % 3);
            return worklist::NextStage::on;
        } else {
            for (EdgeId v = thread_of_grid(); v < g.vertices; v += threads_of_grid())
                shorten_path(parents, static_cast<VertexId>(v));
            ++s.round;
        }
    }

private:
    __device__ void hook(unsigned* any) const {
        __shared__ Lists arcs;
        for (EdgeId base = EdgeId{blockIdx.x} * block_threads; base < g.vertices; base += threads_of_grid()) {
            const EdgeId v = base + threadIdx.x;
            const EdgeRange edges = edges_if(v < g.vertices, g, static_cast<VertexId>(v));
            const Lists::List mine{edges.first, edges.last, static_cast<VertexId>(v)};
            arcs.each_number(shares, mine, [&](const Lists::List& of, EdgeId e) {
                const VertexId a = peek(parents + of.owner), b = peek(parents + __ldg(g.ends + e));
                if (a != b && improve(parents + max(a, b), min(a, b))) put(any, 1U);
            });
        }
    }
};

class DeviceComponents {
public:
    DeviceComponents(const Undirected& plan, ComponentMethod joining, const RoundAxes& axes)
        : plan_(plan),
          joining_(joining),
          axes_(axes),
          by_degree_(plan.order.empty() &&
                     plan.largest > 16 * (plan.arcs() / (plan.vertices + EdgeId{1}) + 1)),
          graph_(upload(plan, arrays_)),
          parents_(plan.vertices),
          least_(plan.vertices),
          labels_(plan.vertices),
          giant_(1),
          hooked_(3),
          tiles_(tiles_of(plan, rows_)) {
        if (joining == ComponentMethod::soman) looping_.emplace();
    }

    static EdgeId bytes_of(const Undirected& plan) {
        return plan.bytes() + 12 * EdgeId{plan.vertices} + bytes_of_tiles(plan);
    }

    Solution run() {
        const VertexId n = plan_.vertices;
        Solution solution{.rounds = 1};
        if (n == 0) return solution;
        gpu::Timer timer;
        const bool relabels =
            joining_ == ComponentMethod::sampled ? by_sampling() : by_rounds(solution.rounds);
        if (relabels) for_vertices(label, n, graph_, parents_.data(), least_.data(), labels_.data());
        const VertexId* const result = relabels ? labels_.data() : parents_.data();
        solution.seconds = timer.seconds();
        solution.values = download(result, n);
        return solution;
    }

private:
    /// Finds the components by sampling. Returns true if the root of a tree need not be its smallest vertex.
    /// In this case, `least_` contains the smallest vertex of each root's tree.
    bool by_sampling() {
        const VertexId n = plan_.vertices;
        const bool relabels = by_degree_ || !plan_.order.empty();
        for_vertices(by_degree_ ? hook_to_hub : hook_to_first, n, graph_, tiles_, parents_.data(),
                     least_.data());
        for_vertices(shorten, n, parents_.data(), n);
        find_giant<<<1, 32>>>(graph_, parents_.data(), giant_.data());
        join_rest<<<tiles_.count, block_threads>>>(graph_, tiles_, parents_.data(), giant_.data(), relabels);
        LOCKSTEP_CUDA(cudaGetLastError());
        if (relabels)
            for_vertices(settle, n, graph_, parents_.data(), least_.data(), giant_.data());
        else
            for_vertices(shorten, n, parents_.data(), n);
        return relabels;
    }
    bool by_rounds(std::uint64_t& rounds) {
        const VertexId n = plan_.vertices;
        for_vertices(start_alone, n, parents_.data(), n);
        hooked_.zero();
        SomanRounds::State state{};
        looping_->run({graph_, parents_.data(), hooked_.data(), axes_.shares}, state, axes_.loop,
                      [](const auto&) { return true; });
        rounds = state.round;
        if (plan_.order.empty()) return false;
        LOCKSTEP_CUDA(
            cudaMemcpyAsync(least_.data(), graph_.order, 4 * std::size_t{n}, cudaMemcpyDeviceToDevice));
        find_giant<<<1, 32>>>(graph_, parents_.data(), giant_.data());
        for_vertices(settle, n, graph_, parents_.data(), least_.data(), giant_.data());
        return true;
    }

    const Undirected& plan_;
    const ComponentMethod joining_;
    const RoundAxes axes_;
    const bool by_degree_;
    gpu::DeviceArrays arrays_;
    const UndirectedView graph_;
    gpu::Buffer<VertexId> parents_, least_, labels_, giant_, rows_;
    gpu::Buffer<unsigned> hooked_;
    const Tiles tiles_;
    std::optional<worklist::LoopRunner<SomanRounds>> looping_;
};

Runner components_on_cuda(const Undirected& plan, ComponentMethod joining, const RoundAxes& axes) {
    return runner_of<DeviceComponents>(DeviceComponents::bytes_of(plan), plan, joining, axes);
}

}  // namespace lockstep::structure
