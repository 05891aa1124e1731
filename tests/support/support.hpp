// Helpers of all tests: temporary folders, running a program, sample graphs, shared data.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lockstep/schedules/graph.hpp"

namespace lockstep::test {

/// A temporary folder, which the destructor removes.
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

/// The result of a program: exit code (128 + signal if a signal killed it), stdout and stderr.
struct ProgramResult {
    int code;
    std::string out;
    std::string err;
};
/// The text that a program reads from standard input.
struct Input {
    std::string text;
};

/// The words of a command. Plain text is split at blanks; a string, a path and a list are words as they are.
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
/// Runs a program of this build, or the program at a path, without a shell: run_program("lockstep-inspect
/// --json", folder / "a.h5").
template <class... Parts>
ProgramResult run_program(const Parts&... parts) {
    Command command;
    (command.add(parts), ...);
    return run_program(command);
}

/// Returns the sample graph of Kaleem et al., figure 3 (6 users, 4 movies), with its edges a … l in
/// alphabetical order as input order; `letter` returns the letter of an edge.
Graph paper_graph();
char letter(const Graph& paper, EdgeId edge);

/// Returns a bipartite graph from (row, column) pairs, in this input order.
Graph graph_of(VertexId rows, VertexId cols, const std::vector<std::pair<VertexId, VertexId>>& edges);

/// Returns a random bipartite graph with skewed degrees; repeated pairs occur.
Graph random_graph(VertexId rows, VertexId cols, EdgeId edges, std::uint64_t seed);

/// A small graph whose name is the case that it tests; graph_battery() returns all of them.
struct NamedGraph {
    std::string name;
    Graph graph;
};
std::vector<NamedGraph> graph_battery();

/// Prints the reason why the rest of a test case is not run (the first reason of each test case). The program
/// ends with code 77 (skipped) if nothing fails.
void skip(const std::string& reason);
bool skipped();

/// Returns a file of the shared data folder; if it is missing, skips the test case and returns an empty path.
std::filesystem::path shared_data(const std::string& name);

}  // namespace lockstep::test
