// Tests of regions: their layout has every arc once, words between regions have one writer, and the walk
// gives the results of a serial reference on CPU and GPU, in every run, for any window, number of workers and
// number of rounds.
#include <map>
#include <random>

#include "apps/bfs.hpp"
#include "apps/device.hpp"
#include "apps/sssp.hpp"
#include "catch.hpp"
#include "executor_support.hpp"
#include "regions_on_gpu.hpp"
#include "square_graphs.hpp"

using namespace lockstep;
using namespace lockstep::test;
using namespace lockstep::frontier;

namespace {

/// Returns a grid without some of its arcs, with some further arcs, and with vertices without arcs; if
/// `largest` > 0, it has weights.
Graph torn_grid(VertexId width, bool directed, double largest, bool whole) {
    std::mt19937 random(width);
    std::vector<Triple> arcs;
    const auto connect = [&](VertexId u, VertexId v) {
        const double drawn = largest * static_cast<double>(random()) * 0x1p-32;
        const auto weight = static_cast<float>(whole ? std::floor(drawn) : drawn);
        arcs.push_back({u, v, weight});
        if (!directed) arcs.push_back({v, u, weight});
    };
    const VertexId vertices = width * width;
    for (VertexId v = 0; v < vertices; ++v) {
        if (v % 97 == 0) continue;
        if (v % width && (v - 1) % 97 && random() % 8) connect(v - 1, v);
        if (v >= width && (v - width) % 97 && random() % 8) connect(v - width, v);
        if (directed && random() % 2 && v > width) connect(v, v - width - 1);
        if (random() % 16 == 0)
            for (VertexId k = 1; k < 9; ++k) connect(v, (v + k * 3) % vertices);
        if (random() % 500 == 0) connect(v, random() % vertices);
    }
    return build_graph(std::move(arcs), vertices, vertices,
                       {.shape = GraphShape::square, .directed = directed, .weighted = largest > 0});
}

Schedule regions_of(const Graph& graph, VertexId vertices) { return build_regions(graph, vertices); }

using Arc = std::tuple<std::uint32_t, std::uint32_t, float>;  // positions of both endpoints, and the weight

std::vector<Arc> arcs_of(const RegionLayout& layout) {
    const RegionShape& s = layout.shape;
    std::vector<Arc> arcs;
    const auto record = [&]<class T>(std::uint32_t r, std::uint32_t offset, T) {
        return reinterpret_cast<const T*>(layout.records.data() + EdgeId{r} * s.bytes + offset);
    };
    const auto weight = [&](std::uint32_t r, std::uint32_t offset, std::uint32_t i) {
        switch (s.weight) {
            case WeightKind::bytes:
                return static_cast<float>(record(r, offset, std::uint8_t{})[i]);
            case WeightKind::words:
                return static_cast<float>(record(r, offset, std::uint16_t{})[i]);
            case WeightKind::floats:
                return record(r, offset, float{})[i];
            default:
                return 1.0F;
        }
    };
    std::map<std::uint32_t, std::uint32_t> place_of_word;
    for (std::uint32_t r = 0; r < layout.regions; ++r) {
        const RegionHead& head = *record(r, 0, RegionHead{});
        for (std::uint32_t i = 0; i < head.arrivals; ++i)
            place_of_word[head.inbox + i] =
                r * s.slots + (record(r, s.arrivals, std::uint32_t{})[i] & 0xFFFF);
    }
    std::map<std::uint32_t, int> writers;
    for (std::uint32_t r = 0; r < layout.regions; ++r) {
        const RegionHead& head = *record(r, 0, RegionHead{});
        const auto add = [&](std::uint32_t from, std::uint32_t slot, float w) {
            std::uint32_t to = r * s.slots + slot;
            if (slot >= s.slots) {
                const std::uint32_t word = record(r, s.targets, std::uint32_t{})[slot - s.slots];
                REQUIRE(++writers[word] == 1);
                to = place_of_word.at(word);
                const auto neighbour = record(r, s.ghost_neighbour, std::uint16_t{})[slot - s.slots];
                REQUIRE(record(r, s.neighbour, std::uint32_t{})[neighbour] == to / s.slots);
            }
            arcs.emplace_back(r * s.slots + from, to, w);
        };
        const auto* const rows = record(r, s.rows, std::uint16_t{});
        for (std::uint32_t l = 0; l < head.vertices; ++l) {
            const bool more = (rows[4 * l] & RegionShape::has_more) != 0;
            for (std::uint32_t k = 0; k < (more ? 3U : 4U); ++k) {
                const std::uint32_t slot = rows[4 * l + k] & (RegionShape::has_more - 1U);
                if (slot != l) add(l, slot, weight(r, s.weights, 4 * l + k));
            }
            if (!more) continue;
            const auto* const first = record(r, s.more_first, std::uint32_t{}) + rows[4 * l + 3];
            for (std::uint32_t i = first[0]; i < first[1]; ++i) {
                const std::uint32_t slot = record(r, s.more, std::uint16_t{})[i];
                if (slot != l) add(l, slot, weight(r, s.more_weights, i));
            }
        }
    }
    REQUIRE(writers.size() == place_of_word.size());
    std::sort(arcs.begin(), arcs.end());
    return arcs;
}

std::vector<Graph> graphs() {
    std::vector<Graph> all;
    for (const bool directed : {false, true}) {
        all.push_back(torn_grid(60, directed, 0, true));
        all.push_back(torn_grid(61, directed, 255, true));
        all.push_back(torn_grid(62, directed, 50000, true));
        all.push_back(torn_grid(63, directed, 2, false));
    }
    return all;
}

Values reference(const Graph& graph, VertexId source) {
    return graph.value.empty() ? Values(bfs::compute_reference(graph, source))
                               : Values(sssp::compute_reference(graph, source));
}

#if defined(LOCKSTEP_HAS_CUDA)
void walks_on_gpu(const Graph& graph) {
    for (const VertexId vertices : {100U, 700U}) {
        const RegionLayout layout = lay_out_regions(graph, regions_of(graph, vertices), !graph.value.empty());
        for (const VertexId source : {VertexId{1}, graph.rows / 2 + 1, VertexId{0}}) {
            const Values expected = reference(graph, source);
            for (const RegionTrial& trial :
                 {RegionTrial{192, 16, ~0U}, RegionTrial{0, 8, 3}, RegionTrial{5, 1, 1},
                  RegionTrial{20, 32, 7}, RegionTrial{0, 4, ~0U}}) {
                INFO("window " << trial.window << ", rounds " << trial.rounds << ", workers "
                               << trial.max_workers << ", source " << source);
                const auto check = [&](const std::vector<Values>& all) {
                    for (const Values& values : all) REQUIRE((values == expected));
                };
                if (std::holds_alternative<std::vector<float>>(expected))
                    check(walk_regions<sssp::Distances<float>>(layout, source, trial, 20));
                else if (graph.value.empty())
                    check(walk_regions<bfs::Levels>(layout, source, trial, 20));
                else
                    check(walk_regions<sssp::Distances<std::uint32_t>>(layout, source, trial, 20));
            }
        }
    }
}
#endif

}  // namespace

