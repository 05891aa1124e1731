// Lists of the edges of each vertex of one side (rows or columns), and sums over these lists. They are used
// to fit biases.
#pragma once

#include <span>
#include <vector>

#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/graph.hpp"

namespace lockstep::sgd {

/// Edges of a graph, and a mask of the held-out edges among them (empty: none).
struct SomeEdges {
    bool is_training_edge(EdgeId e) const { return held_out.empty() || !held_out[e]; }

    const Graph& graph;
    const std::vector<bool>& held_out;
};

/// The edges of every vertex of one side. Each list has the order of the graph.
class EdgeLists {
public:
    /// Returns the lists of the rows, without held-out edges. If the graph has weights and no edge is held
    /// out, the lists refer to the graph's arrays; otherwise they are a copy with 8 bytes per edge.
    static EdgeLists rows(const SomeEdges& some);
    /// Returns lists of the same edges for the vertices of the other side, of which there are `vertices`.
    /// Each list keeps the order of the edges. O(edges); the result has 8 bytes per edge, and the conversion
    /// needs little more memory.
    EdgeLists transpose_edges(VertexId vertices) const;

    /// Computes the residual of each edge: its weight minus the dot product of its endpoints' vectors.
    /// add_up() uses the residuals instead of the weights from then on; another call replaces them. `own` are
    /// the vectors of this side's vertices, `other` those of the other side, and `stride` is the distance of
    /// vectors in floats, a multiple of 4. All dot products are added in the same order on every machine.
    /// O(edges x stride), 4 bytes per edge.
    void subtract_predictions(std::span<const float> own, std::span<const float> other, std::size_t stride);

    EdgeLists(EdgeLists&&) = default;
    EdgeLists(const EdgeLists&) = delete;

    VertexId vertices() const { return static_cast<VertexId>(offsets_.size() - 1); }
    EdgeId edges() const { return offsets_.back(); }
    EdgeId edges(VertexId v) const { return offsets_[v + 1] - offsets_[v]; }

    /// Sums over the edges of a vertex, in the order of its list: of x and of x^2, where x is the weight or
    /// residual of the edge, minus `mean`, minus `other` of the other endpoint.
    struct Sums {
        double total, squares;
    };
    void add_up(double mean, std::span<const double> other, std::span<Sums> sums) const;

private:
    EdgeLists() = default;
    void allocate(EdgeId edges);
    void sort_parts(const std::vector<VertexId>& to, const std::vector<VertexId>& from,
                    const std::vector<EdgeId>& ends, int to_bits);
    /// Returns the boundaries of `count` ranges of vertices with similar numbers of edges.
    std::vector<VertexId> parts(EdgeId count) const;

    std::span<const EdgeId> offsets_;
    const VertexId* other_ = nullptr;
    const float* weight_ = nullptr;
    std::vector<EdgeId> own_offsets_;
    Array<VertexId> own_other_;
    Array<float> own_weight_, left_;
};

}  // namespace lockstep::sgd
