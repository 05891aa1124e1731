// Algorithm 1 of Kaleem et al., III-A, read literally.
#include "grouping.hpp"
#include "lockstep/schedules/builders.hpp"

namespace lockstep {

Array<VertexId> repeated_maximal_matchings(const Graph& graph) {
    constexpr VertexId unmatched = max_vertices + 1;
    const Array<VertexId> row = edge_rows(graph);
    std::vector<VertexId> row_matching(graph.rows, unmatched), col_matching(graph.cols, unmatched);
    Array<VertexId> matching(graph.edges());
    Array<EdgeId> rest = identity_order(graph.edges());
    for (VertexId m = 0; !rest.empty(); ++m) {
        std::size_t kept = 0;
        for (const EdgeId e : rest) {
            if (row_matching[row[e]] == m || col_matching[graph.col[e]] == m) {
                rest[kept++] = e;
            } else {
                matching[e] = row_matching[row[e]] = col_matching[graph.col[e]] = m;
            }
        }
        rest.resize(kept);
    }
    return matching;
}

}  // namespace lockstep
