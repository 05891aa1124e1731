// EdgeList: the edges of a plan, in the order in which they run and without the held-out edges; views of it;
// and the counters of a sweep.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/graph.hpp"

namespace lockstep {

/// A list of edges as one array per property. Each array has one entry per edge.
struct EdgeList {
    VertexId rows = 0, cols = 0;
    /// whether rows and columns are two sets of vertices, or both are vertices of one set
    Ends ends = Ends::sides;
    Array<VertexId> row, col;
    Array<float> value;
    Array<EdgeId> id;  ///< index in the graph of each edge; empty unless requested

    EdgeId edges() const { return row.size(); }
};

/// A non-owning view of a list of edges, as it is or transposed (rows and columns swapped). It lets one
/// function process stars around rows and stars around columns.
struct EdgeView {
    VertexId rows, cols;
    std::span<const VertexId> row, col;
    std::span<const float> value;

    EdgeView(const EdgeList& edges, bool turned = false)  // NOLINT(google-explicit-constructor)
        : rows(edges.rows), cols(edges.cols), row(edges.row), col(edges.col), value(edges.value) {
        if (turned) *this = this->swap_sides();
    }
    EdgeView swap_sides() const {
        EdgeView view = *this;
        std::swap(view.rows, view.cols), std::swap(view.row, view.col);
        return view;
    }
    EdgeId edges() const { return row.size(); }
};

/// Returns true if the edges [begin, end) have the same row, and false if they have the same column. They
/// must share one of the two. For a single edge it returns false.
inline bool share_row(const EdgeView& edges, EdgeId begin, EdgeId end) {
    return end - begin > 1 && edges.row[begin] == edges.row[begin + 1];
}

/// Returns the size of the largest part, if `parts` contains the offset of each part: the maximum difference
/// of consecutive offsets.
inline EdgeId largest_part(const std::vector<EdgeId>& parts) {
    EdgeId largest = 0;
    for (std::size_t b = 0; b + 1 < parts.size(); ++b) largest = std::max(largest, parts[b + 1] - parts[b]);
    return largest;
}
template <class... Arrays>
EdgeId bytes_of(const Arrays&... arrays) {
    return (EdgeId{0} + ... + (arrays.size() * sizeof(arrays[0])));
}

/// The counters of one sweep.
struct SweepCounts {
    EdgeId updates = 0;        ///< number of updated edges, as counted by the workers
    std::uint64_t passes = 1;  ///< number of passes over lists of deferred edges; 1 for walks without locks
    /// EL only: number of edges of the hub, and number of attempts to lock them; 0 if not counted
    EdgeId hub_edges = 0, hub_tries = 0;
};
inline SweepCounts operator+(const SweepCounts& a, const SweepCounts& b) {
    return {a.updates + b.updates, a.passes + b.passes, a.hub_edges + b.hub_edges, a.hub_tries + b.hub_tries};
}

}  // namespace lockstep
