// Maximal independent sets: no two vertices of the set are neighbours, and no vertex can be added. The result
// is the lexicographically first set for an order of the vertices: going through the vertices in this order,
// a vertex is added unless a neighbour is already in the set. This set is unique for each order and does not
// depend on the algorithm (Blelloch, Fineman, Shun, "Greedy sequential maximal independent set and matching
// are parallel on average", SPAA 2012).
#pragma once

#include "lockstep/executor/structure/round_axes.hpp"
#include "lockstep/executor/structure/trees.hpp"
#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep::structure {

/// The order of the vertices. `random` orders by a random number (Luby, SIAM J. Comput. 1986). `degree`
/// orders by increasing degree and then by the random number, which makes the set larger (Burtscher et al.,
/// "A high-quality and fast maximal independent set implementation for GPUs", ACM TOPC 2018); all degrees of
/// at least 1,023 count as equal.
enum class Priorities { random, degree };

struct Priority {
    bool by_degree = true;
    std::uint32_t seed = 1;

    /// The words of vertices that have been decided: in the set, or not. No key equals one of them.
    static constexpr std::uint32_t in = 0, out = ~std::uint32_t{0};

    /// Returns the key of a vertex. Vertices are ordered by key, and vertices with equal keys by their index.
    LOCKSTEP_HD std::uint32_t key(VertexId vertex, EdgeId degree) const {
        std::uint32_t mixed = (vertex + 1) * 2654435761U ^ seed * 2246822519U;
        mixed = (mixed ^ mixed >> 16) * 2246822519U;
        mixed = (mixed ^ mixed >> 13) * 3266489917U;
        mixed ^= mixed >> 16;
        const auto few = static_cast<std::uint32_t>(degree < 1023 ? degree : 1023);
        return by_degree ? (few << 21) + (mixed & 0x1fffffU) + 1 : mixed % (out - 1) + 1;
    }
};

/// Decides whether a vertex is in the set, if that is possible. The vertex is in if it precedes all
/// neighbours that are not out, and it is out if a neighbour is in. `words` contains the key, or the
/// decision, of each vertex. A vertex is decided only once, so a stale word can only make another vertex wait
/// longer. `at` is the index of the neighbour at which the search begins, initially 0. Returns `decided`, or
/// the index of the neighbour for which the vertex waits; the next call can begin there. Each neighbour with
/// a smaller index either follows this vertex in the order or is out, and neither changes before this vertex
/// is decided.
inline constexpr std::uint32_t decided = ~std::uint32_t{0};
template <class Graph>
LOCKSTEP_HD std::uint32_t decide(const Graph& graph, std::uint32_t* words, VertexId v, std::uint32_t at) {
    const VertexRange neighbours = graph.neighbours(v);
    const auto degree = static_cast<std::uint32_t>(neighbours.size());
    const std::uint32_t mine = peek(words + v);
    if (mine == Priority::out || mine == Priority::in) return decided;
    constexpr std::uint32_t ahead = 4;  // number of neighbours whose words are loaded together
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
    // Only neighbours that were not seen to be out are written, because otherwise many vertices would write
    // the word of a hub. If a vertex has at most four neighbours and all were seen, their words are not
    // loaded again.
    for (std::uint32_t from = 0; from < degree; from += ahead) {
        if (at > 0 || degree > ahead) look(from);
        for (std::uint32_t i = 0; i < ahead; ++i) {
            if (theirs[i] != Priority::out) put(words + ends[i], Priority::out);
        }
    }
    return decided;
}

// There are two algorithms for a GPU (`IndependentSetMethod`). The first runs rounds, in each of which a
// vertex that precedes all its undecided neighbours is added. The second has no rounds: threads examine their
// vertices repeatedly, as on a CPU.

/// Returns a runner for the CPU. The values of its Solution are 1 for vertices in the set and 0 for others.
/// The plan must outlive the runner.
Runner independent_on_cpu(const Undirected& plan, const Priority& priority, int threads);
/// Returns a runner for the GPU. `axes` apply to the algorithm with rounds. Throws Error (no_device) with the
/// required and the free number of bytes if the device has too little memory.
Runner independent_on_cuda(const Undirected& plan, const Priority& priority, IndependentSetMethod deciding,
                           const RoundAxes& axes = {});

}  // namespace lockstep::structure
