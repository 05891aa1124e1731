// The input of every schedule builder: a graph as a sparse rows x columns matrix in CSR format.
//
// Rows are users, columns are items. A square graph (road, web, social) has the same vertices on both sides.
// The owner of the state of an endpoint (Ends) decides which edges conflict. With two *sides*, a vertex has
// one state as row and one as column (Kaleem et al., section V), and two edges conflict if they share a row
// or share a column. With one set of *vertices*, a vertex has one state, and two edges conflict if they share
// a vertex.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// Whether rows and columns are two sets of vertices (bipartite) or the same set (square).
enum class GraphShape { bipartite, square };
/// Returns the name in options and files: "sides" or "vertices".
std::string_view to_string(Ends ends);

/// A range of consecutive edge IDs, for range-based loops.
struct EdgeIds {
    struct Iterator {
        EdgeId edge;
        EdgeId operator*() const { return edge; }
        Iterator& operator++() { return ++edge, *this; }
        bool operator==(const Iterator&) const = default;
    };
    EdgeId first, last;
    Iterator begin() const { return {first}; }
    Iterator end() const { return {last}; }
    EdgeId size() const { return last - first; }
};

/// A CSR matrix. The ID of an edge is its position in `col`: row-major, columns ascending within a row,
/// repeated pairs adjacent in input order.
///
/// Invariants (checked by `validate`): row_offsets has rows + 1 monotone entries from 0 to edges(); col[e] <
/// cols, and columns ascend within a row; value is empty (a pattern: every weight is 1) or has one finite
/// entry per edge; input_order is empty (the input was row-major) or a permutation.
struct Graph {
    VertexId rows = 0;
    VertexId cols = 0;
    GraphShape shape = GraphShape::bipartite;
    Ends ends = Ends::sides;  ///< vertices: only for square graphs, which then contain each edge once
    /// false: each input edge was added as two arcs, one per direction (a self-loop as one).
    bool directed = true;
    std::vector<EdgeId> row_offsets{0};
    Array<VertexId> col;
    Array<float> value;
    Array<EdgeId> input_order;  ///< input_order[i] = ID of the i-th edge of the input

    EdgeId edges() const noexcept { return col.size(); }
    EdgeIds edges_of(VertexId row) const { return {row_offsets[row], row_offsets[row + std::size_t{1}]}; }
    float weight(EdgeId e) const noexcept { return value.empty() ? 1.0F : value[e]; }
};

/// One edge of the input.
struct Triple {
    VertexId row;
    VertexId col;
    float value;
};

/// Treatment of a (row, column) pair that occurs more than once.
enum class RepeatPolicy { keep, first, last, sum, mean, refuse };

struct GraphOptions {
    GraphShape shape = GraphShape::bipartite;
    bool directed = true;
    bool weighted = true;  ///< false: the values are discarded
    RepeatPolicy repeats = RepeatPolicy::keep;
    bool input_order = true;  ///< false: the input order is discarded, which makes construction faster
    Ends ends = Ends::sides;
};

/// Builds the CSR graph from triples in input order. `*repeats` receives the number of repeated pairs
/// (occurrences beyond the first). Throws Error if an ID is out of range, or if a pair is repeated under
/// RepeatPolicy::refuse. The sort is stable. O(edges + rows + cols). The peak is 12 bytes per edge (20 with
/// the input order) in addition to the 8 bytes per edge (16) of the graph itself; the triples are freed
/// during construction.
Graph build_graph(std::vector<Triple> triples, VertexId rows, VertexId cols, const GraphOptions& options,
                  EdgeId* repeats = nullptr);

/// Returns whether each of 0 … ids.size() - 1 occurs in `ids` exactly once. O(size) on all threads, 4 bytes
/// per ID.
template <class Id>
bool is_permutation(std::span<const Id> ids);

/// Throws Error, which names a violated invariant of Graph. O(edges) on all threads.
void validate(const Graph& graph);

/// Throws ScheduleError if the endpoints of the graph are of the other kind. The message contains the command
/// that converts the graph.
void require_ends(const Graph& graph, Ends wanted);

/// Returns the row of every edge, in edge order (the expansion of row_offsets).
Array<VertexId> edge_rows(const Graph& graph);

/// Return the number of edges of every row or of every column.
std::vector<EdgeId> row_degrees(const Graph& graph);
std::vector<EdgeId> col_degrees(const Graph& graph);
/// Returns the number of edges of every vertex of a square graph, as row or as column. A self-loop counts
/// once.
std::vector<EdgeId> vertex_degrees(const Graph& graph);

/// The maximum degree of each side. The larger of the two is a lower bound of the rounds of any schedule.
struct MaxDegree {
    EdgeId row = 0;
    EdgeId col = 0;
    EdgeId both() const noexcept { return row > col ? row : col; }
};
MaxDegree max_degree(const Graph& graph);

/// Statistics of the degrees of one side.
struct DegreeStatistics {
    EdgeId largest = 0;
    /// Sum of squared degrees; divided by edges^2, the probability that two random edges share a vertex.
    double squares = 0;
    std::vector<EdgeId> histogram;  ///< [i] = number of vertices of degree 2^i … 2^(i + 1) - 1
    bool operator==(const DegreeStatistics&) const = default;
};
DegreeStatistics statistics(std::span<const EdgeId> degrees);

/// Returns the share of edges whose column occurred shortly before, in row-major order: 1 - distinct columns
/// / edges, over eight windows of 2^17 edges. A column that is still in a cache causes no memory access.
double column_reuse(const Graph& graph);

/// Returns the edge IDs in input order.
Array<EdgeId> given_order(const Graph& graph);

}  // namespace lockstep
