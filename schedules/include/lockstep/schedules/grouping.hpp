// Stable parallel grouping of records by a small integer key (one radix pass). Every builder uses these
// functions.
//
// The records are divided into contiguous shares, mostly one per thread. Each thread counts the keys of its
// share. Prefix sums of the counts, by key and then by share, give the positions to which each thread writes
// the records of its share. The result is that of a serial counting sort, for any number of shares and
// threads.
#pragma once

#include <omp.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/parallel_errors.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// Returns 0, 1, …, size - 1.
inline Array<EdgeId> identity_order(EdgeId size) {
    Array<EdgeId> order(size);
#pragma omp parallel for schedule(static)
    for (EdgeId i = 0; i < size; ++i) order[i] = i;
    return order;
}

/// Returns the number of threads for grouping `size` records by `keys` different keys. Every thread has its
/// own array of `keys` counts, so the number is limited such that a thread has at least twice as many records
/// as counts.
inline int radix_threads(EdgeId size, EdgeId keys) {
    constexpr EdgeId worth_a_thread = 1 << 15;
    const EdgeId affordable = std::max<EdgeId>(1, size / std::max<EdgeId>(worth_a_thread, 2 * keys));
    return static_cast<int>(std::min<EdgeId>(affordable, static_cast<EdgeId>(omp_get_max_threads())));
}

/// Returns the number of OpenMP threads that process `shares` shares: all threads, or one if there is only
/// one share. Other numbers are slow, because libgomp ends the threads that a smaller team does not use and
/// starts new ones for the next team.
inline int team_of(EdgeId shares) { return shares > 1 ? omp_get_max_threads() : 1; }

/// Returns the index of the first record of share s, if `size` records are divided evenly into `shares`
/// shares.
inline EdgeId share_begin(EdgeId size, int s, int shares) {
    const EdgeId n = static_cast<EdgeId>(shares), i = static_cast<EdgeId>(s);
    return size / n * i + std::min(size % n, i);
}

/// Counts the keys in each of `shares` shares of the records: result[s][k] is the number of records of share
/// s with key k. 8 bytes per key and share.
template <class Key>
std::vector<std::vector<EdgeId>> share_counts(EdgeId size, EdgeId keys, int shares, Key key) {
    std::vector<std::vector<EdgeId>> counts(static_cast<std::size_t>(shares));
    ParallelErrors errors;
#pragma omp parallel for schedule(static, 1) num_threads(team_of(counts.size()))
    for (int s = 0; s < shares; ++s) {
        errors.run([&] {
            std::vector<EdgeId>& mine = counts[static_cast<std::size_t>(s)];
            mine.assign(keys, 0);
            const EdgeId end = share_begin(size, s + 1, shares);
            for (EdgeId i = share_begin(size, s, shares); i < end; ++i) ++mine[key(i)];
        });
    }
    errors.rethrow();
    return counts;
}

/// Returns the number of occurrences of each key in [0, keys) among key(0), …, key(size - 1). If one array of
/// counts per thread would cost more than the counting, all threads add atomically to one array; if there are
/// many keys, threads seldom access the same count.
template <class Key>
std::vector<EdgeId> key_counts(EdgeId size, EdgeId keys, Key key) {
    constexpr EdgeId worth_sharing = 1 << 18;
    if (size >= worth_sharing && omp_get_max_threads() > 1 && radix_threads(size, keys) == 1) {
        std::vector<EdgeId> counts(keys);
#pragma omp parallel for schedule(static)
        for (EdgeId i = 0; i < size; ++i) {
            EdgeId& count = counts[key(i)];
#pragma omp atomic
            ++count;
        }
        return counts;
    }
    std::vector<std::vector<EdgeId>> shares = share_counts(size, keys, radix_threads(size, keys), key);
    for (std::size_t t = 1; t < shares.size(); ++t) {
        for (EdgeId k = 0; k < keys; ++k) shares[0][k] += shares[t][k];
    }
    return std::move(shares[0]);
}

