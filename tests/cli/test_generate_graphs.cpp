// lockstep-generate for graphs: their edges, degrees and shapes, tested from outside.
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "generate_support.hpp"

using namespace lockstep::test;

TEST_CASE("the threads that draw do not change what is drawn", "[generate]") {
    for (const Arguments& kind : {Arguments{"rmat", "--scale", "17", "--edge-factor", "9"},
                                  Arguments{"rmat", "--scale", "12", "--no-duplicates", "--both-arcs"},
                                  Arguments{"random", "--vertices", "1000", "--edges", "1100000"}}) {
        CAPTURE(kind);
        const char* const before = std::getenv("OMP_NUM_THREADS");
        const std::string kept = before ? before : "";
        ::setenv("OMP_NUM_THREADS", "1", 1);
        const std::string one = generated(kind);
        ::setenv("OMP_NUM_THREADS", "3", 1);
        const std::string three = generated(kind);
        before ? ::setenv("OMP_NUM_THREADS", kept.c_str(), 1) : ::unsetenv("OMP_NUM_THREADS");
        CHECK((one == three));
    }
}

TEST_CASE("uniform pairs are distinct, also when every pair is asked for", "[generate]") {
    const long count = GENERATE(1, 500, 3000);
    const auto edges =
        parse(generated({"uniform", "--users", "50", "--items", "60", "--edges", std::to_string(count)}));
    CHECK(static_cast<long>(edges.size()) == count);
    CHECK(distinct(edges));
    for (const Edge& edge : edges) REQUIRE((edge.row < 50 && edge.col < 60));
}

TEST_CASE("a road is connected, sparse, of small degree, each edge once", "[generate]") {
    const auto [arguments, vertices] =
        GENERATE(std::pair(Arguments{"--width", "70", "--height", "50"}, 3500),
                 std::pair(Arguments{"--vertices", "3001"}, 3001),
                 std::pair(Arguments{"--width", "1", "--height", "9"}, 9),
                 std::pair(Arguments{"--width", "40", "--height", "50", "--drop", "0"}, 2000),
                 std::pair(Arguments{"--width", "40", "--height", "50", "--drop", "1"}, 2000));
    Arguments all{"road"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    CAPTURE(all);
    const auto edges = parse(generated(all));
    std::vector<std::uint32_t> root(vertices), degree(vertices);
    std::iota(root.begin(), root.end(), 0U);
    const auto find = [&](std::uint32_t v) {
        while (root[v] != v) v = root[v] = root[root[v]];
        return v;
    };
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const Edge& edge : edges) {
        REQUIRE((edge.row < root.size() && edge.col < root.size() && edge.row != edge.col));
        REQUIRE((edge.value >= 75 && edge.value <= 125 * 1.4143));
        pairs.insert(std::minmax(edge.row, edge.col));
        ++degree[edge.row], ++degree[edge.col];
        root[find(edge.row)] = find(edge.col);
    }
    CHECK(pairs.size() == edges.size());
    CHECK(*std::max_element(degree.begin(), degree.end()) <= 8);
    for (std::uint32_t v = 0; v < root.size(); ++v) REQUIRE(find(v) == find(0));
    const double mean = 2.0 * static_cast<double>(edges.size()) / vertices;
    if (arguments.size() == 4 && vertices == 3500) CHECK(mean == Approx(2.5).margin(0.1));
    if (arguments.back() == "0") CHECK(mean == Approx(4).margin(0.2));
}

TEST_CASE("R-MAT gives the edges asked for, skewed, without duplicates each arc once", "[generate]") {
    const auto all = parse(generated({"rmat", "--scale", "10", "--edge-factor", "8"}), 2);
    CHECK(all.size() == 8 * 1024);
    CHECK_FALSE(distinct(all));
    for (const Edge& edge : all) REQUIRE((edge.row < 1024 && edge.col < 1024));
    CHECK(largest(degrees(all, &Edge::row)) > 10 * 8);
    const auto once = parse(generated({"rmat", "--scale", "10", "--edge-factor", "8", "--no-duplicates"}), 2);
    CHECK(distinct(once));
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs, kept;
    for (const Edge& edge : all) pairs.emplace(edge.row, edge.col);
    for (const Edge& edge : once) kept.emplace(edge.row, edge.col);
    CHECK(pairs == kept);
    const auto even = parse(generated({"rmat", "--scale", "10", "--edge-factor", "8", "--a", "0.25", "--b",
                                       "0.25", "--c", "0.25"}),
                            2);
    CHECK(largest(degrees(even, &Edge::row)) < 4 * 8);
}

