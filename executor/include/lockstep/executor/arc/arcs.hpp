// What every plan of the arc family has: the vertices of a square graph by their position in one order, and
// where the arcs of each begin.
#pragma once

#include <vector>

#include "lockstep/executor/lanes.hpp"
#include "lockstep/schedules/graph.hpp"

namespace lockstep {

/// What was found by position in the order of a plan, by vertex of the graph.
template <class Plan, class T>
std::vector<T> by_vertex(const Plan& plan, const T* by_position) {
    std::vector<T> result(by_position, by_position + plan.vertices);
    for (VertexId p = 0; p < plan.order.size(); ++p) result[plan.order[p]] = by_position[p];
    return result;
}

namespace arc {

/// Offsets into a list of arcs: 4 bytes each, and a fifth where there are 2^32 arcs or more.
struct OffsetsView {
    const std::uint32_t* low;
    const std::uint8_t* high;  ///< nullptr: all zero
    LOCKSTEP_HD EdgeId operator[](EdgeId i) const {
        return high ? static_cast<EdgeId>(high[i]) << 32 | low[i] : low[i];
    }
    /// Arcs of vertex v.
    LOCKSTEP_HD EdgeId degree(VertexId v) const { return (*this)[v + EdgeId{1}] - (*this)[v]; }
};
struct Offsets {
    std::vector<std::uint32_t> low{0};
    std::vector<std::uint8_t> high;

    Offsets() = default;
    /// Throws Error (bad_input) from 2^40 arcs up.
    explicit Offsets(const std::vector<EdgeId>& offsets);
    OffsetsView view() const { return {low.data(), high.empty() ? nullptr : high.data()}; }
    EdgeId operator[](EdgeId i) const { return view()[i]; }
    EdgeId bytes() const { return 4 * low.size() + high.size(); }
};

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

/// A square graph with its vertices numbered by their position in `order` (position -> vertex; empty: as
/// they are), with the weights of its arcs or without. Refers to both.
class Numbered {
public:
    Numbered(const Graph& graph, const std::vector<VertexId>& order, bool weighted = false);
    VertexId vertex(VertexId p) const { return order.empty() ? p : order[p]; }
    VertexId position(VertexId v) const { return position_.empty() ? v : position_[v]; }

    Offsets out_offsets() const;
    /// Room for so many weights, where there are any.
    Weights weights(EdgeId size) const;
    /// The targets of each position, ascending if they have no weights.
    Array<VertexId> targets(const Offsets& out, Weights& weights) const;
    /// Arcs by target, sources ascending. Threads share the work. O(arcs threads + vertices).
    void by_target(Offsets& in, Array<VertexId>& sources, Weights& weights) const;

    const Graph& graph;
    const std::vector<VertexId>& order;

private:
    std::vector<VertexId> position_;
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

}  // namespace arc

}  // namespace lockstep
