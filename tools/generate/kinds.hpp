// The kinds of input that lockstep-generate makes: their options, and how they are made of them.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "edge_writer.hpp"

namespace lockstep::generate {

/// Opens the output for a graph of so many rows, columns and (about) edges.
using Open = std::function<EdgeWriter&(VertexId, VertexId, EdgeId)>;

struct Task {
    Arguments arguments;
    std::uint64_t seed;
    Open open;
    cli::Common common;
};

struct Kind {
    const char* name;
    std::vector<std::string> options;  ///< beside those of all
    void (*make)(const Task&);
    bool square = true;     ///< rows and columns are the same vertices
    bool weighted = false;  ///< has weights of its own
};

/// Where the positions of a cloth go, beside its springs. Throws UsageError for standard output.
std::filesystem::path cloth_positions_path(std::filesystem::path edges);

const std::vector<Kind>& kinds();
/// The kind that was asked for. Throws UsageError on an unknown one, and on options that it does not have.
const Kind& kind_of(const cli::Values& values);

}  // namespace lockstep::generate
