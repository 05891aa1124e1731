#include "verify_rounds.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep {

namespace {

using Round = std::uint32_t;
constexpr Round none = ~Round{0};
constexpr std::uint64_t all_ones = ~std::uint64_t{0};

/// Returns a mask of the bits of word w whose indices in the whole bit set are in [from, to).
std::uint64_t bits_between(EdgeId from, EdgeId to, EdgeId w) {
    const std::uint64_t low = from > 64 * w ? all_ones << (from - 64 * w) : all_ones;
    const std::uint64_t high = to < 64 * (w + 1) ? all_ones >> (64 * (w + 1) - to) : all_ones;
    return low & high;
}

/// Verifies that rounds are matchings and, if the schedule claims it, that they are maximal.
class Prover {
public:
    Prover(const Graph& graph, const Schedule& schedule, std::span<const EdgeId> rounds)
        : graph_(graph), schedule_(schedule), rounds_(rounds) {}

    RoundsVerification run() {
        if (one_set_) {
            row_of_edge_.resize(graph_.edges());
#pragma omp parallel for schedule(dynamic, 4096)
            for (VertexId u = 0; u < graph_.rows; ++u)
                std::fill(row_of_edge_.data() + graph_.row_offsets[u],
                          row_of_edge_.data() + graph_.row_offsets[u + std::size_t{1}], u);
        }
        collect_rounds();
        const bool by_col = schedule_.disjoint == Disjoint::col || schedule_.disjoint == Disjoint::both;
        const bool by_row = schedule_.disjoint == Disjoint::row || schedule_.disjoint == Disjoint::both;
        RoundsVerification proof;
        proof.disjoint = !by_col || columns_disjoint();
        if (schedule_.maximal) describe_columns();
        check_rows(by_row && !one_set_, proof);
        return proof;
    }

private:
    /// Calls visit(v) for the column of an edge. With one set of vertices, calls it for both endpoints, but
    /// only once for a self-loop.
    template <class Visit>
    void for_each_column(EdgeId edge, Visit visit) const {
        const VertexId v = graph_.col[edge];
        visit(v);
        if (one_set_ && row_of_edge_[edge] != v) visit(row_of_edge_[edge]);
    }

    /// Computes the round of every edge, and the list of rounds of every column. The list is ascending, since
    /// edges are visited in the order of the schedule. With one set of vertices, every vertex is treated as a
    /// column, whether it is the row or the column of an edge.
    void collect_rounds() {
        const EdgeId size = schedule_.order.size() - schedule_.locked;
        round_of_.assign(graph_.edges(), none);
        col_first_.assign(std::size_t{graph_.cols} + 1, 0);
        const EdgeId affordable = size / (4 * EdgeId{graph_.cols} + 1) + 1;
        const auto threads = std::min<EdgeId>(affordable, static_cast<EdgeId>(omp_get_max_threads()));
        std::vector<std::vector<EdgeId>> next(threads);
        const EdgeId* const order = schedule_.order.data() + schedule_.locked;
        const auto share = [&](EdgeId t) { return size / threads * t + std::min(t, size % threads); };
        ParallelErrors errors;
#pragma omp parallel for num_threads(static_cast <int>(threads)) schedule(static, 1)
        for (EdgeId t = 0; t < threads; ++t) {
            errors.run([&] { next[t].assign(graph_.cols, 0); });
            if (errors.failed()) continue;
            EdgeId i = share(t);
            for (auto r = std::upper_bound(rounds_.begin(), rounds_.end(), i) - rounds_.begin() - 1;
                 i < share(t + 1); ++r) {
                for (const EdgeId end = std::min(rounds_[static_cast<std::size_t>(r) + 1], share(t + 1));
                     i < end; ++i) {
                    if (i + ahead < size) {
                        __builtin_prefetch(&graph_.col[order[i + ahead]]);
                        __builtin_prefetch(&round_of_[order[i + ahead]], 1);
                    }
                    for_each_column(order[i], [&](VertexId v) { ++next[t][v]; });
                    round_of_[order[i]] = static_cast<Round>(r);
                }
            }
        }
        errors.rethrow();
        for (VertexId v = 0; v < graph_.cols; ++v) {
            EdgeId position = col_first_[v];
            for (auto& counts : next) position += std::exchange(counts[v], position);
            col_first_[v + 1] = position;
        }
        col_round_.resize(col_first_[graph_.cols]);
#pragma omp parallel for num_threads(static_cast <int>(threads)) schedule(static, 1)
        for (EdgeId t = 0; t < threads; ++t) {
            EdgeId i = share(t);
            for (auto r = std::upper_bound(rounds_.begin(), rounds_.end(), i) - rounds_.begin() - 1;
                 i < share(t + 1); ++r) {
                for (const EdgeId end = std::min(rounds_[static_cast<std::size_t>(r) + 1], share(t + 1));
                     i < end; ++i) {
                    if (i + ahead < size) __builtin_prefetch(&graph_.col[order[i + ahead]]);
                    for_each_column(order[i],
                                    [&](VertexId v) { col_round_[next[t][v]++] = static_cast<Round>(r); });
                }
            }
        }
    }

