// The edges whose squared errors a GPU adds up. They are in device memory, or in host memory and copied to
// the device in pieces.
#pragma once

#include <algorithm>
#include <span>

#include "apps/sgd/backend.hpp"
#include "lockstep/executor/edge/edges.cuh"

namespace lockstep::sgd {

class ErrorEdges {
public:
    ErrorEdges() = default;
    /// Uses the edges of a plan, which are in device memory already.
    explicit ErrorEdges(const gpu::EdgesView& there) : edges_(there.edges), there_(there) {}
    /// Uses edges in host memory. If `resident`, all edges are copied to the device now. Otherwise they are
    /// copied in pieces when they are used, and the host memory must outlive this object.
    ErrorEdges(std::span<const VertexId> row, std::span<const VertexId> col, std::span<const float> value,
               bool resident)
        : edges_(row.size()), host_{edges_, row.data(), col.data(), value.data()} {
        const EdgeId capacity = resident ? edges_ : std::min(edges_, piece);
        if (capacity == edges_) {
            row_ = gpu::staged(row), col_ = gpu::staged(col), value_ = gpu::staged(value);
        } else {
            row_ = gpu::Buffer<VertexId>(capacity), col_ = gpu::Buffer<VertexId>(capacity),
            value_ = gpu::Buffer<float>(capacity);
        }
        there_ = {capacity, row_.data(), col_.data(), value_.data()};
    }

    /// Replaces the weights of the edges on the device, if the device has memory for all edges.
    void set_values(std::span<const float> value) {
        if (value_.size() == edges_) gpu::stage(value_, value);
    }

    static constexpr EdgeId piece = EdgeId{1} << 22;
    static_assert(piece % error_chunk == 0);

    /// Returns the device memory that `edges` edges require, in bytes.
    static EdgeId bytes(EdgeId edges, bool resident) {
        return 12 * (resident ? edges : std::min(edges, piece));
    }
    EdgeId size() const { return edges_; }
    /// Calls run(arrays, first) for each piece of the edges, after the piece has been copied to the device.
    /// `first` is the index of the first edge in the piece, a multiple of `error_chunk`.
    template <class Run>
    void for_each_piece(Run run) {
        for (EdgeId first = 0; first < edges_; first += there_.edges) {
            const EdgeId count = std::min(there_.edges, edges_ - first);
            if (there_.edges < edges_) fetch(first);
            run(gpu::EdgesView{count, there_.row, there_.col, there_.value}, first);
        }
    }

private:
    void fetch(EdgeId first) {
        const EdgeId count = std::min(there_.edges, edges_ - first);
        row_.upload({host_.row + first, count}), col_.upload({host_.col + first, count});
        value_.upload({host_.value + first, count});
    }

    EdgeId edges_ = 0;
    gpu::EdgesView host_{}, there_{};
    gpu::Buffer<VertexId> row_, col_;
    gpu::Buffer<float> value_;
};

}  // namespace lockstep::sgd
