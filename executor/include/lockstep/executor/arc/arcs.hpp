// Base of all plans of the arc family: the vertices of a square graph in one order, and the offsets of their
// arcs.
#pragma once

#include "lockstep/executor/csr/numbering.hpp"

namespace lockstep::arc {

/// Weights of a list of arcs. If all weights of the graph are integers below 256, `whole` stores one byte
/// each, otherwise `real` stores floats; if neither array exists, every weight is 1.
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

/// A square graph with numbered vertices, with or without the weights of its arcs.
class Numbered : public Numbering {
public:
    Numbered(const Graph& graph, const std::vector<VertexId>& order, bool weighted = false);

    /// Allocates `size` weights if the graph has weights.
    Weights weights(EdgeId size) const;
    /// Returns the targets of the arcs, by position of the source; ascending per source if there are no
    /// weights.
    Array<VertexId> targets(const Offsets& out, Weights& weights) const;
    /// Groups the arcs by target, with ascending sources. Runs on all threads, with a total work of O(arcs x
    /// threads + vertices).
    void by_target(Offsets& in, Array<VertexId>& sources, Weights& weights) const;

private:
    bool weighted_, whole_;
};

/// Work models of Verstraaten et al., section 3.2: number of accesses to global memory in one serial round of
/// PageRank. Other operators with 4-byte values have the same counts. Fetching the edge lists is not counted.
struct Work {
    EdgeId reads = 0, writes = 0, atomics = 0;
    EdgeId bytes = 0;  ///< minimum bytes to be moved: lists, degrees and scores once each
};
/// Returns the bytes of the degrees, scores, offsets and list of `v` vertices and `e` arcs.
constexpr EdgeId pulled_bytes(EdgeId v, EdgeId e) { return 16 * v + 4 * e; }

/// Base of all plans. In a plan, a vertex is identified by its position.
struct Arcs {
    /// True: the walk uses the row order of a vertex order; false: the column order.
    static constexpr bool by_out_degree = false;
    VertexId vertices = 0;
    EdgeId arcs = 0;
    std::vector<VertexId> order;  ///< position -> vertex; empty: the identity
    unsigned launch_rounds = 0;   ///< maximum rounds per GPU launch; 0: as many as take 0.5 s
    Offsets out;                  ///< position -> its out-arcs; every walk has them, for the degrees

    Arcs() = default;
    explicit Arcs(const Numbered& graph)
        : vertices(graph.graph.rows),
          arcs(graph.graph.edges()),
          order(graph.order),
          out(graph.out_offsets()) {}
};
/// Returns the bytes that a plan needs on a GPU in addition to its arrays. The default is 0.
inline EdgeId stream_bytes(const Arcs&) { return 0; }

}  // namespace lockstep::arc
