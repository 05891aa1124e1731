// Tables of the distinct IDs of a file, integers or strings. Several threads add IDs concurrently, and each
// new ID gets a number.
#pragma once

// Compiles the functions into this header, so that no library must be linked or shipped.
#define XXH_INLINE_ALL
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

/// A list of integer keys, indexed by number. `hash` of a key is uniformly distributed over 64 bits. `prefix`
/// of a key is a number for sorting: if the prefixes of two keys differ, they have the order of the keys.
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

/// A list of string keys, indexed by number and stored in one string, with the same functions as IntegerKeys.
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

/// A hash table with open addressing that gives a number to each distinct key, in the order of their first
/// occurrence.
template <class Keys>
class IdTable {
public:
    using Key = typename Keys::Key;
    const Keys& keys() const { return keys_; }

    /// Returns the number of a key, and whether the key is new. `hash` must be Keys::hash(key).
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
    /// Frees the memory that only intern() needs. It is called after the last key was added.
    void close() { std::vector<Slot>().swap(slots_); }

private:
    static constexpr VertexId none = max_vertices + 1;
    struct Slot {
        std::uint32_t tag;  // upper 32 bits of the hash; a different tag saves the comparison of the keys
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
    std::vector<Slot> slots_;  // at most half of the slots are used
};

/// The distinct IDs of one side of a graph. Threads add IDs concurrently, and each ID gets a code, which
/// depends on the timing of the threads. At the end, sort() maps the codes to vertices in the order of the
/// IDs, which does not depend on timing.
template <class Keys>
class SharedIds {
public:
    using Key = typename Keys::Key;

    /// Determines the codes of all `keys`, and adds the keys that are new. Several threads may call it
    /// concurrently.
    void intern(const Keys& keys, std::vector<VertexId>& codes);
    /// Returns the ID with the given code. No thread may call intern() at the same time.
    Key operator[](VertexId code) const {
        return (*shards_)[code % shard_count].table.keys()[code >> shard_bits];
    }
    /// Returns an upper bound of the memory in use, in bytes.
    std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

    /// Returns the IDs in ascending order. Sets vertex[code] to the index of the ID with this code.
    Keys sort(std::vector<VertexId>& vertex);

private:
    static constexpr unsigned shard_bits = 6;
    static constexpr std::size_t shard_count = std::size_t{1} << shard_bits;
    // Bytes per ID: key, slots, growth, sort entry, vertex, result.
    static constexpr std::size_t entry_bytes = 96;
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
    // The keys are grouped by shard first. Then one lock serves many keys, and the table of a single shard is
    // more likely to fit in a cache.
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
    // Threads start at different shards, so that they rarely wait for the same lock.
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
