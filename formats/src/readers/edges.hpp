// Edges while they are read: chunked storage under a memory limit.
#pragma once

#include <string>
#include <vector>

#include "lockstep/formats/dataset.hpp"

namespace lockstep::readers {

/// What reading may allocate. Charged before memory is taken; throws FormatError with the number.
class Budget {
public:
    Budget(std::string name, std::uint64_t limit) : name_(std::move(name)), limit_(limit) {}

    /// Throws when the input will need `bytes` in all.
    void require(double bytes) const;
    /// Counts `bytes` more as taken.
    void charge(double bytes) { require(taken_ += bytes); }

    double left() const { return static_cast<double>(limit_) - taken_; }

    /// Bytes an edge (both arcs of an undirected one) costs at the worst moment, the graph included.
    static double edge_bytes(bool undirected) { return undirected ? 80 : 40; }
    /// Bytes a vertex costs: offsets and degrees.
    static constexpr double vertex_bytes = 16;

private:
    std::string name_;
    std::uint64_t limit_;
    double taken_ = 0;
};

/// An array that grows without ever being copied, and that `drain` frees as it is read: at no time
/// are two full copies in memory.
template <class T>
class Chunks {
public:
    Chunks(Budget& budget, double bytes_each) : budget_(budget), bytes_each_(bytes_each) {}

    void push(const T& item) {
        if (chunks_.empty() || chunks_.back().size() == chunks_.back().capacity()) grow();
        chunks_.back().push_back(item);
        ++size_;
    }
    std::size_t size() const { return size_; }

    template <class Visit>
    void for_each(Visit visit) {
        for (auto& chunk : chunks_) {
            for (auto& item : chunk) visit(item);
        }
    }
    /// for_each that leaves nothing behind.
    template <class Visit>
    void drain(Visit visit) {
        for (auto& chunk : chunks_) {
            for (auto& item : chunk) visit(item);
            std::vector<T>().swap(chunk);
        }
        chunks_.clear();
        size_ = 0;
    }
    /// All items in one array, the chunks freed.
    std::vector<T> take() {
        std::vector<T> all;
        all.reserve(size_);
        drain([&](const T& item) { all.push_back(item); });
        return all;
    }

private:
    void grow() {
        // Small at first for small files; large enough in the end to be given back when freed.
        constexpr std::size_t first = 4096, most = std::size_t{1} << 22;
        const std::size_t capacity = chunks_.empty() ? first : std::min(most, 2 * chunks_.back().capacity());
        budget_.charge(static_cast<double>(capacity) * bytes_each_);
        chunks_.emplace_back().reserve(capacity);
    }

    Budget& budget_;
    double bytes_each_;
    std::vector<std::vector<T>> chunks_;
    std::size_t size_ = 0;
};

/// Edges between vertices of declared sizes.
class DeclaredEdges : public Chunks<Triple> {
public:
    DeclaredEdges(Budget& budget, bool undirected) : Chunks(budget, Budget::edge_bytes(undirected)) {}
};

}  // namespace lockstep::readers
