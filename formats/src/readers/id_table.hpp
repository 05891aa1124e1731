// Distinct ids, integers or strings, that several threads number as they come.
#pragma once

#define XXH_INLINE_ALL  // no library to link or to ship
#include <xxhash.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/schedules/types.hpp"
#include "parallel.hpp"

namespace lockstep::readers {

/// Integers by number. `prefix` orders as the keys do where it differs, `hash` spreads over 64 bits.
struct IntegerKeys {
    using Key = std::int64_t;
    std::vector<std::int64_t> all;

    std::size_t size() const { return all.size(); }
    Key operator[](std::size_t i) const { return all[i]; }
    void push(Key key) { all.push_back(key); }
    void clear() { all.clear(); }
    static std::size_t bytes(Key) { return 0; }
    static std::uint64_t hash(Key key) { return XXH3_64bits(&key, sizeof key); }
    static std::int64_t prefix(Key key) { return key; }
};

/// Strings by number, end to end.
struct StringKeys {
    using Key = std::string_view;
    std::string all;
    std::vector<std::uint64_t> ends;

    std::size_t size() const { return ends.size(); }
    Key operator[](std::size_t i) const {
        const std::uint64_t begin = i ? ends[i - 1] : 0;
        return {all.data() + begin, ends[i] - begin};
    }
    void push(Key key) {
        all += key;
        ends.push_back(all.size());
    }
    void clear() {
        all.clear();
        ends.clear();
    }
    static std::size_t bytes(Key key) { return key.size(); }
    static std::uint64_t hash(Key key) { return XXH3_64bits(key.data(), key.size()); }
    static std::uint64_t prefix(Key key) {
        std::uint64_t number = 0;
        for (std::size_t i = 0; i < 8; ++i)
            number = number << 8 | (i < key.size() ? static_cast<unsigned char>(key[i]) : 0U);
        return number;
    }
};

/// Hash table with open addressing: the number of each key.
template <class Keys>
class IdTable {
public:
    using Key = typename Keys::Key;
    const Keys& keys() const { return keys_; }

    /// The number of a key, and whether it is new.
    std::pair<VertexId, bool> intern(Key key, std::uint64_t hash) {
        if (2 * keys_.size() >= slots_.size()) grow();
        const auto tag = static_cast<std::uint32_t>(hash >> 32);
        std::size_t at = hash & (slots_.size() - 1);
        for (; slots_[at].number != none; at = (at + 1) & (slots_.size() - 1)) {
            if (slots_[at].tag == tag && keys_[slots_[at].number] == key) return {slots_[at].number, false};
        }
        slots_[at] = {tag, static_cast<VertexId>(keys_.size())};
        keys_.push(key);
        return {slots_[at].number, true};
    }
    /// No more keys will come: frees what only `intern` needs.
    void close() { std::vector<Slot>().swap(slots_); }

private:
    static constexpr VertexId none = max_vertices + 1;
    struct Slot {
        std::uint32_t tag;  // bits of the hash, which spare most comparisons of keys
        VertexId number;
    };

    void grow() {
        slots_.assign(slots_.empty() ? 64 : 2 * slots_.size(), {0, none});
        for (std::size_t number = 0; number < keys_.size(); ++number) {
            const std::uint64_t hash = Keys::hash(keys_[number]);
            std::size_t at = hash & (slots_.size() - 1);
            while (slots_[at].number != none) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = {static_cast<std::uint32_t>(hash >> 32), static_cast<VertexId>(number)};
        }
    }

    Keys keys_;
    std::vector<Slot> slots_;  // at most half of them used
};

/// The distinct ids of one side of a graph. `intern` may be called by several threads: which code an id
/// gets is a matter of chance, but `sort` gives the codes their vertices in the order of the ids.
template <class Keys>
class SharedIds {
public:
    using Key = typename Keys::Key;

    /// The codes of many keys.
    void intern(const Keys& keys, std::vector<VertexId>& codes);
    /// The id of a code, while nobody interns.
    Key operator[](VertexId code) const {
        return (*shards_)[code % shard_count].table.keys()[code >> shard_bits];
    }
    /// Memory that all this takes at most.
    std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

