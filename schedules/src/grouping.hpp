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

/// Two passes of radix_partition for many keys: first by the high bits of the key, then each part by the
/// low bits. A pass that feeds thousands of streams at once takes three times as long as one that feeds
/// hundreds. `Id` holds the ids on their way; 4 + sizeof(Id) bytes a record beside `out`.
template <class Id, class Key, class IdAt>
std::vector<EdgeId> group_in_two_passes(EdgeId size, EdgeId keys, Key key, IdAt id, EdgeId* out) {
    struct Record {
        std::uint32_t low;
        Id id;
    };
    int shift = 0;
    while (keys >> shift > 512) ++shift;
    const EdgeId low_keys = EdgeId{1} << shift, parts = ((keys - 1) >> shift) + 1;
    Array<Record> records(size);
    const std::vector<EdgeId> part = radix_partition(
        size, parts, [&](EdgeId i) { return static_cast<EdgeId>(key(i)) >> shift; },
        [&](EdgeId i) {
            return Record{static_cast<std::uint32_t>(key(i) & (low_keys - 1)), static_cast<Id>(id(i))};
        },
        records.data());
    std::vector<EdgeId> offsets(parts * low_keys + 1);
#pragma omp parallel for schedule(dynamic)
    for (EdgeId p = 0; p < parts; ++p) {
        EdgeId* const next = offsets.data() + p * low_keys;  // the ends of the groups, once they are filled
        for (EdgeId i = part[p]; i < part[p + 1]; ++i) ++next[records[i].low];
        EdgeId position = part[p];
        for (EdgeId k = 0; k < low_keys; ++k) position += std::exchange(next[k], position);
        for (EdgeId i = part[p]; i < part[p + 1]; ++i) out[next[records[i].low]++] = records[i].id;
    }
    std::move_backward(offsets.begin(), offsets.begin() + static_cast<std::ptrdiff_t>(keys),
                       offsets.begin() + static_cast<std::ptrdiff_t>(keys) + 1);
    offsets[0] = 0;
    offsets.resize(keys + 1);
    return offsets;
}

/// Writes id(i) < ids, i = 0 … size - 1, to out, grouped by key(i) in [0, keys), equal keys in order.
/// Returns the keys + 1 offsets of the groups. O(size + keys) time, up to 16 bytes a record beside `out`
/// (8 where there are fewer than 2^32 ids).
template <class Key, class IdAt>
std::vector<EdgeId> group_ids(EdgeId size, EdgeId keys, Key key, IdAt id, EdgeId ids, EdgeId* out) {
    if (keys <= 1024 || size < (1 << 20)) return radix_partition(size, keys, key, id, out);
    if (ids <= EdgeId{1} << 32) return group_in_two_passes<std::uint32_t>(size, keys, key, id, out);
    return group_in_two_passes<EdgeId>(size, keys, key, id, out);
}

/// Regroups `order`, a permutation, by key(edge), stably; returns the offsets of the groups.
template <class Key>
std::vector<EdgeId> group_stable(Array<EdgeId>& order, EdgeId keys, Key key) {
    Array<EdgeId> grouped(order.size());
    std::vector<EdgeId> offsets = group_ids(
        order.size(), keys, [&](EdgeId i) { return key(order[i]); }, [&](EdgeId i) { return order[i]; },
        order.size(), grouped.data());
    order.swap(grouped);
    return offsets;
}

/// The edges 0 … size - 1 grouped by key(edge), written to `order`; returns the offsets of the groups.
template <class Key>
std::vector<EdgeId> group_edges(Array<EdgeId>& order, EdgeId size, EdgeId keys, Key key) {
    order.resize(size);
    return group_ids(
        size, keys, key, [](EdgeId e) { return e; }, size, order.data());
}

}  // namespace lockstep
