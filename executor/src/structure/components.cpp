#include "lockstep/executor/structure/components.hpp"

#include <omp.h>

#include <algorithm>
#include <memory>

#include "lockstep/executor/structure/trees.hpp"

namespace lockstep::structure {

namespace {

/// Makes every vertex a child of its root. Concurrent threads can only make paths shorter.
void shorten(VertexId* parents, VertexId vertices, int threads) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (VertexId v = 0; v < vertices; ++v) {
        VertexId parent = peek(parents + v), above = peek(parents + parent);
        if (above == parent) continue;
        while (above != parent) parent = above, above = peek(parents + parent);
        put(parents + v, parent);
    }
}

/// Returns the most frequent root among 1,024 evenly spaced vertices.
VertexId giant_of(const VertexId* parents, VertexId vertices) {
    constexpr VertexId sample = 1024;
    std::vector<VertexId> roots;
    for (std::uint64_t i = 0; i < sample; ++i) roots.push_back(parents[i * vertices / sample]);
    std::sort(roots.begin(), roots.end());
    VertexId giant = roots[0], most = 0, run = 0;
    for (std::size_t i = 0; i < roots.size(); ++i) {
        run = i && roots[i] == roots[i - 1] ? run + 1 : 1;
        if (run > most) most = run, giant = roots[i];
    }
    return giant;
}

class CpuComponents {
public:
    CpuComponents(const Undirected& plan, int threads)
        : plan_(plan), threads_(threads), parents_(plan.vertices) {}

    Solution run() {
        const VertexId n = plan_.vertices;
        const double start = omp_get_wtime();
        VertexId* const parents = parents_.data();
        // The first neighbour of a vertex is its smallest one.
#pragma omp parallel for schedule(static) num_threads(threads_)
        for (VertexId v = 0; v < n; ++v) {
            const auto list = plan_.neighbours(v);
            parents[v] = list.size() == 0 ? v : std::min(v, list[0]);
        }
        shorten(parents, n, threads_);
        join_some(0, 2);
        shorten(parents, n, threads_);
        const VertexId giant = n ? giant_of(parents, n) : 0;
        join_rest(2, giant);
        shorten(parents, n, threads_);
        Solution solution;
        if (plan_.order.empty()) {
            solution.seconds = omp_get_wtime() - start;
            solution.values.assign(parents_.begin(), parents_.end());
        } else {
            solution.values = by_smallest_vertex();
            solution.seconds = omp_get_wtime() - start;
        }
        return solution;
    }

private:
    void join_some(EdgeId first, EdgeId last) {
#pragma omp parallel for schedule(dynamic, 16384) num_threads(threads_)
        for (VertexId v = 0; v < plan_.vertices; ++v) {
            const auto list = plan_.neighbours(v);
            for (EdgeId i = first; i < std::min<EdgeId>(last, list.size()); ++i)
                join(parents_.data(), v, list[i]);
        }
    }
    /// Joins trees along the arcs of all vertices outside the giant component. These include all arcs between
    /// the giant component and other vertices.
    void join_rest(EdgeId first, VertexId giant) {
#pragma omp parallel for schedule(dynamic, 16384) num_threads(threads_)
        for (VertexId v = 0; v < plan_.vertices; ++v) {
            if (peek(parents_.data() + v) == giant) continue;
            const auto list = plan_.neighbours(v);
            for (EdgeId i = first; i < list.size(); ++i) join(parents_.data(), v, list[i]);
        }
    }
    /// Returns the labels for a plan with reordered vertices. The root of a tree is its smallest position,
    /// but the label must be its smallest vertex.
    std::vector<std::uint32_t> by_smallest_vertex() const {
        const VertexId n = plan_.vertices;
        std::vector<std::uint32_t> least(n, n), labels(n);
#pragma omp parallel for schedule(static) num_threads(threads_)
        for (VertexId p = 0; p < n; ++p) improve(&least[parents_[p]], plan_.order[p]);
#pragma omp parallel for schedule(static) num_threads(threads_)
        for (VertexId p = 0; p < n; ++p) labels[plan_.order[p]] = least[parents_[p]];
        return labels;
    }

    const Undirected& plan_;
    const int threads_;
    Array<VertexId> parents_;
};

}  // namespace

Runner components_on_cpu(const Undirected& plan, int threads) {
    auto work = std::make_shared<CpuComponents>(plan, threads);
    return {plan.bytes() + 4 * EdgeId{plan.vertices}, 0, [work] { return work->run(); }};
}

}  // namespace lockstep::structure
