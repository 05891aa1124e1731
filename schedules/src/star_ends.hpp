// Which end of an edge is the centre of its star, and of how many edges stars are.
#pragma once

#include <span>
#include <vector>

#include "lockstep/schedules/builders.hpp"

namespace lockstep {

/// Rows and columns as one set of vertices, rows first, unless they are one already; and which end of an edge
/// is its centre: the one of more edges, but for those that choose() turns.
class StarEnds {
public:
    StarEnds(const Graph& graph, const DeviceCosts& costs);

    /// Sizes for this graph, at most `asked` edges a star where that is not 0. Shares the edges between hubs out where
    /// that saves time. O(edges) for each of seven limits at most, on as many threads; 8 bytes a vertex for each.
    StarSizes choose(EdgeId asked);

    const Graph& graph() const { return graph_; }
    bool one_set() const { return one_set_; }
    std::size_t vertices() const { return degree_.size(); }
    std::size_t first_col() const { return one_set_ ? 0 : graph_.rows; }
    VertexId row_of(EdgeId e) const { return row_[e]; }
    bool around_col(EdgeId e) const { return around_col_[e]; }
    /// vertex -> edges of which it is not the centre, as choose() leaves them.
    std::vector<EdgeId>& leaves() { return leaves_; }

private:
    /// Vertices as `leaves` has them.
    struct Wants {
        const StarEnds& ends;
        const std::vector<EdgeId>& leaves;
        EdgeId own(std::size_t v) const { return ends.degree_[v] - leaves[v]; }
        EdgeId phases(std::size_t v, EdgeId most) const;
        bool suffices(EdgeId phases, const StarSizes& sizes, std::span<const std::size_t> centres) const;
        EdgeId least_phases(const StarSizes& sizes, EdgeId least,
                            std::span<const std::size_t> vertices) const;
        StarSizes best_sizes(EdgeId asked, double& seconds) const;
    };
    /// The edges between hubs with other centres.
    struct Shared {
        std::vector<EdgeId> leaves;
        std::vector<bool> turned;  // of the contested edges
        StarSizes sizes{};
        double seconds = 0;
    };

    std::size_t col_of(EdgeId e) const { return first_col() + graph_.col[e]; }
    std::size_t centre_of(EdgeId e) const { return around_col(e) ? col_of(e) : row_of(e); }
    std::size_t leaf_of(EdgeId e) const { return around_col(e) ? row_of(e) : col_of(e); }
    void count_leaves();
    std::vector<EdgeId> contested(EdgeId fewest) const;
    Shared shared_out(EdgeId limit, std::span<const EdgeId> contested, EdgeId asked) const;

    const Graph& graph_;
    const DeviceCosts& costs_;
    bool one_set_;
    std::vector<EdgeId> degree_, leaves_;  // vertex -> edges
    Array<VertexId> row_;                  // of each edge
    Array<unsigned char> around_col_;      // edge -> whether its column is the centre
};

}  // namespace lockstep
