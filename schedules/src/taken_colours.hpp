// Sets of colours for first-fit edge colouring: for every vertex, the colours that its edges already have.
// The representation is compact for most vertices and still supports hubs of any degree.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep {

inline constexpr std::uint64_t full_word = ~std::uint64_t{0};

/// The set of the taken colours of every vertex. Colour c is bit c % 64 of word c / 64. A vertex stores its
/// first word with a free colour directly, the next words as bits, and larger colours in a list.
class TakenColours {
public:
    struct Record {
        std::uint64_t word;  ///< first word that has a free colour
        /// Position in more() of the vertex's `dense` words, which the list of larger colours follows.
        EdgeId more;
        std::uint32_t first_word;  ///< index of `word` in the set of the vertex
        std::uint32_t listed;      ///< number of colours that are stored in a list instead of as bits
        /// Words 1 … dense are stored as bits; the colours of later words are in the list.
        std::uint32_t dense;
    };

    explicit TakenColours(const std::vector<EdgeId>& degree) : record_(degree.size()) {
        EdgeId size = 0;
        for (std::size_t v = 0; v < degree.size(); ++v) {
            record_[v] = {0, size, 0, 0, static_cast<std::uint32_t>(degree[v] * dense_bits / 64)};
            size += record_[v].dense + (degree[v] + 1) / 2;
        }
        more_.resize(size);
#pragma omp parallel for schedule(dynamic, 4096)
        for (std::size_t v = 0; v < degree.size(); ++v)
            std::fill_n(more_.data() + record_[v].more, record_[v].dense, 0);
    }

    Record* records() { return record_.data(); }
    std::uint64_t* more() { return more_.data(); }

    /// Returns word w of the set of vertex v, for w >= records()[v].first_word.
    std::uint64_t word(VertexId v, std::uint32_t w) const {
        const Record& record = record_[v];
        return w == record.first_word ? record.word : later_word(record, more_.data(), w);
    }
    /// Adds a colour to word w of the set of vertex v, for w >= records()[v].first_word; `bit` is the bit of
    /// the colour.
    void take(VertexId v, std::uint32_t w, std::uint64_t bit) {
        Record& record = record_[v];
        if (w != record.first_word) return take_later(record, more_.data(), w, bit);
        record.word |= bit;
        next_word(record, more_.data());
    }

    /// Returns word w of the vertex with this record. w must be larger than record.first_word.
    static std::uint64_t later_word(const Record& record, const std::uint64_t* more, std::uint32_t w) {
        return w <= record.dense ? more[record.more + w - 1] : listed_word(record, more, w);
    }
    /// Adds a colour to word w, which must be larger than record.first_word; `bit` is the bit of the colour.
    static void take_later(Record& record, std::uint64_t* more, std::uint32_t w, std::uint64_t bit) {
        if (w <= record.dense) {
            more[record.more + w - 1] |= bit;
        } else {
            reinterpret_cast<VertexId*>(&more[record.more + record.dense])[record.listed++] =
                w * 64 + static_cast<VertexId>(std::countr_zero(bit));
        }
    }
    /// Replaces record.word, if it is full, by the next word that is not full.
    [[gnu::noinline]] static void next_word(Record& record, const std::uint64_t* more) {
        while (record.word == full_word) record.word = later_word(record, more, ++record.first_word);
    }

private:
    /// Number of bits per edge that are stored as words. Larger colours are rare: mostly the last edges of
    /// hubs have them.
    static constexpr EdgeId dense_bits = 8;

    [[gnu::noinline]] static std::uint64_t listed_word(const Record& record, const std::uint64_t* more,
                                                       std::uint32_t w) {
        const auto* const list = reinterpret_cast<const VertexId*>(&more[record.more + record.dense]);
        std::uint32_t found = 0;  // nonzero only rarely; a loop without shifts and branches is vectorised
        for (std::uint32_t i = 0; i < record.listed; ++i) found |= list[i] / 64 == w;
        std::uint64_t bits = 0;
        for (std::uint32_t i = 0; found && i < record.listed; ++i)
            bits |= list[i] / 64 == w ? std::uint64_t{1} << (list[i] % 64) : 0;
        return bits;
    }

    std::vector<Record> record_;
    Array<std::uint64_t> more_;
};

}  // namespace lockstep
