#include <fmt/format.h>

#include <iostream>
#include <map>

#include "pagerank.hpp"
#include "ranks.hpp"

namespace lockstep::bench {

namespace {

constexpr double enough_seconds = 0.2;  ///< total time of the runs of one shape

/// Changes the shape of the virtual warps in a plan.
void set_shape(ArcPlan& plan, arc::VirtualWarps warps) {
    warps.check();
    std::visit(
        [&](auto& walk) {
            if constexpr (requires { walk.warps; }) walk.warps = warps;
        },
        plan);
}

}  // namespace

nlohmann::ordered_json run_warp_shapes(const Graph& graph, int runs, std::uint64_t rounds) {
    std::string no_gpu;
    const Device device = common_device(Device::automatic, &no_gpu);
    if (!no_gpu.empty()) std::cerr << no_gpu << '\n';
    nlohmann::ordered_json table = nlohmann::ordered_json::array();
    std::string result;
    for (const Strategy& strategy : strategies("pagerank")) {
        if (!strategy.walk.virtual_warps) continue;
        ArcPlan plan = make_arc_plan(graph, strategy, nullptr);
        const auto time_shape = [&](int width, int chunk) {
            set_shape(plan, {width, chunk});
            return timed(
                ranks_by(strategy, plan, device, {}, rounds), runs, enough_seconds,
                [&](const std::vector<float>& ranks) {
                    const std::string hash = hash_of(ranks);
                    if (result.empty()) result = hash;
                    if (hash == result) return;
                    throw Error(
                        Failure::verification,
                        fmt::format(
                            "{} by {} threads x {} gives a different result ({}) than the shapes before ({})",
                            strategy.name, width, chunk, hash, result));
                });
        };
        time_shape(1, 1);  // an extra run, which includes the start-up of the device
        std::map<double, std::string> by_time;
        for (int width = 1; width <= 64; width *= 2) {
            for (int chunk = 1; chunk <= 10; ++chunk) {
                const std::vector<double> seconds = time_shape(width, chunk);
                by_time[median(seconds)] = fmt::format("{} x {}", width, chunk);
                table.push_back({{"strategy", strategy.name},
                                 {"warp_size", width},
                                 {"chunk", chunk},
                                 {"seconds", seconds}});
            }
        }
        const auto& [least, best] = *by_time.begin();
        const auto& [most, worst] = *by_time.rbegin();
        std::cerr << fmt::format("{:<16} best {:>7} {:>10}, worst {:>7} {:>10}\n", strategy.name, best,
                                 cli::duration(least), worst, cli::duration(most));
    }
    return {{"edges", graph.edges()}, {"vertices", graph.rows},
            {"rounds", rounds},       {"device", device_info(device, omp_get_max_threads()).name},
            {"result_hash", result},  {"table", table}};
}

}  // namespace lockstep::bench
