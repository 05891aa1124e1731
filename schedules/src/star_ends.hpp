// Choice of the centre of every edge and of the maximum sizes of stars, for the stars builder.
#pragma once

#include <span>
#include <vector>

#include "lockstep/schedules/builders.hpp"

namespace lockstep {

/// A graph as input of the stars builder. Rows and columns are numbered as one set of vertices, rows first,
/// unless they are one set already. The centre of an edge is its endpoint of larger degree; choose()
/// exchanges centre and leaf of some edges between hubs.
class StarEnds {
public:
    StarEnds(const Graph& graph, const DeviceCosts& costs);

    /// Chooses the maximum sizes of stars, with at most `requested` edges per star if `requested` is not 0.
    /// If this shortens the predicted time, distributes the edges between hubs over both endpoints: an edge
    /// is turned if its leaf requires more phases than a limit and its centre fewer. O(edges) for each of at
    /// most seven limits, which are tried on as many threads; 8 bytes per vertex and limit.
    StarSizes choose(EdgeId requested);

    const Graph& graph() const { return graph_; }
    bool one_set() const { return one_set_; }
    std::size_t vertices() const { return degree_.size(); }
    std::size_t first_col() const { return one_set_ ? 0 : graph_.rows; }
    VertexId row_of(EdgeId e) const { return row_[e]; }
    bool around_col(EdgeId e) const { return around_col_[e]; }
    /// Returns, for every vertex, the number of edges of which it is a leaf. It is valid after choose().
    std::vector<EdgeId>& leaves() { return leaves_; }

private:
    /// The number of phases that each vertex requires, given the number of edges of which it is a leaf.
    struct PhaseDemand {
        const StarEnds& ends;
        const std::vector<EdgeId>& leaves;
        EdgeId own(std::size_t v) const { return ends.degree_[v] - leaves[v]; }
        EdgeId phases(std::size_t v, EdgeId most) const;
        bool suffices(EdgeId phases, const StarSizes& sizes, std::span<const std::size_t> centres) const;
        EdgeId min_phases(const StarSizes& sizes, EdgeId least, std::span<const std::size_t> vertices) const;
        StarSizes best_sizes(EdgeId requested, double& seconds) const;
    };
    /// A distribution of the edges between hubs in which some of them are turned, i.e. centre and leaf are
    /// exchanged.
    struct EdgeDistribution {
        std::vector<EdgeId> leaves;
        std::vector<bool> turned;  // [i]: whether the i-th contested edge is turned
        StarSizes sizes{};
        double seconds = 0;
    };

    std::size_t col_of(EdgeId e) const { return first_col() + graph_.col[e]; }
    std::size_t centre_of(EdgeId e) const { return around_col(e) ? col_of(e) : row_of(e); }
    std::size_t leaf_of(EdgeId e) const { return around_col(e) ? row_of(e) : col_of(e); }
    void count_leaves();
    std::vector<EdgeId> contested(EdgeId fewest) const;
    EdgeDistribution distribute_edges(EdgeId limit, std::span<const EdgeId> contested,
                                      EdgeId requested) const;

    const Graph& graph_;
    const DeviceCosts& costs_;
    bool one_set_;
    // vertex -> number of edges; vertex -> number of edges of which it is a leaf.
    std::vector<EdgeId> degree_, leaves_;
    Array<VertexId> row_;              // edge -> row
    Array<unsigned char> around_col_;  // edge -> whether its column is the centre of its star
};

}  // namespace lockstep
