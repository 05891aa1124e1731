// The compressed sparse row (CSR) arrays of a graph, on host and device. All families that visit the
// neighbours of vertices use them.
#pragma once

#include <vector>

#include "lockstep/executor/operator.hpp"
#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// The edge indices first … last - 1, as a range for loops: for (const EdgeId e : g.edges_of(u)).
struct EdgeRange {
    struct Iterator {
        EdgeId at;
        LOCKSTEP_HD EdgeId operator*() const { return at; }
        LOCKSTEP_HD Iterator& operator++() { return ++at, *this; }
        LOCKSTEP_HD bool operator!=(const Iterator& other) const { return at != other.at; }
    };
    EdgeId first, last;
    LOCKSTEP_HD Iterator begin() const { return {first}; }
    LOCKSTEP_HD Iterator end() const { return {last}; }
    LOCKSTEP_HD EdgeId size() const { return last - first; }
};

/// The endpoints of a range of edges, for loops: for (const VertexId v : g.neighbours(u)).
struct VertexRange {
    const VertexId *first, *last;
    LOCKSTEP_HD const VertexId* begin() const { return first; }
    LOCKSTEP_HD const VertexId* end() const { return last; }
    LOCKSTEP_HD EdgeId size() const { return static_cast<EdgeId>(last - first); }
    LOCKSTEP_HD VertexId operator[](EdgeId i) const { return first[i]; }
};

/// Returns the range of the edges of vertex `u`, given CSR offsets of any type.
template <class Offsets>
LOCKSTEP_HD EdgeRange edges_of(const Offsets& offsets, VertexId u) {
    return {offsets[u], offsets[u + EdgeId{1}]};
}
/// Returns the vertex v in [first, beyond) whose range of edges contains edge `e`, by binary search. Requires
/// offsets[first] ≤ e < offsets[beyond].
template <class Offsets>
LOCKSTEP_HD VertexId row_of(const Offsets& offsets, EdgeId e, VertexId first, VertexId beyond) {
    while (beyond - first > 1) {
        const VertexId middle = first + (beyond - first) / 2;
        (offsets[middle] <= e ? first : beyond) = middle;
    }
    return first;
}

/// CSR offsets in a compact format: 4 bytes each, plus a fifth byte if there are 2^32 edges or more.
struct OffsetsView {
    const std::uint32_t* low;
    const std::uint8_t* high;  ///< upper 8 bits of each offset; nullptr: all are zero
    LOCKSTEP_HD EdgeId operator[](EdgeId i) const {
        return high ? static_cast<EdgeId>(high[i]) << 32 | low[i] : low[i];
    }
    LOCKSTEP_HD EdgeId degree(VertexId u) const { return edges_of(*this, u).size(); }
};
struct Offsets {
    std::vector<std::uint32_t> low{0};
    std::vector<std::uint8_t> high;

    Offsets() = default;
    /// Copies `offsets`. Throws Error (bad_input) if there are 2^40 edges or more.
    explicit Offsets(const std::vector<EdgeId>& offsets);
    OffsetsView view() const { return {low.data(), high.empty() ? nullptr : high.data()}; }
    EdgeId operator[](EdgeId i) const { return view()[i]; }
    EdgeId bytes() const { return 4 * low.size() + high.size(); }
};

/// A non-owning view of a Csr, for loops and kernels. `ends` contains the target of each arc.
struct CsrView {
    OffsetsView offsets;
    const VertexId* ends;
    const float* weights;  ///< weight of each arc; nullptr: all weights are 1

    LOCKSTEP_HD EdgeId degree(VertexId u) const { return offsets.degree(u); }
    LOCKSTEP_HD EdgeRange edges_of(VertexId u) const { return lockstep::edges_of(offsets, u); }
    LOCKSTEP_HD VertexRange neighbours(VertexId u) const {
        const EdgeRange edges = edges_of(u);
        return {ends + edges.first, ends + edges.last};
    }
    LOCKSTEP_HD float weight(EdgeId e) const { return weights ? load_constant(weights + e) : 1.0F; }
};
struct Csr {
    Offsets offsets;
    Array<VertexId> ends;
    Array<float> weights;  ///< weight of each arc; empty: all weights are 1, or weights are not used

    CsrView view() const { return {offsets.view(), ends.data(), weights.empty() ? nullptr : weights.data()}; }
    EdgeId arcs() const { return ends.size(); }
    EdgeId degree(VertexId u) const { return view().degree(u); }
    EdgeRange edges_of(VertexId u) const { return view().edges_of(u); }
    VertexRange neighbours(VertexId u) const { return view().neighbours(u); }
    EdgeId bytes() const { return offsets.bytes() + 4 * (ends.size() + weights.size()); }
};

/// Returns the reversed arcs, sorted by target. The sources of each target are in ascending order. Uses all
/// threads, and 12 bytes of temporary memory per arc.
Csr transpose_arcs(const Csr& arcs, VertexId vertices);

}  // namespace lockstep
