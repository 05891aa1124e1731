// Adjacency arrays in binary graph files. They are read once from the front; each number is checked, and
// errors give the position of its byte.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "edges.hpp"
#include "input.hpp"

namespace lockstep::readers {

/// Reads the little-endian numbers of an input one after another.
class ByteReader {
public:
    explicit ByteReader(Input& input) : input_(input), buffer_(std::size_t{1} << 16, '\0') {}

    /// Returns the next number. Fails if the file ends first; `what` is the plural name of such numbers for
    /// the message.
    template <class T>
    T next(const char* what) {
        if (end_ - at_ < sizeof(T)) require(sizeof(T), what);
        T value;
        std::memcpy(&value, buffer_.data() + at_, sizeof value);
        at_ += sizeof value;
        return value;
    }
    /// Returns the next bytes, at most 64 KiB, without consuming them. Returns fewer than `size` bytes only
    /// at the end.
    std::string_view ahead(std::size_t size);
    /// Fails if there are more bytes.
    void require_end();

    /// Returns the position of the next byte, counted from 0.
    std::uint64_t position() const { return begin_ + at_; }
    /// Throws FormatError about the data at `byte`.
    [[noreturn]] void fail(std::uint64_t byte, const std::string& message) const;
    /// Throws FormatError about an impossible number at `byte`, and adds what the user can do.
    [[noreturn]] void refuse(std::uint64_t byte, const std::string& message) const;

private:
    void require(std::size_t size, const char* what);

    Input& input_;
    std::string buffer_;
    std::size_t at_ = 0, end_ = 0;
    std::uint64_t begin_ = 0;  // position of the start of the buffer in the file
};

/// Sizes that a header declares.
struct BinarySizes {
    VertexId vertices = 0;
    EdgeId edges = 0;
};
/// Checks the declared sizes against the range of ids and the size of a plain file, and charges the budget.
/// `edges_at` and `vertices_at` are the positions of both numbers in the file. An edge takes at least
/// 4 bytes, a vertex 8 bytes.
BinarySizes checked_sizes(const ByteReader& bytes, std::uint64_t vertices, std::uint64_t vertices_at,
                          std::uint64_t edges, std::uint64_t edges_at, const Input& input, Budget& budget,
                          bool undirected);

/// Returns the end of the edges of each vertex: monotone 64-bit offsets, the last of which is the number of
/// edges. O(vertices).
std::vector<EdgeId> read_ends(ByteReader& bytes, const BinarySizes& sizes, const Input& input);

/// Calls `visit(v, e)` for each edge e of each vertex v, in order.
template <class Visit>
void for_each_edge(const std::vector<EdgeId>& ends, Visit visit) {
    EdgeId e = 0;
    for (std::size_t v = 0; v < ends.size(); ++v) {
        for (; e < ends[v]; ++e) visit(static_cast<VertexId>(v), e);
    }
}

/// Reads the next number as a vertex. Fails if there is no vertex with this number.
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
