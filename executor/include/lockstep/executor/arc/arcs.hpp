// Arcs: the base of all plans of the arc family. It has the order of the vertices of a square graph and the
// offsets of their out-arcs.
#pragma once

#include "lockstep/executor/csr/numbering.hpp"

namespace lockstep::arc {

/// A non-owning view of the weights of a list of arcs. If all weights of the graph are integers below 256,
/// they are stored as bytes (`whole`), otherwise as floats (`real`). If both pointers are null, every weight
/// is 1.
struct WeightsView {
    const std::uint8_t* whole = nullptr;
    const float* real = nullptr;
    LOCKSTEP_HD float operator[](EdgeId i) const { return whole ? whole[i] : real ? real[i] : 1.0F; }
    LOCKSTEP_HD WeightsView from(EdgeId i) const {
        return {whole ? whole + i : nullptr, real ? real + i : nullptr};
    }
};
struct Weights {
    Array<std::uint8_t> whole;
    Array<float> real;

    WeightsView view() const {
        return {whole.empty() ? nullptr : whole.data(), real.empty() ? nullptr : real.data()};
    }
    void set(EdgeId i, float weight) {
        if (!whole.empty()) whole[i] = static_cast<std::uint8_t>(weight);
        if (!real.empty()) real[i] = weight;
    }
    EdgeId bytes() const { return whole.size() + 4 * real.size(); }
};

/// A square graph with an order of its vertices, and optionally with the weights of its arcs. In plans, a
/// vertex is identified by its position in this order.
class OrderedGraph : public Numbering {
public:
    OrderedGraph(const Graph& graph, const std::vector<VertexId>& order, bool weighted = false);

    /// Allocates an array of `size` weights, or an empty one if the graph has no weights or they are not
    /// used.
    Weights weights(EdgeId size) const;
    /// Returns the targets of the arcs, as positions, sorted by the position of the source. If there are no
    /// weights, the targets of each source are ascending. Also stores the weights in the same order in
    /// `weights`.
    Array<VertexId> targets(const Offsets& out, Weights& weights) const;
    /// Sorts the arcs by target, and the arcs of each target by source: stores the offset of each target in
    /// `in`, and the sources and weights in the other arguments. Uses all threads. O(arcs x threads +
    /// vertices) in total
    void by_target(Offsets& in, Array<VertexId>& sources, Weights& weights) const;

private:
    bool weighted_, whole_;
};

/// Number of accesses to global memory in one serial round of PageRank, by the work models of Verstraaten et
/// al., section 3.2. Other operators with 4-byte values have the same numbers. Accesses to the lists of arcs
/// are not counted.
struct Work {
    EdgeId reads = 0, writes = 0, atomics = 0;
    EdgeId bytes = 0;  ///< minimum number of bytes to be moved: arc lists, degrees and scores once each
};
/// Returns the bytes of the degrees, scores and offsets of `v` vertices and of a list of `e` arcs.
constexpr EdgeId pulled_bytes(EdgeId v, EdgeId e) { return 16 * v + 4 * e; }

/// The base of all plans. A vertex is identified by its position in `order`.
struct Arcs {
    /// Whether the walk uses the row order of the strategy's vertex order; otherwise it uses the column
    /// order.
    static constexpr bool by_out_degree = false;
    VertexId vertices = 0;
    EdgeId arcs = 0;
    std::vector<VertexId> order;  ///< vertex at each position; empty if both are the same
    unsigned launch_rounds = 0;   ///< maximum number of rounds per GPU launch; 0: as many as take about 0.5 s
    /// offset of the out-arcs of each position; all walks have it, because it contains the out-degrees
    Offsets out;

    Arcs() = default;
    explicit Arcs(const OrderedGraph& graph)
        : vertices(graph.graph.rows),
          arcs(graph.graph.edges()),
          order(graph.order),
          out(graph.out_offsets()) {}
};
/// Returns the bytes that a plan needs on a GPU in addition to its arrays. The default is 0.
inline EdgeId stream_bytes(const Arcs&) { return 0; }

}  // namespace lockstep::arc
