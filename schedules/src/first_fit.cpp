#include "first_fit.hpp"

#include <bit>

#include "grouping.hpp"
#include "lockstep/schedules/builders.hpp"

namespace lockstep {

namespace {

/// Colours taken at one column. The first 64 lie in the record itself: vertices of low degree need no
/// other memory.
class ColourSet {
public:
    std::size_t first_free_word() const { return first_free_word_; }
    std::uint64_t word(std::size_t w) const {
        if (w == 0) return first_;
        return w - 1 < more_.size() ? more_[w - 1] : 0;
    }
    void add(VertexId colour) {
        const std::size_t w = colour / 64;
        if (w > more_.size()) more_.resize(w + w / 4);
        (w == 0 ? first_ : more_[w - 1]) |= std::uint64_t{1} << (colour % 64);
        while (word(first_free_word_) == ~std::uint64_t{0}) ++first_free_word_;
    }

private:
    std::uint64_t first_ = 0;
    std::size_t first_free_word_ = 0;
    std::vector<std::uint64_t> more_;
};

}  // namespace

std::vector<VertexId> first_fit(std::span<const VertexId> row, std::span<const VertexId> col, VertexId cols) {
    std::vector<VertexId> colour(row.size());
    std::vector<ColourSet> taken(cols);
    std::vector<std::uint64_t> row_taken;  // colours of the current row, cleared after it

    for (std::size_t begin = 0; begin < row.size();) {
        std::size_t end = begin;
        std::size_t row_first_free = 0;
        for (; end < row.size() && row[end] == row[begin]; ++end) {
            ColourSet& other = taken[col[end]];
            std::size_t w = std::max(row_first_free, other.first_free_word());
            std::uint64_t busy;
            for (;; ++w) {
                if (w >= row_taken.size()) row_taken.resize(2 * w + 1, 0);
                busy = row_taken[w] | other.word(w);
                if (busy != ~std::uint64_t{0}) break;
            }
            const auto bit = static_cast<unsigned>(std::countr_one(busy));
            colour[end] = checked_cast<VertexId>(w * 64 + bit, "number of matchings");
            row_taken[w] |= std::uint64_t{1} << bit;
            other.add(colour[end]);
            while (row_first_free < row_taken.size() && row_taken[row_first_free] == ~std::uint64_t{0})
                ++row_first_free;
        }
        for (std::size_t i = begin; i < end; ++i) row_taken[colour[i] / 64] = 0;
        begin = end;
    }
    return colour;
}

std::vector<VertexId> maximal_matchings(const Graph& graph) {
    const std::vector<VertexId> row = edge_rows(graph);
    const MaxDegree degree = max_degree(graph);
    if (degree.row <= degree.col) return first_fit(row, graph.col, graph.cols);

    std::vector<EdgeId> order = identity_order(graph.edges());
    group_stable(order, graph.cols, [&](EdgeId e) { return graph.col[e]; });
    std::vector<VertexId> col_major_row(order.size()), col_major_col(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        col_major_row[i] = row[order[i]];
        col_major_col[i] = graph.col[order[i]];
    }
    const std::vector<VertexId> colour = first_fit(col_major_col, col_major_row, graph.rows);
    std::vector<VertexId> matching(colour.size());
    for (std::size_t i = 0; i < order.size(); ++i) matching[order[i]] = colour[i];
    return matching;
}

}  // namespace lockstep
