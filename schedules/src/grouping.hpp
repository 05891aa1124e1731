// Stable parallel grouping by a small key (one radix pass): the one primitive under every builder.
//
// Each thread counts the keys of its contiguous share, the counts become write positions (key by key,
// inside a key thread by thread), and each thread scatters its share: the result is that of a serial
// counting sort for any number of threads.
#pragma once

#include <omp.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

inline std::vector<EdgeId> identity_order(EdgeId size) {
    std::vector<EdgeId> order(size);
    std::iota(order.begin(), order.end(), EdgeId{0});
    return order;
}

/// Writes record(i), i = 0 … size - 1, to out, grouped by key(i) in [0, keys), equal keys in order.
/// Returns the keys + 1 offsets of the groups. O(size + keys x threads) time; 8 bytes a key and thread
/// beside `out`, and never more threads than the records can pay for.
template <class Record, class Key, class Out>
std::vector<EdgeId> radix_partition(EdgeId size, EdgeId keys, Key key, Record record, Out* out) {
    constexpr EdgeId worth_a_thread = 1 << 15;
    const EdgeId affordable = std::max<EdgeId>(1, size / std::max<EdgeId>(worth_a_thread, 2 * keys));
    const int threads =
        static_cast<int>(std::min<EdgeId>(affordable, static_cast<EdgeId>(omp_get_max_threads())));
    const auto share = [&](int t) {
        return size / static_cast<EdgeId>(threads) * static_cast<EdgeId>(t) +
               std::min<EdgeId>(size % static_cast<EdgeId>(threads), static_cast<EdgeId>(t));
    };
    std::vector<std::vector<EdgeId>> next(static_cast<std::size_t>(threads));
    std::vector<EdgeId> offsets(keys + 1, 0);
#pragma omp parallel num_threads(threads)
    {
        const int t = omp_get_thread_num();
        std::vector<EdgeId>& mine = next[static_cast<std::size_t>(t)];
        mine.assign(keys, 0);
        for (EdgeId i = share(t); i < share(t + 1); ++i) ++mine[key(i)];
#pragma omp barrier
#pragma omp single
        {
            EdgeId position = 0;
            for (EdgeId k = 0; k < keys; ++k) {
                offsets[k] = position;
                for (auto& counts : next) position += std::exchange(counts[k], position);
            }
            offsets[keys] = position;
        }
        for (EdgeId i = share(t); i < share(t + 1); ++i) out[mine[key(i)]++] = record(i);
    }
    return offsets;
}

/// The edges 0 … size - 1 grouped by key(edge); see radix_partition.
struct GroupedEdges {
    std::vector<EdgeId> order;
    std::vector<EdgeId> offsets;
};
template <class Key>
GroupedEdges group_edges(EdgeId size, EdgeId keys, Key key) {
    GroupedEdges grouped;
    grouped.order.resize(size);
    grouped.offsets = radix_partition(
        size, keys, key, [](EdgeId e) { return e; }, grouped.order.data());
    return grouped;
}

/// Regroups `order` by key(edge), stably; returns the offsets of the groups.
template <class Key>
std::vector<EdgeId> group_stable(std::vector<EdgeId>& order, EdgeId keys, Key key) {
    std::vector<EdgeId> grouped(order.size());
    std::vector<EdgeId> offsets = radix_partition(
        order.size(), keys, [&](EdgeId i) { return key(order[i]); }, [&](EdgeId i) { return order[i]; },
        grouped.data());
    order.swap(grouped);
    return offsets;
}

}  // namespace lockstep
