#include "pagerank.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <cmath>
#include <iostream>
#include <map>

#include "cli.hpp"
#include "lockstep/schedules/builders.hpp"
#include "ranks.hpp"

namespace lockstep::bench {

namespace {

/// PageRank as one would write it without a library: the reversed graph, and a Jacobi pull over it with float
/// sums.
class PlainPull {
public:
    explicit PlainPull(const Graph& graph)
        : plan_(std::get<arc::Pull>(make_arc_plan(graph, find_strategy("pull-nodiv", "pagerank"), nullptr))),
          in_(std::size_t{graph.rows} + 1),
          degree_(graph.rows) {
        for (VertexId v = 0; v <= graph.rows; ++v) in_[v] = plan_.in[v];
        for (VertexId v = 0; v < graph.rows; ++v) degree_[v] = static_cast<float>(plan_.out.view().degree(v));
    }
    double run(std::uint64_t rounds) {
        const std::size_t n = degree_.size();
        const VertexId* const sources = plan_.sources.data();
        ranks.assign(n, 1.0F / static_cast<float>(n));
        std::vector<float> given(n);
        const double start = omp_get_wtime();
        for (std::uint64_t round = 0; round < rounds; ++round) {
            double lost = 0;
#pragma omp parallel for reduction(+ : lost)
            for (std::size_t v = 0; v < n; ++v) {
                if (degree_[v] == 0) lost += ranks[v];
                given[v] = degree_[v] == 0 ? 0 : ranks[v] / degree_[v];
            }
            const auto base = static_cast<float>((0.15 + 0.85 * lost) / static_cast<double>(n));
#pragma omp parallel for schedule(dynamic, 1024)
            for (std::size_t v = 0; v < n; ++v) {
                float sum = 0;
                for (EdgeId e = in_[v]; e < in_[v + 1]; ++e) sum += given[sources[e]];
                ranks[v] = base + 0.85F * sum;
            }
        }
        return omp_get_wtime() - start;
    }
    std::vector<float> ranks;

private:
    arc::Pull plan_;
    std::vector<EdgeId> in_;
    std::vector<float> degree_;
};

}  // namespace

nlohmann::ordered_json run_pagerank(const Graph& graph, int runs, std::uint64_t rounds) {
    PlainPull plain(graph);
    ArcOptions options;
    options.device = Device::cpu;
    options.rounds = rounds;
    std::map<std::string, Schedule> schedules;
    for (const Strategy& strategy : strategies("pagerank")) {
        if (strategy.schedule)
            schedules[strategy.schedule] = find_builder(strategy.schedule).build(graph, {});
    }
    std::map<std::string, std::vector<double>> seconds;
    for (int run = 0; run < runs; ++run) {
        seconds["plain OpenMP pull"].push_back(plain.run(rounds));
        for (const Strategy& strategy : strategies("pagerank")) {
            if (strategy.walk.virtual_warps) continue;  // virtual warps change nothing on a CPU
            cli::check_signal();
            const Schedule* schedule = strategy.schedule ? &schedules.at(strategy.schedule) : nullptr;
            const pagerank::Outcome outcome =
                pagerank::run_pagerank(graph, strategy, schedule, {}, options, {});
            seconds[strategy.name].push_back(outcome.execute_seconds);
            if (!(distance(outcome.values, plain.ranks) <= 1e-3))  // the plain pull adds floats
                throw Error(Failure::verification,
                            std::string(strategy.name) + " and the plain pull disagree");
        }
    }
    const double yardstick = median(seconds.at("plain OpenMP pull"));
    nlohmann::ordered_json table = nlohmann::ordered_json::array();
    for (const auto& [name, times] : seconds) {
        const double time = median(times);
        table.push_back({{"strategy", name}, {"seconds", time}, {"times_as_fast", yardstick / time}});
        std::cerr << fmt::format("{:<18} {:>10}  {:.2f} times as fast as the plain pull\n", name,
                                 cli::duration(time), yardstick / time);
    }
    return {{"edges", graph.edges()}, {"vertices", graph.rows},           {"rounds", rounds},
            {"runs", runs},           {"threads", omp_get_max_threads()}, {"table", table}};
}

}  // namespace lockstep::bench
