// Edges as lists of one side's vertices, and sums over these lists.
#pragma once

#include <span>
#include <vector>

#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/graph.hpp"

namespace lockstep::sgd {

/// Some edges of a graph, and which of them are held out.
struct SomeEdges {
    bool kept(EdgeId e) const { return held_out.empty() || !held_out[e]; }

    const Graph& graph;
    const std::vector<bool>& held_out;
};

/// Edges of every vertex of a side, in the order of the graph.
class EdgeLists {
public:
    /// The edges of the rows that are not held out: where the graph has them, or a copy, 8 bytes an edge.
    static EdgeLists rows(const SomeEdges& some);
    /// The same edges by the other side, which has so many vertices, in the same order. O(edges), little
    /// memory beside the lists' 8 bytes an edge.
    EdgeLists transposed(VertexId vertices) const;

    /// What the products of the ends' vectors, `stride` floats each (a multiple of 4), leave of the weights is
    /// added up from now on; the next time it is what others leave. `own` are those of this side's vertices.
    /// Sums in one order everywhere. O(edges x stride), 4 bytes an edge.
    void take_off(std::span<const float> own, std::span<const float> other, std::size_t stride);

    EdgeLists(EdgeLists&&) = default;
    EdgeLists(const EdgeLists&) = delete;

    VertexId vertices() const { return static_cast<VertexId>(offsets_.size() - 1); }
    EdgeId edges() const { return offsets_.back(); }
    EdgeId edges(VertexId v) const { return offsets_[v + 1] - offsets_[v]; }

    /// [v]: sums over the edges of v of x and of x x, in order; x = weight, or what is left of it, - mean -
    /// other[its other end].
    struct Sums {
        double total, squares;
    };
    void add_up(double mean, std::span<const double> other, std::span<Sums> sums) const;

private:
    EdgeLists() = default;
    void allocate(EdgeId edges);
    void sort_parts(const std::vector<VertexId>& to, const std::vector<VertexId>& from,
                    const std::vector<EdgeId>& ends, int to_bits);
    /// The vertices in so many parts of about as many edges each.
    std::vector<VertexId> parts(EdgeId count) const;

    std::span<const EdgeId> offsets_;
    const VertexId* other_ = nullptr;
    const float* weight_ = nullptr;
    std::vector<EdgeId> own_offsets_;
    Array<VertexId> own_other_;
    Array<float> own_weight_, left_;
};

}  // namespace lockstep::sgd
