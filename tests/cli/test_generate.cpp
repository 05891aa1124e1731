// lockstep-generate: what it promises about counts, degrees, values and seeds, seen from outside.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <sstream>

#include "catch.hpp"
#include "support.hpp"

using namespace lockstep;
using test::run_program;
using Arguments = std::vector<std::string>;

namespace {

struct Edge {
    std::uint32_t row, col;
    double value;
};

/// Strict: exactly `fields` numbers a line.
std::vector<Edge> parse(const std::string& text, int fields = 3) {
    std::vector<Edge> edges;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        Edge edge{0, 0, 1};
        words >> edge.row >> edge.col;
        if (fields == 3) words >> edge.value;
        REQUIRE(words);
        REQUIRE((words >> std::ws).eof());
        edges.push_back(edge);
    }
    return edges;
}

std::vector<Edge> parse_binary(const std::string& bytes) {
    REQUIRE(bytes.size() % 12 == 0);
    std::vector<Edge> edges(bytes.size() / 12);
    for (std::size_t i = 0; i < edges.size(); ++i) {
        float value;
        std::memcpy(&edges[i].row, &bytes[12 * i], 4);
        std::memcpy(&edges[i].col, &bytes[12 * i + 4], 4);
        std::memcpy(&value, &bytes[12 * i + 8], 4);
        edges[i].value = value;
    }
    return edges;
}

std::string generated(Arguments arguments) {
    arguments.insert(arguments.end(), {"-o", "-", "--quiet"});
    const auto result = run_program("lockstep-generate", arguments);
    INFO(result.err);
    REQUIRE(result.code == 0);
    CHECK(result.err.empty());
    return result.out;
}

Arguments ratings(int users, int items, long edges, long most, Arguments more = {}) {
    Arguments all{"ratings",
                  "--users",
                  std::to_string(users),
                  "--items",
                  std::to_string(items),
                  "--edges",
                  std::to_string(edges),
                  "--max-degree",
                  std::to_string(most)};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

std::map<std::uint32_t, long> degrees(const std::vector<Edge>& edges, std::uint32_t Edge::*side) {
    std::map<std::uint32_t, long> count;
    for (const Edge& edge : edges) ++count[edge.*side];
    return count;
}

long largest(const std::map<std::uint32_t, long>& degree) {
    return std::max_element(degree.begin(), degree.end(),
                            [](auto& a, auto& b) { return a.second < b.second; })
        ->second;
}

bool distinct(const std::vector<Edge>& edges) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const Edge& edge : edges) pairs.emplace(edge.row, edge.col);
    return pairs.size() == edges.size();
}

/// Rank of a dense matrix by elimination with full pivoting.
int numeric_rank(std::vector<std::vector<double>> m, double tolerance) {
    int rank = 0;
    for (const std::size_t rows = m.size(), cols = m[0].size(); rank < static_cast<int>(std::min(rows, cols));
         ++rank) {
        std::size_t r = rank, c = rank;
        for (std::size_t i = rank; i < rows; ++i) {
            for (std::size_t j = rank; j < cols; ++j) {
                if (std::abs(m[i][j]) > std::abs(m[r][c])) r = i, c = j;
            }
        }
        if (std::abs(m[r][c]) < tolerance) break;
        std::swap(m[rank], m[r]);
        for (auto& row : m) std::swap(row[rank], row[c]);
        for (std::size_t i = rank + 1; i < rows; ++i) {
            const double factor = m[i][rank] / m[rank][rank];
            for (std::size_t j = rank; j < cols; ++j) m[i][j] -= factor * m[rank][j];
        }
    }
    return rank;
}

void refused(const Arguments& arguments, const std::string& word) {
    Arguments all = arguments;
    all.insert(all.end(), {"-o", "-"});
    const auto result = run_program("lockstep-generate", all);
    INFO(result.err);
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK(result.err.find(word) != std::string::npos);
}

}  // namespace

TEST_CASE("generated ratings have exactly the edges, the largest item and the vertices asked for",
          "[generate]") {
    struct Shape {
        int users, items;
        long edges, most;
    };
    const Shape shape =
        GENERATE(Shape{2000, 300, 40000, 900}, Shape{500, 80, 20000, 480},  // items of most users
                 Shape{60, 40, 60, 21},    // fewest edges: all other items have one
                 Shape{60, 40, 2400, 60},  // every pair
                 Shape{60, 40, 2399, 60}, Shape{5, 1, 5, 5}, Shape{1, 7, 7, 1}, Shape{1000, 1000, 1000, 1});
    CAPTURE(shape.users, shape.items, shape.edges, shape.most);
    const auto edges = parse(generated(ratings(shape.users, shape.items, shape.edges, shape.most)));
    CHECK(static_cast<long>(edges.size()) == shape.edges);
    CHECK(distinct(edges));
    const auto users = degrees(edges, &Edge::row), items = degrees(edges, &Edge::col);
    CHECK(largest(items) == shape.most);
    CHECK(static_cast<int>(users.size()) == shape.users);  // every vertex occurs, ids from 0
    CHECK(users.rbegin()->first == static_cast<std::uint32_t>(shape.users) - 1);
    CHECK(static_cast<int>(items.size()) == shape.items);
    CHECK(items.rbegin()->first == static_cast<std::uint32_t>(shape.items) - 1);
}

