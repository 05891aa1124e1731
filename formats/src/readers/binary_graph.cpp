#include "binary_graph.hpp"

#include <fmt/format.h>

#include <bit>

#include "lockstep/formats/error.hpp"

namespace lockstep::readers {

static_assert(std::endian::native == std::endian::little, "numbers are taken as they lie in the file");

std::string_view ByteReader::peek(std::size_t size) {
    if (end_ - at_ < size) {
        std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
        begin_ += at_;
        end_ -= at_;
        at_ = 0;
        end_ += input_.read(buffer_.data() + end_, buffer_.size() - end_);
    }
    return std::string_view(buffer_).substr(at_, end_ - at_);
}

void ByteReader::require(std::size_t size, const char* what) {
    if (peek(size).size() >= size) return;
    fail(begin_ + end_, fmt::format("the file ends among the {}; get the whole file", what));
}

void ByteReader::require_end() {
    if (peek(1).empty()) return;
    refuse(position(),
           "other bytes follow where the graph should end; expected the sizes that the header declares");
}

void ByteReader::fail(std::uint64_t byte, const std::string& message) const {
    throw FormatError(input_.name(), fmt::format("byte {}: {}", byte, message));
}

void ByteReader::refuse(std::uint64_t byte, const std::string& message) const {
    fail(byte, message + "; get or make the file again, or choose another --format");
}

BinarySizes checked_sizes(const ByteReader& bytes, std::uint64_t vertices, std::uint64_t vertices_at,
                          std::uint64_t edges, std::uint64_t edges_at, const Input& input,
                          MemoryBudget& budget, bool undirected) {
    if (vertices > max_vertices)
        bytes.refuse(vertices_at, fmt::format("the number of vertices is {}; expected 0 to {}",
                                              static_cast<std::int64_t>(vertices), max_vertices));
    constexpr EdgeId most = EdgeId{1} << 48;
    if (edges > most)
        bytes.refuse(edges_at, fmt::format("the number of edges is {}; expected 0 to {}",
                                           static_cast<std::int64_t>(edges), most));
    if (vertices == 0 && edges > 0) bytes.refuse(edges_at, fmt::format("{} edges have no vertices", edges));
    if (input.size() > 0 && 8 * vertices + 4 * edges > input.size()) {
        bytes.fail(vertices_at,
                   fmt::format("{} vertices and {} edges do not fit into a file of {} bytes; get the "
                               "whole file",
                               vertices, edges, input.size()));
    }
    budget.charge((2 * MemoryBudget::vertex_bytes + sizeof(EdgeId)) * static_cast<double>(vertices));
    budget.charge(MemoryBudget::edge_bytes(undirected) * static_cast<double>(edges));
    return {static_cast<VertexId>(vertices), edges};
}

std::vector<EdgeId> read_ends(ByteReader& bytes, const BinarySizes& sizes, const Input& input) {
    std::vector<EdgeId> ends;
    // The sizes of a compressed file cannot be checked against its length, so they are not used to reserve
    // memory.
    if (input.size() > 0) ends.reserve(sizes.vertices);
    EdgeId before = 0;
    for (VertexId v = 0; v < sizes.vertices; ++v) {
        const auto end = bytes.next<EdgeId>("offsets");
        const EdgeId least = v + 1 == sizes.vertices ? sizes.edges : before;
        if (end < least || end > sizes.edges) {
            bytes.refuse(bytes.position() - sizeof end,
                         fmt::format("the edges of vertex {} end at {}; expected {} to {}", v,
                                     static_cast<std::int64_t>(end), least, sizes.edges));
        }
        ends.push_back(before = end);
    }
    return ends;
}

}  // namespace lockstep::readers
