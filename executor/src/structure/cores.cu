// k-cores on a GPU (cores.hpp): either in rounds that the host launches, by push or pull, or by one
// persistent kernel (peel.cuh).
#include "lockstep/executor/structure/cores.hpp"
#include "lockstep/executor/structure/peel.cuh"

namespace lockstep::structure {

/// A round pulls if it removes at least 1 / peel_few of all vertices; otherwise the removed vertices push.
inline constexpr VertexId peel_few = 64;

/// The vertices that a kernel has found for the next round.
struct RemovableVertices {
    unsigned count;  ///< number of vertices that the round removes
    unsigned least;  ///< minimum degree of the remaining vertices, if the round has examined all of them
};

struct RoundsState {
    UndirectedView graph;
    std::uint32_t* degrees;
    std::uint32_t* gone;  ///< round in which each vertex is removed; no_vertex: not removed
    VertexId* lists[2];   ///< vertices that even rounds, and odd rounds, remove
    RemovableVertices* found;
};

__global__ void start_degrees(const RoundsState s) {
    const VertexId v = vertex_of_thread();
    if (v >= s.graph.vertices) return;
    s.degrees[v] = static_cast<std::uint32_t>(s.graph.degree(v));
    s.gone[v] = no_vertex;
}
/// Removes the vertices whose degrees are at most the level.
__global__ void find_level(const RoundsState s, unsigned level, unsigned round) {
    const VertexId v = vertex_of_thread();
    const bool here = v < s.graph.vertices && s.gone[v] == no_vertex;
    const unsigned degree = here ? s.degrees[v] : no_vertex;
    const bool goes = here && degree <= level;
    if (goes) s.gone[v] = round;
    append(s.lists[round % 2], &s.found->count, goes, v);
    const unsigned least = min_of_warp(goes ? no_vertex : degree);
    if (lane_of_warp() == 0 && least < peek(&s.found->least)) atomicMin(&s.found->least, least);
}
/// Subtracts one from the degree of each neighbour of the removed vertices, but not below the level.
__global__ void __launch_bounds__(block_threads)
    push_ones(const RoundsState s, unsigned level, unsigned round, unsigned count) {
    const unsigned i = blockIdx.x * block_threads + threadIdx.x;
    const VertexId v = i < count ? s.lists[round % 2][i] : 0;
    for_each_edge<block_threads>(v, edges_if(i < count, s.graph, v), [&](VertexId, EdgeId e) {
        const VertexId u = __ldg(s.graph.ends + e);
        if (peek(s.degrees + u) <= level) return;
        const unsigned before = atomicSub(s.degrees + u, 1U);
        if (before == level + 1) {
            s.gone[u] = round + 1;
            s.lists[(round + 1) % 2][atomicAdd(&s.found->count, 1U)] = u;
        } else if (before <= level) {
            atomicAdd(s.degrees + u, 1U);
        }
    });
}
/// Every remaining vertex counts how many of its neighbours this round removes, and reduces its degree. A
/// vertex with many neighbours is processed by its warp.
__global__ void __launch_bounds__(block_threads)
    pull_ones(const RoundsState s, unsigned level, unsigned round) {
    const VertexId v = vertex_of_thread();
    const bool here = v < s.graph.vertices && s.gone[v] == no_vertex;
    const EdgeRange edges = edges_if(here, s.graph, v);
    const auto went = [&](EdgeId e) { return peek(s.gone + __ldg(s.graph.ends + e)) == round ? 1U : 0U; };
    unsigned lost = 0;
    const bool few = edges.size() < 32;
    if (few) {
        for (const EdgeId e : edges) lost += went(e);
    }
    for_each_list(!few, edges, [&](int lane, const EdgeRange& list) {
        unsigned count = 0;
        for (EdgeId e = list.first + lane_of_warp(); e < list.last; e += 32) count += went(e);
        count = sum_of_warp(count);
        if (lane_of_warp() == static_cast<unsigned>(lane)) lost = count;
    });
    bool goes = false;
    if (lost) {
        const unsigned degree = s.degrees[v] > level + lost ? s.degrees[v] - lost : level;
        s.degrees[v] = degree;
        goes = degree == level;
        if (goes) put(s.gone + v, round + 1);
    }
    append(s.lists[(round + 1) % 2], &s.found->count, goes, v);
}
/// Writes the value of each vertex of the graph: its core number or, if `left`, whether it is in the k-core.
__global__ void write_cores(const UndirectedView g, const std::uint32_t* cores, bool left,
                            std::uint32_t* values) {
    const VertexId p = vertex_of_thread();
    if (p < g.vertices) values[g.vertex(p)] = left ? cores[p] == no_vertex : cores[p];
}

class DeviceCores {
public:
    DeviceCores(const Undirected& plan, CoreMethod peeling, std::optional<std::uint32_t> k)
        : plan_(plan),
          peeling_(peeling),
          k_(k),
          graph_(upload(plan, arrays_)),
          degrees_(plan.vertices),
          marks_(plan.vertices),
          values_(plan.vertices) {
        const EdgeId n = plan.vertices;
        if (peeling == CoreMethod::local) {
            blocks_ = gpu::resident_blocks(peel, shape, 0);
            capacity_ = ((n + 31) / 32 + blocks_ - 1) / blocks_ * 32;
            lists_ = gpu::Buffer<VertexId>(2 * blocks_ * capacity_);
            for (auto& pieces : pieces_) pieces = gpu::Buffer<Piece>(piece_room(plan));
            words_ = gpu::Buffer<std::uint64_t>(8);
        } else {
            lists_ = gpu::Buffer<VertexId>(2 * n);
            found_ = gpu::Buffer<RemovableVertices>(1);
        }
    }
    static EdgeId bytes_of(const Undirected& plan, CoreMethod peeling) {
        return plan.bytes() + 20 * EdgeId{plan.vertices} +
               (peeling == CoreMethod::local ? 32 * piece_room(plan) : 0);
    }

