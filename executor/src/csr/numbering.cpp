#include "lockstep/executor/csr/numbering.hpp"

namespace lockstep {

Numbering::Numbering(const Graph& g, const std::vector<VertexId>& o)
    : graph(g), order(o), positions(o.size()) {
    for (VertexId p = 0; p < order.size(); ++p) positions[order[p]] = p;
}

Offsets Numbering::out_offsets() const {
    std::vector<EdgeId> offsets(std::size_t{graph.rows} + 1, 0);
    for (VertexId p = 0; p < graph.rows; ++p)
        offsets[p + std::size_t{1}] = offsets[p] + edges_of(graph.row_offsets, vertex(p)).size();
    return Offsets(offsets);
}

}  // namespace lockstep
