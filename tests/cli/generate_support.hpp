// Parses the output of lockstep-generate.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "cli_support.hpp"

namespace lockstep::test {

using Arguments = std::vector<std::string>;

/// An edge in the output of lockstep-generate.
struct Edge {
    std::uint32_t row, col;
    double value;
};

/// Parses edges; requires exactly `fields` numbers per line.
inline std::vector<Edge> parse(const std::string& text, int fields = 3) {
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

inline std::string generated(Arguments arguments) {
    arguments.insert(arguments.end(), {"-o", "-", "--quiet"});
    const auto result = done("lockstep-generate", arguments);
    CHECK(result.err.empty());
    return result.out;
}

inline std::map<std::uint32_t, long> degrees(const std::vector<Edge>& edges, std::uint32_t Edge::*side) {
    std::map<std::uint32_t, long> count;
    for (const Edge& edge : edges) ++count[edge.*side];
    return count;
}

inline long largest(const std::map<std::uint32_t, long>& degree) {
    return std::max_element(degree.begin(), degree.end(),
                            [](auto& a, auto& b) { return a.second < b.second; })
        ->second;
}

inline bool distinct(const std::vector<Edge>& edges) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const Edge& edge : edges) pairs.emplace(edge.row, edge.col);
    return pairs.size() == edges.size();
}

}  // namespace lockstep::test
