// The list of a plan's edges, in execution order and without the held-out edges.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/graph.hpp"

namespace lockstep {

/// A list of edges. Each array has one entry per edge.
struct EdgeList {
    VertexId rows = 0, cols = 0;
    Ends ends = Ends::sides;  ///< whether the endpoints are rows and columns, or vertices of one set
    Array<VertexId> row, col;
    Array<float> value;
    Array<EdgeId> id;  ///< ID of each edge in the graph; empty unless requested

    EdgeId edges() const { return row.size(); }
};

/// A view of edges that are stored elsewhere, as a walk reads them: as they are, or transposed (rows and
/// columns swapped).
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

/// Returns true if edges [begin, end), which share one endpoint, share their row. A single edge counts as
/// sharing its column.
inline bool is_of_row(const EdgeView& edges, EdgeId begin, EdgeId end) {
    return end - begin > 1 && edges.row[begin] == edges.row[begin + 1];
}

/// Returns the size of the largest part: the maximum difference of consecutive offsets.
inline EdgeId largest_part(const std::vector<EdgeId>& parts) {
    EdgeId largest = 0;
    for (std::size_t b = 0; b + 1 < parts.size(); ++b) largest = std::max(largest, parts[b + 1] - parts[b]);
    return largest;
}
template <class... Arrays>
EdgeId bytes_of(const Arrays&... arrays) {
    return (EdgeId{0} + ... + (arrays.size() * sizeof(arrays[0])));
}

/// The counters of a sweep.
struct SweepCounts {
    EdgeId updates = 0;        ///< number of processed edges, as counted by the workers that processed them
    std::uint64_t passes = 1;  ///< number of passes over the worklist (1 for walks without locks)
    /// EL: edges of the hub, and attempts to lock them; 0 if not counted
    EdgeId hub_edges = 0, hub_tries = 0;
};
inline SweepCounts operator+(const SweepCounts& a, const SweepCounts& b) {
    return {a.updates + b.updates, a.passes + b.passes, a.hub_edges + b.hub_edges, a.hub_tries + b.hub_tries};
}

}  // namespace lockstep