    std::span<const Round> rounds_of_column(VertexId v) const {
        return std::span<const Round>(col_round_).subspan(col_first_[v], col_first_[v + 1] - col_first_[v]);
    }

    bool columns_disjoint() const {
        bool good = true;
#pragma omp parallel for schedule(dynamic, 1024) reduction(&& : good)
        for (VertexId v = 0; v < graph_.cols; ++v) {
            const auto rounds = rounds_of_column(v);
            good = good && std::adjacent_find(rounds.begin(), rounds.end()) == rounds.end();
        }
        return good;
    }

    /// Returns the index of the block that contains round r.
    EdgeId block_of(Round r) const {
        const auto& blocks = schedule_.level(Level::block);
        return blocks.empty()
                   ? 0
                   : static_cast<EdgeId>(std::upper_bound(blocks.begin(), blocks.end(), EdgeId{r}) -
                                         blocks.begin() - 1);
    }
    /// Returns the first round of a block.
    EdgeId block_begin(EdgeId block) const {
        return schedule_.has(Level::block) ? schedule_.level(Level::block)[block] : 0;
    }

    /// Summary of the rounds of a column, for the check of maximality. `block` is the block of its first
    /// round, and `gap` the first round of this block in which the column has no edge. `bits` is the position
    /// in col_bits_ of a bit set of its rounds from `gap` on, if this takes at most 4 bytes per edge.
    struct Column {
        EdgeId gap = 0, block = 0;
        EdgeId bits = ~EdgeId{0};
    };
    void describe_columns() {
        columns_.resize(graph_.cols);
#pragma omp parallel for schedule(dynamic, 1024)
        for (VertexId v = 0; v < graph_.cols; ++v) {
            const auto rounds = rounds_of_column(v);
            if (rounds.empty()) continue;
            Column& column = columns_[v];
            column.block = block_of(rounds[0]);
            column.gap = block_begin(column.block);
            for (std::size_t i = 0; i < rounds.size() && rounds[i] == column.gap; ++i) ++column.gap;
        }
        EdgeId words = 0;
        for (VertexId v = 0; v < graph_.cols; ++v) {
            const auto rounds = rounds_of_column(v);
            if (rounds.empty() || rounds.back() < columns_[v].gap) continue;
            const EdgeId needed = rounds.back() / 64 - columns_[v].gap / 64 + 1;
            if (needed > rounds.size() / 2 + 1) continue;
            columns_[v].bits = words;
            words += needed;
        }
        col_bits_.assign(words, 0);
#pragma omp parallel for schedule(dynamic, 1024)
        for (VertexId v = 0; v < graph_.cols; ++v) {
            const Column& column = columns_[v];
            if (column.bits == ~EdgeId{0}) continue;
            for (const Round r : rounds_of_column(v)) {
                if (r >= column.gap)
                    col_bits_[column.bits + r / 64 - column.gap / 64] |= std::uint64_t{1} << (r % 64);
            }
        }
    }

