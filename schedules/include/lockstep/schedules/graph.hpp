// The graph that every schedule is made for: a sparse rows x columns matrix in CSR.
//
// Rows are users, columns are items. A square graph (road, web, social) has the same vertices on
// both sides. Whose state an end is decides what conflicts: of two *sides*, each vertex has one as row
// and one as column (Kaleem et al., section V), and two edges conflict when they share a row or share a
// column; of one set of *vertices* each has one, and they conflict when they share a vertex.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// Whether rows and columns are two sets of vertices or one.
enum class GraphShape { bipartite, square };
/// "sides", "vertices".
std::string_view to_string(Ends ends);

/// Neighbouring edge ids, to be gone through.
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
    Ends ends =
        Ends::sides;       ///< vertices: of square graphs, each edge once, from its first end to its second
    bool directed = true;  ///< false: each input edge was entered as both arcs (a self-loop once)
    std::vector<EdgeId> row_offsets{0};
    Array<VertexId> col;
    Array<float> value;
    Array<EdgeId> input_order;  ///< input_order[i] = id of the i-th edge of the input

    EdgeId edges() const noexcept { return col.size(); }
    EdgeIds edges_of(VertexId row) const { return {row_offsets[row], row_offsets[row + std::size_t{1}]}; }
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

struct GraphOptions {
    GraphShape shape = GraphShape::bipartite;
    bool directed = true;
    bool weighted = true;  ///< false: the values are dropped
    RepeatPolicy repeats = RepeatPolicy::keep;
    bool input_order = true;  ///< false: the graph forgets the order of the input, and is made sooner
    Ends ends = Ends::sides;
};

/// Builds the CSR graph from triples in input order, and counts repeated pairs (occurrences beyond the
/// first) in `*repeats`. Throws Error on an id out of range, and on a repeated pair under
/// RepeatPolicy::refuse. O(edges + rows + cols), stable. Beside the graph's own 8 bytes an edge (16 with
/// the input order) it holds 12 bytes at the peak (20), the triples being freed on the way.
Graph build_graph(std::vector<Triple> triples, VertexId rows, VertexId cols, const GraphOptions& options,
                  EdgeId* repeats = nullptr);

/// Whether each of 0 … ids.size() - 1 stands in `ids` once. O(size) on all threads, four bytes an id.
template <class Id>
bool is_permutation(std::span<const Id> ids);

/// Throws Error naming a violated invariant of Graph. O(edges) on all threads.
void validate(const Graph& graph);

/// Throws ScheduleError, with the command that mends it, where the ends of the edges are of the other kind.
void require_ends(const Graph& graph, Ends wanted);

/// Row of every edge, in edge order (the expansion of row_offsets).
Array<VertexId> edge_rows(const Graph& graph);

/// Number of edges of every row / of every column.
std::vector<EdgeId> row_degrees(const Graph& graph);
std::vector<EdgeId> col_degrees(const Graph& graph);
/// Number of edges of every vertex of a square graph, as row or as column; a loop is one.
std::vector<EdgeId> vertex_degrees(const Graph& graph);

/// Largest degree of each side; the larger of the two bounds the rounds of any schedule from below.
struct MaxDegree {
    EdgeId row = 0;
    EdgeId col = 0;
    EdgeId both() const noexcept { return row > col ? row : col; }
};
MaxDegree max_degree(const Graph& graph);

/// How the degrees of one side are spread.
struct DegreeStatistics {
    EdgeId largest = 0;
    double squares = 0;  ///< sum of the squares: over edges^2, the chance that two random edges meet there
    std::vector<EdgeId> histogram;  ///< [i] = vertices of degree 2^i to 2^(i + 1) - 1
    bool operator==(const DegreeStatistics&) const = default;
};
DegreeStatistics statistics(std::span<const EdgeId> degrees);

/// Share of the edges whose column occurred not long before, in the order of the rows: 1 - distinct columns /
/// edges over eight windows of 2^17 edges. Columns that a cache still has need no trip to memory.
double column_reuse(const Graph& graph);

/// The edge ids in the order of the input.
Array<EdgeId> given_order(const Graph& graph);

}  // namespace lockstep
