// Reader of the binary graphs of Galois (github.com/IntelligentSoftwareSystems/Galois, FileGraph.cpp).
// Numbers are little-endian and have 64 bits, except for the targets in version 1 and the edge data. A file
// contains:
// - version (1 or 2), bytes of data per edge, number of vertices, number of edges
// - for each vertex, the end of its edges in the list of targets
// - the targets of all edges, with 32 bits in version 1 and 64 bits in version 2
// - padding of the size of one target, if the number of edges is odd
// - the data of the edges
// Files of version 2, and files without edge data, may lack the padding.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "binary_graph.hpp"
#include "readers.hpp"
#include "words.hpp"

namespace lockstep::readers {
namespace {

struct Header {
    std::uint64_t version, data_bytes;
    BinarySizes sizes;
};

Header read_header(const Job& job, ByteReader& bytes) {
    constexpr const char* what = "sizes of the header";
    Header header{};
    header.version = bytes.next<std::uint64_t>(what);
    if (header.version != 1 && header.version != 2)
        bytes.refuse(0, fmt::format("the version is {}; expected 1 or 2 of a binary graph of Galois",
                                    static_cast<std::int64_t>(header.version)));
    header.data_bytes = bytes.next<std::uint64_t>(what);
    if (header.data_bytes != 0 && header.data_bytes != 4 && header.data_bytes != 8)
        bytes.refuse(8, fmt::format("an edge has {} bytes of data; expected 0, 4 or 8",
                                    static_cast<std::int64_t>(header.data_bytes)));
    const auto vertices = bytes.next<std::uint64_t>(what), edges = bytes.next<std::uint64_t>(what);
    header.sizes =
        checked_sizes(bytes, vertices, 16, edges, 24, job.input, job.budget, job.options.undirected);
    return header;
}

/// Returns whether edge data are floating-point numbers: if so, most of those that are not zero have a
/// magnitude from 1e-9 to 1e15. An integer below 8 * 10^8 (with 64 bits: 4 * 10^18) never has such a
/// magnitude if its bits are read as a floating-point number, and of random bits, less than a third do.
template <class Real>
bool are_real(std::string_view bytes) {
    std::size_t usual = 0, others = 0;
    for (std::size_t at = 0; at + sizeof(Real) <= bytes.size(); at += sizeof(Real)) {
        Real number;
        std::memcpy(&number, bytes.data() + at, sizeof number);
        const double size = std::abs(static_cast<double>(number));
        if (size == 0) continue;
        ++(size > 1e-9 && size < 1e15 ? usual : others);
    }
    return usual > others;
}

/// Reads the data of the edges, which have type T in the file. Whether there is padding is known only at the
/// end; if so, the data begin 8 bytes later.
template <class T>
void read_weights(const Job& job, ByteReader& bytes, bool may_be_padded, std::vector<Triple>& edges) {
    const std::uint64_t begin = bytes.position();
    std::vector<T> values;
    const auto read = [&](std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) values.push_back(bytes.next<T>("data of the edges"));
    };
    read(edges.size());
    if (may_be_padded && !bytes.peek(1).empty()) read(8 / sizeof(T));
    const std::size_t padding = values.size() - edges.size();
    for (std::size_t e = 0; e < edges.size(); ++e) {
        edges[e].value = static_cast<float>(values[padding + e]);
        if (const char* fault = weight_fault(edges[e].value, job.options.min_weight()))
            bytes.refuse(begin + (padding + e) * sizeof(T),
                         fmt::format("the weight {} {}", edges[e].value, fault));
    }
}

}  // namespace

ParsedFile read_galois(const Job& job) {
    ByteReader bytes(job.input);
    const auto [version, data_bytes, sizes] = read_header(job, bytes);
    const std::vector<EdgeId> ends = read_ends(bytes, sizes, job.input);
    ParsedFile parsed = square_graph({}, {0, sizes.vertices}, sizes.edges);
    std::vector<Triple>& edges = parsed.edges;
    if (job.input.size() > 0) edges.reserve(sizes.edges);
    const VertexId vertices = sizes.vertices;
    if (version == 1)
        for_each_edge(ends, [&](VertexId v, EdgeId) {
            edges.push_back({v, next_vertex<std::uint32_t>(bytes, vertices), 1});
        });
    else
        for_each_edge(ends, [&](VertexId v, EdgeId) {
            edges.push_back({v, next_vertex<std::uint64_t>(bytes, vertices), 1});
        });
    const bool odd = sizes.edges % 2 == 1;
    if (data_bytes == 0) {
        if (odd && !bytes.peek(1).empty())
            version == 1 ? void(bytes.next<std::uint32_t>("padding"))
                         : void(bytes.next<std::uint64_t>("padding"));
    } else {
        if (odd && version == 1) bytes.next<std::uint32_t>("padding");
        const bool padded = odd && version == 2;
        const std::string_view head =
            bytes.peek(std::size_t{1} << 16).substr(0, data_bytes * sizes.edges + (padded ? 8 : 0));
        const bool real = data_bytes == 4 ? are_real<float>(head) : are_real<double>(head);
        if (data_bytes == 4)
            real ? read_weights<float>(job, bytes, padded, edges)
                 : read_weights<std::int32_t>(job, bytes, padded, edges);
        else
            real ? read_weights<double>(job, bytes, padded, edges)
                 : read_weights<std::int64_t>(job, bytes, padded, edges);
        parsed.weighted = true;
        parsed.note = fmt::format("the {} bytes of data of an edge are read as {}", data_bytes,
                                  real ? "a floating-point number" : "a whole number");
    }
    bytes.require_end();
    return parsed;
}

}  // namespace lockstep::readers