TEST_CASE("generated degrees are skewed, and edges come in random order", "[generate]") {
    const auto edges = parse(generated(ratings(3000, 600, 60000, 1500)));
    std::vector<long> items, users;
    for (const auto& [id, degree] : degrees(edges, &Edge::col)) items.push_back(degree);
    for (const auto& [id, degree] : degrees(edges, &Edge::row)) users.push_back(degree);
    const auto share_of_top_tenth = [](std::vector<long> degree) {
        std::sort(degree.rbegin(), degree.rend());
        const auto tenth = degree.begin() + static_cast<long>(degree.size() / 10);
        return static_cast<double>(std::accumulate(degree.begin(), tenth, 0L)) /
               static_cast<double>(std::accumulate(degree.begin(), degree.end(), 0L));
    };
    CHECK(share_of_top_tenth(items) > 0.4);
    CHECK(share_of_top_tenth(users) > 0.15);
    CHECK(share_of_top_tenth(users) < share_of_top_tenth(items));
    // Large items are not those with small ids.
    CHECK(std::abs(std::accumulate(items.begin(), items.begin() + 300, 0L) - 30000) < 15000);
    // Neighbouring lines rarely share an item: in item order nearly all would.
    long same = 0;
    for (std::size_t i = 1; i < edges.size(); ++i) same += edges[i].col == edges[i - 1].col;
    CHECK(same < static_cast<long>(edges.size()) / 20);
}

TEST_CASE("a seed gives the same file, another seed another one", "[generate]") {
    const Arguments kinds[] = {ratings(300, 50, 3000, 120),
                               {"uniform", "--users", "50", "--items", "60", "--edges", "900"},
                               {"road", "--width", "30", "--height", "20"},
                               {"rmat", "--scale", "7"},
                               {"random", "--vertices", "40", "--edges", "90"},
                               {"grid", "--width", "9", "--height", "9", "--weights", "1..255"}};
    for (Arguments kind : kinds) {
        CAPTURE(kind[0]);
        const std::string plain = generated(kind);
        kind.insert(kind.end(), {"--seed", "1"});
        CHECK(generated(kind) == plain);
        kind.back() = "2";
        CHECK(generated(kind) != plain);
    }
}

TEST_CASE("a seed gives the same file on every machine and in every version", "[generate]") {
    CHECK(generated(ratings(4, 3, 7, 4)) ==
          "3 1 0.606\n1 2 1.417\n1 1 3.449\n0 1 2.372\n2 1 3.628\n0 2 3.212\n0 0 3.264\n");
    CHECK(generated({"uniform", "--users", "3", "--items", "3", "--edges", "3"}) ==
          "2 0 2.067\n1 2 1.417\n0 0 3.264\n");
    CHECK(generated({"road", "--width", "3", "--height", "2"}) ==
          "0 1 94.670\n1 2 78.373\n0 3 100.389\n3 4 99.436\n2 5 91.709\n");
    CHECK(generated({"rmat", "--scale", "3", "--edge-factor", "1"}) ==
          "6 0\n4 4\n0 3\n3 0\n1 0\n0 0\n4 0\n0 1\n");
    CHECK(generated({"random", "--vertices", "3", "--edges", "3", "--both-arcs", "--weights", "1..255"}) ==
          "1 1 209\n0 0 10\n2 2 234\n");
}

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

TEST_CASE("noise-free ratings have the planted rank and deviation", "[generate]") {
    const int rank = GENERATE(1, 3, 8);
    const auto edges = parse(generated(
        ratings(80, 60, 4800, 80,
                {"--noise", "0", "--mean", "0", "--rank", std::to_string(rank), "--decimals", "9"})));
    std::vector<std::vector<double>> matrix(80, std::vector<double>(60));
    double squares = 0;
    for (const Edge& edge : edges) {
        matrix[edge.row][edge.col] = edge.value;
        squares += edge.value * edge.value;
    }
    CHECK(numeric_rank(matrix, 1e-4) == rank);
    CHECK(std::sqrt(squares / 4800) == Approx(1).margin(0.35));
}

