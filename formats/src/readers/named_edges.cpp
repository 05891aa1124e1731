#include "named_edges.hpp"

#include <fmt/format.h>

#include <atomic>
#include <bit>
#include <optional>

#include "lockstep/schedules/pages.hpp"
#include "parallel.hpp"

namespace lockstep::readers {

std::int64_t EdgeBlockBuilder::code(Side& side, std::string_view token) {
    if (side.coding.kind != IdCoding::strings) {
        if (const auto id = canonical_integer(token)) return code(side, *id);
        side.coding.kind = IdCoding::strings;
        // The notation of an integer is unique, so the words can be restored although only integers were
        // stored.
        for (Edge& e : edges_) e.*side.code = string_code(side, std::to_string(e.*side.code));
    }
    return string_code(side, token);
}

IdCoding EdgeBlockBuilder::finish(Side& side) {
    IdCoding coding = std::exchange(side.coding, {});
    if (edges_.empty()) return coding;
    std::vector<VertexId> codes;
    if (coding.kind == IdCoding::strings) {
        side.ids->strings.intern(side.strings, codes);
        for (Edge& e : edges_) e.*side.code = codes[static_cast<std::size_t>(e.*side.code)];
        side.strings.clear();
    } else if (coding.span.width() <= max_vertices) {
        for (Edge& e : edges_) e.*side.code -= coding.span.low;
    } else {
        coding.kind = IdCoding::integers;
        IntegerKeys integers;
        for (const Edge& e : edges_) integers.push(e.*side.code);
        side.ids->integers.intern(integers, codes);
        for (std::size_t i = 0; i < edges_.size(); ++i) edges_[i].*side.code = codes[i];
    }
    return coding;
}

EdgeBlock EdgeBlockBuilder::finish() {
    EdgeBlock block{{}, finish(rows_), finish(cols_)};
    block.edges.reserve(edges_.size());
    for (const Edge& e : edges_)
        block.edges.push_back({static_cast<VertexId>(e.row), static_cast<VertexId>(e.col), e.value});
    edges_.clear();
    block.times = std::exchange(times_, {});
    return block;
}

void NamedEdges::expect(double edges) {
    edges_.reserve(static_cast<std::size_t>(std::min(edges, budget_.left() / edge_bytes_)));
    // Large pages make this faster, because the array is filled by one thread at a time.
    enlarge_pages(edges_.data(), edges_.capacity() * sizeof(Triple));
}

void NamedEdges::append(const EdgeBlock& block) {
    close_open_block();
    store(block);
}

void NamedEdges::store(const EdgeBlock& block) {
    const std::size_t id_bytes = row_ids_.bytes() + col_ids_.bytes(), begin = edges_.size();
    budget_.charge(edge_bytes_ * static_cast<double>(block.edges.size()) +
                   static_cast<double>(id_bytes - charged_id_bytes_));
    charged_id_bytes_ = id_bytes;
    edges_.insert(edges_.end(), block.edges.begin(), block.edges.end());
    // Bytes per edge for times: each is stored here, and later in the order of the graph.
    constexpr double time_bytes = 2 * sizeof(std::int64_t);
    budget_.charge(time_bytes * static_cast<double>(block.times.size()));
    times_.insert(times_.end(), block.times.begin(), block.times.end());
    blocks_.push_back({begin, edges_.size(), block.rows, block.cols});
}

namespace {

/// The codes of one block on one side of the graph.
struct Part {
    std::span<Triple> edges;
    VertexId Triple::*code;
    IdCoding* coding;

    /// Returns the number to add to the codes of this part such that they become distances from `low` instead
    /// of coding->span.low.
    std::uint64_t shift(std::int64_t low) const {
        return static_cast<std::uint64_t>(coding->span.low) - static_cast<std::uint64_t>(low);
    }
};

/// The numbering of one side of the graph: the sorted IDs, and the vertex for the code of every ID.
class Numbering {
public:
    Numbering(const std::vector<Part>& parts, SideIds& side);
    const IdMap& ids() const { return ids_; }
    /// Replaces the codes of a part by the indices of their vertices.
    void apply(const Part& part) const;

private:
    bool number_dense(const std::vector<Part>& parts);

