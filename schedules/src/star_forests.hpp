// Decomposition of a tile of the tiled schedule into steps of stars that share no vertex (star forests).
//
// One worker runs the edges of a star in order, with the vector of the centre in registers. The stars of a
// step run concurrently, and a barrier separates steps. If items are the centres, a step may contain one edge
// of every user, so a tile needs about as many steps as a user has edges in it. Matchings would need as many
// steps as the most rated item has edges in the tile.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// An edge of a tile. `user` and `item` are the positions of its endpoints within their blocks.
struct TileEdge {
    EdgeId id;
    VertexId user, item;
};

/// The stars of consecutive tiles: number of edges of each star, and number of stars of each step.
struct Forests {
    std::vector<VertexId> star_edges, step_stars;
};

/// The algorithm that decomposes tiles. An object is reused for many tiles, one after another.
class StarForests {
public:
    /// Minimum degree, exclusive, with which the most rated item of a block leads a tile. A leading item is
    /// placed before the others and is the centre of all its edges, so that its updates can run ahead of the
    /// steps and into the next tile.
    static constexpr VertexId long_star = 36;

    /// Allocates the buffers for tiles of at most `users` users and `items` items; 280 bytes per vertex.
    StarForests(VertexId users, VertexId items);

    /// Decomposes a tile. Writes the edge IDs to `out`, sorted by step and star, with the longest star of a
    /// step first. Appends the sizes of its stars and steps to `forests`. `edges` must be grouped by user;
    /// the edges of an item keep their order. O(edges x steps + stars log stars) time, unless a pair occurs
    /// more than 64 times; 32 bytes per edge.
    void decompose(std::span<const TileEdge> edges, EdgeId* out, Forests& forests);

private:
    struct Vertex {
        std::uint64_t leaf, centre;  ///< bit s: whether the vertex is a leaf, or a centre, in step s
        VertexId degree;             ///< number of edges of the vertex in the tile
        /// Position of the next edge of the vertex while edges are sorted; afterwards the end of the edges of
        /// an item, or the beginning of the edges of a user in by_user_.
        VertexId place;
    };
    struct PlacedEdge {
        VertexId edge, centre;
    };

    /// Number of steps that are filled at a time: one bit each in Vertex::leaf and Vertex::centre.
    static constexpr VertexId steps_at_once = 64;
    /// Number of steps over which the edges of a user are distributed. If the user has more edges, the last
    /// ones form one star.
    static constexpr int max_steps = 4;
    /// Cost of an additional step, in edges of its longest star. On an H200, a step takes 400 cycles and such
    /// an edge 105.
    static constexpr std::int64_t step_cost = 4;
    /// A last step of at most `thin_step` edges is removed if all its edges fit into other steps. To make
    /// room for an edge, up to `max_moves` other edges are moved, one after another. No step may become more
    /// than `most_growth` edges longer.
    static constexpr VertexId thin_step = 16;
    static constexpr int max_moves = 2;
    static constexpr std::int64_t most_growth = 2;

    void sort_by_item(std::span<const TileEdge> edges);
    void sort_by_freedom();
    template <class Reset>
    void forget(Reset reset);
    void place(VertexId edge, VertexId first_step);
    void empty_thin_steps();
    bool settle(VertexId edge, int steps, int moves);
    void add_to_step(VertexId edge, int step, bool user_star);
    void remove_from_step(VertexId edge);
    void sort_by_user();
    VertexId edge_of_leaf(VertexId vertex, VertexId step) const;
    void arrange(EdgeId* out, Forests& forests);
    VertexId item(const TileEdge& e) const { return users_ + e.item; }
    bool leads(VertexId item) const { return item == users_ && vertices_[item].degree > long_star; }

    VertexId users_;
    std::vector<Vertex> vertices_;  // users, then items; all zero between calls
    // [vertex][step] -> length of the star around the vertex.
    std::vector<std::array<VertexId, steps_at_once>> lengths_;
    std::vector<TileEdge> edges_;          // grouped by item, with the most rated item first
    std::vector<VertexId> items_;          // the items of the tile, in the order of edges_
    std::vector<VertexId> step_, centre_;  // edge -> step; edge -> centre of its star
    std::vector<VertexId> by_user_;        // edge indices grouped by user; used only to remove thin steps
    std::vector<VertexId> todo_, deferred_;
    // step -> number of edges, and length of its longest star without that of a leading item.
    std::vector<VertexId> step_ends_, longest_;
    std::vector<PlacedEdge> by_step_;
    std::vector<std::uint64_t> stars_;
};

}  // namespace lockstep
