// Storage of edges while a file is read: arrays that grow in chunks, and a limit for the total memory.
#pragma once

#include <string>
#include <vector>

#include "lockstep/formats/dataset.hpp"

namespace lockstep::readers {

/// The memory limit of a reader. The reader adds the size of each allocation before it allocates. If the sum
/// exceeds the limit, FormatError with the required size is thrown.
class MemoryBudget {
public:
    MemoryBudget(std::string name, std::uint64_t limit) : name_(std::move(name)), limit_(limit) {}

    /// Throws FormatError if `bytes`, the total memory that the input requires, exceed the limit.
    void require(double bytes) const;
    /// Adds `bytes` to the memory in use. Throws FormatError if the sum exceeds the limit.
    void charge(double bytes) { require(taken_ += bytes); }

    double left() const { return static_cast<double>(limit_) - taken_; }

    /// Returns the peak memory in bytes per edge of the input, including the graph. An undirected edge
    /// becomes two arcs.
    static double edge_bytes(bool undirected) { return undirected ? 80 : 40; }
    /// Memory in bytes per vertex, for offsets and degrees.
    static constexpr double vertex_bytes = 16;

private:
    std::string name_;
    std::uint64_t limit_;
    double taken_ = 0;
};

/// An array that grows without copying its entries. drain() frees it while its entries are read, so that two
/// complete copies never exist.
template <class T>
class Chunks {
public:
    Chunks(MemoryBudget& budget, double bytes_each) : budget_(budget), bytes_each_(bytes_each) {}

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
    /// Calls visit(item) for all items in order, and frees each chunk after its last item.
    template <class Visit>
    void drain(Visit visit) {
        for (auto& chunk : chunks_) {
            for (auto& item : chunk) visit(item);
            std::vector<T>().swap(chunk);
        }
        chunks_.clear();
        size_ = 0;
    }
    /// Returns all items in one array, and frees the chunks.
    std::vector<T> take() {
        std::vector<T> all;
        all.reserve(size_);
        drain([&](const T& item) { all.push_back(item); });
        return all;
    }

private:
    void grow() {
        // Chunks are small at first, because most files are small. Later chunks are so large that the
        // allocator returns their memory to the operating system when they are freed.
        constexpr std::size_t first = 4096, most = std::size_t{1} << 22;
        const std::size_t capacity = chunks_.empty() ? first : std::min(most, 2 * chunks_.back().capacity());
        budget_.charge(static_cast<double>(capacity) * bytes_each_);
        chunks_.emplace_back().reserve(capacity);
    }

    MemoryBudget& budget_;
    double bytes_each_;
    std::vector<std::vector<T>> chunks_;
    std::size_t size_ = 0;
};

/// Edges of a file that declares the number of vertices in advance.
class DeclaredEdges : public Chunks<Triple> {
public:
    DeclaredEdges(MemoryBudget& budget, bool undirected)
        : Chunks(budget, MemoryBudget::edge_bytes(undirected)) {}
};

}  // namespace lockstep::readers
