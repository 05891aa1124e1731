// Edges between ids as the user wrote them, collected in blocks, and the numbering of those ids.
//
// Edges are stored between codes of 32 bits: in a block whose integers lie close enough together their
// distances from the smallest one, else the codes of tables that all blocks share. So blocks can be made
// by several threads; what a code means in the whole is worked out once all blocks are there.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "edges.hpp"
#include "id_table.hpp"

namespace lockstep::readers {

/// The ids of one side of the graph that could not be stored as distances.
struct SideIds {
    SharedIds<IntegerKeys> integers;
    SharedIds<StringKeys> strings;
    std::size_t bytes() const { return integers.bytes() + strings.bytes(); }
};

/// Integers low … high, not all of which need occur.
struct IdSpan {
    std::int64_t low = std::numeric_limits<std::int64_t>::max();
    std::int64_t high = std::numeric_limits<std::int64_t>::min();
    void include(std::int64_t id) {
        low = std::min(low, id);
        high = std::max(high, id);
    }
    /// high - low, which an int64 may not hold.
    std::uint64_t width() const { return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low); }
};

/// What the codes of one side of a block are.
struct Coding {
    enum Kind { distances, integers, strings } kind = distances;
    IdSpan span;  ///< of integers; distances are those from its low end
};

struct EdgeBlock {
    std::vector<Triple> edges;  ///< between codes
    Coding rows, cols;
    std::vector<std::int64_t> times{};  ///< of all edges, or none
};

/// Collects one block after another. The ids of a side are integers while all its tokens in the block
/// are canonical integers; the first other token turns the side into strings.
class EdgeBlockBuilder {
public:
    EdgeBlockBuilder(SideIds& row_ids, SideIds& col_ids)
        : rows_{&row_ids, &Edge::row}, cols_{&col_ids, &Edge::col} {}

    /// `time`: of the edge; all edges have one, or none.
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
    /// The block; the builder is empty then.
    EdgeBlock finish();

private:
    struct Edge {
        std::int64_t row, col;  // the integer itself, or the number of the string in the block
        float value;
    };
    struct Side {
        SideIds* ids;
        std::int64_t Edge::*code;
        Coding coding{};
        StringKeys strings{};  // of this block, repetitions included
    };
    std::int64_t code(Side& side, std::int64_t id) {
        if (side.coding.kind == Coding::strings) return string_code(side, std::to_string(id));
        side.coding.span.include(id);
        return id;
    }
    /// A side that the token turns into strings converts the edges before this one.
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

/// All edges of an input. A side has integer ids when all its blocks do, else strings.
class NamedEdges {
public:
    /// A square graph has one set of ids for both sides.
    NamedEdges(Budget& budget, GraphShape shape, bool undirected)
        : budget_(budget),
          square_(shape == GraphShape::square),
          edge_bytes_(Budget::edge_bytes(undirected)) {}
    NamedEdges(const NamedEdges&) = delete;
    NamedEdges& operator=(const NamedEdges&) = delete;

    /// Makes room for about so many edges, as far as the budget goes.
    void expect(double edges);
    /// Adds one edge, by two tokens or two integers.
    template <class Id>
    void add(Id row, Id col, float value, const std::int64_t* time = nullptr) {
        constexpr std::size_t full = std::size_t{1} << 14;
        open_.add(row, col, value, time);
        if (open_.size() == full) close_open_block();
    }
    /// A builder of blocks to append; several threads may use one each.
    EdgeBlockBuilder builder() { return {row_ids_, square_ ? row_ids_ : col_ids_}; }
    void append(const EdgeBlock& block);
    std::size_t size() const { return edges_.size() + open_.size(); }

    /// Numbers the ids in sorted order and gives the edges in the order they were added.
    struct Result {
        std::vector<Triple> edges;
        IdMap row_ids, col_ids;
        std::vector<std::int64_t> times;  ///< as they were added
    };
    Result finish();

private:
    struct Block {
        std::size_t begin, end;  // of its edges
        Coding rows, cols;
    };
    void close_open_block() {
        if (open_.size() > 0) store(open_.finish());
    }
    void store(const EdgeBlock& block);

    Budget& budget_;
    bool square_;
    double edge_bytes_;
    std::vector<Triple> edges_;  // between codes of their block
    std::vector<std::int64_t> times_;
    std::vector<Block> blocks_;
    SideIds row_ids_, col_ids_;
    std::size_t charged_id_bytes_ = 0;
    EdgeBlockBuilder open_ = builder();
};

}  // namespace lockstep::readers
