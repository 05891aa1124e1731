// Choice of the centre of every edge and of the sizes of stars.
#pragma once

#include <span>
#include <vector>

#include "lockstep/schedules/builders.hpp"

namespace lockstep {

/// A graph as input of the stars builder: rows and columns as one set of vertices, rows first (unless they
/// are one set already), and the centre of every edge. The centre is the endpoint of larger degree, except
/// for the edges that choose() turns.
class StarEnds {
public:
    StarEnds(const Graph& graph, const DeviceCosts& costs);

    /// Returns the sizes for this graph, with at most `asked` edges per star if `asked` is not 0. Distributes
    /// the edges between hubs over their endpoints if that saves time. O(edges) for each of at most seven
    /// limits, on as many threads; 8 bytes per vertex for each limit.
    StarSizes choose(EdgeId asked);

    const Graph& graph() const { return graph_; }
    bool one_set() const { return one_set_; }
    std::size_t vertices() const { return degree_.size(); }
    std::size_t first_col() const { return one_set_ ? 0 : graph_.rows; }
    VertexId row_of(EdgeId e) const { return row_[e]; }
    bool around_col(EdgeId e) const { return around_col_[e]; }
    /// Returns, for every vertex, the number of edges of which it is a leaf, as choose() leaves them.
    std::vector<EdgeId>& leaves() { return leaves_; }

private:
    /// The demand of vertices for phases, for given numbers of leaves.
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
    /// A distribution of the edges between hubs, with other centres for some of them.
    struct Shared {
        std::vector<EdgeId> leaves;
        std::vector<bool> turned;  // [i]: whether contested edge i is turned
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
    std::vector<EdgeId> degree_, leaves_;  // vertex -> number of edges
    Array<VertexId> row_;                  // edge -> row
    Array<unsigned char> around_col_;      // edge -> whether its column is the centre
};

}  // namespace lockstep
