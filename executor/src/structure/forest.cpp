#include "lockstep/executor/structure/forest.hpp"

#include <omp.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "lockstep/schedules/error.hpp"
#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep::structure {

void require_numbers(const Undirected& plan) {
    if (plan.arcs() > std::numeric_limits<std::uint32_t>::max())
        throw ScheduleError("a spanning forest is for graphs of up to 2^32 arcs, but there are " +
                            std::to_string(plan.arcs()));
}

std::vector<std::uint32_t> edges_of_arcs(const Undirected& plan, std::vector<std::uint32_t> arcs) {
    std::vector<std::pair<VertexId, VertexId>> edges(arcs.size());
    const OffsetsView offsets = plan.offsets.view();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < arcs.size(); ++i)
        edges[i] = std::minmax(row_of(offsets, arcs[i], 0, plan.vertices), plan.ends[arcs[i]]);
    std::sort(edges.begin(), edges.end());
    std::vector<std::uint32_t> values;
    values.reserve(2 * edges.size());
    for (const auto& [u, v] : edges) values.push_back(u), values.push_back(v);
    return values;
}

namespace {

constexpr std::uint64_t no_key = std::numeric_limits<std::uint64_t>::max();

/// The algorithm for a CPU. First, every vertex takes its lightest arc. Then the edges between different
/// trees are listed, and in rounds each tree takes its lightest edge.
class CpuForest {
public:
    CpuForest(const Undirected& plan, int threads)
        : plan_(plan),
          threads_(threads),
          parents_(plan.vertices),
          best_(plan.vertices),
          lists_(static_cast<std::size_t>(threads)) {}

    Solution run() {
        Solution solution;
        const double start = omp_get_wtime();
        for (ThreadLists& lists : lists_) lists.forest_arcs.clear();
        pick_arcs();
        list_edges();
        for (std::uint64_t& rounds = solution.rounds = 1; round(); ++rounds) {
        }
        solution.seconds = omp_get_wtime() - start;
        std::vector<std::uint32_t> arcs;
        for (const ThreadLists& lists : lists_)
            arcs.insert(arcs.end(), lists.forest_arcs.begin(), lists.forest_arcs.end());
        solution.values = edges_of_arcs(plan_, std::move(arcs));
        return solution;
    }

private:
    struct Edge {
        VertexId a, b;      ///< roots of the trees that the edge connects
        std::uint64_t key;  ///< bits of the weight, followed by the index of the arc from the smaller vertex
    };
    /// The lists to which one thread appends. They have a cache line of their own, because threads that append
    /// to neighbouring lists at the same time would otherwise take the line from each other.
    struct alignas(64) ThreadLists {
        std::vector<std::uint32_t> forest_arcs;  ///< arcs of the forest that this thread has found
        std::vector<Edge> edges;                 ///< edges between different trees
    };
    ThreadLists& lists_of_thread() { return lists_[static_cast<std::size_t>(omp_get_thread_num())]; }

    /// Adds an edge to the forest. The lower half of its key is the index of its arc.
    void take(std::uint64_t key, ParallelErrors& errors) {
        errors.run([&] { lists_of_thread().forest_arcs.push_back(static_cast<std::uint32_t>(key)); });
    }
    std::uint32_t bits(EdgeId e) const { return plan_.weights.empty() ? 0 : ordered_bits(plan_.weights[e]); }

    /// Joins every vertex along its lightest arc. Arcs of a vertex are stored in the order that decides
    /// between equal weights, so the first of its lightest arcs is the right one.
    void pick_arcs() {
#pragma omp parallel for schedule(static) num_threads(threads_)
        for (VertexId v = 0; v < plan_.vertices; ++v) parents_[v] = v;
        ParallelErrors errors;
#pragma omp parallel for schedule(dynamic, 4096) num_threads(threads_)
        for (VertexId v = 0; v < plan_.vertices; ++v) {
            const EdgeRange edges = plan_.edges_of(v);
            if (edges.size() == 0) continue;
            EdgeId lightest = edges.first;
            for (const EdgeId e : edges) {
                if (bits(e) < bits(lightest)) lightest = e;
            }
            if (join(parents_.data(), v, plan_.ends[lightest])) take(lightest, errors);
        }
        errors.rethrow();
    }
    void list_edges() {
        ParallelErrors errors;
#pragma omp parallel num_threads(threads_)
        {
            std::vector<Edge>& list = lists_of_thread().edges;
            list.clear();
#pragma omp for schedule(dynamic, 4096)
            for (VertexId v = 0; v < plan_.vertices; ++v) errors.run([&] { list_edges_of(v, list); });
        }
        errors.rethrow();
    }
    void list_edges_of(VertexId v, std::vector<Edge>& list) {
        const VertexId a = root_of(parents_.data(), v);
        for (const EdgeId e : plan_.edges_of(v)) {
            if (plan_.ends[e] < v) continue;
            const VertexId b = root_of(parents_.data(), plan_.ends[e]);
            if (a != b) list.push_back({a, b, std::uint64_t{bits(e)} << 32 | e});
        }
    }
    /// Runs one round, in which every tree takes its lightest edge. Returns whether there was an edge between
    /// two trees.
    bool round() {
        bool any = false;
        ParallelErrors errors;
#pragma omp parallel num_threads(threads_) reduction(|| : any)
        {
            std::vector<Edge>& list = lists_of_thread().edges;
            std::size_t kept = 0;
            for (Edge e : list) {
                e.a = root_of(parents_.data(), e.a), e.b = root_of(parents_.data(), e.b);
                if (e.a == e.b) continue;
                list[kept++] = e;
                // Reset the lightest edges of both trees. Several threads may store this value concurrently.
                std::atomic_ref(best_[e.a]).store(no_key, std::memory_order_relaxed);
                std::atomic_ref(best_[e.b]).store(no_key, std::memory_order_relaxed);
            }
            list.resize(kept);
            any = kept > 0;
#pragma omp barrier
            for (const Edge& e : list) {
                improve(&best_[e.a], e.key);
                improve(&best_[e.b], e.key);
            }
#pragma omp barrier
            for (const Edge& e : list) {
                if ((best_[e.a] == e.key || best_[e.b] == e.key) && join(parents_.data(), e.a, e.b))
                    take(e.key, errors);
            }
        }
        errors.rethrow();
        return any;
    }

    const Undirected& plan_;
    const int threads_;
    Array<VertexId> parents_;
    Array<std::uint64_t> best_;  ///< key of the lightest edge that leaves each tree, by its root
    std::vector<ThreadLists> lists_;
};

}  // namespace

Runner forest_on_cpu(const Undirected& plan, int threads) {
    require_numbers(plan);
    auto work = std::make_shared<CpuForest>(plan, threads);
    return {plan.bytes() + 12 * EdgeId{plan.vertices} + 16 * (plan.arcs() / 2), 0,
            [work] { return work->run(); }};
}

}  // namespace lockstep::structure
