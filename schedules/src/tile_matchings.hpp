// Division of the edges of a tile into steps that are matchings, by first-fit colouring.
#pragma once

#include <bit>
#include <numeric>
#include <span>

#include "regions.hpp"

namespace lockstep {

/// Divides tiles into matchings. Several objects may process tiles concurrently if these share no vertex.
class TileMatchings {
public:
    TileMatchings(const EdgeEnds& ends, std::vector<std::uint32_t>& taken) : ends_(ends), taken_(taken) {}

    /// Sorts the edges of a tile by matching; the edges of a matching keep their order. Appends the sizes of
    /// the matchings to `sizes`.
    void sort(std::span<EdgeId> edges, std::vector<EdgeId>& sizes) {
        step_.resize(edges.size());
        size_.clear();
        todo_.resize(edges.size());
        std::iota(todo_.begin(), todo_.end(), EdgeId{0});
        for (std::size_t first = 0; !todo_.empty(); first += at_once) {
            for (const EdgeId e : edges) taken_[ends_.row[e]] = taken_[ends_.col[e]] = here;
            deferred_.clear();
            for (const EdgeId i : todo_) {
                std::uint32_t &row = taken_[ends_.row[edges[i]]], &col = taken_[ends_.col[edges[i]]];
                const auto free = static_cast<std::size_t>(std::countr_one(row | col));
                if (free >= at_once) {
                    deferred_.push_back(i);
                    continue;
                }
                row |= 1U << free, col |= 1U << free;
                step_[i] = first + free;
                if (step_[i] >= size_.size()) size_.resize(step_[i] + 1, 0);
                ++size_[step_[i]];
            }
            todo_.swap(deferred_);
        }
        sizes.insert(sizes.end(), size_.begin(), size_.end());
        std::exclusive_scan(size_.begin(), size_.end(), size_.begin(), EdgeId{0});
        sorted_.resize(edges.size());
        for (std::size_t i = 0; i < edges.size(); ++i) sorted_[size_[step_[i]]++] = edges[i];
        std::copy(sorted_.begin(), sorted_.end(), edges.begin());
    }

private:
    static constexpr std::size_t at_once = 31;
    static constexpr std::uint32_t here = 1U << at_once;

    const EdgeEnds& ends_;
    // Vertex -> bits: bit s is set if the vertex has an edge in step s, and bit 31 (`here`) if it is in a
    // tile.
    std::vector<std::uint32_t>& taken_;
    std::vector<std::size_t> step_;
    std::vector<EdgeId> size_, todo_, deferred_, sorted_;
};

}  // namespace lockstep