/// Writes record(i) for i = 0 … size - 1 to `out`, grouped by key(i); records with equal keys keep the order
/// of i. `counts` must contain the result of share_counts() for these keys. On return, counts[s][k] is the
/// end of the records of share s with key k. Returns the keys + 1 offsets of the groups.
template <class Record, class Key, class Out>
std::vector<EdgeId> radix_scatter(EdgeId size, std::vector<std::vector<EdgeId>>& counts, Key key,
                                  Record record, Out* out) {
    const int shares = static_cast<int>(counts.size());
    const EdgeId keys = counts[0].size();
    std::vector<EdgeId> offsets(keys + 1);
    EdgeId position = 0;
    for (EdgeId k = 0; k < keys; ++k) {
        offsets[k] = position;
        for (auto& of_share : counts) position += std::exchange(of_share[k], position);
    }
    offsets[keys] = position;
#pragma omp parallel for schedule(static, 1) num_threads(team_of(counts.size()))
    for (int s = 0; s < shares; ++s) {
        EdgeId* const next = counts[static_cast<std::size_t>(s)].data();
        const EdgeId end = share_begin(size, s + 1, shares);
        for (EdgeId i = share_begin(size, s, shares); i < end; ++i) out[next[key(i)]++] = record(i);
    }
    return offsets;
}

/// Writes record(i) for i = 0 … size - 1 to `out`, grouped by key(i) in [0, keys); records with equal keys
/// keep the order of i. Returns the keys + 1 offsets of the groups. O(size + keys x threads) time.
template <class Record, class Key, class Out>
std::vector<EdgeId> radix_partition(EdgeId size, EdgeId keys, Key key, Record record, Out* out) {
    std::vector<std::vector<EdgeId>> counts = share_counts(size, keys, radix_threads(size, keys), key);
    return radix_scatter(size, counts, key, record, out);
}

/// Split of a large key into two digits, for grouping in two passes. The first pass groups the records by the
/// high digit into at most 512 parts; the second pass groups each part by the low digit. A pass that writes
/// to thousands of output streams takes three times as long as one that writes to hundreds.
struct KeySplit {
    explicit KeySplit(EdgeId keys) {
        while (keys >> shift > 512) ++shift;
        low_keys = EdgeId{1} << shift;
        parts = ((keys - 1) >> shift) + 1;
    }
    EdgeId low(EdgeId key) const { return key & (low_keys - 1); }
    int shift = 0;
    EdgeId low_keys, parts;
};

/// Runs the second of the two passes described at KeySplit. The output of part p begins at part[p].
/// each_record(p, f) must call f(low digit of the key, ID) for each record of part p, in order. Writes the
/// grouped IDs to `out`, and returns the keys + 1 offsets of the groups.
template <class EachRecord>
std::vector<EdgeId> group_parts(EdgeId keys, const KeySplit& split, const std::vector<EdgeId>& part,
                                EachRecord each_record, EdgeId* out) {
    std::vector<EdgeId> offsets(split.parts * split.low_keys + 1);
#pragma omp parallel for schedule(dynamic)
    for (EdgeId p = 0; p < split.parts; ++p) {
        // Counts, then positions; at last the ends of the groups.
        EdgeId* const next = offsets.data() + p * split.low_keys;
        each_record(p, [&](EdgeId low, EdgeId) { ++next[low]; });
        EdgeId position = part[p];
        for (EdgeId k = 0; k < split.low_keys; ++k) position += std::exchange(next[k], position);
        each_record(p, [&](EdgeId low, EdgeId id) { out[next[low]++] = id; });
    }
    std::move_backward(offsets.begin(), offsets.begin() + static_cast<std::ptrdiff_t>(keys),
                       offsets.begin() + static_cast<std::ptrdiff_t>(keys) + 1);
    offsets[0] = 0;
    offsets.resize(keys + 1);
    return offsets;
}

/// Groups the IDs id(0), …, id(size - 1) by key(i) in two passes. `Id` is the integer type of the IDs in the
/// intermediate records, which take 4 + sizeof(Id) bytes each in addition to `out`.
template <class Id, class Key, class IdAt>
std::vector<EdgeId> group_in_two_passes(EdgeId size, EdgeId keys, Key key, IdAt id, EdgeId* out) {
    struct Record {
        std::uint32_t low;
        Id id;
    };
    const KeySplit split(keys);
    Array<Record> records(size);
    const std::vector<EdgeId> part = radix_partition(
        size, split.parts, [&](EdgeId i) { return static_cast<EdgeId>(key(i)) >> split.shift; },
        [&](EdgeId i) {
            return Record{static_cast<std::uint32_t>(split.low(key(i))), static_cast<Id>(id(i))};
        },
        records.data());
    const auto each_record = [&](EdgeId p, auto f) {
        for (EdgeId i = part[p]; i < part[p + 1]; ++i) f(records[i].low, records[i].id);
    };
    return group_parts(keys, split, part, each_record, out);
}

