// Reading of binary graph files (Galois, GAP): a ByteReader for their numbers, and the adjacency arrays that
// both formats have. A file is read once, from the beginning. Every number is checked, and error messages
// contain the position of the faulty byte.
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

    /// Returns the next number. Throws FormatError if the file ends before it; `what` is the plural name of
    /// these numbers for the message, such as "offsets".
    template <class T>
    T next(const char* what) {
        if (end_ - at_ < sizeof(T)) require(sizeof(T), what);
        T value;
        std::memcpy(&value, buffer_.data() + at_, sizeof value);
        at_ += sizeof value;
        return value;
    }
    /// Returns at least `size` of the next bytes without consuming them (at most 64 KiB). Returns fewer only
    /// at the end of the file.
    std::string_view peek(std::size_t size);
    /// Throws FormatError if the file has more bytes.
    void require_end();

    /// Returns the position of the next byte in the file; the first byte has position 0.
    std::uint64_t position() const { return begin_ + at_; }
    /// Throws FormatError with the position `byte` and the message.
    [[noreturn]] void fail(std::uint64_t byte, const std::string& message) const;
    /// Throws FormatError with the position `byte` of an impossible number, the message, and advice for the
    /// user.
    [[noreturn]] void refuse(std::uint64_t byte, const std::string& message) const;

private:
    void require(std::size_t size, const char* what);

    Input& input_;
    std::string buffer_;
    std::size_t at_ = 0, end_ = 0;
    std::uint64_t begin_ = 0;  // position of the buffer's first byte in the file
};

/// The sizes that the header of a file declares.
struct BinarySizes {
    VertexId vertices = 0;
    EdgeId edges = 0;
};
/// Returns the declared sizes if they are possible: in the range of vertex IDs and, if the file is not
/// compressed, small enough for its length (at least 4 bytes per edge and 8 bytes per vertex). Otherwise
/// throws FormatError. `edges_at` and `vertices_at` are the positions of the two numbers in the file. Adds
/// the memory for the graph to the budget.
BinarySizes checked_sizes(const ByteReader& bytes, std::uint64_t vertices, std::uint64_t vertices_at,
                          std::uint64_t edges, std::uint64_t edges_at, const Input& input,
                          MemoryBudget& budget, bool undirected);

/// Reads the end of the edges of each vertex: ascending 64-bit offsets, the last of which is the number of
/// edges. Throws FormatError for other offsets. O(vertices).
std::vector<EdgeId> read_ends(ByteReader& bytes, const BinarySizes& sizes, const Input& input);

/// Calls visit(v, e) for each edge e of each vertex v, in order. `ends` is the result of read_ends().
template <class Visit>
void for_each_edge(const std::vector<EdgeId>& ends, Visit visit) {
    EdgeId e = 0;
    for (std::size_t v = 0; v < ends.size(); ++v) {
        for (; e < ends[v]; ++e) visit(static_cast<VertexId>(v), e);
    }
}

/// Reads the next number as a vertex. Throws FormatError if it is not below `vertices`.
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