TEST_CASE("the layout of regions has every arc once, and one writer a word") {
    for (const Graph& graph : graphs()) {
        for (const VertexId vertices : {100U, 700U, 4000U}) {
            const Schedule schedule = regions_of(graph, vertices);
            const auto parts = static_cast<std::uint32_t>(schedule.row_parts.size() - 1);
            for (const bool weights : {true, false}) {
                const RegionLayout layout = lay_out_regions(graph, schedule, weights);
                CHECK(layout.regions == (weights || vertices > 1024 ? parts : (parts + 1) / 2));
                std::vector<Arc> expected;
                for (VertexId v = 0; v < graph.rows; ++v) {
                    for (const EdgeId e : graph.edges_of(v)) {
                        if (graph.col[e] != v)
                            expected.emplace_back(layout.place[v], layout.place[graph.col[e]],
                                                  weights ? graph.weight(e) : 1);
                    }
                }
                std::sort(expected.begin(), expected.end());
                CHECK((arcs_of(layout) == expected));
            }
        }
    }
}

TEST_CASE("regions that do not fit on chip are refused before the run, with the reason") {
    std::vector<std::pair<VertexId, VertexId>> arcs;
    for (VertexId u = 0; u < 600; ++u)
        for (VertexId v = 0; v < 600; ++v) arcs.emplace_back(u, v);
    const Graph complete = square_graph(600, arcs);
    CHECK_THROWS_WITH(lay_out_regions(complete, regions_of(complete, 2048), false),
                      Catch::Contains("of shared memory") && Catch::Contains("beyond four per vertex"));
    const Graph hubs = random_graph(5000, 5000, 100000, 3);
    Graph square = hubs;
    square.shape = GraphShape::square;
    CHECK_THROWS_WITH(lay_out_regions(square, regions_of(square, 2048), false), Catch::Contains("locality"));
}

namespace {
void gives_the_reference(Device device) {
    for (const Graph& graph : graphs()) {
        const Schedule schedule = regions_of(graph, 500);
        const FrontierPlan plan = make_frontier_plan(graph, find_strategy("regions", "frontier"), &schedule,
                                                     {!graph.value.empty(), false});
        for (const VertexId source : {VertexId{0}, VertexId{5}, graph.rows / 2}) {
            const Values expected = reference(graph, source);
            const auto check = [&](const auto& op) {
#if defined(LOCKSTEP_HAS_CUDA)
                const Runner runner =
                    device == Device::cuda ? on_cuda(plan, {}, op) : on_cpu(plan, {}, op, 2);
#else
                static_cast<void>(device);
                const Runner runner = on_cpu(plan, {}, op, 2);
#endif
                for (int i = 0; i < 3; ++i) CHECK((runner.run(source, {}).values == expected));
            };
            if (graph.value.empty())
                check(bfs::Levels());
            else if (std::holds_alternative<std::vector<float>>(expected))
                check(sssp::Distances<float>());
            else
                check(sssp::Distances<std::uint32_t>());
        }
    }
}
}  // namespace

TEST_CASE("regions give the reference on a CPU") {
    gives_the_reference(Device::cpu);
    CHECK_THROWS_WITH(make_frontier_plan(graphs()[0], find_strategy("regions", "frontier"), nullptr, {}),
                      Catch::Contains("needs the schedule \"regions\""));
}

TEST_CASE("regions give the reference on a GPU") {
    if (!gpu_or_skip()) return;
    gives_the_reference(Device::cuda);
}

TEST_CASE("regions give the reference on a GPU, 20 times over, and nothing has two owners") {
    if (!gpu_or_skip()) return;
#if defined(LOCKSTEP_HAS_CUDA)
    for (const Graph& graph : graphs()) walks_on_gpu(graph);
#endif
}
