// A maximal independent set: no two of its vertices are neighbours, and no vertex can be added. It is the
// lexicographically first set of an order of the vertices: the first vertex is in, its neighbours are out,
// and so on. So there is exactly one set per order, whichever algorithm finds it (Blelloch, Fineman, Shun,
// "Greedy sequential maximal independent set and matching are parallel on average", SPAA 2012).
#pragma once

#include "lockstep/executor/structure/round_axes.hpp"
#include "lockstep/executor/structure/trees.hpp"
#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep::structure {

/// The order of the vertices: by a random number (Luby, SIAM J. Comput. 1986), or by increasing degree, which
/// makes the set larger (Burtscher et al., "A high-quality and fast maximal independent set implementation
/// for GPUs", ACM TOPC 2018), and then by the random number. All degrees of at least 1,023 count as equal.
enum class Priorities { random, degree };

struct Priority {
    bool by_degree = true;
    std::uint32_t seed = 1;

    /// Words of decided vertices; no key equals one of them
    static constexpr std::uint32_t in = 0, out = ~std::uint32_t{0};

    /// Returns the key of a vertex. Vertices are ordered by key; vertices of equal keys by their index.
    LOCKSTEP_HD std::uint32_t key(VertexId vertex, EdgeId degree) const {
        std::uint32_t mixed = (vertex + 1) * 2654435761U ^ seed * 2246822519U;
        mixed = (mixed ^ mixed >> 16) * 2246822519U;
        mixed = (mixed ^ mixed >> 13) * 3266489917U;
        mixed ^= mixed >> 16;
        const auto few = static_cast<std::uint32_t>(degree < 1023 ? degree : 1023);
        return by_degree ? (few << 21) + (mixed & 0x1fffffU) + 1 : mixed % (out - 1) + 1;
    }
};

/// Decides a vertex if possible. It is in if it precedes all neighbours that are not out, and out if a
/// neighbour is in. `words` has the key or the decision of each vertex. A vertex is decided only once, so
/// that a stale word only makes another vertex wait. `at` is the index of the neighbour to begin with, 0 at
/// first. Returns the index of the neighbour for which the vertex waits, or `decided`. Each neighbour before
/// it either follows this vertex or is out, which both remain true until this vertex is decided.
inline constexpr std::uint32_t decided = ~std::uint32_t{0};
template <class Graph>
LOCKSTEP_HD std::uint32_t decide(const Graph& graph, std::uint32_t* words, VertexId v, std::uint32_t at) {
    const VertexRange neighbours = graph.neighbours(v);
    const auto degree = static_cast<std::uint32_t>(neighbours.size());
    const std::uint32_t mine = peek(words + v);
    if (mine == Priority::out || mine == Priority::in) return decided;
    constexpr std::uint32_t ahead = 4;  // number of neighbours whose words are loaded at a time
    VertexId ends[ahead]{};
    std::uint32_t theirs[ahead]{};
    const auto look = [&](std::uint32_t from) {
        for (std::uint32_t i = 0; i < ahead; ++i) ends[i] = from + i < degree ? neighbours[from + i] : v;
        for (std::uint32_t i = 0; i < ahead; ++i)
            theirs[i] = from + i < degree ? peek(words + ends[i]) : Priority::out;
    };
    for (std::uint32_t from = at; from < degree; from += ahead) {
        look(from);
        for (std::uint32_t i = 0; i < ahead; ++i) {
            if (theirs[i] != Priority::in) continue;
            put(words + v, Priority::out);
            return decided;
        }
        for (std::uint32_t i = 0; i < ahead; ++i) {
            if (theirs[i] < mine || (theirs[i] == mine && graph.vertex(ends[i]) < graph.vertex(v)))
                return from + i;
        }
    }
    put(words + v, Priority::in);
    // Writes only to neighbours that were not seen to be out, because many vertices would write to the word
    // of a hub. If all neighbours, at most four, were seen, their words need not be loaded again.
    for (std::uint32_t from = 0; from < degree; from += ahead) {
        if (at > 0 || degree > ahead) look(from);
        for (std::uint32_t i = 0; i < ahead; ++i) {
            if (theirs[i] != Priority::out) put(words + ends[i], Priority::out);
        }
    }
    return decided;
}

// The algorithms of a GPU, `Deciding`: rounds, in which a vertex that precedes all its undecided neighbours
// is in; or no rounds, and threads look at their vertices repeatedly, as on a CPU.

/// Builds a runner. The values of its Solution are 1 in the set and 0 outside. The plan must live as long as
/// the runner.
Runner independent_on_cpu(const Undirected& plan, const Priority& priority, int threads);
/// Builds a runner for the GPU; `axes` apply to rounds. Throws Error (no_device), with the needed and the
/// free bytes, if the device has too little memory.
Runner independent_on_cuda(const Undirected& plan, const Priority& priority, Deciding deciding,
                           const RoundAxes& axes = {});

}  // namespace lockstep::structure
