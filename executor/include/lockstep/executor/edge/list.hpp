// The edges of a plan: in execution order, the held-out ones left out.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/graph.hpp"

namespace lockstep {

/// Each array has one entry an edge.
struct EdgeList {
    VertexId rows = 0, cols = 0;
    Ends ends = Ends::sides;  ///< vertices: row and column are of one set
    Array<VertexId> row, col;
    Array<float> value;
    Array<EdgeId> id;  ///< of the graph, where they are asked for

    EdgeId edges() const { return row.size(); }
};

/// Edges elsewhere, as a walk reads them: as they are, or with rows for columns.
struct EdgeView {
    VertexId rows, cols;
    std::span<const VertexId> row, col;
    std::span<const float> value;

    EdgeView(const EdgeList& edges, bool turned = false)  // NOLINT(google-explicit-constructor)
        : rows(edges.rows), cols(edges.cols), row(edges.row), col(edges.col), value(edges.value) {
        if (turned) *this = this->turned();
    }
    EdgeView turned() const {
        EdgeView view = *this;
        std::swap(view.rows, view.cols), std::swap(view.row, view.col);
        return view;
    }
    EdgeId edges() const { return row.size(); }
};

/// Whether edges [begin, end), which share one end, share their row. Of one edge either would do: it is the
/// column.
inline bool is_of_row(const EdgeView& edges, EdgeId begin, EdgeId end) {
    return end - begin > 1 && edges.row[begin] == edges.row[begin + 1];
}

/// Of neighbouring offsets, the greatest distance.
inline EdgeId largest_part(const std::vector<EdgeId>& parts) {
    EdgeId largest = 0;
    for (std::size_t b = 0; b + 1 < parts.size(); ++b) largest = std::max(largest, parts[b + 1] - parts[b]);
    return largest;
}
template <class... Arrays>
EdgeId bytes_of(const Arrays&... arrays) {
    return (EdgeId{0} + ... + (arrays.size() * sizeof(arrays[0])));
}

/// What a sweep did.
struct SweepCounts {
    EdgeId updates = 0;                   ///< edges processed, counted by who processed them
    std::uint64_t passes = 1;             ///< passes over the worklist (1 offline)
    EdgeId hub_edges = 0, hub_tries = 0;  ///< of the hub under locks: its edges, and tries; 0: not counted
};
inline SweepCounts operator+(const SweepCounts& a, const SweepCounts& b) {
    return {a.updates + b.updates, a.passes + b.passes, a.hub_edges + b.hub_edges, a.hub_tries + b.hub_tries};
}

}  // namespace lockstep
