// Tests that random graphs written in every text format read back equal, and that damaged files give an error
// or a graph, but never a crash.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <random>
#include <set>

#include "reader_support.hpp"

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t bound) { return random() % bound; }

std::string print(float value) {
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

struct Named {
    std::string row, col;
    float value;
};

/// Returns some ids of one kind: integers from 0, integers from 1, sparse 64-bit integers, or strings.
std::vector<std::string> random_ids(Random& random, bool strings_allowed) {
    std::vector<std::string> ids;
    const std::size_t kind = below(random, strings_allowed ? 4 : 3), count = 1 + below(random, 40);
    for (std::size_t i = 0; i < count; ++i) {
        if (kind < 2)
            ids.push_back(std::to_string(i + kind));
        else if (kind == 2)
            ids.push_back(std::to_string(static_cast<std::int64_t>(random())));
        else
            ids.push_back((below(random, 2) ? "0" : "k") + std::to_string(below(random, 1000)));
    }
    return ids;
}

std::vector<Named> random_edges(Random& random, bool strings_allowed) {
    const auto rows = random_ids(random, strings_allowed), cols = random_ids(random, strings_allowed);
    std::vector<Named> edges;
    for (std::size_t i = 0, count = 1 + below(random, 200); i < count; ++i) {
        const auto value = std::ldexp(static_cast<float>(random() % 20001) - 10000,
                                      static_cast<int>(below(random, 40)) - 20);
        edges.push_back({rows[below(random, rows.size())], cols[below(random, cols.size())], value});
    }
    return edges;
}

/// Returns the ids in the order that IdMap guarantees, computed in a simple way.
std::vector<std::string> sorted_ids(const std::vector<Named>& edges, std::string Named::*side) {
    std::set<std::string> distinct;
    for (const Named& e : edges) distinct.insert(e.*side);
    std::vector<std::string> ids(distinct.begin(), distinct.end());
    if (std::all_of(ids.begin(), ids.end(),
                    [](const auto& id) { return canonical_integer(id).has_value(); })) {
        std::sort(ids.begin(), ids.end(),
                  [](const auto& a, const auto& b) { return std::stoll(a) < std::stoll(b); });
    }
    return ids;
}

void check_reads_back(const std::string& text, const std::string& name, const std::vector<Named>& edges,
                      const ReadOptions& options = {}) {
    const Dataset data = read_text(text, name, options);
    const auto rows = sorted_ids(edges, &Named::row), cols = sorted_ids(edges, &Named::col);
    REQUIRE(data.row_ids.size() == rows.size());
    REQUIRE(data.col_ids.size() == cols.size());
    for (VertexId v = 0; v < rows.size(); ++v) REQUIRE(data.row_ids.name(v) == rows[v]);
    for (VertexId v = 0; v < cols.size(); ++v) REQUIRE(data.col_ids.name(v) == cols[v]);
    std::vector<Triple> triples;
    for (const Named& e : edges) {
        triples.push_back({*data.row_ids.find(e.row), *data.col_ids.find(e.col), e.value});
    }
    const Graph expected =
        build_graph(triples, rows.size(), cols.size(), {GraphShape::bipartite, true, true});
    check_same_graph(data.graph, expected);
    CHECK(given_order(data.graph) == given_order(expected));
}

std::string join(const std::vector<Named>& edges, const std::function<std::string(const Named&)>& line) {
    std::string text;
    for (const Named& e : edges) text += line(e) + "\n";
    return text;
}

std::vector<fs::path> data_files() {
    std::vector<fs::path> files;
    for (const char* folder : {"valid", "invalid"}) {
        for (const auto& entry : fs::directory_iterator(fs::path(LOCKSTEP_TEST_DATA) / folder)) {
            if (entry.path().extension() != ".expected") files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

TEST_CASE("random edges written in a delimited format read back equal") {
    Random random(5);
    for (int round = 0; round < 150; ++round) {
        const auto edges = random_edges(random, true);
        const std::string d = std::vector<std::string>{" ", "\t", ",", ";", "  "}[below(random, 5)];
        // The header makes clear that a first line of words is an edge.
        check_reads_back(
            "user" + d + "item" + d + "rating\n" +
                join(edges, [&](const Named& e) { return e.row + d + e.col + d + print(e.value); }),
            "a.txt", edges);
        check_reads_back(
            "rating,item,when,user\r\n" +
                join(edges,
                     [&](const Named& e) { return print(e.value) + "," + e.col + ",x," + e.row + "\r"; }),
            "a.csv", edges, {.value_column = "rating"});
        check_reads_back(
            join(edges,
                 [](const Named& e) { return e.row + "::" + e.col + "::" + print(e.value) + "::978300760"; }),
            "a.dat", edges);
        check_reads_back(
            "userId,movieId,rating,timestamp\n" +
                join(edges, [](const Named& e) { return e.row + "," + e.col + "," + print(e.value) + ",9"; }),
            "a.csv", edges);
        check_reads_back(
            join(edges,
                 [](const Named& e) { return e.col + ":\n" + e.row + "," + print(e.value) + ",2005-09-06"; }),
            "a.txt", edges, {.format = "netflix"});
        const auto integers = random_edges(random, false);
        check_reads_back(
            join(integers,
                 [](const Named& e) { return e.row + "\t" + e.col + "\t" + print(e.value) + "\t881250949"; }),
            "u.data", integers);
        check_reads_back(
            join(integers, [](const Named& e) { return e.row + " " + e.col + " " + print(e.value); }),
            "a.txt", integers, {.format = "libmf"});
    }
}

TEST_CASE("random graphs written with declared sizes read back equal") {
    Random random(6);
    for (int round = 0; round < 150; ++round) {
        const auto n = static_cast<VertexId>(1 + below(random, 30)),
                   cols = static_cast<VertexId>(1 + below(random, 30));
        std::vector<Triple> edges, arcs, lower;
        std::vector<std::string> lines(n);
        std::string mtx, dimacs, symmetric;
        for (std::size_t i = 0, count = below(random, 100); i < count; ++i) {
            const Triple e{static_cast<VertexId>(below(random, n)),
                           static_cast<VertexId>(below(random, cols)),
                           static_cast<float>(below(random, 100))};
            edges.push_back(e);
            mtx += std::to_string(e.row + 1) + " " + std::to_string(e.col + 1) + " " + print(e.value) + "\n";
            const Triple a{e.row, static_cast<VertexId>(below(random, n)), e.value};
            dimacs += "a " + std::to_string(a.row + 1) + " " + std::to_string(a.col + 1) + " " +
                      print(a.value) + "\n";
            arcs.push_back(a);
            if (a.row > a.col) {
                lower.push_back(a);
                lower.push_back({a.col, a.row, a.value});
                symmetric +=
                    std::to_string(a.row + 1) + " " + std::to_string(a.col + 1) + " " + print(a.value) + "\n";
                lines[a.row] += std::to_string(a.col + 1) + " " + print(a.value) + " ";
                lines[a.col] += std::to_string(a.row + 1) + " " + print(a.value) + " ";
            }
        }
        const std::string size = std::to_string(n) + " ", header = "%%MatrixMarket matrix coordinate real ";
        const auto shape = n == cols ? GraphShape::square : GraphShape::bipartite;
        check_same_graph(read_text(header + "general\n" + size + std::to_string(cols) + " " +
                                       std::to_string(edges.size()) + "\n" + mtx,
                                   "a.mtx")
                             .graph,
                         build_graph(edges, n, cols, {shape, true, true}));
        // A DIMACS graph without edges does not show whether it is weighted.
        check_same_graph(
            read_text("p sp " + size + std::to_string(arcs.size()) + "\n" + dimacs, "a.gr").graph,
            build_graph(arcs, n, n, {GraphShape::square, true, !arcs.empty()}));
        const std::string half = std::to_string(lower.size() / 2);
        const Graph undirected =
            read_text(header + "symmetric\n" + size + size + half + "\n" + symmetric, "a.mtx").graph;
        check_same_graph(undirected, build_graph(lower, n, n, {GraphShape::square, false, true}));
        std::string metis = size + half + " 001\n";
        for (const auto& line : lines) metis += line + "\n";
        // Repeated edges of a METIS graph are sorted by weight.
        const Graph read = read_text(metis, "a.graph").graph;
        CHECK(read.row_offsets == undirected.row_offsets);
        CHECK(read.col == undirected.col);
        CHECK(std::is_permutation(read.value.begin(), read.value.end(), undirected.value.begin()));
    }
}

TEST_CASE("damaged files give an error or a graph") {
    const TemporaryFolder folder;
    const auto files = data_files();
    std::vector<std::string> formats{"auto"};
    for (const auto& [name, description] : graph_formats()) formats.push_back(name);
    Random random(7);
    int graphs = 0, errors = 0;
    for (int i = 0; i < 3000; ++i) {
        const auto& file = files[below(random, files.size())];
        std::string content = read_file(file);
        if (below(random, 2)) content.resize(below(random, content.size() + 1));
        for (std::size_t flips = below(random, 4); flips > 0 && !content.empty(); --flips) {
            content[below(random, content.size())] ^= static_cast<char>(1 << below(random, 8));
        }
        const auto path = folder / ("damaged" + file.extension().string());
        write_file(path, content);
        ReadOptions options;
        // Half of the files are read by a reader that detection would not choose.
        if (below(random, 2)) options.format = formats[below(random, formats.size())];
        if (options.format == "auto") options.format.reset();
        options.memory_limit = 100'000'000;
        INFO(file << " " << options.format.value_or("auto") << "\n" << content);
        try {
            validate(read_dataset(path, options).graph);
            ++graphs;
        } catch (const FormatError&) {
            ++errors;
        } catch (const std::exception& e) {
            FAIL_CHECK("unexpected kind of error: " << e.what());
        }
    }
    CHECK(graphs > 100);
    CHECK(errors > 1000);
}