    void check_rows(bool disjoint, RoundsVerification& proof) const {
        std::atomic<bool> distinct{true}, maximal{true};
        ParallelErrors errors;
#pragma omp parallel
        {
            std::vector<std::uint64_t> present;  // [round]: whether the current row has an edge in this round
            errors.run([&] { present.assign(rounds_.size() / 64 + 2, 0); });
#pragma omp for schedule(dynamic, 256)
            for (VertexId u = 0; u < graph_.rows; ++u) {
                if (errors.failed()) continue;
                const std::span<const Round> rounds(round_of_.data() + graph_.row_offsets[u],
                                                    graph_.row_offsets[u + 1] - graph_.row_offsets[u]);
                const std::span<const Round> all = one_set_ ? rounds_of_column(u) : rounds;
                for (const Round r : all) {
                    if (r == none) continue;
                    const std::uint64_t bit = std::uint64_t{1} << (r % 64);
                    if (disjoint && present[r / 64] & bit) distinct.store(false, std::memory_order_relaxed);
                    present[r / 64] |= bit;
                }
                if (schedule_.maximal && !row_is_maximal(u, rounds, present))
                    maximal.store(false, std::memory_order_relaxed);
                for (const Round r : all) {
                    if (r != none) present[r / 64] = 0;
                }
            }
        }
        errors.rethrow();
        proof.disjoint = proof.disjoint && distinct;
        proof.maximal = maximal;
    }

    /// Returns whether every edge of row u is maximal: each earlier round of its block must contain an edge
    /// at one of its endpoints. Rounds need no check if they precede the first round without an edge at the
    /// row, or the first round without an edge at the column.
    bool row_is_maximal(VertexId u, std::span<const Round> rounds,
                        const std::vector<std::uint64_t>& present) const {
        EdgeId block = ~EdgeId{0}, row_gap = 0;
        for (std::size_t i = 0; i < rounds.size(); ++i) {
            if (rounds[i] == none) continue;
            const EdgeId r = rounds[i], in_block = block_of(rounds[i]);
            if (in_block != block) {
                block = in_block;
                row_gap = block_begin(block);
                while (present[row_gap / 64] >> (row_gap % 64) & 1) row_gap = next_missing(present, row_gap);
            }
            const VertexId v = graph_.col[graph_.row_offsets[u] + i];
            const Column& column = columns_[v];
            const EdgeId from = column.block == block ? std::max(row_gap, column.gap) : row_gap;
            if (from < r && !filled(present, v, from, r)) return false;
        }
        return true;
    }

    /// Returns the smallest index ≥ `from` whose bit is not set, or the beginning of the next word if this
    /// word has none.
    static EdgeId next_missing(const std::vector<std::uint64_t>& present, EdgeId from) {
        const std::uint64_t missing = ~present[from / 64] & (all_ones << (from % 64));
        return missing ? from / 64 * 64 + static_cast<EdgeId>(std::countr_zero(missing))
                       : (from / 64 + 1) * 64;
    }

    /// Returns whether each round in [from, to) contains an edge of column v or of the row that `present`
    /// describes.
    bool filled(const std::vector<std::uint64_t>& present, VertexId v, EdgeId from, EdgeId to) const {
        const Column& column = columns_[v];
        const auto rounds = rounds_of_column(v);
        const bool as_bits = column.bits != ~EdgeId{0} && from >= column.gap;
        const EdgeId first_word = column.gap / 64, last_word = rounds.back() / 64;
        auto at = rounds.begin();
        for (EdgeId w = from / 64; w <= (to - 1) / 64; ++w) {
            std::uint64_t missing = ~present[w] & bits_between(from, to, w);
            if (as_bits) {
                if (w <= last_word) missing &= ~col_bits_[column.bits + w - first_word];
                if (missing) return false;
                continue;
            }
            for (; missing; missing &= missing - 1) {
                const auto round =
                    static_cast<Round>(64 * w + static_cast<EdgeId>(std::countr_zero(missing)));
                at = std::lower_bound(at, rounds.end(), round);
                if (at == rounds.end() || *at != round) return false;
            }
        }
        return true;
    }

    static constexpr EdgeId ahead = 24;

    const Graph& graph_;
    const Schedule& schedule_;
    const std::span<const EdgeId> rounds_;
    const bool one_set_ = graph_.ends == Ends::vertices;
    Array<VertexId> row_of_edge_;    // edge -> row; filled only with one set of vertices
    std::vector<Round> round_of_;    // edge -> round; `none` for a locked edge
    std::vector<EdgeId> col_first_;  // column -> position of its first round in col_round_
    Array<Round> col_round_;
    std::vector<Column> columns_;
    std::vector<std::uint64_t> col_bits_;
};

}  // namespace

RoundsVerification verify_rounds(const Graph& graph, const Schedule& schedule,
                                 std::span<const EdgeId> rounds) {
    return Prover(graph, schedule, rounds).run();
}

}  // namespace lockstep
