// Tests that every format reads the same small graph, and that all files in the folder of invalid files are
// refused.
#include <algorithm>
#include <fstream>

#include "reader_support.hpp"

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

const std::vector<Triple> ratings{{0, 0, 5}, {0, 2, 3.5F}, {1, 1, 4}, {2, 0, 1}, {2, 1, 2}, {3, 2, 4.5F}};
const std::vector<Triple> road_arcs{{0, 1, 7}, {0, 2, 2}, {1, 0, 7}, {1, 2, 9},
                                    {2, 0, 2}, {2, 1, 9}, {2, 3, 4}, {3, 2, 4}};

/// Returns the expected graph of a file in tests/data/valid, which depends on the first word of its name.
Graph expected_graph(const std::string& name) {
    if (name.starts_with("ratings")) return build_graph(ratings, 4, 3, {GraphShape::bipartite, true, true});
    const bool directed = name.starts_with("arcs"), pattern = name.starts_with("pattern");
    // An edge list cannot declare the isolated fifth vertex.
    const VertexId vertices = name.starts_with("snap") ? 4 : 5;
    return build_graph(road_arcs, vertices, vertices, {GraphShape::square, directed, !pattern});
}

std::vector<fs::path> files_of(const std::string& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(fs::path(LOCKSTEP_TEST_DATA) / folder)) {
        if (entry.path().extension() != ".expected") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

ReadOptions forced(const fs::path& path) {
    ReadOptions options;
    if (path.extension() == ".libmf") options.format = "libmf";
    return options;
}

const std::map<std::string, std::string> detected{{"arcs-double-galois.gr", "galois"},
                                                  {"arcs-int32-galois.gr", "galois"},
                                                  {"arcs.gr", "dimacs"},
                                                  {"arcs.mtx", "matrix-market"},
                                                  {"arcs.wsg", "gapbs-wsg"},
                                                  {"pattern.col", "dimacs"},
                                                  {"pattern.graph", "metis"},
                                                  {"pattern.mtx", "matrix-market"},
                                                  {"pattern.sg", "gapbs-sg"},
                                                  {"ratings-item-first.csv", "edge-list"},
                                                  {"ratings-movielens.csv", "movielens-csv"},
                                                  {"ratings-netflix.txt", "netflix"},
                                                  {"ratings-quoted.csv", "edge-list"},
                                                  {"ratings-u.data", "movielens-data"},
                                                  {"ratings.bin", "cumf-binary"},
                                                  {"ratings.dat", "movielens-dat"},
                                                  {"ratings.libmf", "libmf"},
                                                  {"ratings.mtx", "matrix-market"},
                                                  {"ratings.tsv", "edge-list"},
                                                  {"ratings.txt", "edge-list"},
                                                  {"ratings.wel", "edge-list"},
                                                  {"road-letters.gr", "dimacs"},
                                                  {"road-vertex-weights.graph", "metis"},
                                                  {"road.gr", "dimacs"},
                                                  {"road.graph", "metis"},
                                                  {"road.mtx", "matrix-market"},
                                                  {"road.wsg", "gapbs-wsg"},
                                                  {"snap.txt", "edge-list"}};

}  // namespace

TEST_CASE("every format reads the same graph") {
    const auto files = files_of("valid");
    REQUIRE(files.size() == detected.size());
    for (const auto& path : files) {
        const std::string name = path.filename().string();
        INFO(name);
        const Dataset data = read_dataset(path, forced(path));
        const Graph expected = expected_graph(name);
        check_same_graph(data.graph, expected);
        const std::string format = detected.at(name);
        const bool binary_graph = format.starts_with("gapbs") || format == "galois";
        const int first = binary_graph ? 0 : 1;
        CHECK(data.row_ids == IdMap(RangeIds{first, expected.rows}));
        CHECK(data.col_ids == IdMap(RangeIds{first, expected.cols}));
        CHECK(data.source.format == format);
        CHECK(data.source.compression == "none");
        CHECK(data.source.path == path.string());
        CHECK(data.source.repeat_policy == "keep");
        CHECK(data.source.repeats == 0);
        CHECK(data.source.self_loops == 0);
        const std::string text = read_file(path);
        const auto newlines = static_cast<EdgeId>(std::count(text.begin(), text.end(), '\n'));
        CHECK(data.source.lines == (name.ends_with(".bin") ? ratings.size()
                                    : binary_graph         ? road_arcs.size()
                                                           : newlines + (text.back() != '\n')));
        CHECK(data.source.seconds > 0);
    }
}

TEST_CASE("all formats are listed and may be named") {
    for (const auto& [name, format] : detected) {
        CHECK(graph_formats().contains(format));
        const fs::path path = fs::path(LOCKSTEP_TEST_DATA) / "valid" / name;
        ReadOptions options;
        options.format = format;
        check_same_graph(read_dataset(path, options).graph, expected_graph(name));
    }
    CHECK(graph_formats().size() == 18);
    ReadOptions options;
    options.format = "parquet";
    try {
        read_text("1 2\n", "a.txt", options);
        FAIL("an unknown format was accepted");
    } catch (const Error& e) {
        CHECK(e.failure() == Failure::usage);
        CHECK_THAT(e.what(), Catch::Contains("matrix-market"));
    }
}

TEST_CASE("every invalid file is refused with its line and message") {
    const auto files = files_of("invalid");
    REQUIRE(files.size() >= 112);
    for (const auto& path : files) {
        INFO(path.filename());
        std::ifstream expected(path.string() + ".expected");
        std::string format, line, message;
        REQUIRE((std::getline(expected, format) && std::getline(expected, line) &&
                 std::getline(expected, message)));
        ReadOptions options;
        if (format != "auto") options.format = format;
        try {
            read_dataset(path, options);
            FAIL_CHECK("read without an error");
        } catch (const FormatError& e) {
            CHECK(e.line() == std::stoull(line));
            CHECK_THAT(e.what(), Catch::Contains(message));
            CHECK_THAT(e.what(), Catch::StartsWith(path.string() + (line == "0" ? ": " : ":" + line + ": ")));
        }
    }
}
