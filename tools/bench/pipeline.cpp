// The preprocessing pipeline in memory: random COO triples → graph → every schedule.
#include "pipeline.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <cstring>
#include <fstream>
#include <iostream>

#include "lockstep/schedules/builders.hpp"
#include "timing.hpp"

namespace lockstep::bench {

namespace {

/// Most memory held since the last call, in bytes: the kernel's high-water mark, then reset.
EdgeId take_peak_memory() {
    std::ifstream status("/proc/self/status");
    EdgeId kilobytes = 0;
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) kilobytes = std::stoull(line.substr(6));
    }
    std::ofstream("/proc/self/clear_refs") << 5;
    return kilobytes * 1024;
}

EdgeId resident_memory() {
    std::ifstream statm("/proc/self/statm");
    EdgeId pages = 0, resident = 0;
    statm >> pages >> resident;
    return resident * 4096;
}

}  // namespace

nlohmann::ordered_json run_pipeline(const Graph& graph, int repeats) {
    const EdgeId m = graph.edges();
    std::vector<Triple> triples(m);
    {
        const std::vector<VertexId> row = edge_rows(graph);
        const std::vector<EdgeId> order = given_order(graph);
        for (EdgeId i = 0; i < m; ++i)
            triples[i] = {row[order[i]], graph.col[order[i]], graph.weight(order[i])};
    }
    nlohmann::ordered_json stages = nlohmann::ordered_json::array();
    double copy = 0;
    const auto stage = [&](const std::string& name, auto&& work) {
        take_peak_memory();
        const EdgeId before = resident_memory();
        const double seconds = median_seconds(repeats, work);
        const EdgeId peak = take_peak_memory();
        const double bytes = static_cast<double>(peak > before ? peak - before : 0) /
                             static_cast<double>(std::max<EdgeId>(1, m));
        if (name == "copy of the triples") copy = seconds;
        stages.push_back({{"stage", name},
                          {"seconds", seconds},
                          {"edges_per_second", static_cast<double>(m) / seconds},
                          {"peak_bytes_per_edge", bytes},
                          {"copies", seconds / copy}});
        std::cerr << fmt::format("{:<22} {:>9.3f} s {:>8.1f} M edges/s {:>6.1f} bytes/edge {:>6.1f} copies\n",
                                 name, seconds, static_cast<double>(m) / seconds / 1e6, bytes,
                                 seconds / copy);
    };
    {
        std::vector<Triple> target(m);
        stage("copy of the triples", [&] {
            const int threads = omp_get_max_threads();
#pragma omp parallel for num_threads(threads) schedule(static)
            for (std::int64_t block = 0; block < 64; ++block) {
                const EdgeId first = m * static_cast<EdgeId>(block) / 64,
                             last = m * static_cast<EdgeId>(block + 1) / 64;
                std::memcpy(target.data() + first, triples.data() + first, (last - first) * sizeof(Triple));
            }
        });
    }
    Graph built;
    stage("build_graph", [&] {
        built = {};
        built = build_graph(triples, graph.rows, graph.cols, graph.shape, graph.directed, true);
    });
    std::vector<VertexId> matching;
    stage("maximal_matchings", [&] {
        matching = {};
        matching = maximal_matchings(built);
    });
    matching = {};
    for (const Builder& builder : builders()) {
        if (std::string(builder.name) == "metis") continue;
        Schedule schedule;
        stage(builder.name, [&] {
            schedule = {};
            schedule = builder.build(built, {});
        });
    }
    return {{"edges", m}, {"threads", omp_get_max_threads()}, {"stages", stages}};
}

}  // namespace lockstep::bench
