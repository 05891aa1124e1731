// Connected components by the smallest label, passed along arcs, under every strategy:
//     lockstep-preprocess web.txt -o web.h5 --shape square --undirected --schedule edge-tiled,pull-binned
//     labels web.h5
#include <atomic>
#include <iostream>
#include <numeric>

#include "lockstep/executor/arc/rounds.hpp"
#include "lockstep/formats/schedule_file.hpp"

using namespace lockstep;

/// A vertex takes the smallest label among its own and those of its neighbours, until nothing changes.
struct Labels {
    using Value = std::uint32_t;
    using Sum = std::uint32_t;
    struct Tally {
        std::uint64_t changed;
    };

    const std::uint32_t* from;
    std::uint32_t* to;

    void start(arc::Memory& memory) {
        from = memory.array([](VertexId v) { return v; });
        to = memory.array([](VertexId v) { return v; });
    }
    const std::uint32_t* result() const { return from; }
    static Tally told(const Tally& tally, double) { return tally; }
    LOCKSTEP_HD Value offer(VertexId u) const { return from[u]; }
    LOCKSTEP_HD static Sum identity() { return ~0U; }
    LOCKSTEP_HD static Sum lift(Value value) { return value; }
    LOCKSTEP_HD static Sum combine(Sum a, Sum b) { return a < b ? a : b; }
    static void combine_atomically(Sum* sum, Sum value) {
        std::atomic_ref at(*sum);
        for (Sum old = at.load(); value < old && !at.compare_exchange_weak(old, value);) {
        }
    }
    LOCKSTEP_HD void finish(VertexId v, Sum sum, Tally& tally) const {
        to[v] = combine(from[v], sum);
        tally.changed += to[v] != from[v];
    }
    LOCKSTEP_HD bool next_round(const Tally& tally) {
        std::uint32_t* const read = const_cast<std::uint32_t*>(from);
        from = to, to = read;
        return tally.changed > 0;
    }
    LOCKSTEP_HD void make_last() {}
};

/// By union and find.
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

const Schedule* schedule_of(const ScheduleFile& file, const Strategy& strategy) {
    for (const TimedSchedule& timed : file.schedules) {
        if (strategy.schedule && timed.schedule.name == strategy.schedule) return &timed.schedule;
    }
    return nullptr;
}

int main(int, char** argv) try {
    const ScheduleFile file = read_schedule_file(argv[1]);
    const Graph& graph = file.dataset.graph;
    const auto expected = reference(graph);
    bool same = true;
    for (const Strategy& strategy : strategies("pagerank")) {
        const ArcPlan plan = make_arc_plan(graph, strategy, schedule_of(file, strategy));
        const auto runner = arc::on_cpu(plan, Labels{}, omp_get_max_threads());
        double seconds = 0;
        same = same && runner.run([](const Labels::Tally&) { return true; }, &seconds) == expected;
    }
    std::cout << graph.rows << " vertices: every strategy gives " << (same ? "" : "not ")
              << "the labels of union and find\n";
    return same ? 0 : 1;
} catch (const std::exception& error) {
    std::cerr << "labels: " << error.what() << '\n';
    return 1;
}
