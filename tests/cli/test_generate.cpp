// lockstep-generate for ratings: the promised counts, degrees, values and seeds, tested from outside.
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "generate_support.hpp"

using namespace lockstep::test;

namespace {

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

Arguments ratings(int users, int items, long edges, long most, Arguments more = {}) {
    Command all;
    all.add(fmt::format("ratings --users {} --items {} --edges {} --max-degree {}", users, items, edges, most)
                .c_str());
    all.add(more);
    return all.words;
}

/// Returns the rank of a dense matrix, by elimination with full pivoting.
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

}  // namespace

TEST_CASE("generated ratings have exactly the edges, the largest item and the vertices asked for",
          "[generate]") {
    struct Shape {
        int users, items;
        long edges, most;
    };
    const Shape shape =
        GENERATE(Shape{2000, 300, 40000, 900}, Shape{500, 80, 20000, 480},  // items that most users rated
                 Shape{60, 40, 60, 21},    // fewest edges: all other items have one
                 Shape{60, 40, 2400, 60},  // every pair
                 Shape{60, 40, 2399, 60}, Shape{5, 1, 5, 5}, Shape{1, 7, 7, 1}, Shape{1000, 1000, 1000, 1});
    CAPTURE(shape.users, shape.items, shape.edges, shape.most);
    const auto edges = parse(generated(ratings(shape.users, shape.items, shape.edges, shape.most)));
    CHECK(static_cast<long>(edges.size()) == shape.edges);
    CHECK(distinct(edges));
    const auto users = degrees(edges, &Edge::row), items = degrees(edges, &Edge::col);
    CHECK(largest(items) == shape.most);
    CHECK(static_cast<int>(users.size()) == shape.users);  // every vertex occurs, IDs start from 0
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
    // Items with many ratings are not the items with small IDs.
    CHECK(std::abs(std::accumulate(items.begin(), items.begin() + 300, 0L) - 30000) < 15000);
    // Neighbouring lines rarely share an item; if edges were in item order, nearly all would.
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
    CHECK(inside / count == Approx(0.683).margin(0.012));  // like a normal distribution
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
    const TemporaryFolder folder;
    const auto text = parse(generated(ratings(300, 40, 3000, 200, {"--decimals", "6"})));
    const auto path = folder / "r.bin";
    Arguments arguments = ratings(300, 40, 3000, 200, {"-o", path.string(), "--json"});
    const auto result = done("lockstep-generate", arguments);
    const auto binary = parse_binary(read_file(path));
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

TEST_CASE("the sample ratings are what samples/README.md says they are", "[generate]") {
    const std::string samples = std::string(LOCKSTEP_TEST_DATA) + "/../../samples/";
    const std::string readme = read_file(samples + "README.md");
    const auto begin = readme.find("lockstep-generate ratings "), end = readme.find('\n', begin);
    REQUIRE(begin != std::string::npos);
    std::istringstream words(readme.substr(begin, end - begin));
    Arguments arguments;
    for (std::string word; words >> word && word != "-o";) arguments.push_back(word);
    arguments.erase(arguments.begin());
    CHECK((generated(arguments) == read_file(samples + "ratings.txt")));
}

TEST_CASE("impossible requests are refused with the bound", "[generate]") {
    refused("1 to --users 10", "lockstep-generate", ratings(10, 5, 20, 11), "-o -");
    refused("--max-degree", "lockstep-generate", ratings(10, 5, 20, 0), "-o -");
    refused("10 users", "lockstep-generate", ratings(10, 5, 9, 5), "-o -");
    refused("14 in total", "lockstep-generate", ratings(10, 5, 13, 10), "-o -");
    refused("at most 25", "lockstep-generate", ratings(10, 5, 26, 5), "-o -");
    refused("have 12", "lockstep-generate uniform --users 3 --items 4 --edges 13 -o -");
    refused("--users", "lockstep-generate", ratings(0, 5, 20, 10), "-o -");
    refused("not nan", "lockstep-generate", ratings(10, 5, 20, 10, {"--noise", "nan"}), "-o -");
    refused("not -1", "lockstep-generate", ratings(10, 5, 20, 10, {"--noise", "-1"}), "-o -");
    refused("1..5", "lockstep-generate", ratings(10, 5, 20, 10, {"--scale", "5..1"}), "-o -");
    refused("7x", "lockstep-generate", ratings(10, 5, 20, 10, {"--seed", "7x"}), "-o -");
    refused("--width is not an option of ratings", "lockstep-generate",
            ratings(10, 5, 20, 10, {"--width", "7"}), "-o -");
    refused("cumf-binary", "lockstep-generate", ratings(10, 5, 20, 10, {"--output-format", "csv"}), "-o -");
    refused("--items is missing", "lockstep-generate ratings --users 3 -o -");
    refused("2 to", "lockstep-generate road --vertices 1 -o -");
    refused("--vertices", "lockstep-generate road --vertices 9 --width 3 -o -");
    refused("10000000000", "lockstep-generate road --width 100000 --height 100000 -o -");
    refused("--scale", "lockstep-generate rmat --scale 31 -o -");
    refused("more than 1", "lockstep-generate rmat --scale 3 --a 0.9 -o -");
    refused("whole numbers", "lockstep-generate rmat --scale 3 --weights 1.5..3 -o -");
    refused("16777216", "lockstep-generate rmat --scale 3 --weights 1..20000000 -o -");
    refused("--weights is not an option of ratings", "lockstep-generate",
            ratings(10, 5, 20, 10, {"--weights", "1..3"}), "-o -");
    refused("--both-arcs is not an option of ratings", "lockstep-generate",
            ratings(10, 5, 20, 10, {"--both-arcs"}), "-o -");
    refused("--a is not an option of kronecker", "lockstep-generate kronecker --scale 3 --a 0.5 -o -");
    refused("64,64,64", "lockstep-generate torus --sides 3,x -o -");
    refused("64,64,64", "lockstep-generate torus --sides 3, -o -");
    refused("vertices", "lockstep-generate torus --sides 100000,100000,100000 -o -");
    refused("--sides is missing", "lockstep-generate torus -o -");
    refused("--edges is missing", "lockstep-generate random --vertices 5 -o -");
    refused("moebius", "lockstep-generate moebius -o -");
    refused("KIND", "lockstep-generate -o -");
    CHECK(run_program("lockstep-generate rmat --scale 3").code == 2);  // -o is missing
    CHECK(run_program("lockstep-generate rmat --scale 3 -o - --json").code == 2);
}

TEST_CASE("output that cannot be written is exit 6, nothing is left behind", "[generate]") {
    const TemporaryFolder folder;
    CHECK(run_program("lockstep-generate rmat --scale 3 -o", folder / "none/x.txt").code == 6);
    CHECK(run_program("lockstep-generate rmat --scale 12 -o /dev/full").code == 6);
    CHECK(run_program("lockstep-generate rmat --scale 3 -o", folder.path()).code == 6);
    // A refusal after the output was opened keeps the old file and leaves no temporary one.
    write_file(folder / "old.txt", "old");
    CHECK(
        run_program("lockstep-generate uniform --users 3 --items 4 --edges 13 -o", folder / "old.txt").code ==
        2);
    CHECK(read_file(folder / "old.txt") == "old");
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
    done("lockstep-generate rmat --scale 3 -o /dev/null");
}
