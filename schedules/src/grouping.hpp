// Stable grouping of edge ids by a small key: the one primitive under every builder.
#pragma once

#include <numeric>
#include <vector>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

inline std::vector<EdgeId> identity_order(EdgeId size) {
    std::vector<EdgeId> order(size);
    std::iota(order.begin(), order.end(), EdgeId{0});
    return order;
}

/// Stable counting sort of `order` by key(order[i]) in [0, keys). Returns the keys + 1 offsets of the
/// groups. O(order + keys) time, 8 bytes an entry and key.
template <class Key>
std::vector<EdgeId> group_stable(std::vector<EdgeId>& order, EdgeId keys, Key key) {
    std::vector<EdgeId> offsets(keys + 1, 0);
    for (const EdgeId e : order) ++offsets[key(e) + 1];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    std::vector<EdgeId> next(offsets.begin(), offsets.end() - 1);
    std::vector<EdgeId> grouped(order.size());
    for (const EdgeId e : order) grouped[next[key(e)]++] = e;
    order.swap(grouped);
    return offsets;
}

/// The same offsets without the empty groups.
inline std::vector<EdgeId> drop_empty(const std::vector<EdgeId>& offsets) {
    std::vector<EdgeId> dense{0};
    for (const EdgeId offset : offsets) {
        if (offset != dense.back()) dense.push_back(offset);
    }
    return dense;
}

}  // namespace lockstep
