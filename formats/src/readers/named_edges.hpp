// The edges of an input whose vertices have arbitrary IDs, as the user's file writes them, and the numbering
// of these IDs as vertices 0, 1, 2, …
//
// Threads parse blocks of the input in parallel. A block stores an ID as a 32-bit code. If the integer IDs of
// the block are close together, the code is the distance from the smallest ID; otherwise it is the number of
// the ID in a table that all blocks share. When all blocks are complete, the IDs are sorted, and the codes
// are replaced by vertices.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "id_table.hpp"
#include "readers.hpp"

namespace lockstep::readers {

/// The tables of the IDs of one side of the graph that are not stored as distances.
struct SideIds {
    SharedIds<IntegerKeys> integers;
    SharedIds<StringKeys> strings;
    std::size_t bytes() const { return integers.bytes() + strings.bytes(); }
};

/// A range of integers that contains all IDs so far. Not every integer in the range need be an ID.
struct IdSpan {
    std::int64_t low = std::numeric_limits<std::int64_t>::max();
    std::int64_t high = std::numeric_limits<std::int64_t>::min();
    void include(std::int64_t id) {
        low = std::min(low, id);
        high = std::max(high, id);
    }
    /// Returns high - low as an unsigned number, since it may exceed the range of int64.
    std::uint64_t width() const { return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low); }
};

/// The meaning of the codes of a block on one side of the graph: distances from span.low, or numbers in the
/// table of integers or of strings.
struct IdCoding {
    enum Kind { distances, integers, strings } kind = distances;
    IdSpan span;  ///< range of the integer IDs of the block; distances count from its lower end
};

/// A block of edges whose endpoints are codes.
struct EdgeBlock {
    std::vector<Triple> edges;  ///< edges whose endpoints are codes
    IdCoding rows, cols;
    std::vector<std::int64_t> times{};  ///< time of every edge; empty if the edges have no times
};

/// Collects edges, and returns them as a block. The IDs of a side count as integers as long as all words of
/// this side in the block are integers in their usual notation. The first other word converts all IDs of the
/// side in this block to strings.
class EdgeBlockBuilder {
public:
    EdgeBlockBuilder(SideIds& row_ids, SideIds& col_ids)
        : rows_{&row_ids, &Edge::row}, cols_{&col_ids, &Edge::col} {}

    /// Adds an edge between two words or two integers. `time` is the time of the edge. Either all edges of
    /// the input have a time, or none.
    template <class Id>
    void add(Id row, Id col, float value, const std::int64_t* time = nullptr) {
        const std::int64_t row_code = code(rows_, row), col_code = code(cols_, col);
        edges_.push_back({row_code, col_code, value});
        if (time) times_.push_back(*time);
    }
    std::size_t size() const { return edges_.size(); }
    /// Returns the collected edges as a block, and removes them from the builder.
    EdgeBlock finish();

private:
    struct Edge {
        std::int64_t row, col;  // the integer ID, or the index of the string in Side::strings
        float value;
    };
    struct Side {
        SideIds* ids;
        std::int64_t Edge::*code;
        IdCoding coding{};
        StringKeys strings{};  // strings of this block, with repetitions
    };
    std::int64_t code(Side& side, std::int64_t id) {
        if (side.coding.kind == IdCoding::strings) return string_code(side, std::to_string(id));
        side.coding.span.include(id);
        return id;
    }
    /// Returns the code of a word. If the word converts the side to strings, also converts the codes of all
    /// previous edges.
    std::int64_t code(Side& side, std::string_view token);
    static std::int64_t string_code(Side& side, std::string_view token) {
        side.strings.push(token);
        return static_cast<std::int64_t>(side.strings.size() - 1);
    }
    IdCoding finish(Side& side);

    std::vector<Edge> edges_;
    std::vector<std::int64_t> times_;
    Side rows_, cols_;
};

/// All edges of an input. The IDs of a side are integers if they are integers in all blocks; otherwise all
/// IDs of the side become strings.
class NamedEdges {
public:
    /// Constructs an empty list. If the graph is square, both sides have the same IDs.
    NamedEdges(MemoryBudget& budget, GraphShape shape, bool undirected)
        : budget_(budget),
          square_(shape == GraphShape::square),
          edge_bytes_(MemoryBudget::edge_bytes(undirected)) {}
    NamedEdges(const NamedEdges&) = delete;
    NamedEdges& operator=(const NamedEdges&) = delete;

    /// Reserves memory for about `edges` edges, at most as much as the budget permits.
    void expect(double edges);
    /// Adds an edge whose endpoints are two words or two integers.
    template <class Id>
    void add(Id row, Id col, float value, const std::int64_t* time = nullptr) {
        constexpr std::size_t full = std::size_t{1} << 14;
        open_.add(row, col, value, time);
        if (open_.size() == full) close_open_block();
    }
    /// Returns a builder for blocks, which are added by append(). Each thread must use its own builder.
    EdgeBlockBuilder builder() { return {row_ids_, square_ ? row_ids_ : col_ids_}; }
    void append(const EdgeBlock& block);
    std::size_t size() const { return edges_.size() + open_.size(); }

    /// Returns the edges in the order in which they were added, with the IDs in ascending order, the times
    /// and the shape of the graph.
    ParsedFile finish();

private:
    struct Block {
        std::size_t begin, end;  // range of the block in edges_
        IdCoding rows, cols;
    };
    void close_open_block() {
        if (open_.size() > 0) store(open_.finish());
    }
    void store(const EdgeBlock& block);

    MemoryBudget& budget_;
    bool square_;
    double edge_bytes_;
    std::vector<Triple> edges_;  // endpoints are codes of the block to which the edge belongs
    std::vector<std::int64_t> times_;
    std::vector<Block> blocks_;
    SideIds row_ids_, col_ids_;
    std::size_t charged_id_bytes_ = 0;
    EdgeBlockBuilder open_ = builder();
};

}  // namespace lockstep::readers
