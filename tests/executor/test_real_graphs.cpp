// Tests on real graphs, each of which is read once: every strategy on every device gives the results of the
// references.
#include "apps/bp.hpp"
#include "apps/triangles.hpp"
#include "executor_support.hpp"
#include "lockstep/executor/structure/triangles.hpp"
#include "lockstep/formats/dataset.hpp"
#include "pagerank_support.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr std::uint64_t rounds = 8;

/// Calls `work` for each of the real graphs in ../shared/data, or skips the test if they are missing.
template <class Work>
void each_real_graph(Work work) {
    for (const auto& [name, undirected] :
         std::vector<std::pair<std::string, bool>>{{"cnr-2000.txt.xz", false},
                                                   {"wordnet-3.0.txt.xz", false},
                                                   {"debian12-deps.txt.xz", false},
                                                   {"road-NE.txt.xz", true}}) {
        const auto path = shared_data(name);
        if (path.empty()) continue;
        INFO(name);
        ReadOptions read;
        read.shape = GraphShape::square;
        read.undirected = undirected;
        work(read_dataset(path, read).graph);
    }
}

std::vector<Device> devices() {
    std::string reason;
    return cuda_available(&reason) ? std::vector{Device::cpu, Device::cuda} : std::vector{Device::cpu};
}

/// Requires that run(strategy, schedule, options) gives one result for all strategies, in which
/// problem(values) finds nothing.
template <class Options, class Run, class Problem>
void by_every_strategy(const Graph& graph, Run run, Problem problem) {
    std::string hash;
    for (const Device device : devices()) {
        Options options;
        options.device = device;
        options.rounds = rounds;
        for (const Strategy& strategy : strategies("pagerank")) {
            // The CPU has no virtual warps.
            if (device == Device::cpu && strategy.walk.virtual_warps) continue;
            INFO(strategy.name);
            const std::optional<Schedule> schedule = schedule_for(graph, strategy);
            const auto outcome = run(strategy, schedule ? &*schedule : nullptr, options);
            if (hash.empty()) {
                REQUIRE(problem(outcome.values) == "");
                hash = outcome.result_hash;
            }
            REQUIRE(outcome.result_hash == hash);
        }
    }
}

void triangles_of(const Graph& graph) {
    const structure::Undirected plan = structure::make_undirected(graph, false);
    const auto on_cpu = [&](bool by_vertex) {
        return structure::from_words(structure::triangles_on_cpu(plan, by_vertex, 3).run().values);
    };
    const auto counts = on_cpu(true);
    REQUIRE(triangles::find_problem(graph, counts, true) == "");
    REQUIRE(triangles::find_problem(graph, on_cpu(false), false) == "");
#if defined(LOCKSTEP_HAS_CUDA)
    if (devices().size() == 1) return;
    for (const bool bits : {false, true}) {
        structure::IntersectionOptions intersection;
        intersection.bits = bits;
        intersection.shares.balance = {.lanes = 0, .fine = true, .warp = true, .block = true};
        const auto found = structure::triangles_on_cuda(plan, intersection, true).run();
        REQUIRE(structure::from_words(found.values) == counts);
    }
#endif
}

}  // namespace

TEST_CASE("real graphs: ranks, beliefs and triangles of the references, on every device") {
    each_real_graph([](const Graph& graph) {
        by_every_strategy<PageRankOptions>(
            graph, [&](const auto&... how) { return run_pagerank(graph, how...); },
            [&](const auto& ranks) { return pagerank::check_ranks(graph, ranks, rounds, {}).problem; });
        by_every_strategy<ArcOptions>(
            graph, [&](const auto&... how) { return bp::run_beliefs(graph, how..., {}); },
            [&](const auto& beliefs) {
                return check_values(beliefs, bp::reference_beliefs(graph, rounds), "belief").problem;
            });
        triangles_of(graph);
    });
}