TEST_CASE("noise has the standard deviation asked for and mean 0", "[generate]") {
    const Arguments base = ratings(400, 100, 20000, 380, {"--decimals", "6"});
    Arguments clean = base, noisy = base;
    clean.insert(clean.end(), {"--noise", "0"});
    noisy.insert(noisy.end(), {"--noise", "0.25"});
    const auto a = parse(generated(clean)), b = parse(generated(noisy));
    REQUIRE(a.size() == b.size());
    double sum = 0, squares = 0, inside = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        REQUIRE(a[i].row == b[i].row);  // noise changes values, never pairs
        REQUIRE(a[i].col == b[i].col);
        const double noise = b[i].value - a[i].value;
        sum += noise;
        squares += noise * noise;
        inside += std::abs(noise) < 0.25;
    }
    const double count = static_cast<double>(a.size());
    CHECK(std::abs(sum / count) < 0.008);
    CHECK(std::sqrt(squares / count) == Approx(0.25).epsilon(0.02));
    CHECK(inside / count == Approx(0.683).margin(0.012));  // as a normal distribution has it
}

TEST_CASE("option --scale clips, and centres the mean", "[generate]") {
    const auto edges = parse(generated(ratings(200, 50, 5000, 190, {"--scale", "1..9", "--deviation", "4"})));
    double sum = 0;
    for (const Edge& edge : edges) {
        REQUIRE((edge.value >= 1 && edge.value <= 9));
        sum += edge.value;
    }
    CHECK(sum / 5000 == Approx(5).margin(1));
}

TEST_CASE("binary triples hold what the text holds", "[generate]") {
    const test::TemporaryFolder folder;
    const auto text = parse(generated(ratings(300, 40, 3000, 200, {"--decimals", "6"})));
    const auto path = folder / "r.bin";
    Arguments arguments = ratings(300, 40, 3000, 200, {"-o", path.string(), "--json"});
    const auto result = run_program("lockstep-generate", arguments);
    REQUIRE(result.code == 0);
    const auto binary = parse_binary(test::read_file(path));
    REQUIRE(binary.size() == text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        REQUIRE(binary[i].row == text[i].row);
        REQUIRE(binary[i].col == text[i].col);
        REQUIRE(binary[i].value == Approx(text[i].value).margin(1e-6));
    }
    const auto made = nlohmann::json::parse(result.out);
    CHECK(made["format"] == "cumf-binary");
    CHECK(made["rows"] == 300);
    CHECK(made["cols"] == 40);
    CHECK(made["edges"] == 3000);
    CHECK(made["max_col_degree"] == 200);
    CHECK(made["max_row_degree"] == largest(degrees(text, &Edge::row)));
    CHECK(made["empty_rows"] == 0);
    CHECK(made["seed"] == 1);
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

TEST_CASE("R-MAT gives the edges asked for, skewed; without duplicates each arc once", "[generate]") {
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
        // Mean 200, deviation 14: chi-square of 499 degrees of freedom, within five deviations.
        double chi = 0;
        for (const auto& [id, degree] : count) chi += std::pow(static_cast<double>(degree) - 200, 2) / 200;
        CHECK(chi == Approx(499).margin(5 * std::sqrt(2 * 499.0)));
    }
    long loops = 0;
    for (const Edge& edge : edges) loops += edge.row == edge.col;
    CHECK(loops == Approx(200).margin(5 * std::sqrt(200.0)));  // the ends are independent
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
        // The undirected graph of the drawn arcs: each of its edges as two arcs of one weight.
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
    // Roads have lengths; whole numbers take their place.
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
        // The places of the ends differ by one, around the end, in one dimension alone.
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
        const auto made = run_program("lockstep-generate", all);
        REQUIRE(made.code == 0);
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
    CHECK(run_program("lockstep-generate", {"star", "-o", "-"}).code == 2);
    CHECK(run_program("lockstep-generate", {"regular", "--vertices", "5", "--degree", "5", "-o", "-"}).code ==
          2);
    CHECK(run_program("lockstep-generate", {"star", "--vertices", "5", "--degree", "2", "-o", "-"}).code ==
          2);
}

TEST_CASE("the JSON of a square graph counts both sides of a vertex", "[generate]") {
    const auto result = run_program(
        "lockstep-generate", {"rmat", "--scale", "6", "--edge-factor", "2", "-o", "/dev/null", "--json"});
    const auto made = nlohmann::json::parse(result.out);
    const auto edges = parse(generated({"rmat", "--scale", "6", "--edge-factor", "2"}), 2);
    auto both = degrees(edges, &Edge::row);
    CHECK(made["max_row_degree"] == largest(both));
    for (const auto& [id, degree] : degrees(edges, &Edge::col)) both[id] += degree;
    CHECK(made["max_degree"] == largest(both));
    CHECK(made["isolated"] == 64 - both.size());
    CHECK(made["edges"] == 128);
    const auto both_arcs =
        nlohmann::json::parse(run_program("lockstep-generate", {"torus", "--sides", "5,5", "--both-arcs",
                                                                "-o", "/dev/null", "--json"})
                                  .out);
    CHECK(both_arcs["edges"] == 100);
    CHECK(both_arcs["max_degree"] == 4);  // each neighbour once
}