TEST_CASE("kronecker is R-MAT with the parameters of Graph500", "[generate]") {
    CHECK((generated({"kronecker", "--scale", "9"}) ==
           generated({"rmat", "--scale", "9", "--edge-factor", "16", "--a", "0.57", "--b", "0.19", "--c",
                      "0.19"})));
}

TEST_CASE("a random graph has the vertices and edges asked for, its ends uniform", "[generate]") {
    const auto edges = parse(generated({"random", "--vertices", "500", "--edges", "100000"}), 2);
    CHECK(edges.size() == 100000);
    for (auto side : {&Edge::row, &Edge::col}) {
        const auto count = degrees(edges, side);
        CHECK(count.size() == 500);
        CHECK(count.rbegin()->first == 499);
        // Mean 200, deviation 14: the chi-square statistic of 499 degrees of freedom is within five
        // deviations.
        double chi = 0;
        for (const auto& [id, degree] : count) chi += std::pow(static_cast<double>(degree) - 200, 2) / 200;
        CHECK(chi == Approx(499).margin(5 * std::sqrt(2 * 499.0)));
    }
    long loops = 0;
    for (const Edge& edge : edges) loops += edge.row == edge.col;
    CHECK(loops == Approx(200).margin(5 * std::sqrt(200.0)));  // the endpoints are independent
}

TEST_CASE("options drop repeats and self-loops, write both arcs, and give both the same weight",
          "[generate]") {
    const std::vector<Arguments> graphs{{"rmat", "--scale", "8"},
                                        {"random", "--vertices", "60", "--edges", "900"}};
    for (const Arguments& graph : graphs) {
        CAPTURE(graph[0]);
        const auto with = [&](Arguments more, int fields) {
            more.insert(more.begin(), graph.begin(), graph.end());
            return parse(generated(more), fields);
        };
        const auto drawn = with({}, 2);
        std::set<std::pair<std::uint32_t, std::uint32_t>> edges, kept;
        for (const Edge& edge : drawn)
            if (edge.row != edge.col) edges.insert(std::minmax(edge.row, edge.col));
        CHECK(edges.size() < drawn.size());
        const auto no_loops = with({"--no-self-loops"}, 2);
        std::size_t loops = 0;
        for (const Edge& edge : drawn) loops += edge.row == edge.col;
        CHECK(loops > 0);
        CHECK(no_loops.size() == drawn.size() - loops);
        CHECK(with({"--both-arcs"}, 2).size() == 2 * drawn.size() - loops);
        // The undirected graph of the drawn arcs: each of its edges is two arcs with one weight.
        const auto arcs =
            with({"--no-self-loops", "--no-duplicates", "--both-arcs", "--weights", "1..255"}, 3);
        CHECK(distinct(arcs));
        CHECK(arcs.size() == 2 * edges.size());
        std::map<std::pair<std::uint32_t, std::uint32_t>, double> weight;
        std::set<double> weights;
        for (const Edge& arc : arcs) {
            kept.insert(std::minmax(arc.row, arc.col));
            weights.insert(arc.value);
            REQUIRE((arc.value >= 1 && arc.value <= 255 && arc.value == std::floor(arc.value)));
            const auto [place, fresh] = weight.emplace(std::minmax(arc.row, arc.col), arc.value);
            REQUIRE(place->second == arc.value);
        }
        CHECK(kept == edges);
        CHECK(weights.size() > 150);
    }
}

TEST_CASE("weights are uniform and reach both ends of their range", "[generate]") {
    std::map<double, int> count;
    for (const Edge& edge :
         parse(generated({"grid", "--width", "200", "--height", "100", "--weights", "-2..3"})))
        ++count[edge.value];
    REQUIRE(count.size() == 6);
    CHECK((count.begin()->first == -2 && count.rbegin()->first == 3));
    for (const auto& [value, times] : count) CHECK(times == Approx(39700.0 / 6).margin(400));
    // Roads have lengths, which whole numbers replace.
    const Arguments road{"road", "--vertices", "500"};
    const auto lengths = parse(generated(road));
    Arguments weighted = road;
    weighted.insert(weighted.end(), {"--weights", "5..6"});
    const auto whole = parse(generated(weighted));
    REQUIRE(whole.size() == lengths.size());
    for (std::size_t i = 0; i < whole.size(); ++i) {
        REQUIRE((whole[i].row == lengths[i].row && whole[i].col == lengths[i].col));
        REQUIRE((whole[i].value == 5 || whole[i].value == 6));
    }
}

