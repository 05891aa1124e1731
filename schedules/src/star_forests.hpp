// Decomposition of a tile into steps. The stars of a step share no vertex.
//
// One worker runs the edges of a star in order, with the centre in registers; the stars of a step are
// concurrent. A tile therefore needs about as many steps as its users have edges in it. Matchings, with one
// edge per vertex and step, would need as many steps as its most rated item has edges.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// An edge of a tile. Its endpoints are given by their positions in their blocks.
struct TileEdge {
    EdgeId id;
    VertexId user, item;
};

/// The stars of a sequence of tiles: the number of edges of each star, and the number of stars of each step.
struct Forests {
    std::vector<VertexId> star_edges, step_stars;
};

class StarForests {
public:
    /// Degree above which the first (most rated) item of a block leads a tile. It is placed before the others
    /// and is always the centre of its own star, so that it can run ahead into the next tile.
    static constexpr VertexId long_star = 36;

    /// Constructs the buffers for tiles of at most `users` users and `items` items; 280 bytes per vertex.
    StarForests(VertexId users, VertexId items);

    /// Writes the IDs of the tile's edges to `out`, ordered by (step, star, edge) with the longest star of a
    /// step first, and appends the stars and steps to `forests`. The input is grouped by user; the edges of
    /// an item keep their order. O(edges x steps + stars log stars), except for pairs that occur more than 64
    /// times; 32 bytes per edge.
    void decompose(std::span<const TileEdge> edges, EdgeId* out, Forests& forests);

private:
    struct Vertex {
        std::uint64_t leaf, centre;  ///< bit s: whether it is a leaf, or a centre, in step s
        VertexId degree;             ///< number of edges in the tile
        /// Position of its next edge; afterwards the end of an item's edges, or the first of a user's.
        VertexId place;
    };
    struct Placed {
        VertexId edge, centre;
    };

    static constexpr VertexId steps_at_once = 64;
    /// Number of steps that the edges of a user may take; if there are more edges, the last ones form one
    /// star.
    static constexpr int most_steps = 4;
    /// Cost of another step, in edges of its longest star: on an H200, 400 cycles against 105.
    static constexpr std::int64_t step_cost = 4;
    /// A last step of at most `thin_step` edges is removed if all of its edges fit into other steps. To make
    /// an edge fit, up to `most_moves` other edges move in turn. No step may become more than `most_growth`
    /// edges longer.
    static constexpr VertexId thin_step = 16;
    static constexpr int most_moves = 2;
    static constexpr std::int64_t most_growth = 2;

    void sort_by_item(std::span<const TileEdge> edges);
    void sort_by_freedom();
    template <class Reset>
    void forget(Reset reset);
    void place(VertexId edge, VertexId first_step);
    void empty_thin_steps();
    bool settle(VertexId edge, int steps, int moves);
    void put_in(VertexId edge, int step, bool user_star);
    void take_out(VertexId edge);
    void sort_by_user();
    VertexId edge_of_leaf(VertexId vertex, VertexId step) const;
    void arrange(EdgeId* out, Forests& forests);
    VertexId item(const TileEdge& e) const { return users_ + e.item; }
    bool leads(VertexId item) const { return item == users_ && vertices_[item].degree > long_star; }

    VertexId users_;
    std::vector<Vertex> vertices_;                              // users, then items; all zero between calls
    std::vector<std::array<VertexId, steps_at_once>> lengths_;  // [vertex][step] -> length of its star
    std::vector<TileEdge> edges_;                               // grouped by item, the most rated item first
    std::vector<VertexId> items_;                               // items of the tile, in the same order
    std::vector<VertexId> step_, centre_;                       // edge -> step, centre
    std::vector<VertexId> by_user_;                             // edges grouped by user, if a step is thin
    std::vector<VertexId> todo_, deferred_;
    std::vector<VertexId> step_ends_, longest_;  // longest_ excludes the star of the leading item
    std::vector<Placed> by_step_;
    std::vector<std::uint64_t> stars_;
};

}  // namespace lockstep