    IdMap ids_;
    std::vector<VertexId> vertex_;  // code of an integer or a string -> vertex
    std::int64_t low_ = 0;          // ID of the first bit in bits_
    // Whether each ID from low_ on occurs; empty if all IDs of the range occur.
    std::vector<std::uint64_t> bits_;
    std::vector<VertexId> before_;  // number of IDs that occur before each word of bits_
};

Numbering::Numbering(const std::vector<Part>& parts, SideIds& side) {
    const auto any = [&](IdCoding::Kind kind) {
        return std::any_of(parts.begin(), parts.end(), [&](const Part& p) { return p.coding->kind == kind; });
    };
    const bool strings = any(IdCoding::strings);
    if (parts.empty() || (!strings && !any(IdCoding::integers) && number_dense(parts))) return;
    parallel_for(parts.size(), [&](std::size_t p) {
        const auto [edges, code, coding] = parts[p];
        if (coding->kind == IdCoding::strings || (coding->kind == IdCoding::integers && !strings)) return;
        IntegerKeys integers;
        StringKeys words;
        for (const Triple& e : edges) {
            const std::int64_t id = coding->kind == IdCoding::integers
                                        ? side.integers[e.*code]
                                        : coding->span.low + std::int64_t{e.*code};
            strings ? words.push(std::to_string(id)) : integers.push(id);
        }
        std::vector<VertexId> codes;
        strings ? side.strings.intern(words, codes) : side.integers.intern(integers, codes);
        for (std::size_t i = 0; i < edges.size(); ++i) edges[i].*code = codes[i];
        coding->kind = strings ? IdCoding::strings : IdCoding::integers;
    });
    if (strings) {
        StringKeys sorted = side.strings.sort(vertex_);
        sorted.ends.insert(sorted.ends.begin(), 0);
        ids_ = StringIds{std::move(sorted.all), std::move(sorted.ends)};
    } else {
        ids_ = IntegerIds{side.integers.sort(vertex_).all};
    }
}

/// Numbers the vertices if all IDs are integers in a range of at most about 8 times the number of edges. Uses
/// a bitmap of the range with a count per word, 1.5 bits per ID. Returns false if the range is larger.
bool Numbering::number_dense(const std::vector<Part>& parts) {
    constexpr std::uint64_t wide = 8;
    IdSpan span;
    std::uint64_t edges = 0, count = 0;
    for (const Part& part : parts) {
        span.include(part.coding->span.low);
        span.include(part.coding->span.high);
        edges += part.edges.size();
    }
    if (span.width() / wide > edges) return false;
    low_ = span.low;
    bits_.resize(span.width() / 64 + 1);
    parallel_for(parts.size(), [&](std::size_t p) {
        const auto [part_edges, code, coding] = parts[p];
        const std::uint64_t shift = parts[p].shift(low_);
        for (const Triple& e : part_edges) {
            const std::uint64_t at = shift + e.*code, bit = std::uint64_t{1} << at % 64;
            const std::atomic_ref word(bits_[at / 64]);
            if (!(word.load(std::memory_order_relaxed) & bit)) word.fetch_or(bit, std::memory_order_relaxed);
        }
    });
    before_.reserve(bits_.size());
    for (const std::uint64_t word : bits_) {
        before_.push_back(static_cast<VertexId>(count));
        count += static_cast<std::uint64_t>(std::popcount(word));
        if (count > max_vertices)
            throw Error(Failure::bad_input,
                        fmt::format("one side has more than {} distinct ids", max_vertices));
    }
    if (count == span.width() + 1) {
        bits_.clear();
        ids_ = RangeIds{low_, static_cast<VertexId>(count)};
        return true;
    }
    std::vector<std::int64_t> ids;
    ids.reserve(count);
    for (std::size_t i = 0; i < bits_.size(); ++i) {
        for (std::uint64_t word = bits_[i]; word; word &= word - 1)
            ids.push_back(low_ + static_cast<std::int64_t>(64 * i) + std::countr_zero(word));
    }
    ids_ = IntegerIds{std::move(ids)};
    return true;
}

void Numbering::apply(const Part& part) const {
    const auto [edges, code, coding] = part;
    if (coding->kind != IdCoding::distances) {
        for (Triple& e : edges) e.*code = vertex_[e.*code];
        return;
    }
    const std::uint64_t shift = part.shift(low_);
    if (bits_.empty()) {
        for (Triple& e : edges) e.*code += static_cast<VertexId>(shift);
        return;
    }
    for (Triple& e : edges) {
        const std::uint64_t at = shift + e.*code;
        const std::uint64_t below = bits_[at / 64] & ((std::uint64_t{1} << at % 64) - 1);
        e.*code = before_[at / 64] + static_cast<VertexId>(std::popcount(below));
    }
}

}  // namespace

ParsedFile NamedEdges::finish() {
    close_open_block();
    std::vector<Part> row_parts, col_parts;
    for (Block& block : blocks_) {
        if (block.begin == block.end) continue;
        const std::span<Triple> edges(edges_.data() + block.begin, block.end - block.begin);
        row_parts.push_back({edges, &Triple::row, &block.rows});
        col_parts.push_back({edges, &Triple::col, &block.cols});
    }
    const std::size_t parts = row_parts.size();
    if (square_) row_parts.insert(row_parts.end(), col_parts.begin(), col_parts.end());
    const Numbering rows(row_parts, row_ids_);
    std::optional<Numbering> other;
    const Numbering& cols = square_ ? rows : other.emplace(col_parts, col_ids_);
    const std::size_t id_bytes = row_ids_.bytes() + col_ids_.bytes();
    budget_.charge(static_cast<double>(id_bytes - charged_id_bytes_));
    parallel_for(parts, [&](std::size_t p) {
        rows.apply(row_parts[p]);
        cols.apply(col_parts[p]);
    });
    return {.edges = std::move(edges_),
            .row_ids = rows.ids(),
            .col_ids = cols.ids(),
            .shape = square_ ? GraphShape::square : GraphShape::bipartite,
            .times = std::move(times_)};
}

}  // namespace lockstep::readers
