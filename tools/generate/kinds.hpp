// The kinds of input that lockstep-generate makes: their options, and the functions that make them.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "edge_writer.hpp"
#include "options.hpp"

namespace lockstep::generate {

/// Opens the output for a graph with the given numbers of rows, columns and (approximately) edges.
using OpenOutput = std::function<EdgeWriter&(VertexId, VertexId, EdgeId)>;

struct Task {
    const GenerateOptions& options;
    std::uint64_t seed;
    OpenOutput open;
    cli::Common common;
};

struct Kind {
    const char* name;
    std::vector<std::string> options;  ///< options in addition to those of all kinds
    void (*make)(const Task&);
    bool square = true;     ///< whether rows and columns are the same vertices
    bool weighted = false;  ///< whether the kind has weights of its own
};

/// Returns the file of the particle positions of a cloth whose springs are written to `edges`. Throws
/// UsageError for standard output.
std::filesystem::path cloth_positions_path(std::filesystem::path edges);

const std::vector<Kind>& kinds();
/// Returns the kind that the command line names. Throws UsageError if there is none, and for options that the
/// kind does not have.
const Kind& kind_of(const GenerateOptions& options, const Fields& given);

}  // namespace lockstep::generate
