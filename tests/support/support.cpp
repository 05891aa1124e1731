#include "support.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <stdexcept>

#include "catch.hpp"

namespace lockstep::test {
namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "lockstep-test-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("cannot make a temporary folder");
    path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

void write_file(const fs::path& path, const std::string& content) {
    std::ofstream out(path, std::ios::binary);
    out << content;
    if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

std::string read_file(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + path.string());
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

void Command::add(const char* text) {
    std::istringstream stream(text);
    for (std::string word; stream >> word;) words.push_back(word);
}

ProgramResult run_program(const Command& command) {
    const TemporaryFolder folder;
    const auto in = folder / "in", out = folder / "out", err = folder / "err";
    write_file(in, command.input);
    const std::string& name = command.words.at(0);
    const std::string program = name.starts_with('/') ? name : std::string(LOCKSTEP_BINARIES) + "/" + name;
    std::vector<char*> argv;
    for (const auto& word : command.words) argv.push_back(const_cast<char*>(word.c_str()));
    argv[0] = const_cast<char*>(program.c_str());
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("cannot fork");
    if (child == 0) {
        dup2(open(in.c_str(), O_RDONLY), 0);
        dup2(open(out.c_str(), O_WRONLY | O_CREAT, 0600), 1);
        dup2(open(err.c_str(), O_WRONLY | O_CREAT, 0600), 2);
        execv(program.c_str(), argv.data());
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_file(out), read_file(err)};
}

Graph graph_of(VertexId rows, VertexId cols, const std::vector<std::pair<VertexId, VertexId>>& edges) {
    std::vector<Triple> triples;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        triples.push_back({edges[i].first, edges[i].second, 1.0F + static_cast<float>(i % 5)});
    }
    return build_graph(std::move(triples), rows, cols, {GraphShape::bipartite, true, true});
}

namespace {
const std::vector<std::pair<VertexId, VertexId>> paper_edges{{0, 0}, {1, 0}, {2, 0}, {4, 0}, {5, 0}, {0, 1},
                                                             {1, 1}, {4, 1}, {3, 2}, {5, 2}, {0, 3}, {1, 3}};
}

Graph paper_graph() { return graph_of(6, 4, paper_edges); }

char letter(const Graph& paper, EdgeId edge) {
    const auto given = given_order(paper);
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (given[i] == edge) return static_cast<char>('a' + i);
    }
    return '?';
}

Graph random_graph(VertexId rows, VertexId cols, EdgeId edges, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<std::pair<VertexId, VertexId>> pairs;
    for (EdgeId e = 0; e < edges; ++e) {
        // Powers of a uniform number prefer low IDs, which makes hubs on both sides.
        const double x = static_cast<double>(random() >> 11) * 0x1p-53,
                     y = static_cast<double>(random() >> 11) * 0x1p-53;
        pairs.emplace_back(static_cast<VertexId>(x * x * rows), static_cast<VertexId>(y * y * y * cols));
    }
    return graph_of(rows, cols, pairs);
}

std::vector<NamedGraph> graph_battery() {
    std::vector<std::pair<VertexId, VertexId>> star_row, star_col, path, complete, diagonal, anti;
    for (VertexId i = 0; i < 300; ++i) star_row.emplace_back(0, i), star_col.emplace_back(i, 0);
    for (VertexId i = 0; i < 500; ++i) {
        path.emplace_back(i, i);
        if (i) path.emplace_back(i, i - 1);
    }
    for (VertexId i = 0; i < 40; ++i) {
        diagonal.emplace_back(i, i);
        anti.emplace_back(i, 39 - i);
        for (VertexId j = 0; j < 40; ++j) complete.emplace_back(i, j);
    }
    return {
        {"empty: no vertex at all", graph_of(0, 0, {})},
        {"isolated: vertices, but no edge", graph_of(5, 7, {})},
        {"one edge", graph_of(1, 1, {{0, 0}})},
        {"multi-edge: one pair three times, a conflict on one diagonal",
         graph_of(2, 2, {{0, 1}, {0, 1}, {1, 0}, {0, 1}})},
        {"star on the row side: one round an edge", graph_of(1, 300, star_row)},
        {"star on the column side", graph_of(300, 1, star_col)},
        {"path: two rounds", graph_of(500, 500, path)},
        {"complete 40 x 40: dense, Latin square", graph_of(40, 40, complete)},
        {"diagonal: one round of everything", graph_of(40, 40, diagonal)},
        {"anti-diagonal: one edge a diagonal", graph_of(40, 40, anti)},
        {"paper: figure 3", paper_graph()},
        {"skewed: hubs on both sides, repeated pairs", random_graph(200, 150, 3000, 7)},
        {"larger than a grid of workers", random_graph(20000, 30000, 60000, 11)},
    };
}

namespace {
std::string last_skipped;  // name of the test case that was skipped last
}

void skip(const std::string& reason) {
    const std::string test = Catch::getResultCapture().getCurrentTestName();
    if (test == last_skipped) return;
    last_skipped = test;
    std::cerr << "skipped: " << reason << '\n';
}

bool skipped() { return !last_skipped.empty(); }

fs::path shared_data(const std::string& name) {
    fs::path path = fs::path(LOCKSTEP_SHARED_DATA) / name;
    if (fs::exists(path)) return path;
    skip(fs::exists(LOCKSTEP_SHARED_DATA) ? name + " is not among the shared data"
                                          : "the shared data are not here");
    return {};
}

}  // namespace lockstep::test
