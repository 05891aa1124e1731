// Tests of edge tiles that several devices share. Here the CPU works through each part, and the parts
// exchange the messages of their targets as GPUs do (arc/parts.hpp). The results are bitwise identical to
// those of one device, for any number of parts.
#include <deque>

#include "apps/bp.hpp"
#include "catch.hpp"
#include "executor_support.hpp"
#include "lockstep/executor/arc/parts.hpp"
#include "lockstep/executor/arc/rounds.hpp"
#include "pagerank_support.hpp"
#include "weighted_graphs.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

template <arc::Shared Op>
std::vector<float> in_parts(const arc::Tiles& plan, const Op& op, std::size_t count) {
    const std::vector<VertexId> ends = part_ends(plan, count);
    std::vector<arc::Tiles> parts;
    std::deque<arc::HostArrays> arrays(count);
    std::vector<Op> ops(count, op);
    EdgeId arcs = 0;
    for (std::size_t d = 0; d < count; ++d) {
        parts.emplace_back(plan, ends[d], ends[d + 1]);
        arcs += parts[d].arcs;
        arc::Memory memory{plan, plan.out.view(), std::ref(arrays[d])};
        ops[d].start(memory);
    }
    REQUIRE(arcs == plan.arcs);
    const auto range = [&](std::size_t d) {
        return std::pair{parts[d].tiles.front(), parts[d].tiles.back()};
    };
    const auto work = [&] {
        typename Op::Tally tally{};
        for (std::size_t d = 0; d < count; ++d) {
            const auto [first, last] = range(d);
            gather(static_cast<const arc::Pull&>(parts[d]), ops[d], first, last, tally);
        }
        for (std::size_t from = 0; from < count; ++from) {
            const auto [first, last] = range(from);
            for (std::size_t to = 0; to < count; ++to) {
                if (to != from)
                    std::copy(ops[from].offered() + first, ops[from].offered() + last,
                              ops[to].offered() + first);
            }
        }
        return tally;
    };
    double seconds = 0;
    iterate_parts(
        ops, work, [](const auto&, double) { return true; }, &seconds);
    std::vector<float> result(plan.vertices);
    for (std::size_t d = 0; d < count; ++d) {
        const auto [first, last] = range(d);
        std::copy(ops[d].result() + first, ops[d].result() + last, result.begin() + first);
    }
    return by_vertex(plan, result.data());
}

}  // namespace

TEST_CASE("PageRank and beliefs in parts: the bits of one device") {
    const Strategy& strategy = find_strategy("edge-tiled", "pagerank");
    for (const NamedGraph& named : square_battery(false)) {
        if (named.graph.rows == 0) continue;
        INFO(named.name);
        const Schedule schedule = *schedule_for(named.graph, strategy);
        const ArcPlan plan = make_arc_plan(named.graph, strategy, &schedule);
        const auto& tiles = std::get<arc::Tiles>(plan);
        PageRankOptions fixed, stable, near;
        for (auto* options : {&fixed, &stable, &near}) options->device = Device::cpu, options->rounds = 6;
        stable.until = 1e-4, near.tolerance = 1e-3;
        Graph weighted = named.graph;
        weigh(weighted, Weights::whole);
        const ArcPlan weighted_plan = make_arc_plan(weighted, strategy, &schedule, {}, true);
        const auto& weighted_tiles = std::get<arc::Tiles>(weighted_plan);
        ArcOptions beliefs;
        beliefs.device = Device::cpu, beliefs.rounds = 3;
        const bp::LikelihoodSums passed(weighted);
        const auto check = [&](const arc::Tiles& plan_of, const auto& op, const auto& expected) {
            for (const std::size_t parts : {2U, 5U}) REQUIRE(in_parts(plan_of, op, parts) == expected);
        };
        const auto check_ranks = [&](const PageRankOptions& options, const auto& op) {
            check(tiles, op, run_pagerank(named.graph, strategy, &schedule, options).values);
        };
        check_ranks(fixed, pagerank::PageRankOperator<true>(fixed, fixed.rounds, tiles));
        check_ranks(near, pagerank::PageRankOperator<true>(near, near.rounds, tiles));
        check_ranks(stable, pagerank::StableRanks(stable, stable.rounds, tiles));
        check(weighted_tiles, bp::BeliefOperator(passed, beliefs.rounds),
              bp::run_beliefs(weighted, strategy, &schedule, beliefs, {}).values);
    }
}

TEST_CASE("parts of edge tiles have about equal work") {
    const Graph graph = square_battery(false).back().graph;
    const Strategy& strategy = find_strategy("edge-tiled", "pagerank");
    const Schedule schedule = *schedule_for(graph, strategy);
    const ArcPlan plan = make_arc_plan(graph, strategy, &schedule);
    const auto& tiles = std::get<arc::Tiles>(plan);
    const std::vector<VertexId> ends = part_ends(tiles, 4);
    REQUIRE(ends.size() == 5);
    const EdgeId all = tiles.arcs + tiles.vertices;
    for (std::size_t d = 0; d < 4; ++d) {
        const arc::Tiles part(tiles, ends[d], ends[d + 1]);
        const EdgeId work = part.arcs + part.tiles.back() - part.tiles.front();
        CHECK(work > all / 4 - all / 10);
        CHECK(work < all / 4 + all / 10);
    }
}

#if defined(LOCKSTEP_HAS_CUDA)
TEST_CASE("PageRank and beliefs on several GPUs: the bits of the CPU, on repeats") {
    const Strategy& strategy = find_strategy("edge-tiled", "pagerank");
    for (const int gpus : {2, 4}) {
        try {
            require_gpus(gpus);
        } catch (const Error& error) {
            return skip(error.what());
        }
        for (const NamedGraph& named : square_battery(false)) {
            INFO(named.name << ", " << gpus << " GPUs");
            const Schedule schedule = *schedule_for(named.graph, strategy);
            PageRankOptions ranks;
            ArcOptions beliefs;
            const auto results = [&](Device device, int count) {
                for (ArcOptions* options : {static_cast<ArcOptions*>(&ranks), &beliefs})
                    options->device = device, options->gpus = count, options->repeats = 2,
                    options->rounds = 30;
                return std::pair{run_pagerank(named.graph, strategy, &schedule, ranks).values,
                                 bp::run_beliefs(named.graph, strategy, &schedule, beliefs, {}).values};
            };
            ranks.until = 0;
            REQUIRE(results(Device::cuda, gpus) == results(Device::cpu, 1));
            ranks.until = 1e-4;
            REQUIRE(results(Device::cuda, gpus) == results(Device::cpu, 1));
        }
    }
}
#endif