TEST_CASE("the sample ratings are what samples/README.md says they are", "[generate]") {
    const std::string samples = std::string(LOCKSTEP_TEST_DATA) + "/../../samples/";
    const std::string readme = test::read_file(samples + "README.md");
    const auto begin = readme.find("lockstep-generate ratings "), end = readme.find('\n', begin);
    REQUIRE(begin != std::string::npos);
    std::istringstream words(readme.substr(begin, end - begin));
    Arguments arguments;
    for (std::string word; words >> word && word != "-o";) arguments.push_back(word);
    arguments.erase(arguments.begin());
    CHECK((generated(arguments) == test::read_file(samples + "ratings.txt")));
}

TEST_CASE("impossible requests are refused with the bound", "[generate]") {
    refused(ratings(10, 5, 20, 11), "1 to --users 10");
    refused(ratings(10, 5, 20, 0), "--max-degree");
    refused(ratings(10, 5, 9, 5), "10 users");
    refused(ratings(10, 5, 13, 10), "14 in all");
    refused(ratings(10, 5, 26, 5), "hold 25");
    refused({"uniform", "--users", "3", "--items", "4", "--edges", "13"}, "have 12");
    refused(ratings(0, 5, 20, 10), "--users");
    refused(ratings(10, 5, 20, 10, {"--noise", "nan"}), "not nan");
    refused(ratings(10, 5, 20, 10, {"--noise", "-1"}), "not -1");
    refused(ratings(10, 5, 20, 10, {"--scale", "5..1"}), "1..5");
    refused(ratings(10, 5, 20, 10, {"--seed", "7x"}), "7x");
    refused(ratings(10, 5, 20, 10, {"--width", "7"}), "--width is no option of ratings");
    refused(ratings(10, 5, 20, 10, {"--output-format", "csv"}), "cumf-binary");
    refused({"ratings", "--users", "3"}, "--items is missing");
    refused({"road", "--vertices", "1"}, "2 to");
    refused({"road", "--vertices", "9", "--width", "3"}, "--vertices");
    refused({"road", "--width", "100000", "--height", "100000"}, "10000000000");
    refused({"rmat", "--scale", "31"}, "--scale");
    refused({"rmat", "--scale", "3", "--a", "0.9"}, "more than 1");
    refused({"rmat", "--scale", "3", "--weights", "1.5..3"}, "whole numbers");
    refused({"rmat", "--scale", "3", "--weights", "1..20000000"}, "16777216");
    refused(ratings(10, 5, 20, 10, {"--weights", "1..3"}), "--weights is no option of ratings");
    refused(ratings(10, 5, 20, 10, {"--both-arcs"}), "--both-arcs is no option of ratings");
    refused({"kronecker", "--scale", "3", "--a", "0.5"}, "--a is no option of kronecker");
    refused({"torus", "--sides", "3,x"}, "64,64,64");
    refused({"torus", "--sides", "3,"}, "64,64,64");
    refused({"torus", "--sides", "100000,100000,100000"}, "vertices");
    refused({"torus"}, "--sides is missing");
    refused({"random", "--vertices", "5"}, "--edges is missing");
    refused({"moebius"}, "moebius");
    refused({}, "KIND");
    CHECK(run_program("lockstep-generate", {"rmat", "--scale", "3"}).code == 2);  // no -o
    CHECK(run_program("lockstep-generate", {"rmat", "--scale", "3", "-o", "-", "--json"}).code == 2);
}

TEST_CASE("output that cannot be written is exit 6; nothing is left behind", "[generate]") {
    const test::TemporaryFolder folder;
    CHECK(run_program("lockstep-generate", {"rmat", "--scale", "3", "-o", (folder / "none/x.txt").string()})
              .code == 6);
    CHECK(run_program("lockstep-generate", {"rmat", "--scale", "12", "-o", "/dev/full"}).code == 6);
    CHECK(run_program("lockstep-generate", {"rmat", "--scale", "3", "-o", folder.path().string()}).code == 6);
    // A refusal after the output was opened leaves the old file and no temporary one.
    test::write_file(folder / "old.txt", "old");
    CHECK(run_program("lockstep-generate", {"uniform", "--users", "3", "--items", "4", "--edges", "13", "-o",
                                            (folder / "old.txt").string()})
              .code == 2);
    CHECK(test::read_file(folder / "old.txt") == "old");
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
    CHECK(run_program("lockstep-generate", {"rmat", "--scale", "3", "-o", "/dev/null"}).code == 0);
}