    /// The ids in their order; vertex[code] is the place of each in it.
    Keys sort(std::vector<VertexId>& vertex);

private:
    static constexpr unsigned shard_bits = 6;
    static constexpr std::size_t shard_count = std::size_t{1} << shard_bits;
    static constexpr std::size_t entry_bytes = 96;  // key, slots, growth, entry to sort, vertex, result
    struct Shard {
        std::mutex mutex;
        IdTable<Keys> table;
    };

    std::unique_ptr<std::array<Shard, shard_count>> shards_ =
        std::make_unique<std::array<Shard, shard_count>>();
    std::atomic<std::size_t> bytes_ = 0;
};

template <class Keys>
void SharedIds<Keys>::intern(const Keys& keys, std::vector<VertexId>& codes) {
    // Shard by shard: one lock for many keys, and a table at a time, which is more likely to fit a cache.
    std::vector<std::uint64_t> hashes(keys.size());
    std::vector<std::size_t> order(keys.size());
    std::array<std::size_t, shard_count + 1> begin{};
    const auto shard_of = [](std::uint64_t hash) {
        return static_cast<std::size_t>(hash >> (64 - shard_bits));
    };
    for (std::size_t i = 0; i < keys.size(); ++i) ++begin[shard_of(hashes[i] = Keys::hash(keys[i])) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    auto place = begin;
    for (std::size_t i = 0; i < keys.size(); ++i) order[place[shard_of(hashes[i])]++] = i;

    codes.resize(keys.size());
    // Threads begin at shards of their own, so as not to wait for each other at every one.
    const auto first = static_cast<std::size_t>(omp_get_thread_num()) * 29;
    for (std::size_t turn = 0; turn < shard_count; ++turn) {
        const std::size_t s = (first + turn) % shard_count;
        Shard& shard = (*shards_)[s];
        std::size_t new_bytes = 0;
        const std::lock_guard lock(shard.mutex);
        for (std::size_t at = begin[s]; at < begin[s + 1]; ++at) {
            const std::size_t i = order[at];
            const auto [number, is_new] = shard.table.intern(keys[i], hashes[i]);
            if (is_new) new_bytes += entry_bytes + 2 * Keys::bytes(keys[i]);
            codes[i] = number << shard_bits | static_cast<VertexId>(s);
        }
        bytes_.fetch_add(new_bytes, std::memory_order_relaxed);
        if (shard.table.keys().size() >= max_vertices >> shard_bits) {
            throw Error(Failure::bad_input,
                        "one side has more than " + std::to_string(max_vertices) + " distinct ids");
        }
    }
}

template <class Keys>
Keys SharedIds<Keys>::sort(std::vector<VertexId>& vertex) {
    struct Entry {
        decltype(Keys::prefix({})) prefix;
        VertexId code;
    };
    std::size_t total = 0, largest = 0;
    for (Shard& shard : *shards_) {
        shard.table.close();
        total += shard.table.keys().size();
        largest = std::max(largest, shard.table.keys().size());
    }
    std::vector<Entry> order;
    order.reserve(total);
    for (std::size_t s = 0; s < shard_count; ++s) {
        const Keys& keys = (*shards_)[s].table.keys();
        for (std::size_t i = 0; i < keys.size(); ++i)
            order.push_back({Keys::prefix(keys[i]), static_cast<VertexId>(i << shard_bits | s)});
    }
    parallel_sort(order, [&](const Entry& a, const Entry& b) {
        return a.prefix != b.prefix ? a.prefix < b.prefix : (*this)[a.code] < (*this)[b.code];
    });
    Keys sorted;
    vertex.resize(largest << shard_bits);
    for (std::size_t v = 0; v < order.size(); ++v) {
        vertex[order[v].code] = static_cast<VertexId>(v);
        sorted.push((*this)[order[v].code]);
    }
    return sorted;
}

}  // namespace lockstep::readers