/// Groups the IDs 0 … size - 1 by key in two passes. An intermediate record takes 4 bytes: the low digit of
/// the key, and the position of the ID in its share of the first pass. Shares are chosen so small that both
/// numbers fit into 32 bits.
template <class Key>
std::vector<EdgeId> group_positions(EdgeId size, EdgeId keys, Key key, EdgeId* out) {
    const KeySplit split(keys);
    const EdgeId share = EdgeId{1} << (32 - split.shift);
    const auto shares = static_cast<int>(
        std::max<EdgeId>((size + share - 1) / share, static_cast<EdgeId>(radix_threads(size, split.parts))));
    const auto high = [&](EdgeId i) { return static_cast<EdgeId>(key(i)) >> split.shift; };
    std::vector<std::vector<EdgeId>> ends = share_counts(size, split.parts, shares, high);
    Array<std::uint32_t> records(size);
    const std::vector<EdgeId> part = radix_scatter(
        size, ends, high,
        [&](EdgeId i) { return static_cast<std::uint32_t>(i << split.shift | split.low(key(i))); },
        records.data());
    const auto each_record = [&](EdgeId p, auto f) {
        EdgeId i = part[p];
        for (int s = 0; s < shares; ++s) {
            const EdgeId base = share_begin(size, s, shares), end = ends[static_cast<std::size_t>(s)][p];
            for (; i < end; ++i)
                f(split.low(records[i]), base + (((records[i] >> split.shift) - base) & (share - 1)));
        }
    };
    return group_parts(keys, split, part, each_record, out);
}

/// Returns whether one pass is faster than two.
inline bool one_pass_suffices(EdgeId size, EdgeId keys) { return keys <= 1024 || size < (1 << 20); }

/// Writes id(i) < ids for i = 0 … size - 1 to `out`, grouped by key(i) in [0, keys); IDs with equal keys keep
/// the order of i. Returns the keys + 1 offsets of the groups. O(size + keys) time. Up to 16 bytes per ID in
/// addition to `out`, 8 if `ids` is at most 2^32.
template <class Key, class IdAt>
std::vector<EdgeId> group_ids(EdgeId size, EdgeId keys, Key key, IdAt id, EdgeId ids, EdgeId* out) {
    if (one_pass_suffices(size, keys)) return radix_partition(size, keys, key, id, out);
    if (ids <= EdgeId{1} << 32) return group_in_two_passes<std::uint32_t>(size, keys, key, id, out);
    return group_in_two_passes<EdgeId>(size, keys, key, id, out);
}

/// Reorders the permutation `order` such that its entries are grouped by key(entry); entries with equal keys
/// keep their order. Returns the offsets of the groups.
template <class Key>
std::vector<EdgeId> group_stable(Array<EdgeId>& order, EdgeId keys, Key key) {
    Array<EdgeId> grouped(order.size());
    std::vector<EdgeId> offsets = group_ids(
        order.size(), keys, [&](EdgeId i) { return key(order[i]); }, [&](EdgeId i) { return order[i]; },
        order.size(), grouped.data());
    order.swap(grouped);
    return offsets;
}

/// Writes the edge IDs 0 … size - 1 to `order`, grouped by key(edge ID); edges with equal keys are in
/// ascending order. Returns the offsets of the groups.
template <class Key>
std::vector<EdgeId> group_edges(Array<EdgeId>& order, EdgeId size, EdgeId keys, Key key) {
    order.resize(size);
    if (one_pass_suffices(size, keys)) {
        return radix_partition(
            size, keys, key, [](EdgeId e) { return e; }, order.data());
    }
    return group_positions(size, keys, key, order.data());
}

}  // namespace lockstep