    Solution run() {
        const VertexId n = plan_.vertices;
        Solution solution{.values = std::vector<std::uint32_t>(n, 1)};
        if (n == 0 || k_ == 0U) return solution;
        gpu::Timer timer;
        if (peeling_ == CoreMethod::local)
            at_once();
        else
            solution.rounds = by_rounds();
        const bool marked = peeling_ == CoreMethod::local || k_;
        for_vertices(write_cores, n, graph_, marked ? marks_.data() : degrees_.data(), k_.has_value(),
                     values_.data());
        solution.seconds = timer.seconds();
        if (peeling_ == CoreMethod::local) solution.rounds = words_.download()[6];
        solution.values = values_.download();
        return solution;
    }

private:
    static constexpr gpu::Shape shape{peel_threads, 2};
    static EdgeId piece_room(const Undirected& plan) { return plan.vertices + plan.arcs() / peel_piece + 1; }

    void at_once() {
        // Layout of `words_`: numbers of pieces of three rounds, arrivals at the barrier, three levels (4
        // bytes each, in 16 bytes), number of rounds.
        LOCKSTEP_CUDA(cudaMemsetAsync(words_.data(), 0, 8 * sizeof(std::uint64_t)));
        LOCKSTEP_CUDA(cudaMemsetAsync(words_.data() + 4, 0xff, 2 * sizeof(std::uint64_t)));
        const PeelState state{.graph = graph_,
                              .degrees = degrees_.data(),
                              .cores = marks_.data(),
                              .lists = lists_.data(),
                              .capacity = capacity_,
                              .pieces = {pieces_[0].data(), pieces_[1].data()},
                              .sizes = reinterpret_cast<unsigned long long*>(words_.data()),
                              .levels = reinterpret_cast<unsigned*>(words_.data() + 4),
                              .rounds = words_.data() + 6,
                              .arrivals = words_.data() + 3,
                              .all = !k_,
                              .level = k_ ? *k_ - 1 : 0};
        gpu::launch_blocks(peel, blocks_, peel_threads, 0, state);
    }

    std::uint64_t by_rounds() {
        const VertexId n = plan_.vertices;
        const RoundsState state{
            graph_, degrees_.data(), marks_.data(), {lists_.data(), lists_.data() + n}, found_.data()};
        const auto take = [&](const auto& launch) {
            LOCKSTEP_CUDA(cudaMemsetAsync(&found_.data()->count, 0, sizeof(unsigned)));
            LOCKSTEP_CUDA(cudaMemsetAsync(&found_.data()->least, 0xff, sizeof(unsigned)));
            launch();
            return found_.download()[0];
        };
        for_vertices(start_degrees, n, state);
        unsigned round = 0;
        for (unsigned level = k_ ? *k_ - 1 : 0; level != no_vertex;) {
            RemovableVertices found = take([&] { for_vertices(find_level, n, state, level, round); });
            const unsigned next = found.least;
            const bool any = found.count > 0;
            while (found.count) {
                found = take([&] {
                    // If few vertices were removed, they push. A pull would examine all vertices, and a long
                    // path needs as many rounds as it has vertices, so the total work would be quadratic.
                    if (peeling_ == CoreMethod::push || found.count < n / peel_few)
                        for_vertices(push_ones, found.count, state, level, round, found.count);
                    else
                        for_vertices(pull_ones, n, state, level, round);
                });
                ++round;
            }
            ++round;
            if (k_) break;
            level = any && next != no_vertex ? level + 1 : next;
        }
        return round;
    }

    const Undirected& plan_;
    const CoreMethod peeling_;
    const std::optional<std::uint32_t> k_;
    gpu::DeviceArrays arrays_;
    const UndirectedView graph_;
    gpu::Buffer<std::uint32_t> degrees_, marks_, values_;
    gpu::Buffer<VertexId> lists_;
    gpu::Buffer<Piece> pieces_[2];
    gpu::Buffer<std::uint64_t> words_;
    gpu::Buffer<RemovableVertices> found_;
    unsigned blocks_ = 0;
    EdgeId capacity_ = 0;
};

Runner cores_on_cuda(const Undirected& plan, CoreMethod peeling, std::optional<std::uint32_t> k) {
    return runner_of<DeviceCores>(DeviceCores::bytes_of(plan, peeling), plan, peeling, k);
}

}  // namespace lockstep::structure