TEST_CASE("a torus joins each vertex to its neighbours in every dimension", "[generate]") {
    const auto [sides, dimensions] =
        GENERATE(std::pair(std::vector<int>{7, 5}, 2), std::pair(std::vector<int>{3, 4, 5}, 3),
                 std::pair(std::vector<int>{3, 3, 3, 3}, 4), std::pair(std::vector<int>{9}, 1));
    std::string list;
    std::uint32_t vertices = 1;
    for (const int side : sides) list += (list.empty() ? "" : ",") + std::to_string(side), vertices *= side;
    CAPTURE(list);
    const auto edges = parse(generated({"torus", "--sides", list}), 2);
    CHECK(edges.size() == std::size_t{vertices} * dimensions);
    CHECK(distinct(edges));
    std::vector<int> degree(vertices);
    for (const Edge& edge : edges) {
        // The coordinates of the endpoints differ by one (cyclically) in exactly one dimension.
        std::uint32_t u = edge.row, v = edge.col;
        int differ = 0;
        for (std::size_t d = sides.size(); d-- > 0;) {
            const int side = sides[d],
                      step = (static_cast<int>(v % side) - static_cast<int>(u % side) + side) % side;
            CHECK((step == 0 || step == 1));
            differ += step;
            u /= side, v /= side;
        }
        REQUIRE(differ == 1);
        ++degree[edge.row], ++degree[edge.col];
    }
    CHECK(std::count(degree.begin(), degree.end(), 2 * dimensions) == vertices);
    CHECK(generated({"torus", "--sides", "2,1"}) == "0 1\n");
}

TEST_CASE("graphs of known degrees have them, each edge once", "[generate]") {
    struct Expected {
        Arguments arguments;
        std::size_t edges, max_out, max_in;
    };
    for (const auto& [arguments, edges, max_out, max_in] :
         std::vector<Expected>{{{"star", "--vertices", "50"}, 49, 49, 1},
                               {{"chain", "--vertices", "50"}, 49, 1, 1},
                               {{"ring", "--vertices", "50"}, 50, 1, 1},
                               {{"regular", "--vertices", "50", "--degree", "7"}, 350, 7, 7},
                               {{"grid", "--width", "10", "--height", "5"}, 9 * 5 + 10 * 4, 2, 2},
                               {{"tree", "--vertices", "50"}, 49, 2, 1},
                               {{"complete", "--vertices", "50"}, 50 * 49 / 2, 49, 49}}) {
        INFO(arguments[0]);
        Arguments all = arguments;
        all.insert(all.end(), {"-o", "-", "-q"});
        const auto made = done("lockstep-generate", all);
        std::map<std::uint32_t, std::size_t> out, in;
        std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
        for (const Edge& e : parse(made.out, 2)) {
            ++out[e.row], ++in[e.col];
            REQUIRE(e.row < 50);
            REQUIRE(e.col < 50);
            REQUIRE(e.row != e.col);
            REQUIRE(pairs.emplace(e.row, e.col).second);
        }
        const auto largest = [](const auto& degrees) {
            return std::max_element(degrees.begin(), degrees.end(),
                                    [](auto& a, auto& b) { return a.second < b.second; })
                ->second;
        };
        CHECK(pairs.size() == edges);
        CHECK(largest(out) == max_out);
        CHECK(largest(in) == max_in);
    }
    CHECK(run_program("lockstep-generate star -o -").code == 2);
    CHECK(run_program("lockstep-generate regular --vertices 5 --degree 5 -o -").code == 2);
    CHECK(run_program("lockstep-generate star --vertices 5 --degree 2 -o -").code == 2);
}

TEST_CASE("the JSON of a square graph counts both sides of a vertex", "[generate]") {
    const auto result = run_program("lockstep-generate rmat --scale 6 --edge-factor 2 -o /dev/null --json");
    const auto made = nlohmann::json::parse(result.out);
    const auto edges = parse(generated({"rmat", "--scale", "6", "--edge-factor", "2"}), 2);
    auto both = degrees(edges, &Edge::row);
    CHECK(made["max_row_degree"] == largest(both));
    for (const auto& [id, degree] : degrees(edges, &Edge::col)) both[id] += degree;
    CHECK(made["max_degree"] == largest(both));
    CHECK(made["isolated"] == 64 - both.size());
    CHECK(made["edges"] == 128);
    const auto both_arcs = parsed("lockstep-generate torus --sides 5,5 --both-arcs -o /dev/null --json");
    CHECK(both_arcs["edges"] == 100);
    CHECK(both_arcs["max_degree"] == 4);  // each neighbour counts once
}
