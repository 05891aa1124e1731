// The graph that every schedule is made for: a sparse rows x columns matrix in CSR.
//
// Rows are users, columns are items. A square graph (road, web, social) has the same vertices on
// both sides, each with a row vector and a column vector, as in Kaleem et al., section V. Two edges
// conflict when they share a row or share a column.
#pragma once

#include <span>
#include <vector>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// Whether rows and columns are two sets of vertices or one.
enum class GraphShape { bipartite, square };

/// CSR matrix. The id of an edge is its position in `col`: row-major, columns ascending in a row,
/// repeated pairs adjacent in the order of the input.
///
/// Invariants (checked by `validate`): row_offsets has rows + 1 monotone entries from 0 to edges();
/// col[e] < cols and ascending in a row; value is empty (a pattern: every weight is 1) or has one
/// finite entry an edge; input_order is empty (the input was row-major) or a permutation.
struct Graph {
    VertexId rows = 0;
    VertexId cols = 0;
    GraphShape shape = GraphShape::bipartite;
    bool directed = true;  ///< false: each input edge was entered as both arcs (a self-loop once)
    std::vector<EdgeId> row_offsets{0};
    std::vector<VertexId> col;
    std::vector<float> value;
    std::vector<EdgeId> input_order;  ///< input_order[i] = id of the i-th edge of the input

    EdgeId edges() const noexcept { return col.size(); }
    float weight(EdgeId e) const noexcept { return value.empty() ? 1.0F : value[e]; }
};

/// One edge as a reader delivers it.
struct Triple {
    VertexId row;
    VertexId col;
    float value;
};

/// What to do with a (row, column) pair that occurs more than once.
enum class RepeatPolicy { keep, first, last, sum, mean, refuse };

/// Builds the CSR graph from triples in input order; O(edges + rows + cols), stable.
/// `weighted` false drops the values. Repeated pairs are treated as `policy` says and counted in
/// `*repeats` (occurrences beyond the first). Throws Error on an id out of range, and on a repeated
/// pair under RepeatPolicy::refuse.
Graph build_graph(std::vector<Triple> triples, VertexId rows, VertexId cols, GraphShape shape, bool directed,
                  bool weighted, RepeatPolicy policy = RepeatPolicy::keep, EdgeId* repeats = nullptr);

/// Throws Error naming the first violated invariant of Graph.
void validate(const Graph& graph);

/// Row of every edge, in edge order (the expansion of row_offsets).
std::vector<VertexId> edge_rows(const Graph& graph);

/// Number of edges of every row / of every column.
std::vector<EdgeId> row_degrees(const Graph& graph);
std::vector<EdgeId> col_degrees(const Graph& graph);

/// Largest degree of each side; the larger of the two bounds the rounds of any schedule from below.
struct MaxDegree {
    EdgeId row = 0;
    EdgeId col = 0;
    EdgeId both() const noexcept { return row > col ? row : col; }
};
MaxDegree max_degree(const Graph& graph);

/// The edge ids in the order of the input.
std::vector<EdgeId> given_order(const Graph& graph);

}  // namespace lockstep
