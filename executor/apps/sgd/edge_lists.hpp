// Lists of the edges of each vertex of one side, and sums over these lists.
#pragma once

#include <span>
#include <vector>

#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/graph.hpp"

namespace lockstep::sgd {

/// Edges of a graph, and a mask of those that are held out.
struct SomeEdges {
    bool kept(EdgeId e) const { return held_out.empty() || !held_out[e]; }

    const Graph& graph;
    const std::vector<bool>& held_out;
};

/// The edges of every vertex of one side, in the order of the graph.
class EdgeLists {
public:
    /// Returns the edges by row, except those that are held out. The lists refer to the graph if it has
    /// weights and no edge is held out; otherwise they are a copy of 8 bytes per edge.
    static EdgeLists rows(const SomeEdges& some);
    /// Returns the same edges by the other side, which has `vertices` vertices, in the same order. O(edges);
    /// the lists take 8 bytes per edge, and the conversion needs little more memory.
    EdgeLists transposed(VertexId vertices) const;

    /// Subtracts the products of the endpoints' vectors from the weights: add_up() uses these residuals from
    /// now on. A later call replaces the residuals. A vector has `stride` floats, a multiple of 4; `own` are
    /// the vectors of this side's vertices. The order of the sums is the same everywhere. O(edges x stride),
    /// 4 bytes per edge.
    void take_off(std::span<const float> own, std::span<const float> other, std::size_t stride);

    EdgeLists(EdgeLists&&) = default;
    EdgeLists(const EdgeLists&) = delete;

    VertexId vertices() const { return static_cast<VertexId>(offsets_.size() - 1); }
    EdgeId edges() const { return offsets_.back(); }
    EdgeId edges(VertexId v) const { return offsets_[v + 1] - offsets_[v]; }

    /// Sums over the edges of a vertex, in order: of x and of x^2, where x = weight (or residual) - mean -
    /// other[other endpoint].
    struct Sums {
        double total, squares;
    };
    void add_up(double mean, std::span<const double> other, std::span<Sums> sums) const;

private:
    EdgeLists() = default;
    void allocate(EdgeId edges);
    void sort_parts(const std::vector<VertexId>& to, const std::vector<VertexId>& from,
                    const std::vector<EdgeId>& ends, int to_bits);
    /// Returns the boundaries of `count` parts of the vertices with about the same number of edges each.
    std::vector<VertexId> parts(EdgeId count) const;

    std::span<const EdgeId> offsets_;
    const VertexId* other_ = nullptr;
    const float* weight_ = nullptr;
    std::vector<EdgeId> own_offsets_;
    Array<VertexId> own_other_;
    Array<float> own_weight_, left_;
};

}  // namespace lockstep::sgd
