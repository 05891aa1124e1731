// Output of generated edges: formats and counts them, shows progress and handles signals.
#pragma once

#include <optional>
#include <vector>

#include "cli.hpp"
#include "lockstep/formats/output_file.hpp"
#include "random.hpp"

namespace lockstep::generate {

/// The format of edges: `row col value` or `row col` lines, or cuMF_SGD's i32 i32 f32 triples.
struct EdgeFormat {
    bool binary = false;
    bool weighted = true;  ///< text only: triples always have a value, 1 for an edge without one
    int decimals = 3;
    bool both_arcs = false;                   ///< writes both arcs of each edge; a self-loop once
    std::optional<EdgeWeights> weights = {};  ///< weights that replace the given values
};

class EdgeWriter {
public:
    EdgeWriter(const std::string& path, const EdgeFormat& format, VertexId rows, VertexId cols,
               EdgeId expected, const cli::Common& common);
    void write(VertexId row, VertexId col, float value = 1);
    void commit() { file_.commit(); }

    /// Returns the number of lines or triples written so far.
    EdgeId edges() const { return edges_; }
    bool both_arcs() const { return format_.both_arcs; }
    const std::vector<EdgeId>& row_degrees() const { return row_degrees_; }
    const std::vector<EdgeId>& col_degrees() const { return col_degrees_; }

private:
    void put(VertexId row, VertexId col, float value);

    EdgeFormat format_;
    cli::OutputFile file_;
    EdgeId edges_ = 0;
    std::vector<EdgeId> row_degrees_, col_degrees_;
    cli::Progress progress_;
};

}  // namespace lockstep::generate
