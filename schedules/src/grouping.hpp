// Stable parallel grouping by a small key (one radix pass): the one primitive under every builder.
//
// Each thread counts the keys of its contiguous share, the counts become write positions (key by key,
// inside a key thread by thread), and each thread scatters its share: the result is that of a serial
// counting sort for any number of threads.
#pragma once

#include <omp.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep {

inline Array<EdgeId> identity_order(EdgeId size) {
    Array<EdgeId> order(size);
#pragma omp parallel for schedule(static)
    for (EdgeId i = 0; i < size; ++i) order[i] = i;
    return order;
}

/// How many threads share `size` records of `keys` different keys: no more than the records can pay for,
/// since each has counts of its own.
inline int radix_threads(EdgeId size, EdgeId keys) {
    constexpr EdgeId worth_a_thread = 1 << 15;
    const EdgeId affordable = std::max<EdgeId>(1, size / std::max<EdgeId>(worth_a_thread, 2 * keys));
    return static_cast<int>(std::min<EdgeId>(affordable, static_cast<EdgeId>(omp_get_max_threads())));
}

/// First record of thread t's share of `size` records.
inline EdgeId share_begin(EdgeId size, int t, int threads) {
    const EdgeId n = static_cast<EdgeId>(threads), i = static_cast<EdgeId>(t);
    return size / n * i + std::min(size % n, i);
}

/// Counts of the keys of each thread's share: result[t][k]. 8 bytes a key and thread.
template <class Key>
std::vector<std::vector<EdgeId>> share_counts(EdgeId size, EdgeId keys, int threads, Key key) {
    std::vector<std::vector<EdgeId>> counts(static_cast<std::size_t>(threads));
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int t = 0; t < threads; ++t) {
        std::vector<EdgeId>& mine = counts[static_cast<std::size_t>(t)];
        mine.assign(keys, 0);
        const EdgeId end = share_begin(size, t + 1, threads);
        for (EdgeId i = share_begin(size, t, threads); i < end; ++i) ++mine[key(i)];
    }
    return counts;
}

/// How often each key in [0, keys) occurs among key(0), …, key(size - 1).
template <class Key>
std::vector<EdgeId> key_counts(EdgeId size, EdgeId keys, Key key) {
    std::vector<std::vector<EdgeId>> shares = share_counts(size, keys, radix_threads(size, keys), key);
    for (std::size_t t = 1; t < shares.size(); ++t) {
        for (EdgeId k = 0; k < keys; ++k) shares[0][k] += shares[t][k];
    }
    return std::move(shares[0]);
}

/// Writes record(i), i = 0 … size - 1, to out, grouped by key(i) in [0, keys), equal keys in order.
/// Returns the keys + 1 offsets of the groups. O(size + keys x threads) time.
template <class Record, class Key, class Out>
std::vector<EdgeId> radix_partition(EdgeId size, EdgeId keys, Key key, Record record, Out* out) {
    const int threads = radix_threads(size, keys);
    std::vector<std::vector<EdgeId>> next = share_counts(size, keys, threads, key);
    std::vector<EdgeId> offsets(keys + 1);
    EdgeId position = 0;
    for (EdgeId k = 0; k < keys; ++k) {
        offsets[k] = position;
        for (auto& counts : next) position += std::exchange(counts[k], position);
    }
    offsets[keys] = position;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int t = 0; t < threads; ++t) {
        EdgeId* const mine = next[static_cast<std::size_t>(t)].data();
        const EdgeId end = share_begin(size, t + 1, threads);
        for (EdgeId i = share_begin(size, t, threads); i < end; ++i) out[mine[key(i)]++] = record(i);
    }
    return offsets;
}

/// Regroups `order` by key(edge), stably; returns the offsets of the groups.
template <class Key>
std::vector<EdgeId> group_stable(Array<EdgeId>& order, EdgeId keys, Key key) {
    Array<EdgeId> grouped(order.size());
    std::vector<EdgeId> offsets = radix_partition(
        order.size(), keys, [&](EdgeId i) { return key(order[i]); }, [&](EdgeId i) { return order[i]; },
        grouped.data());
    order.swap(grouped);
    return offsets;
}

/// The edges 0 … size - 1 grouped by key(edge), written to `order`; returns the offsets of the groups.
template <class Key>
std::vector<EdgeId> group_edges(Array<EdgeId>& order, EdgeId size, EdgeId keys, Key key) {
    order.resize(size);
    return radix_partition(size, keys, key, [](EdgeId e) { return e; }, order.data());
}

}  // namespace lockstep
