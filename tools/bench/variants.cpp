// Times of PageRank with every strategy, both kinds of sums and both orders, and the cost of a memory access
// on the same device.
#include <fmt/format.h>

#include <cmath>
#include <iostream>

#include "insight/measure/accesses.hpp"
#include "lockstep/schedules/builders.hpp"
#include "pagerank.hpp"
#include "ranks.hpp"

namespace lockstep::bench {

namespace {

using Json = nlohmann::ordered_json;

constexpr double seconds_of_variant = 1;  ///< time after which the runs of a slow variant end

Json json_of(const arc::Work& work) {
    return {{"reads", work.reads}, {"writes", work.writes}, {"atomics", work.atomics}, {"bytes", work.bytes}};
}
Json json_of(const insight::Accesses& a) {
    return {{"read_in_order", a.read_in_order},
            {"write_in_order", a.write_in_order},
            {"read", a.read},
            {"write", a.write},
            {"add_float", a.add_float},
            {"add_whole", a.add_whole}};
}

/// Returns a bound on the L1 error of all scores that rounded float sums cause: in each round the share
/// `rounded` of the scores, which later rounds pass on, reduced by the damping.
double most_off(EdgeId in_degree, double damping) {
    const double rounded = (static_cast<double>(in_degree) + 4) * 0x1p-24,
                 each = damping * rounded / (1 - rounded) + 0x1p-22;
    return rounded < 1 ? each / std::max(1e-9, 1 - damping - each) : INFINITY;
}

class Variants {
public:
    Variants(const Graph& graph, int runs, std::uint64_t rounds, double all_within)
        : graph_(graph),
          runs_(runs),
          rounds_(rounds),
          all_within_(all_within),
          degree_(build_degree(graph)),
          degrees_(max_degree(graph)) {
        std::string no_gpu;
        device_ = common_device(Device::automatic, &no_gpu);
        if (!no_gpu.empty()) std::cerr << no_gpu << '\n';
    }

    Json run() {
        for (const Strategy& strategy : strategies("pagerank")) {
            if (strategy.takes_any_order()) {
                in_order(strategy, "given", nullptr);
                in_order(strategy, "degree", &degree_);
            } else {
                const Schedule own = find_builder(strategy.schedule).build(graph_, {});
                in_order(strategy, "own", &own);
            }
        }
        const insight::Accesses accesses =
            insight::measure_accesses(device_, std::max(graph_.rows, VertexId{1}));
        return {{"vertices", graph_.rows},
                {"edges", graph_.edges()},
                {"largest_in_degree", degrees_.col},
                {"largest_out_degree", degrees_.row},
                {"rounds", rounds_},
                {"device", device_info(device_, omp_get_max_threads()).name},
                {"copy_bytes_per_second", device_ == Device::cuda ? cuda_copy_rate() : 0},
                {"accesses", json_of(accesses)},
                {"table", table_}};
    }

private:
    void in_order(const Strategy& strategy, const char* order, const Schedule* schedule) {
        const ArcPlan plan =
            make_arc_plan(graph_, strategy, schedule, {arc::VirtualWarps::fitting_width(graph_)});
        const auto work = [&](EdgeId v, EdgeId e) {
            return json_of(std::visit(
                [&]<class Walk>(const Walk&) { return Walk::work(v, e, strategy.prepared); }, plan));
        };
        for (const bool of_floats : {false, true}) {
            parameters_.float_sums = of_floats;
            const Ranks ranks = ranks_by(strategy, plan, device_, parameters_, rounds_);
            // An extra run, which includes the start-up of the device.
            if (table_.empty()) timed(ranks, 1, 1, [](const auto&) {});
            double off = 0;
            std::string hash;
            const auto check = [&](const std::vector<float>& found) {
                if (exact_.empty()) exact_ = found;
                off = std::max(off, distance(found, exact_));
                hash = hash_of(found);
            };
            const std::vector<double> seconds = timed(ranks, runs_, seconds_of_variant, check, all_within_);
            const double most = of_floats ? most_off(degrees_.col, parameters_.damping) : 0;
            if (!(off <= most))
                throw Error(Failure::verification,
                            fmt::format("{} ({}, {}) has an error of {:.3g}; expected at most {:.3g}",
                                        strategy.name, order, of_floats ? "float" : "exact", off, most));
            table_.push_back({{"strategy", strategy.name},
                              {"order", order},
                              {"sums", of_floats ? "float" : "exact"},
                              {"seconds", seconds},
                              {"off", off},
                              {"hash", hash},
                              {"work_of_vertices", work(graph_.rows, 0)},
                              {"work_of_edges", work(0, graph_.edges())}});
            std::cerr << fmt::format("{:<16} {:<6} {:<6} {:>10}\n", strategy.name, order,
                                     of_floats ? "float" : "exact", cli::duration(median(seconds)));
        }
    }

    const Graph& graph_;
    int runs_;
    std::uint64_t rounds_;
    double all_within_;
    Schedule degree_;
    MaxDegree degrees_;
    pagerank::Parameters parameters_;
    Device device_ = Device::cpu;
    std::vector<float> exact_;
    Json table_ = Json::array();
};

}  // namespace

Json run_variants(const Graph& graph, int runs, std::uint64_t rounds, double all_within) {
    return Variants(graph, runs, rounds, all_within).run();
}

}  // namespace lockstep::bench
