// The order in which a device stores the vectors of the rows or of the columns. By default it is the order of
// the vertex indices.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep {

class VertexOrder {
public:
    VertexOrder() = default;
    /// Stores the order: order[i] is the vertex whose vector is at position i.
    explicit VertexOrder(std::vector<VertexId> order) : order_(std::move(order)), place_(order_.size()) {
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < order_.size(); ++i) place_[order_[i]] = static_cast<VertexId>(i);
    }

    VertexId place_of(VertexId vertex) const { return place_.empty() ? vertex : place_[vertex]; }
    Array<VertexId> places_of(const Array<VertexId>& vertices) const {
        Array<VertexId> places(vertices.size());
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < vertices.size(); ++i) places[i] = place_of(vertices[i]);
        return places;
    }

    /// whether the vectors have the order of the vertex indices
    bool is_given() const { return order_.empty(); }
    VertexId vertex_at(std::size_t place) const {
        return is_given() ? static_cast<VertexId>(place) : order_[place];
    }

private:
    std::vector<VertexId> order_, place_;
};

}  // namespace lockstep
