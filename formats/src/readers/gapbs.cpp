// Reader of the serialized graphs of the GAP benchmark suite (github.com/sbeamer/gapbs, reader.h and
// graph.h). Numbers are little-endian. A file contains one byte (1 for a directed graph), the numbers of arcs
// and of vertices (int64), vertices + 1 offsets (int64), and the targets of the arcs (int32), each followed
// by an int32 weight in .wsg files. If the graph is directed, offsets and sources of the incoming arcs
// follow. An undirected graph contains both arcs of every edge.
#include <fmt/format.h>

#include <bit>

#include "binary_graph.hpp"
#include "readers.hpp"
#include "words.hpp"

namespace lockstep::readers {
namespace {

/// A hash of a set of arcs that does not depend on their order. It is used to compare two lists of arcs.
class ArcSet {
public:
    void add(VertexId source, VertexId target, float weight) {
        sum_ +=
            mix_bits(mix_bits(std::uint64_t{source} << 32 | target) + std::bit_cast<std::uint32_t>(weight));
    }
    bool operator==(const ArcSet&) const = default;

private:
    static std::uint64_t mix_bits(
        std::uint64_t x) {  // the last step of the random number generator SplitMix64
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
        return x ^ (x >> 31);
    }
    std::uint64_t sum_ = 0;
};

class Reader {
public:
    Reader(const Job& job, bool weighted) : job_(job), bytes_(job.input), weighted_(weighted) {}

    ParsedFile read() {
        const auto directed = bytes_.next<std::uint8_t>("sizes of the header");
        if (directed > 1)
            bytes_.refuse(
                0, fmt::format(
                       "found {}, expected 1 (directed) or 0 (undirected) of a serialized graph of gapbs",
                       directed));
        const auto edges = bytes_.next<std::uint64_t>("sizes of the header");
        const auto vertices = bytes_.next<std::uint64_t>("sizes of the header");
        sizes_ = checked_sizes(bytes_, vertices, 9, edges, 1, job_.input, job_.budget,
                               directed == 1 && job_.options.undirected);
        ParsedFile parsed;
        parsed.shape = GraphShape::square;
        parsed.undirected = parsed.both_arcs = directed == 0;
        parsed.weighted = weighted_;
        parsed.row_ids = parsed.col_ids = RangeIds{0, sizes_.vertices};
        parsed.lines = sizes_.edges;
        parsed.edges = directed == 1 ? read_directed() : read_undirected();
        bytes_.require_end();
        return parsed;
    }

private:
    template <class Visit>
    void read_arcs(Visit visit) {
        if (const auto first = bytes_.next<std::uint64_t>("offsets"); first != 0)
            bytes_.refuse(bytes_.position() - 8, fmt::format("the first offset is {}; expected 0",
                                                             static_cast<std::int64_t>(first)));
        for_each_edge(read_ends(bytes_, sizes_, job_.input), [&](VertexId v, EdgeId) {
            const auto u = next_vertex<std::int32_t>(bytes_, sizes_.vertices);
            const float weight = weighted_ ? static_cast<float>(bytes_.next<std::int32_t>("weights")) : 1;
            if (const char* fault = weight_fault(weight, job_.options.min_weight()))
                bytes_.refuse(bytes_.position() - 4, fmt::format("the weight {} {}", weight, fault));
            visit(v, u, weight);
        });
    }
    std::vector<Triple> read_directed() {
        std::vector<Triple> edges;
        if (job_.input.size() > 0) edges.reserve(sizes_.edges);
        ArcSet out, in;
        read_arcs([&](VertexId v, VertexId u, float weight) {
            edges.push_back({v, u, weight});
            out.add(v, u, weight);
        });
        const std::uint64_t behind = bytes_.position();
        read_arcs([&](VertexId v, VertexId u, float weight) { in.add(u, v, weight); });
        if (in != out)
            bytes_.refuse(behind, "the incoming arcs of the vertices differ from their outgoing arcs");
        return edges;
    }
    std::vector<Triple> read_undirected() {
        std::vector<Triple> edges;
        if (job_.input.size() > 0) edges.reserve(sizes_.edges);
        ArcSet up, down;
        read_arcs([&](VertexId v, VertexId u, float weight) {
            edges.push_back({v, u, weight});
            if (v < u) up.add(v, u, weight);
            if (v > u) down.add(u, v, weight);
        });
        if (up != down)
            bytes_.fail(0,
                        "the file declares an undirected graph, but some arcs have no reverse arc of the "
                        "same weight; the file is damaged, or the two arcs of an edge had different weights: "
                        "make the file with converter -s");
        return edges;
    }

    const Job& job_;
    ByteReader bytes_;
    bool weighted_;
    BinarySizes sizes_;
};

}  // namespace

ParsedFile read_gapbs_sg(const Job& job) { return Reader(job, false).read(); }
ParsedFile read_gapbs_wsg(const Job& job) { return Reader(job, true).read(); }

}  // namespace lockstep::readers
