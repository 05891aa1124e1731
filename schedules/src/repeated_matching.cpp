// Algorithm 1 of Kaleem et al. (III-A) as the paper gives it: repeatedly find a maximal matching and remove
// its edges. Tests and benchmarks compare it with first_fit.hpp.
#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/grouping.hpp"

namespace lockstep {

Matchings repeated_maximal_matchings(const Graph& graph) {
    constexpr VertexId unmatched = max_vertices + 1;
    const Array<VertexId> row = edge_rows(graph);
    std::vector<VertexId> row_matching(graph.rows, unmatched), col_matching(graph.cols, unmatched);
    Matchings result{Array<VertexId>(graph.edges()), 0};
    Array<EdgeId> rest = identity_order(graph.edges());
    for (VertexId& m = result.count; !rest.empty(); ++m) {
        std::size_t kept = 0;
        for (const EdgeId e : rest) {
            if (row_matching[row[e]] == m || col_matching[graph.col[e]] == m) {
                rest[kept++] = e;
            } else {
                result.of_edge[e] = row_matching[row[e]] = col_matching[graph.col[e]] = m;
            }
        }
        rest.resize(kept);
    }
    return result;
}

}  // namespace lockstep
