// Helpers of every test: temporary folders, running a program, sample graphs, shared data.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lockstep/schedules/graph.hpp"

namespace lockstep::test {

/// A folder of its own, removed at the end of the test.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

void write_file(const std::filesystem::path& path, const std::string& content);
std::string read_file(const std::filesystem::path& path);

/// What a program did: exit code (128 + signal when it was killed), stdout and stderr.
struct ProgramResult {
    int code;
    std::string out;
    std::string err;
};
/// What a program reads from standard input.
struct Input {
    std::string text;
};

/// A command's words. Plain text is taken apart at blanks; a string, a path and a list are words as they are.
struct Command {
    std::vector<std::string> words;
    std::string input{};

    void add(const char* text);
    void add(const std::string& word) { words.push_back(word); }
    void add(const std::filesystem::path& path) { words.push_back(path.string()); }
    void add(const std::vector<std::string>& more) { words.insert(words.end(), more.begin(), more.end()); }
    void add(const Input& given) { input = given.text; }
};
ProgramResult run_program(const Command& command);
/// Runs a program of this build, or the one at a path, without a shell: run_program("lockstep-inspect
/// --json", folder / "a.h5").
template <class... Parts>
ProgramResult run_program(const Parts&... parts) {
    Command command;
    (command.add(parts), ...);
    return run_program(command);
}

/// The sample graph of Kaleem et al., figure 3 (6 users, 4 movies), its edges a … l in alphabetical
/// order as input order; `letter` names an edge id.
Graph paper_graph();
char letter(const Graph& paper, EdgeId edge);

/// A bipartite graph from (row, column) pairs, in this input order.
Graph graph_of(VertexId rows, VertexId cols, const std::vector<std::pair<VertexId, VertexId>>& edges);

/// Random bipartite graph with skewed degrees; repeated pairs occur.
Graph random_graph(VertexId rows, VertexId cols, EdgeId edges, std::uint64_t seed);

/// The named battery of small graphs; each name says what it catches.
struct NamedGraph {
    std::string name;
    Graph graph;
};
std::vector<NamedGraph> graph_battery();

/// Says why the rest of a test case is not run, the first reason of each, and lets the program end with code
/// 77 (skipped) if nothing fails.
void skip(const std::string& reason);
bool skipped();

/// A file of the shared data folder, or an empty path (and a skip) where it is absent.
std::filesystem::path shared_data(const std::string& name);

}  // namespace lockstep::test
