// A tile taken apart into steps: in each, stars that share no vertex.
//
// A star's edges run in order on one worker with the centre in registers; a step's stars run at once. So a
// tile needs about as many steps as its users have edges there, where matchings, one edge a vertex and step,
// would need as many as its most rated item has.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// An edge of a tile: its ends by their places in their blocks.
struct TileEdge {
    EdgeId id;
    VertexId user, item;
};

/// The stars of tiles, tile after tile: their edges, and the number of stars of each step.
struct Forests {
    std::vector<VertexId> star_edges, step_stars;
};

class StarForests {
public:
    /// A block's first item, its most rated one, comes before the others in tiles where it has more than
    /// `long_star` edges, and its star is its own: it can run ahead of the others into the next tile.
    static constexpr VertexId long_star = 36;

    /// For tiles of at most so many users and items; 280 bytes a vertex.
    StarForests(VertexId users, VertexId items);

    /// Writes the ids of the tile's edges to `out` by (step, star, edge), the longest star of a step first,
    /// and appends the stars and steps to `forests`. The edges come by user; an item's edges keep that order.
    /// O(edges x steps + stars log stars), save pairs that repeat or meet more than 64 times; 32 bytes an
    /// edge.
    void decompose(std::span<const TileEdge> edges, EdgeId* out, Forests& forests);

private:
    struct Vertex {
        std::uint64_t leaf, centre;  ///< bit s: what it is in step s
        VertexId degree;             ///< in the tile
        VertexId place;              ///< of its next edge; then behind an item's last, of a user's first
    };
    struct Placed {
        VertexId edge, centre;
    };

    static constexpr VertexId steps_at_once = 64;
    /// Steps that a user's edges take before they make a star.
    static constexpr int most_steps = 4;
    /// Of a step more, in edges of its longest star: on an H200 400 cycles against 105.
    static constexpr std::int64_t step_cost = 4;
    /// A last step of at most `thin_step` edges is emptied where each finds room in the others, after as many
    /// as `most_moves` others have moved on in turn, and none makes its step last `most_growth` edges longer.
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
    std::vector<std::array<VertexId, steps_at_once>> lengths_;  // of every vertex's star in each step
    std::vector<TileEdge> edges_;                               // by item, the most rated first
    std::vector<VertexId> items_;                               // those of the tile, likewise
    std::vector<VertexId> step_, centre_;                       // of each edge
    std::vector<VertexId> by_user_;                             // edges, where a step is thin
    std::vector<VertexId> todo_, deferred_;
    std::vector<VertexId> step_ends_, longest_;  // the leading item's star apart
    std::vector<Placed> by_step_;
    std::vector<std::uint64_t> stars_;
};

}  // namespace lockstep
