// The input of every schedule builder: a graph as a sparse rows x columns matrix in CSR format.
//
// Rows are users and columns are items. A square graph (road, web, social network) has the same vertices as
// rows and as columns. The state that an update changes belongs to a vertex, and the value of Ends determines
// which edges conflict. With two *sides*, a vertex has one state as row and another as column (Kaleem et al.,
// section V), so two edges conflict if they have the same row or the same column. With one set of *vertices*,
// a vertex has a single state, so two edges conflict if they share a vertex in any position.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// Whether rows and columns are two sets of vertices (bipartite) or the same set (square).
enum class GraphShape { bipartite, square };
/// Returns the name of the kind of endpoints in options and files: "sides" or "vertices".
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

/// A CSR matrix. The ID of an edge is its index in `col`. Edges are sorted by row, then by column; repeated
/// (row, column) pairs are adjacent, in input order.
///
/// Invariants, checked by `validate`: row_offsets has rows + 1 ascending entries from 0 to edges(). col[e] <
/// cols, and the columns of a row ascend. `value` is empty (every weight is 1) or has one finite entry per
/// edge. input_order is empty (the input had the order of the IDs) or a permutation of the edge IDs.
struct Graph {
    VertexId rows = 0;
    VertexId cols = 0;
    GraphShape shape = GraphShape::bipartite;
    /// `vertices` is possible only for square graphs, which then contain each edge once, as one arc.
    Ends ends = Ends::sides;
    /// Whether the arcs are those of the input. False if each edge of the input was added as two arcs, one in
    /// each direction (a self-loop as one arc).
    bool directed = true;
    std::vector<EdgeId> row_offsets{0};
    Array<VertexId> col;
    Array<float> value;
    Array<EdgeId> input_order;  ///< ID of the i-th edge of the input, for each i

    EdgeId edges() const noexcept { return col.size(); }
    EdgeIds edges_of(VertexId row) const { return {row_offsets[row], row_offsets[row + std::size_t{1}]}; }
    float weight(EdgeId e) const noexcept { return value.empty() ? 1.0F : value[e]; }
};

/// One edge of the input with its weight.
struct Triple {
    VertexId row;
    VertexId col;
    float value;
};

/// The treatment of a (row, column) pair that occurs more than once: keep all edges, keep the first or the
/// last one, add or average their weights, or refuse the input.
enum class RepeatPolicy { keep, first, last, sum, mean, refuse };

struct GraphOptions {
    GraphShape shape = GraphShape::bipartite;
    bool directed = true;
    bool weighted = true;  ///< whether weights are kept; if false, all weights are 1
    RepeatPolicy repeats = RepeatPolicy::keep;
    bool input_order = true;  ///< whether the input order is kept; construction is faster without it
    Ends ends = Ends::sides;
};

/// Builds the CSR graph from triples in input order. `*repeats` receives the number of repeated edges
/// (occurrences of a pair after its first one). Throws Error if an ID is out of range, or if a pair is
/// repeated and `options.repeats` is RepeatPolicy::refuse. The sort is stable. O(edges + rows + cols) time.
/// The graph takes 8 bytes per edge, 16 with the input order; construction takes another 12 bytes per edge,
/// 20 with the input order. The triples are freed during construction.
Graph build_graph(std::vector<Triple> triples, VertexId rows, VertexId cols, const GraphOptions& options,
                  EdgeId* repeats = nullptr);

/// Returns whether `ids` is a permutation of 0 … ids.size() - 1. O(size) on all threads, 4 bytes per ID.
template <class Id>
bool is_permutation(std::span<const Id> ids);

/// Throws Error with the first violated invariant of Graph, if any. O(edges) on all threads.
void validate(const Graph& graph);

/// Throws ScheduleError if the endpoints of the graph are not of the kind `wanted`. The message contains the
/// command that converts the graph.
void require_ends(const Graph& graph, Ends wanted);

/// Returns the row of every edge, indexed by edge ID.
Array<VertexId> edge_rows(const Graph& graph);

/// Return the degree of every row or of every column.
std::vector<EdgeId> row_degrees(const Graph& graph);
std::vector<EdgeId> col_degrees(const Graph& graph);
/// Returns the degree of every vertex of a square graph: the number of its edges as row and as column. A
/// self-loop counts once.
std::vector<EdgeId> vertex_degrees(const Graph& graph);

/// The maximum degree of the rows and that of the columns. No schedule has fewer rounds than the larger of
/// the two.
struct MaxDegree {
    EdgeId row = 0;
    EdgeId col = 0;
    EdgeId both() const noexcept { return row > col ? row : col; }
};
MaxDegree max_degree(const Graph& graph);

/// Statistics of the degrees of the rows or of the columns.
struct DegreeStatistics {
    EdgeId largest = 0;
    /// Sum of the squared degrees. Divided by edges^2, it is the probability that two random edges share a
    /// vertex of this side.
    double squares = 0;
    std::vector<EdgeId> histogram;  ///< [i] = number of vertices with a degree in 2^i … 2^(i + 1) - 1
    bool operator==(const DegreeStatistics&) const = default;
};
/// Returns the statistics of the given degrees.
DegreeStatistics statistics(std::span<const EdgeId> degrees);

/// Returns an estimate of the fraction of edges whose column is still in a cache, if the edges are processed
/// in row-major order: 1 - (distinct columns / edges), over eight windows of 2^17 consecutive edges.
double column_reuse(const Graph& graph);

/// Returns the edge IDs in the order of the input.
Array<EdgeId> given_order(const Graph& graph);

}  // namespace lockstep
