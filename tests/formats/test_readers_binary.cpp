// Tests of binary graphs of gapbs and Galois: every truncation, every flipped bit, compressed files, hostile
// sizes.
#include <omp.h>

#include <cstring>
#include <set>

#include "reader_support.hpp"

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

/// Returns name and content of each binary graph in tests/data/valid.
std::vector<std::pair<std::string, std::string>> binary_graphs() {
    std::vector<std::pair<std::string, std::string>> graphs;
    for (const auto& entry : fs::directory_iterator(LOCKSTEP_TEST_DATA "/valid")) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with("sg") || name.ends_with("galois.gr"))
            graphs.emplace_back(name, read_file(entry.path()));
    }
    REQUIRE(graphs.size() >= 5);
    return graphs;
}

void put(std::string& bytes, std::size_t at, std::uint64_t number) {
    std::memcpy(bytes.data() + at, &number, sizeof number);
}

}  // namespace

TEST_CASE("a binary graph that is cut anywhere is refused with the byte where it ends") {
    for (const auto& [name, good] : binary_graphs()) {
        for (std::size_t size = 1; size < good.size(); ++size) {
            INFO(name << " cut to " << size);
            // A file of only one or two bytes contains nothing binary.
            CHECK_THAT(format_error(good.substr(0, size), name).second,
                       Catch::Contains(size > 2 ? "byte " : name));
        }
        CHECK_THAT(format_error(good + "12345678", name).second, Catch::Contains("other bytes follow"));
    }
}

TEST_CASE("a flipped bit of a binary graph is refused, or gives a graph of the same size") {
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);  // one thread, since there are thousands of small files
    for (const auto& [name, good] : binary_graphs()) {
        const Graph whole = read_text(good, name).graph;
        for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
            std::string bad = good;
            bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
            INFO(name << ", bit " << bit % 8 << " of byte " << bit / 8);
            try {
                const Graph graph = read_text(bad, name).graph;
                validate(graph);
                CHECK(graph.rows == whole.rows);
                CHECK(graph.edges() == whole.edges());
                // gapbs files contain every arc twice, so that all damage is detected. Galois files have no
                // such redundancy.
                CHECK(name.ends_with(".gr"));
            } catch (const FormatError& e) {
                CHECK_THAT(e.what(), Catch::Contains("byte "));
            }
        }
    }
    omp_set_num_threads(threads);
}

TEST_CASE("binary graphs are the same compressed, and in an archive beside other files") {
    const TemporaryFolder folder;
    for (const auto& [name, good] : binary_graphs()) {
        INFO(name);
        const Graph whole = read_text(good, name).graph;
        write_archive(folder / (name + ".xz"), "raw", "xz", {{name, good}});
        check_same_graph(read_dataset(folder / (name + ".xz")).graph, whole);
        write_archive(folder / "a.zip", "zip", "", {{"README", "Some words.\n"}, {name, good}});
        const Dataset data = read_dataset(folder / "a.zip");
        CHECK(data.source.compression == "zip: " + name);
        check_same_graph(data.graph, whole);
        write_archive(folder / (name + ".gz"), "raw", "gzip", {{name, good.substr(0, good.size() - 1)}});
        CHECK_THROWS_WITH(read_dataset(folder / (name + ".gz")), Catch::Contains("the file ends among the"));
    }
}

TEST_CASE("sizes that a header makes up take no memory") {
    const TemporaryFolder folder;
    std::string sg(17, '\0'), gr(32, '\0');
    put(sg, 1, std::uint64_t{1} << 40);
    put(sg, 9, 1000);
    put(gr, 0, 1);
    put(gr, 16, 4'000'000'000);
    put(gr, 24, std::uint64_t{1} << 20);
    for (const auto& [name, bytes] : {std::pair("a.sg", sg), std::pair("a.gr", gr)}) {
        INFO(name);
        CHECK_THAT(format_error(bytes, name).second, Catch::Contains("do not fit into a file"));
        const fs::path packed = folder / (std::string(name) + ".xz");
        write_archive(packed, "raw", "xz", {{name, bytes}});
        ReadOptions options;
        options.memory_limit = std::uint64_t{1} << 30;
        CHECK_THROWS_WITH(read_dataset(packed, options), Catch::Contains("--memory"));
    }
    // Within the limit, reading fails at the end of the data.
    put(sg, 1, 1'000'000);
    write_archive(folder / "b.sg.xz", "raw", "xz", {{"b.sg", sg}});
    CHECK_THROWS_WITH(read_dataset(folder / "b.sg.xz"),
                      Catch::Contains("byte 17: the file ends among the offsets"));
}

TEST_CASE("option --undirected gives a directed binary graph both arcs, and leaves an undirected one") {
    ReadOptions options;
    options.undirected = true;
    for (const auto& [name, good] : binary_graphs()) {
        INFO(name);
        const Graph graph = read_text(good, name, options).graph;
        const EdgeId arcs = read_text(good, name).graph.edges();
        CHECK(graph.edges() == (name.starts_with("arcs") ? 2 * arcs : arcs));
        CHECK_FALSE(graph.directed);
    }
}
