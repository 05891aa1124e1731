#include "edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "lockstep/formats/error.hpp"

namespace lockstep::readers {

void Budget::require(double bytes) const {
    if (bytes <= static_cast<double>(limit_)) return;
    throw FormatError(name_,
                      fmt::format("reading it needs {:.2f} GB of memory or more, the limit is {:.2f} GB "
                                  "(--memory sets another)",
                                  bytes / 1e9, static_cast<double>(limit_) / 1e9));
}

namespace {

VertexId vertex_count(std::uint64_t distinct_ids) {
    if (distinct_ids > max_vertices) {
        throw Error(Failure::bad_input, fmt::format("one side has more than {} distinct ids", max_vertices));
    }
    return static_cast<VertexId>(distinct_ids);
}

}  // namespace

std::int64_t NamedEdges::Strings::intern(std::string_view token, Budget& budget) {
    if (const auto known = numbers_.find(token); known != numbers_.end()) return known->second;
    constexpr std::size_t block_bytes = 1 << 16;
    constexpr double entry_bytes = 96;  // hash node, bucket, token, sorted copy
    budget.charge(entry_bytes + 2 * static_cast<double>(token.size()));
    if (token.size() > block_left_) {
        block_left_ = std::max(block_bytes, token.size());
        blocks_.push_back(std::make_unique_for_overwrite<char[]>(block_left_));
    }
    // Blocks fill from their end: what is left of one is also the place of its first used byte.
    char* const place = blocks_.back().get() + (block_left_ -= token.size());
    std::memcpy(place, token.data(), token.size());
    const auto number = static_cast<std::int64_t>(tokens_.size());
    tokens_.emplace_back(place, token.size());
    numbers_.emplace(tokens_.back(), number);
    return number;
}

IdMap NamedEdges::Strings::sort(std::vector<VertexId>& rank) const {
    std::vector<VertexId> order(vertex_count(tokens_.size()));
    for (VertexId i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](VertexId a, VertexId b) { return tokens_[a] < tokens_[b]; });
    StringIds ids;
    ids.offsets.reserve(order.size() + 1);
    rank.resize(order.size());
    for (VertexId vertex = 0; vertex < order.size(); ++vertex) {
        rank[order[vertex]] = vertex;
        ids.bytes += tokens_[order[vertex]];
        ids.offsets.push_back(ids.bytes.size());
    }
    return ids;
}

void NamedEdges::add(std::string_view row, std::string_view col, float value) {
    const auto row_integer = rows_.integers ? canonical_integer(row) : std::nullopt;
    if (rows_.integers && !row_integer) turn_into_strings(rows_);
    const auto col_integer = col_side().integers ? canonical_integer(col) : std::nullopt;
    if (col_side().integers && !col_integer) turn_into_strings(col_side());
    const auto code = [&](Side& side, std::string_view token, std::optional<std::int64_t> integer) {
        if (!side.integers) return side.strings.intern(token, budget_);
        side.low = std::min(side.low, *integer);
        side.high = std::max(side.high, *integer);
        return *integer;
    };
    const std::int64_t row_code = code(rows_, row, row_integer);
    edges_.push({row_code, code(col_side(), col, col_integer), value});
}

void NamedEdges::add(std::int64_t row, std::int64_t col, float value) {
    for (const auto& [side, id] : {std::pair(&rows_, row), std::pair(&col_side(), col)}) {
        side->low = std::min(side->low, id);
        side->high = std::max(side->high, id);
    }
    edges_.push({row, col, value});
}

template <class Visit>
void NamedEdges::for_each_id(const Side& side, Visit visit) {
    edges_.for_each([&](Edge& edge) {
        if (&side == &rows_) visit(edge.row);
        if (&side == &col_side()) visit(edge.col);
    });
}

void NamedEdges::turn_into_strings(Side& side) {
    side.integers = false;
    // Canonical integers print back as they were read, so nothing was lost by not keeping the tokens.
    for_each_id(side, [&](std::int64_t& id) { id = side.strings.intern(std::to_string(id), budget_); });
}

/// Vertex of every stored id of one side. Integers in a range not much wider than the edges are many
/// go through a bitmap with counts (2 bits an id of the range), others through binary search.
class NamedEdges::Index {
public:
    IdMap ids;

    VertexId operator()(std::int64_t id) const {
        if (!rank_.empty()) return rank_[static_cast<std::size_t>(id)];
        if (!bits_.empty()) {
            const std::uint64_t at = static_cast<std::uint64_t>(id) - base_;
            const std::uint64_t below = bits_[at / 64] & ((std::uint64_t{1} << at % 64) - 1);
            return before_[at / 64] + static_cast<VertexId>(std::popcount(below));
        }
        const auto& sorted = std::get<IntegerIds>(ids.ids()).ids;
        return static_cast<VertexId>(std::lower_bound(sorted.begin(), sorted.end(), id) - sorted.begin());
    }

private:
    friend class NamedEdges;
    std::vector<VertexId> rank_;       // strings: vertex of a number
    std::vector<std::uint64_t> bits_;  // integers: one bit an id from base_
    std::vector<VertexId> before_;     // ids in earlier words of bits_
    std::uint64_t base_ = 0;
};

NamedEdges::Index NamedEdges::index(const Side& side) {
    constexpr std::uint64_t wide = 8;
    Index index;
    if (!side.integers) {
        index.ids = side.strings.sort(index.rank_);
        return index;
    }
    if (edges_.size() == 0) return index;
    std::vector<std::int64_t> distinct;
    index.base_ = static_cast<std::uint64_t>(side.low);
    const std::uint64_t range = static_cast<std::uint64_t>(side.high) - index.base_;
    if (range / wide <= edges_.size()) {
        index.bits_.resize(range / 64 + 1);
        for_each_id(side, [&](std::int64_t id) {
            const std::uint64_t at = static_cast<std::uint64_t>(id) - index.base_;
            index.bits_[at / 64] |= std::uint64_t{1} << at % 64;
        });
        std::uint64_t count = 0;
        for (const std::uint64_t word : index.bits_) {
            index.before_.push_back(vertex_count(count));
            count += static_cast<std::uint64_t>(std::popcount(word));
        }
        const auto size = vertex_count(count);
        if (count == range + 1) {
            index.ids = RangeIds{side.low, size};
            return index;
        }
        distinct.reserve(size);
        for (std::size_t i = 0; i < index.bits_.size(); ++i) {
            for (std::uint64_t word = index.bits_[i]; word; word &= word - 1) {
                distinct.push_back(static_cast<std::int64_t>(index.base_ + 64 * i + std::countr_zero(word)));
            }
        }
    } else {
        distinct.reserve(edges_.size() * (shape_ == GraphShape::square ? 2 : 1));
        for_each_id(side, [&](std::int64_t id) { distinct.push_back(id); });
        std::sort(distinct.begin(), distinct.end());
        distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
        distinct.shrink_to_fit();
        vertex_count(distinct.size());
    }
    index.ids = IntegerIds{std::move(distinct)};
    return index;
}

NamedEdges::Result NamedEdges::finish() {
    const Index rows = index(rows_);
    const std::optional<Index> other =
        shape_ == GraphShape::square ? std::nullopt : std::optional(index(cols_));
    const Index& cols = other ? *other : rows;
    Result result;
    result.edges.reserve(edges_.size());
    edges_.drain([&](const Edge& e) { result.edges.push_back({rows(e.row), cols(e.col), e.value}); });
    result.row_ids = rows.ids;
    result.col_ids = cols.ids;
    return result;
}

}  // namespace lockstep::readers
