// Adjacency arrays in binary graph files: read once from the front, each number checked, with the byte where
// it lies.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "edges.hpp"
#include "input.hpp"

namespace lockstep::readers {

/// The little-endian numbers of an input one after another.
class ByteReader {
public:
    explicit ByteReader(Input& input) : input_(input), buffer_(std::size_t{1} << 16, '\0') {}

    /// The next number; fails where the file ends first. `what` it is, in the plural.
    template <class T>
    T next(const char* what) {
        if (end_ - at_ < sizeof(T)) require(sizeof(T), what);
        T value;
        std::memcpy(&value, buffer_.data() + at_, sizeof value);
        at_ += sizeof value;
        return value;
    }
    /// The bytes that come next, at most 64 KiB; they are not consumed. Fewer than `size` only at the end.
    std::string_view ahead(std::size_t size);
    /// Fails where bytes are left.
    void require_end();

    /// Of the next byte, from 0.
    std::uint64_t position() const { return begin_ + at_; }
    /// Throws FormatError about what lies at `byte`.
    [[noreturn]] void fail(std::uint64_t byte, const std::string& message) const;
    /// The same about a number that cannot be; adds what to do.
    [[noreturn]] void refuse(std::uint64_t byte, const std::string& message) const;

private:
    void require(std::size_t size, const char* what);

    Input& input_;
    std::string buffer_;
    std::size_t at_ = 0, end_ = 0;
    std::uint64_t begin_ = 0;  // of the buffer, in the file
};

/// Sizes as a header declares them.
struct BinarySizes {
    VertexId vertices = 0;
    EdgeId edges = 0;
};
/// Checks them against what ids can name and a plain file can hold, and charges the budget; `edges_at` and
/// `vertices_at` are their bytes. An edge takes 4 bytes or more, a vertex 8.
BinarySizes checked_sizes(const ByteReader& bytes, std::uint64_t vertices, std::uint64_t vertices_at,
                          std::uint64_t edges, std::uint64_t edges_at, const Input& input, Budget& budget,
                          bool undirected);

/// Where the edges of each vertex end: 64-bit offsets, monotone, the last one the number of edges.
/// O(vertices).
std::vector<EdgeId> read_ends(ByteReader& bytes, const BinarySizes& sizes, const Input& input);

/// `visit(v, e)` for each edge e of each vertex v in turn.
template <class Visit>
void for_each_edge(const std::vector<EdgeId>& ends, Visit visit) {
    EdgeId e = 0;
    for (std::size_t v = 0; v < ends.size(); ++v) {
        for (; e < ends[v]; ++e) visit(static_cast<VertexId>(v), e);
    }
}

/// The next number as a vertex; fails where there is none of this number.
template <class T>
VertexId next_vertex(ByteReader& bytes, VertexId vertices) {
    const T id = bytes.next<T>("neighbours");
    const auto vertex = static_cast<std::uint64_t>(id);
    if (vertex >= vertices) {
        bytes.refuse(bytes.position() - sizeof(T), "the neighbour is " + std::to_string(id) +
                                                       "; expected 0 to " +
                                                       std::to_string(std::uint64_t{vertices} - 1));
    }
    return static_cast<VertexId>(vertex);
}

}  // namespace lockstep::readers
