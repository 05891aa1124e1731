#include "lockstep/schedules/rows.hpp"

#include <algorithm>
#include <bit>
#include <concepts>

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/grouping.hpp"
#include "row_order.hpp"
#include "taken_colours.hpp"

namespace lockstep {

namespace {

// A phase is called a colour here. Colours are assigned in windows of 64: a pass over the rows assigns the
// colours of one window, and leaves the rows that need a larger colour to the next pass. This gives the
// result of one pass with unlimited colours, because the smaller colours of earlier rows do not depend on
// larger ones.

using Mask = std::uint64_t;

/// Returns the lowest bit that is not set, or 0 if all bits are set.
constexpr Mask lowest_free(Mask busy) { return ~busy & (busy + 1); }

/// The colours of a window that rows have taken at their columns, if rows write all columns.
class TakenByAll {
public:
    explicit TakenByAll(const RowPattern& pattern) : pattern_(pattern), taken_(pattern.column_count, 0) {}
    Mask busy(EdgeId r) const {
        Mask busy = 0;
        for (const VertexId c : pattern_.row(r))
            if (!pattern_.is_fixed(c)) busy |= taken_[c];
        return busy;
    }
    void take(EdgeId r, Mask bit) {
        for (const VertexId c : pattern_.row(r)) taken_[c] |= bit;
    }
    /// Replaces colour `from` by colour `to`.
    void move(EdgeId r, Mask from, Mask to) {
        for (const VertexId c : pattern_.row(r)) taken_[c] = (taken_[c] & ~from) | to;
    }
    void prefetch(EdgeId r) const {
        for (const VertexId c : pattern_.row(r)) __builtin_prefetch(&taken_[c], 1);
    }
    void clear() { std::fill(taken_.begin(), taken_.end(), 0); }
    /// Returns the number of colours at column c. No two rows with this column have the same colour.
    EdgeId count(EdgeId c) const { return static_cast<EdgeId>(std::popcount(taken_[c])); }

private:
    const RowPattern& pattern_;
    std::vector<Mask> taken_;
};

/// The same if rows write only their own columns: the colour of the row that writes a column, and the colours
/// of the rows that read it.
class TakenByOwner {
public:
    explicit TakenByOwner(const RowPattern& pattern) : pattern_(pattern), taken_(pattern.column_count) {}
    Mask busy(EdgeId r) const {
        Mask busy = taken_[r].readers;
        for (const VertexId c : pattern_.row(r))
            if (c != r) busy |= taken_[c].writer;
        return busy;
    }
    void take(EdgeId r, Mask bit) {
        taken_[r].writer = bit;
        for (const VertexId c : pattern_.row(r))
            if (c != r) taken_[c].readers |= bit;
    }
    /// Replaces colour `from` by colour `to`. The columns that the row reads keep `from`, because other
    /// readers may have this colour.
    void move(EdgeId r, Mask /*from*/, Mask to) { take(r, to); }
    void prefetch(EdgeId r) const {
        for (const VertexId c : pattern_.row(r)) __builtin_prefetch(&taken_[c], 1);
    }
    void clear() { std::fill(taken_.begin(), taken_.end(), Colours{}); }

private:
    struct Colours {
        Mask writer = 0, readers = 0;
    };
    const RowPattern& pattern_;
    std::vector<Colours> taken_;
};

/// A colour of each row, and the number of colours.
struct RowColours {
    Array<VertexId> of_row;
    VertexId count = 0;
};

/// Assigns the colours of one window, beginning with colour `first`, to the rows row(0) … row(size - 1), and
/// returns the rows that get none.
template <class Taken, class Row>
std::vector<EdgeId> colour_window(Taken& taken, EdgeId size, Row row, VertexId first, RowColours& colours) {
    constexpr EdgeId ahead = 8;
    std::vector<EdgeId> left;
    Mask used = 0;
    for (EdgeId i = 0; i < size; ++i) {
        if (i + ahead < size) taken.prefetch(row(i + ahead));
        const Mask bit = lowest_free(taken.busy(row(i)));
        if (bit == 0) {
            left.push_back(row(i));
            continue;
        }
        taken.take(row(i), bit);
        colours.of_row[row(i)] = first + static_cast<VertexId>(std::countr_zero(bit));
        used |= bit;
    }
    if (used) colours.count = first + static_cast<VertexId>(std::bit_width(used));
    return left;
}

/// Assigns colours from `first` on to the rows in `left`, with bit sets of any size (taken_colours.hpp), if
/// rows write all columns. Adds the number of rows at each column to `users`.
void colour_by_bit_sets(const RowPattern& pattern, const std::vector<EdgeId>& left, VertexId first,
                        RowColours& colours, std::vector<EdgeId>& users) {
    std::vector<VertexId> row;  // the distinct columns of a row that are not fixed
    const auto load = [&](EdgeId r) {
        row.clear();
        for (const VertexId c : pattern.row(r))
            if (!pattern.is_fixed(c)) row.push_back(c);
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
    };
    std::vector<EdgeId> degree(pattern.column_count, 0);
    for (const EdgeId r : left) {
        load(r);
        for (const VertexId c : row) ++degree[c], ++users[c];
    }
    TakenColours taken(degree);
    for (const EdgeId r : left) {
        load(r);
        std::uint32_t word = 0;
        for (const VertexId c : row) word = std::max(word, taken.records()[c].first_word);
        Mask bit = 0;
        for (; bit == 0; ++word) {
            Mask busy = 0;
            for (const VertexId c : row) busy |= taken.word(c, word);
            bit = lowest_free(busy);
        }
        --word;
        for (const VertexId c : row) taken.take(c, word, bit);
        colours.of_row[r] = first + word * 64 + static_cast<VertexId>(std::countr_zero(bit));
        colours.count = std::max(colours.count, colours.of_row[r] + 1);
    }
}

/// Assigns the colours of first fit in the given order (empty: by row index). Returns RowBatches::bound.
template <class Taken>
EdgeId assign_colours(const RowPattern& pattern, const Array<EdgeId>& order, Taken& taken,
                      RowColours& colours) {
    constexpr bool writes_all = std::same_as<Taken, TakenByAll>;
    std::vector<EdgeId> users(writes_all ? pattern.column_count : 0, 0);
    const auto count_users = [&] {
#pragma omp parallel for schedule(static)
        for (EdgeId c = 0; c < users.size(); ++c) {
            if constexpr (writes_all)
                users[c] += pattern.is_fixed(static_cast<VertexId>(c)) ? 0 : taken.count(c);
        }
    };
    EdgeId before = pattern.rows();
    taken.clear();
    colours.count = 0;
    std::vector<EdgeId> left = order.empty()
                                   ? colour_window(
                                         taken, before, [](EdgeId i) { return i; }, 0, colours)
                                   : colour_window(
                                         taken, before, [&](EdgeId i) { return order[i]; }, 0, colours);
    count_users();
    for (VertexId first = 64; !left.empty(); first += 64) {
        // If a column has many rows, only 64 of them get a colour in each pass.
        if constexpr (writes_all) {
            if (left.size() > before / 8 * 7) {
                colour_by_bit_sets(pattern, left, first, colours, users);
                break;
            }
        }
        before = left.size();
        taken.clear();
        left = colour_window(
            taken, before, [&](EdgeId i) { return left[i]; }, first, colours);
        count_users();
    }
    if (!writes_all) return std::min<EdgeId>(2, colours.count);
    const auto most = std::max_element(users.begin(), users.end());
    return std::max<EdgeId>(most == users.end() ? 0 : *most, colours.count > 0);
}

/// Returns the rows, grouped by their colours in descending order.
Array<EdgeId> by_descending_colour(const RowColours& colours) {
    Array<EdgeId> order;
    group_edges(order, colours.of_row.size(), colours.count,
                [&](EdgeId r) { return colours.count - 1 - colours.of_row[r]; });
    return order;
}

/// Moves rows from larger to smaller phases, for as long as there is such a move without a conflict.
template <class Taken>
void balance_sizes(Taken& taken, RowColours& colours) {
    const EdgeId rows = colours.of_row.size();
    const EdgeId low = rows / colours.count, high = low + (rows % colours.count > 0);
    // Every move is from a phase of size a to a phase of size b with a > b + 1. It lowers the sum of the
    // squared sizes by a^2 + b^2 - (a - 1)^2 - (b + 1)^2 = 2 (a - b - 1) >= 2. This sum is a whole number and
    // at least 0, so rows cannot move for ever, and no state occurs twice. The limit of the passes bounds the
    // time.
    constexpr int max_passes = 8;
    bool is_moved = true;
    for (int pass = 0; pass < max_passes && is_moved; ++pass) {
        is_moved = false;
        Array<EdgeId> by_colour;
        const std::vector<EdgeId> offsets =
            group_edges(by_colour, rows, colours.count, [&](EdgeId r) { return colours.of_row[r]; });
        std::vector<EdgeId> size(colours.count), candidates;
        for (VertexId c = 0; c < colours.count; ++c) size[c] = offsets[c + std::size_t{1}] - offsets[c];
        for (EdgeId r = 0; r < rows; ++r)
            if (size[colours.of_row[r]] > low) candidates.push_back(r);
        for (VertexId first = 0; first < colours.count; first += 64) {
            const VertexId last = std::min(colours.count, first + 64);
            const auto bit_of = [&](VertexId c) { return c - first < 64 ? Mask{1} << (c - first) : 0; };
            Mask open = 0;
            for (VertexId c = first; c < last; ++c)
                if (size[c] < high) open |= bit_of(c);
            if (open == 0) continue;
            taken.clear();
            for (EdgeId i = offsets[first]; i < offsets[last]; ++i)
                if (const Mask bit = bit_of(colours.of_row[by_colour[i]])) taken.take(by_colour[i], bit);
            std::size_t i = 0, kept = 0;
            for (; i < candidates.size() && open; ++i) {
                const EdgeId r = candidates[i];
                VertexId& colour = colours.of_row[r];
                if (size[colour] <= low) continue;
                VertexId to = colour;
                for (Mask free = open & ~taken.busy(r); free; free &= free - 1) {
                    const VertexId c = first + static_cast<VertexId>(std::countr_zero(free));
                    if (size[c] < size[to]) to = c;
                }
                if (size[colour] <= size[to] + 1) {
                    candidates[kept++] = r;
                    continue;
                }
                taken.move(r, bit_of(colour), bit_of(to));
                if (--size[colour] < high) open |= bit_of(colour);
                if (++size[to] >= high) open &= ~bit_of(to);
                colour = to;
                is_moved = true;
            }
            candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(kept),
                             candidates.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
}

template <class Taken>
RowBatches build(const RowPattern& pattern, const RowOptions& options) {
    RowBatches batches;
    const EdgeId rows = pattern.rows();
    if (rows == 0) return batches;
    Taken taken(pattern);
    RowColours colours{Array<VertexId>(rows)};
    Array<EdgeId> order;
    if (options.order == RowOrder::largest) order = largest_first(pattern);
    if (options.order == RowOrder::smallest) order = smallest_last(pattern);
    batches.bound = assign_colours(pattern, order, taken, colours);
    if (options.order == RowOrder::smallest)
        assign_colours(pattern, by_descending_colour(colours), taken, colours);
    if (options.even) balance_sizes(taken, colours);
    batches.offsets =
        group_edges(batches.order, rows, colours.count, [&](EdgeId r) { return colours.of_row[r]; });
    return batches;
}

}  // namespace

void validate(const RowPattern& pattern) {
    const auto fail = [](const std::string& what) { throw Error(Failure::bad_input, what); };
    const std::span<const EdgeId> offsets = pattern.offsets;
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != pattern.columns.size())
        fail("the offsets of the rows must begin with 0 and end with the number of entries, " +
             std::to_string(pattern.columns.size()));
    const auto descent = std::is_sorted_until(offsets.begin(), offsets.end());
    if (descent != offsets.end())
        fail("offset " + std::to_string(descent - offsets.begin()) + " of the rows is " +
             std::to_string(*descent) + ", less than the offset before");
    EdgeId wrong = pattern.columns.size();
#pragma omp parallel for schedule(static) reduction(min : wrong)
    for (EdgeId i = 0; i < pattern.columns.size(); ++i)
        if (pattern.columns[i] >= pattern.column_count) wrong = std::min(wrong, i);
    if (wrong < pattern.columns.size())
        fail("entry " + std::to_string(wrong) + " has column " + std::to_string(pattern.columns[wrong]) +
             "; expected 0 to " + std::to_string(pattern.column_count) + " - 1");
    if (!pattern.fixed.empty() && pattern.fixed.size() != pattern.column_count)
        fail("there are " + std::to_string(pattern.fixed.size()) + " flags of fixed columns; expected " +
             std::to_string(pattern.column_count));
    if (pattern.writes == RowPattern::own && pattern.rows() != pattern.column_count)
        fail("the pattern has " + std::to_string(pattern.rows()) + " rows and " +
             std::to_string(pattern.column_count) + " columns; expected a square pattern");
    if (pattern.rows() > max_vertices) fail("there are more than 2^32 - 2 rows");
}

RowBatches build_row_batches(const RowPattern& pattern, const RowOptions& options) {
    return pattern.writes == RowPattern::all ? build<TakenByAll>(pattern, options)
                                             : build<TakenByOwner>(pattern, options);
}

std::string_view to_string(RowOrder order) {
    constexpr std::string_view names[] = {"given", "largest", "smallest"};
    return names[static_cast<std::size_t>(order)];
}

Schedule build_rows(const Graph& graph, const RowOptions& options) {
    const RowBatches batches = build_row_batches(
        {.offsets = graph.row_offsets, .columns = graph.col, .column_count = graph.cols}, options);
    Schedule schedule;
    schedule.name = "rows";
    schedule.disjoint = Disjoint::col;
    schedule.parameters = {{"order", std::string(to_string(options.order))},
                           {"even", options.even ? "yes" : "no"},
                           {"bound", std::to_string(batches.bound)}};
    // Rows without edges are in no task, and phases without tasks are left out.
    std::vector<EdgeId>&phases = schedule.level(Level::phase), &tasks = schedule.level(Level::task);
    phases = tasks = {0};
    schedule.order.reserve(graph.edges());
    for (std::size_t p = 0; p + 1 < batches.offsets.size(); ++p) {
        for (EdgeId i = batches.offsets[p]; i < batches.offsets[p + 1]; ++i) {
            const EdgeIds edges = graph.edges_of(static_cast<VertexId>(batches.order[i]));
            for (const EdgeId e : edges) schedule.order.push_back(e);
            if (edges.size() > 0) tasks.push_back(schedule.order.size());
        }
        if (phases.back() < tasks.size() - 1) phases.push_back(tasks.size() - 1);
    }
    return schedule;
}

}  // namespace lockstep
