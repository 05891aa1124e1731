// Tests of the parallel first-fit colouring, and of the grouping that it uses, against their definitions. The
// graphs are large and skewed enough for every path: masks, stages of columns, dense sets, lists, either side
// as rows.
#include <omp.h>

#include <cmath>
#include <random>

#include "catch.hpp"
#include "insight/build_options.hpp"
#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/grouping.hpp"
#include "support.hpp"

using namespace lockstep;

namespace {

/// Returns a graph whose endpoints are distributed as x^row_skew and x^col_skew of a uniform x. Larger
/// exponents make larger hubs.
Graph skewed(VertexId rows, VertexId cols, EdgeId edges, double row_skew, double col_skew, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    std::vector<Triple> triples;
    for (EdgeId i = 0; i < edges; ++i) {
        triples.push_back({static_cast<VertexId>(rows * std::pow(uniform(random), row_skew)),
                           static_cast<VertexId>(cols * std::pow(uniform(random), col_skew)), 1});
    }
    return build_graph(std::move(triples), rows, cols, {});
}

Graph grid(VertexId side) {
    std::vector<Triple> triples;
    for (VertexId v = 0; v < side * side; ++v) {
        if (v % side + 1 < side) triples.push_back({v, v + 1, 1}), triples.push_back({v + 1, v, 1});
        if (v + side < side * side) triples.push_back({v, v + side, 1}), triples.push_back({v + side, v, 1});
    }
    return build_graph(std::move(triples), side * side, side * side, {GraphShape::square});
}

/// Returns graphs that together exercise every path of the colouring.
std::vector<std::pair<std::string, Graph>> graphs() {
    std::vector<std::pair<std::string, Graph>> all;
    all.emplace_back("grid: 16-bit masks", grid(200));
    all.emplace_back("even, degrees near 20: 64-bit masks", skewed(10'000, 10'000, 200'000, 1, 1, 1));
    all.emplace_back("even, degrees near 60: masks that overflow", skewed(4'000, 4'000, 240'000, 1, 1, 2));
    all.emplace_back("hub columns", skewed(15'000, 1'000, 150'000, 1, 4, 3));
    all.emplace_back("hub rows", skewed(1'000, 15'000, 150'000, 4, 1, 4));
    all.emplace_back("hubs on both sides", skewed(10'000, 10'000, 150'000, 4, 4, 5));
    all.emplace_back("strong hubs on both sides, repeats", skewed(10'000, 10'000, 100'000, 9, 9, 6));
    all.emplace_back("few columns", skewed(15'000, 7, 80'000, 1, 1, 7));
    all.emplace_back("one column", skewed(20'000, 1, 20'000, 1, 1, 8));
    all.emplace_back("dense", skewed(300, 300, 150'000, 1, 1, 9));
    return all;
}

class Threads {
public:
    explicit Threads(int n) { omp_set_num_threads(n); }
    ~Threads() { omp_set_num_threads(before_); }

private:
    int before_ = omp_get_max_threads();
};

}  // namespace

TEST_CASE(
    "first-fit on any number of threads gives the classes of Algorithm 1 read literally, large graphs") {
    for (const auto& [name, graph] : graphs()) {
        INFO(name);
        const Matchings literal = repeated_maximal_matchings(graph);
        for (const int n : {1, 2, 5}) {
            const Threads threads(n);
            CHECK(maximal_matchings(graph) == literal);
        }
    }
}

TEST_CASE("any number of threads builds the same graph and the same schedules") {
    const Graph given = skewed(20'000, 5'000, 400'000, 3, 3, 10);
    const Array<EdgeId> order = given_order(given);
    const Array<VertexId> row = edge_rows(given);
    std::vector<Triple> triples;
    for (const EdgeId e : order)
        triples.push_back({row[e], given.col[e], static_cast<float>(triples.size() % 1000)});
    BuildOptions options = insight::default_build_options();
    options.workers = 700;

    Graph first;
    std::vector<Schedule> schedules;
    for (const int n : {1, 2, 5}) {
        const Threads threads(n);
        const Graph graph = build_graph(triples, given.rows, given.cols, {});
        if (n == 1) first = graph;
        CHECK(graph.row_offsets == first.row_offsets);
        CHECK(graph.col == first.col);
        CHECK(graph.value == first.value);
        CHECK(graph.input_order == first.input_order);
        std::size_t i = 0;
        for (const Builder& builder : builders()) {
            if (std::string(builder.name) == "metis" || builder.refusal) continue;
            INFO(builder.name << " on " << n << " threads");
            Schedule schedule = builder.build(graph, options);
            if (n == 1) schedules.push_back(schedule);
            CHECK(schedule.order == schedules[i].order);
            CHECK(schedule.offsets == schedules[i].offsets);
            CHECK(schedule.residents == schedules[i].residents);
            CHECK(schedule.row_order == schedules[i].row_order);
            ++i;
        }
    }
}

TEST_CASE("a graph without the input's order is the same graph") {
    const Graph with = skewed(1000, 500, 50'000, 2, 2, 11);
    std::vector<Triple> triples;
    const Array<VertexId> row = edge_rows(with);
    for (const EdgeId e : given_order(with)) triples.push_back({row[e], with.col[e], static_cast<float>(e)});
    const Graph kept = build_graph(triples, 1000, 500, {});
    const Graph without = build_graph(triples, 1000, 500, {.input_order = false});
    CHECK(without.input_order.empty());
    CHECK(without.col == kept.col);
    CHECK(without.value == kept.value);
    CHECK(without.row_offsets == kept.row_offsets);
}

TEST_CASE("pairs of more than 32 bits sort as shorter ones") {
    const VertexId cols = max_vertices;
    std::vector<Triple> triples;
    std::mt19937_64 random(12);
    for (int i = 0; i < 100'000; ++i)
        triples.push_back({static_cast<VertexId>(random() % 5000), static_cast<VertexId>(random() % cols),
                           static_cast<float>(i)});
    auto sorted = triples;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Triple& a, const Triple& b) {
        return a.row != b.row ? a.row < b.row : a.col < b.col;
    });
    const Graph graph = build_graph(triples, 5000, cols, {});
    const Array<VertexId> row = edge_rows(graph);
    bool same = true;
    for (std::size_t e = 0; e < sorted.size(); ++e)
        same = same && row[e] == sorted[e].row && graph.col[e] == sorted[e].col &&
               graph.value[e] == sorted[e].value;
    CHECK(same);
}

TEST_CASE("grouping in two passes is the stable grouping, up to the last id that its type holds") {
    std::mt19937_64 random(1);
    for (const EdgeId keys : {EdgeId{1}, EdgeId{2}, EdgeId{511}, EdgeId{513}, EdgeId{70'000}}) {
        const EdgeId size = 65'536;  // the IDs fill 16 bits
        std::vector<VertexId> key(size);
        for (VertexId& k : key) k = static_cast<VertexId>(std::min<EdgeId>(random() % keys, random() % keys));
        const auto key_of = [&](EdgeId i) { return key[i]; };
        const auto id_of = [&](EdgeId i) { return size - 1 - i; };
        std::vector<EdgeId> expected(size), narrow(size), wide(size);
        const auto offsets = radix_partition(size, keys, key_of, id_of, expected.data());
        CHECK(group_in_two_passes<std::uint16_t>(size, keys, key_of, id_of, narrow.data()) == offsets);
        CHECK(group_in_two_passes<EdgeId>(size, keys, key_of, id_of, wide.data()) == offsets);
        CHECK(narrow == expected);
        CHECK(wide == expected);
    }
}
