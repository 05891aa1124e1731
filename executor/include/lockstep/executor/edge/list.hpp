// The edges of a plan: in execution order, the held-out ones left out.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// Each array has one entry an edge.
struct EdgeList {
    VertexId rows = 0, cols = 0;
    Array<VertexId> row, col;
    Array<float> value;
    Array<EdgeId> id;  ///< edge id in the graph

    EdgeId edges() const { return row.size(); }
};

/// Edges [0, end) with rows for columns, without their ids. 12 bytes an edge.
inline EdgeList turned(const EdgeList& edges, EdgeId end) {
    const auto first = [end](const auto& array) {
        return std::remove_cvref_t<decltype(array)>(array.begin(),
                                                    array.begin() + static_cast<std::ptrdiff_t>(end));
    };
    return {edges.cols, edges.rows, first(edges.col), first(edges.row), first(edges.value), {}};
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
    EdgeId updates = 0;        ///< edges processed, counted by who processed them
    std::uint64_t passes = 1;  ///< passes over the worklist (1 offline)
};
inline SweepCounts operator+(const SweepCounts& a, const SweepCounts& b) {
    return {a.updates + b.updates, a.passes + b.passes};
}

}  // namespace lockstep
