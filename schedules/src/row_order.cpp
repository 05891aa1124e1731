#include "row_order.hpp"

#include <algorithm>

#include "lockstep/schedules/grouping.hpp"

namespace lockstep {

namespace {

/// Returns the number of entries of each column.
std::vector<EdgeId> entries_of_columns(const RowPattern& pattern) {
    return key_counts(pattern.columns.size(), pattern.column_count,
                      [&](EdgeId i) { return pattern.columns[i]; });
}

/// The rows of each column. Column c is in the rows rows[offsets[c]] … rows[offsets[c + 1] - 1].
struct RowsOfColumns {
    explicit RowsOfColumns(const RowPattern& pattern) : rows(pattern.columns.size()) {
        Array<VertexId> row(rows.size());
#pragma omp parallel for schedule(static)
        for (EdgeId r = 0; r < pattern.rows(); ++r)
            std::fill(row.data() + pattern.offsets[r], row.data() + pattern.offsets[r + 1],
                      static_cast<VertexId>(r));
        offsets = group_ids(
            rows.size(), pattern.column_count, [&](EdgeId i) { return pattern.columns[i]; },
            [&](EdgeId i) { return row[i]; }, pattern.rows(), rows.data());
    }
    std::span<const EdgeId> of(VertexId c) const {
        return {rows.data() + offsets[c], rows.data() + offsets[c + std::size_t{1}]};
    }
    Array<EdgeId> rows;
    std::vector<EdgeId> offsets;
};

/// Items with keys, from which an item with the smallest key can be removed. Items with equal keys form a
/// linked list, in which the item whose key has changed last comes first.
class BucketQueue {
public:
    explicit BucketQueue(std::vector<EdgeId> keys)
        : key_(std::move(keys)), next_(key_.size()), previous_(key_.size()) {
        if (!key_.empty()) head_.assign(*std::max_element(key_.begin(), key_.end()) + 1, none);
        for (auto item = static_cast<VertexId>(key_.size()); item-- > 0;) link(item);
    }
    /// Removes and returns the first item with the smallest key. The queue must not be empty.
    VertexId pop() {
        while (head_[smallest_] == none) ++smallest_;
        const VertexId item = head_[smallest_];
        unlink(item);
        key_[item] = removed;
        return item;
    }
    /// Decrements the key of the item. Does nothing if the item has been removed.
    void decrement(VertexId item) {
        if (key_[item] == removed) return;
        unlink(item);
        smallest_ = std::min(smallest_, --key_[item]);
        link(item);
    }

private:
    static constexpr VertexId none = ~VertexId{0};
    static constexpr EdgeId removed = ~EdgeId{0};

    void link(VertexId item) {
        VertexId& head = head_[key_[item]];
        next_[item] = head, previous_[item] = none;
        if (head != none) previous_[head] = item;
        head = item;
    }
    void unlink(VertexId item) {
        (previous_[item] != none ? next_[previous_[item]] : head_[key_[item]]) = next_[item];
        if (next_[item] != none) previous_[next_[item]] = previous_[item];
    }

