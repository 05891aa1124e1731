// What first-fit colouring keeps of a vertex: which colours its edges have taken.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep {

inline constexpr std::uint64_t full_word = ~std::uint64_t{0};

/// Colours taken at every vertex, in words of 64.
class TakenColours {
public:
    struct Record {
        std::uint64_t word;        ///< the first word with a free colour
        EdgeId more;               ///< its `dense` later words, behind them the list
        std::uint32_t first_word;  ///< index of `word`
        std::uint32_t listed;      ///< colours in the list
        std::uint32_t dense;       ///< words 1 … dense have bits, later colours are in the list
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
            std::fill_n(&more_[record_[v].more], record_[v].dense, 0);
    }

    Record* records() { return record_.data(); }
    std::uint64_t* more() { return more_.data(); }

    /// Word w of a vertex behind its first.
    static std::uint64_t later_word(const Record& record, const std::uint64_t* more, std::uint32_t w) {
        return w <= record.dense ? more[record.more + w - 1] : listed_word(record, more, w);
    }
    static void take_later(Record& record, std::uint64_t* more, std::uint32_t w, std::uint64_t bit) {
        if (w <= record.dense) {
            more[record.more + w - 1] |= bit;
        } else {
            reinterpret_cast<VertexId*>(&more[record.more + record.dense])[record.listed++] =
                w * 64 + static_cast<VertexId>(std::countr_zero(bit));
        }
    }
    /// The first word is full: the next one that is not takes its place.
    [[gnu::noinline]] static void next_word(Record& record, const std::uint64_t* more) {
        while (record.word == full_word) record.word = later_word(record, more, ++record.first_word);
    }

private:
    static constexpr EdgeId dense_bits = 8;  ///< an edge: most colours beyond are those of hubs' last edges

    [[gnu::noinline]] static std::uint64_t listed_word(const Record& record, const std::uint64_t* more,
                                                       std::uint32_t w) {
        const auto* const list = reinterpret_cast<const VertexId*>(&more[record.more + record.dense]);
        std::uint32_t found = 0;  // rarely anything: a loop without shifts or branches is vectorised
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
