// Computes connected components with every strategy along arcs, with the operator of labels.hpp:
//     lockstep-preprocess web.txt -o web.h5 --shape square --undirected --schedule edge-tiled
//     labels web.h5
#include <iostream>
#include <numeric>

#include "labels.hpp"
#include "lockstep/executor/arc/rounds.hpp"
#include "schedule_of.hpp"
#if defined(__CUDACC__)
#include "lockstep/executor/arc/run.cuh"
#endif

using namespace lockstep;

/// Returns the smallest vertex of each vertex's component, computed serially with union-find.
std::vector<std::uint32_t> reference(const Graph& graph) {
    std::vector<std::uint32_t> label(graph.rows);
    std::iota(label.begin(), label.end(), 0U);
    const auto root = [&](std::uint32_t v) {
        while (label[v] != v) v = label[v] = label[label[v]];
        return v;
    };
    for (VertexId u = 0; u < graph.rows; ++u) {
        for (const EdgeId e : graph.edges_of(u)) {
            const std::uint32_t a = root(u), b = root(graph.col[e]);
            label[std::max(a, b)] = std::min(a, b);
        }
    }
    for (VertexId v = 0; v < graph.rows; ++v) label[v] = root(v);
    return label;
}

int main(int, char** argv) try {
    const ScheduleFile file = read_schedule_file(argv[1]);
    const Graph& graph = file.dataset.graph;
    const auto expected = reference(graph);
    bool same = true;
    for (const Strategy& strategy : strategies("pagerank")) {
        const ArcPlan plan = make_arc_plan(graph, strategy, schedule_of(file, strategy));
        const auto check = [&](const arc::RunnerOf<Labels>& runner) {
            double seconds = 0;
            same = same && runner.run([](const Labels::Tally&) { return true; }, &seconds) == expected;
        };
        check(arc::on_cpu(plan, Labels{}, omp_get_max_threads()));
#if defined(__CUDACC__)
        if (has_gpu()) check(arc::on_cuda(plan, Labels{}, 1));
#endif
    }
    std::cout << (has_gpu() ? "CPU and GPU, " : "") << graph.rows << " vertices: every strategy gives "
              << (same ? "" : "not ") << "the labels of union and find\n";
    return same ? 0 : 1;
} catch (const std::exception& error) {
    std::cerr << "labels: " << error.what() << '\n';
    return 1;
}
