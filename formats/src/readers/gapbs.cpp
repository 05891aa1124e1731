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

/// Calls visit(v, u, weight) for the arcs in one list of the file, where v is the vertex that lists them.
template <class Visit>
void read_arcs(const Job& job, ByteReader& bytes, const BinarySizes& sizes, bool weighted, Visit visit) {
    if (const auto first = bytes.next<std::uint64_t>("offsets"); first != 0)
        bytes.refuse(bytes.position() - 8,
                     fmt::format("the first offset is {}; expected 0", static_cast<std::int64_t>(first)));
    for_each_edge(read_ends(bytes, sizes, job.input), [&](VertexId v, EdgeId) {
        const auto u = next_vertex<std::int32_t>(bytes, sizes.vertices);
        const float weight = weighted ? static_cast<float>(bytes.next<std::int32_t>("weights")) : 1;
        if (const char* fault = weight_fault(weight, job.options.min_weight()))
            bytes.refuse(bytes.position() - 4, fmt::format("the weight {} {}", weight, fault));
        visit(v, u, weight);
    });
}

ParsedFile read_gapbs(const Job& job, bool weighted) {
    ByteReader bytes(job.input);
    const auto flag = bytes.next<std::uint8_t>("sizes of the header");
    const bool directed = flag == 1;
    if (flag > 1)
        bytes.refuse(
            0, fmt::format("found {}, expected 1 (directed) or 0 (undirected) of a serialized graph of gapbs",
                           flag));
    const auto arcs = bytes.next<std::uint64_t>("sizes of the header");
    const auto vertices = bytes.next<std::uint64_t>("sizes of the header");
    const BinarySizes sizes =
        checked_sizes(bytes, vertices, 9, arcs, 1, job.input, job.budget, directed && job.options.undirected);
    ParsedFile parsed = square_graph({}, {0, sizes.vertices}, sizes.edges);
    parsed.undirected = parsed.both_arcs = !directed;
    parsed.weighted = weighted;

    // The arcs are compared with the incoming arcs that follow (directed), or with their reverse arcs
    // (undirected).
    if (job.input.size() > 0) parsed.edges.reserve(sizes.edges);
    ArcSet up, down;
    read_arcs(job, bytes, sizes, weighted, [&](VertexId v, VertexId u, float weight) {
        parsed.edges.push_back({v, u, weight});
        if (directed || v < u) up.add(v, u, weight);
        if (!directed && v > u) down.add(u, v, weight);
    });
    const std::uint64_t behind = bytes.position();
    if (directed)
        read_arcs(job, bytes, sizes, weighted,
                  [&](VertexId v, VertexId u, float weight) { down.add(u, v, weight); });
    if (up != down && directed)
        bytes.refuse(behind, "the incoming arcs of the vertices differ from their outgoing arcs");
    if (up != down)
        bytes.fail(0,
                   "the file declares an undirected graph, but some arcs have no reverse arc of the same "
                   "weight; the file is damaged, or the two arcs of an edge had different weights: make the "
                   "file with converter -s");
    bytes.require_end();
    return parsed;
}

}  // namespace

ParsedFile read_gapbs_sg(const Job& job) { return read_gapbs(job, false); }
ParsedFile read_gapbs_wsg(const Job& job) { return read_gapbs(job, true); }

}  // namespace lockstep::readers
