// Storage of edges while a file is read, and a limit for the total memory.
#pragma once

#include <algorithm>
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

/// The edges of a file, which are collected within the memory budget.
class EdgeList {
public:
    EdgeList(MemoryBudget& budget, bool undirected)
        : budget_(budget), edge_bytes_(MemoryBudget::edge_bytes(undirected)) {}

    /// Reserves memory for the number of edges that a file declares, at most as many as fit in a file of
    /// `bytes` bytes. If `bytes` is 0, the size of the file is not known, and no memory is reserved.
    void expect(EdgeId edges, std::uint64_t bytes) {
        constexpr std::uint64_t edge_text_bytes = 4;  // size of the shortest line, such as "1 2"
        edges_.reserve(std::min(edges, bytes / edge_text_bytes));
    }
    void push(const Triple& edge) {
        if (edges_.size() == charged_) charge_more();
        edges_.push_back(edge);
    }
    std::size_t size() const { return edges_.size(); }
    std::vector<Triple> take() { return std::move(edges_); }

private:
    /// Charges the budget for more edges: a few at first, because most files are small.
    void charge_more() {
        constexpr std::size_t first = 4096, most = std::size_t{1} << 22;
        step_ = charged_ == 0 ? first : std::min(most, 2 * step_);
        budget_.charge(static_cast<double>(step_) * edge_bytes_);
        charged_ += step_;
    }

    MemoryBudget& budget_;
    double edge_bytes_;
    std::vector<Triple> edges_;
    std::size_t charged_ = 0, step_ = 0;  // number of edges that the budget contains
};

}  // namespace lockstep::readers
