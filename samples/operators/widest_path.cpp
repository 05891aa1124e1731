// Computes widest paths from a vertex with every strategy over active vertices. The width of a path is the
// smallest weight of its arcs:
//     lockstep-preprocess road.txt -o road.h5 --shape square --schedule hubs-weight,regions
//     widest_path road.h5
#include <iostream>
#include <limits>
#include <queue>

#include "lockstep/executor/frontier/cpu.hpp"
#include "schedule_of.hpp"
#if defined(__CUDACC__)
#include "lockstep/executor/frontier/run.cuh"
#endif

using namespace lockstep;

/// The operator of widest paths. The value of a vertex is 1 / width of the widest path to it, so smaller
/// values are better, and no value is negative.
struct Widest {
    using Value = float;
    static constexpr bool weighted = true, by_rounds = false, by_priority = false;
    // An upper bound of all values of reached vertices.
    static constexpr Value most = std::numeric_limits<float>::max();
    LOCKSTEP_HD static constexpr Value none() { return std::numeric_limits<float>::infinity(); }
    LOCKSTEP_HD static constexpr Value start() { return 0; }
    LOCKSTEP_HD static Value offer(Value value, float width) { return value > 1 / width ? value : 1 / width; }
    LOCKSTEP_HD static bool can_improve(Value value) { return value > start(); }
};

/// Returns the values of all vertices, computed serially with a heap whose first path is the widest.
std::vector<float> reference(const Graph& graph, VertexId source) {
    std::vector<float> found(graph.rows, Widest::none());
    std::priority_queue<std::pair<float, VertexId>> queue;
    queue.emplace(-(found[source] = Widest::start()), source);
    while (!queue.empty()) {
        const auto [less, u] = queue.top();
        queue.pop();
        if (-less > found[u]) continue;
        for (const EdgeId e : graph.edges_of(u)) {
            const float value = Widest::offer(found[u], graph.weight(e));
            if (value < found[graph.col[e]]) queue.emplace(-(found[graph.col[e]] = value), graph.col[e]);
        }
    }
    return found;
}

int main(int, char** argv) try {
    const ScheduleFile file = read_schedule_file(argv[1]);
    const Graph& graph = file.dataset.graph;
    const auto expected = reference(graph, 0);
    bool same = true;
    for (const Strategy& strategy : strategies("frontier")) {
        // This strategy supports only operators without weights.
        if (std::string_view(strategy.name) == "hubs") continue;
        const frontier::Axes axes = frontier::preset_axes(strategy.axes, Widest::by_priority);
        const auto plan = frontier::make_frontier_plan(graph, strategy, schedule_of(file, strategy),
                                                       {.weights = true, .incoming = true});
        const auto check = [&](const frontier::Runner& runner) {
            same = same && std::get<std::vector<float>>(runner.run(0, {}).values) == expected;
        };
        check(frontier::on_cpu(plan, axes, Widest{}, omp_get_max_threads()));
#if defined(__CUDACC__)
        if (has_gpu()) check(frontier::on_cuda(plan, axes, Widest{}));
#endif
    }
    std::cout << (has_gpu() ? "CPU and GPU, " : "") << graph.rows << " vertices: every strategy gives "
              << (same ? "" : "not ") << "the widths of a serial search\n";
    return same ? 0 : 1;
} catch (const std::exception& error) {
    std::cerr << "widest_path: " << error.what() << '\n';
    return 1;
}