    std::vector<EdgeId> key_;
    std::vector<VertexId> head_, next_, previous_;  // key -> first item; item -> neighbours in its list
    EdgeId smallest_ = 0;                           // no key is smaller
};

/// smallest_last() if rows write only their own columns.
void remove_rows(const RowPattern& pattern, const RowsOfColumns& readers, Array<EdgeId>& order) {
    std::vector<EdgeId> conflicts = entries_of_columns(pattern);
    for (EdgeId r = 0; r < order.size(); ++r) conflicts[r] += pattern.row(r).size();
    BucketQueue queue(std::move(conflicts));
    for (EdgeId left = order.size(); left-- > 0;) {
        const VertexId r = queue.pop();
        order[left] = r;
        for (const VertexId c : pattern.row(r)) queue.decrement(c);
        for (const EdgeId reader : readers.of(r)) queue.decrement(static_cast<VertexId>(reader));
    }
}

/// smallest_last() if rows write all their columns.
void remove_columns(const RowPattern& pattern, const RowsOfColumns& users, Array<EdgeId>& order) {
    std::vector<std::uint8_t> is_removed(order.size(), 0);
    EdgeId left = order.size();
    const auto remove = [&](EdgeId r) {
        if (is_removed[r]) return false;
        is_removed[r] = 1, order[--left] = r;
        return true;
    };
    for (EdgeId r = 0; r < order.size(); ++r)
        if (pattern.row(r).empty()) remove(r);
    BucketQueue queue(entries_of_columns(pattern));
    while (left > 0) {
        for (const EdgeId r : users.of(queue.pop())) {
            if (!remove(r)) continue;
            for (const VertexId c : pattern.row(r)) queue.decrement(c);
        }
    }
}

}  // namespace

Array<EdgeId> largest_first(const RowPattern& pattern) {
    const std::vector<EdgeId> entries = entries_of_columns(pattern);
    Array<EdgeId> order = identity_order(pattern.rows()), conflicts(order.size());
    EdgeId most = 0;
#pragma omp parallel for schedule(dynamic, 4096) reduction(max : most)
    for (EdgeId r = 0; r < conflicts.size(); ++r) {
        EdgeId count = pattern.writes == RowPattern::own ? entries[r] + pattern.row(r).size() : 0;
        if (pattern.writes == RowPattern::all) {
            for (const VertexId c : pattern.row(r))
                if (!pattern.is_fixed(c)) count += entries[c] - 1;
        }
        conflicts[r] = count, most = std::max(most, count);
    }
    // The rows are grouped by 11 bits of the key after another, the lowest bits first.
    constexpr int bits = 11;
    constexpr EdgeId keys = 1 << bits;
    for (int shift = 0; shift < 64 && most >> shift > 0; shift += bits)
        group_stable(order, keys, [&](EdgeId r) { return (most - conflicts[r]) >> shift & (keys - 1); });
    return order;
}

Array<EdgeId> smallest_last(const RowPattern& pattern) {
    Array<EdgeId> order(pattern.rows());
    const RowsOfColumns users(pattern);
    pattern.writes == RowPattern::own ? remove_rows(pattern, users, order)
                                      : remove_columns(pattern, users, order);
    return order;
}

Neighbourhoods neighbours_of(std::span<const VertexId> ends, EdgeId vertices) {
    for (const VertexId v : ends)
        if (v >= vertices)
            throw Error(Failure::bad_input, "an edge has vertex " + std::to_string(v) + "; expected 0 to " +
                                                std::to_string(vertices) + " - 1");
    Neighbourhoods made;
    Array<EdgeId> second(ends.size() / 2);
    made.offsets = group_ids(
        second.size(), vertices, [&](EdgeId e) { return ends[2 * e]; },
        [&](EdgeId e) { return ends[2 * e + 1]; }, vertices, second.data());
    made.columns.resize(second.size());
    std::transform(second.begin(), second.end(), made.columns.begin(),
                   [](EdgeId v) { return static_cast<VertexId>(v); });
    return made;
}

Neighbourhoods closed_neighbourhoods(const RowPattern& graph) {
    const RowsOfColumns incoming(graph);
    std::vector<std::vector<VertexId>> rows(graph.rows());
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic, 1024)
    for (EdgeId v = 0; v < graph.rows(); ++v) {
        errors.run([&] {
            std::vector<VertexId>& row = rows[v];
            row.assign(graph.row(v).begin(), graph.row(v).end());
            for (const EdgeId u : incoming.of(static_cast<VertexId>(v)))
                row.push_back(static_cast<VertexId>(u));
            row.push_back(static_cast<VertexId>(v));
            std::sort(row.begin(), row.end());
            row.erase(std::unique(row.begin(), row.end()), row.end());
        });
    }
    errors.rethrow();
    Neighbourhoods made;
    for (const std::vector<VertexId>& row : rows) {
        made.columns.insert(made.columns.end(), row.begin(), row.end());
        made.offsets.push_back(made.columns.size());
    }
    return made;
}

}  // namespace lockstep
