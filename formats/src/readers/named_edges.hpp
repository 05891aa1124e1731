// Edges between ids as the user wrote them, collected in blocks, and the numbering of these ids.
//
// Edges are stored between 32-bit codes. In a block whose integer ids are close together, a code is the
// distance from the smallest id; otherwise it is a code from tables that all blocks share. So several threads
// can make blocks. The vertex of each code is determined when all blocks are complete.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "edges.hpp"
#include "id_table.hpp"

namespace lockstep::readers {

/// The ids of one side of the graph that cannot be stored as distances.
struct SideIds {
    SharedIds<IntegerKeys> integers;
    SharedIds<StringKeys> strings;
    std::size_t bytes() const { return integers.bytes() + strings.bytes(); }
};

/// The range of integers from `low` to `high`; not all of them need occur.
struct IdSpan {
    std::int64_t low = std::numeric_limits<std::int64_t>::max();
    std::int64_t high = std::numeric_limits<std::int64_t>::min();
    void include(std::int64_t id) {
        low = std::min(low, id);
        high = std::max(high, id);
    }
    /// Returns high - low, which may exceed the range of int64.
    std::uint64_t width() const { return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low); }
};

/// Meaning of the codes that a block has for a side of the graph.
struct Coding {
    enum Kind { distances, integers, strings } kind = distances;
    IdSpan span;  ///< range of the integers; distances are relative to its low end
};

struct EdgeBlock {
    std::vector<Triple> edges;  ///< edges between codes
    Coding rows, cols;
    std::vector<std::int64_t> times{};  ///< times of all edges, or empty
};

/// Collects edges and returns them block by block. The ids of a side are integers as long as all its tokens
/// in the block are canonical integers. The first other token converts the side to strings.
class EdgeBlockBuilder {
public:
    EdgeBlockBuilder(SideIds& row_ids, SideIds& col_ids)
        : rows_{&row_ids, &Edge::row}, cols_{&col_ids, &Edge::col} {}

    /// Adds an edge. `time` is the time of the edge; either all edges have a time, or none has.
    void add(std::string_view row, std::string_view col, float value, const std::int64_t* time = nullptr) {
        const std::int64_t row_code = code(rows_, row), col_code = code(cols_, col);
        edges_.push_back({row_code, col_code, value});
        if (time) times_.push_back(*time);
    }
    void add(std::int64_t row, std::int64_t col, float value, const std::int64_t* time = nullptr) {
        edges_.push_back({code(rows_, row), code(cols_, col), value});
        if (time) times_.push_back(*time);
    }
    std::size_t size() const { return edges_.size(); }
    /// Returns the block and clears the builder.
    EdgeBlock finish();

private:
    struct Edge {
        std::int64_t row, col;  // the integer itself, or the index of the string in the block
        float value;
    };
    struct Side {
        SideIds* ids;
        std::int64_t Edge::*code;
        Coding coding{};
        StringKeys strings{};  // strings of this block, including repetitions
    };
    std::int64_t code(Side& side, std::int64_t id) {
        if (side.coding.kind == Coding::strings) return string_code(side, std::to_string(id));
        side.coding.span.include(id);
        return id;
    }
    /// Returns the code of a token. If the token converts the side to strings, the codes of all previous
    /// edges are converted too.
    std::int64_t code(Side& side, std::string_view token);
    static std::int64_t string_code(Side& side, std::string_view token) {
        side.strings.push(token);
        return static_cast<std::int64_t>(side.strings.size() - 1);
    }
    Coding finish(Side& side);

    std::vector<Edge> edges_;
    std::vector<std::int64_t> times_;
    Side rows_, cols_;
};

/// All edges of an input. A side has integer ids if all its blocks have integer ids, else strings.
class NamedEdges {
public:
    /// Starts an empty list. In a square graph, both sides have the same ids.
    NamedEdges(Budget& budget, GraphShape shape, bool undirected)
        : budget_(budget),
          square_(shape == GraphShape::square),
          edge_bytes_(Budget::edge_bytes(undirected)) {}
    NamedEdges(const NamedEdges&) = delete;
    NamedEdges& operator=(const NamedEdges&) = delete;

    /// Reserves memory for about `edges` edges, as far as the budget allows.
    void expect(double edges);
    /// Adds one edge, given by two tokens or two integers.
    template <class Id>
    void add(Id row, Id col, float value, const std::int64_t* time = nullptr) {
        constexpr std::size_t full = std::size_t{1} << 14;
        open_.add(row, col, value, time);
        if (open_.size() == full) close_open_block();
    }
    /// Returns a builder of blocks for `append`. Several threads may use one builder each.
    EdgeBlockBuilder builder() { return {row_ids_, square_ ? row_ids_ : col_ids_}; }
    void append(const EdgeBlock& block);
    std::size_t size() const { return edges_.size() + open_.size(); }

    /// Edges in the order in which they were added, with the ids numbered in sorted order.
    struct Result {
        std::vector<Triple> edges;
        IdMap row_ids, col_ids;
        std::vector<std::int64_t> times;  ///< times in the order in which they were added
    };
    Result finish();

private:
    struct Block {
        std::size_t begin, end;  // range of its edges
        Coding rows, cols;
    };
    void close_open_block() {
        if (open_.size() > 0) store(open_.finish());
    }
    void store(const EdgeBlock& block);

    Budget& budget_;
    bool square_;
    double edge_bytes_;
    std::vector<Triple> edges_;  // edges between codes of their block
    std::vector<std::int64_t> times_;
    std::vector<Block> blocks_;
    SideIds row_ids_, col_ids_;
    std::size_t charged_id_bytes_ = 0;
    EdgeBlockBuilder open_ = builder();
};

}  // namespace lockstep::readers
