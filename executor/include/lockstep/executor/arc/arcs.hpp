// What every plan of the arc family has: the vertices of a square graph by their position in one order, and
// where the arcs of each begin.
#pragma once

#include "lockstep/executor/csr/numbering.hpp"

namespace lockstep::arc {

/// Weights of a list of arcs: a byte each where all of a graph are whole numbers below 256, else floats;
/// neither: each is 1.
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

/// A square graph with its vertices numbered, with the weights of its arcs or without.
class Numbered : public Numbering {
public:
    Numbered(const Graph& graph, const std::vector<VertexId>& order, bool weighted = false);

    /// Room for so many weights, where there are any.
    Weights weights(EdgeId size) const;
    /// The targets of each position, ascending if they have no weights.
    Array<VertexId> targets(const Offsets& out, Weights& weights) const;
    /// Arcs by target, sources ascending. Threads share the work. O(arcs threads + vertices).
    void by_target(Offsets& in, Array<VertexId>& sources, Weights& weights) const;

private:
    bool weighted_, whole_;
};

/// The work models of Verstraaten et al., section 3.2: accesses to global memory of one round of PageRank,
/// run serially; other operators with values of four bytes do the same. Fetching the edge lists themselves is
/// not counted there.
struct Work {
    EdgeId reads = 0, writes = 0, atomics = 0;
    EdgeId bytes = 0;  ///< that must be moved at least: lists, degrees and ranks once each
};
/// Degrees, ranks, offsets and a list of v vertices and e arcs.
constexpr EdgeId pulled_bytes(EdgeId v, EdgeId e) { return 16 * v + 4 * e; }

/// The base of all plans. From here on a vertex is its position.
struct Arcs {
    static constexpr bool by_out_degree = false;  ///< of a vertex order it takes the rows', else the columns'
    VertexId vertices = 0;
    EdgeId arcs = 0;
    std::vector<VertexId> order;  ///< position -> vertex; empty: the given order
    unsigned launch_rounds = 0;   ///< on a GPU, of a launch at most; 0: as many as take half a second
    Offsets out;                  ///< position -> its arcs by source: whatever the walk, it has the degrees

    Arcs() = default;
    explicit Arcs(const Numbered& graph)
        : vertices(graph.graph.rows),
          arcs(graph.graph.edges()),
          order(graph.order),
          out(graph.out_offsets()) {}
};
/// What a plan takes on a GPU beside its arrays: nothing, unless its walk says otherwise.
inline EdgeId stream_bytes(const Arcs&) { return 0; }

}  // namespace lockstep::arc
