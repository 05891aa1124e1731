// A maximal independent set: vertices of which no two are neighbours, and to which none can be added. It is
// the lexicographically first one: the vertex that goes first is in, its neighbours are out, and so on; so
// there is exactly one for an order, however it is found (Blelloch, Fineman, Shun, "Greedy sequential maximal
// independent set and matching are parallel on average", SPAA 2012).
#pragma once

#include "lockstep/executor/structure/round_axes.hpp"
#include "lockstep/executor/structure/trees.hpp"
#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep::structure {

/// Who goes first: a random number decides (Luby, SIAM J. Comput. 1986), or the smaller degree, which makes
/// the set larger (Burtscher et al., "A high-quality and fast maximal independent set implementation for
/// GPUs", ACM TOPC 2018), and then the number. Degrees from 1,023 up count as one.
enum class Priorities { random, degree };

struct Priority {
    bool by_degree = true;
    std::uint32_t seed = 1;

    static constexpr std::uint32_t in = 0, out = ~std::uint32_t{0};  ///< no key is one of these

    /// Of a vertex; the smaller goes first, of equal keys the smaller vertex.
    LOCKSTEP_HD std::uint32_t key(VertexId vertex, EdgeId degree) const {
        std::uint32_t mixed = (vertex + 1) * 2654435761U ^ seed * 2246822519U;
        mixed = (mixed ^ mixed >> 16) * 2246822519U;
        mixed = (mixed ^ mixed >> 13) * 3266489917U;
        mixed ^= mixed >> 16;
        const auto few = static_cast<std::uint32_t>(degree < 1023 ? degree : 1023);
        return by_degree ? (few << 21) + (mixed & 0x1fffffU) + 1 : mixed % (out - 1) + 1;
    }
};

/// Decides a vertex, if it can: in where it goes before all neighbours that are not out, out where one is in.
/// A word is a key, or what has been decided; it is decided once, so a stale one makes the vertex wait, no
/// more. `at`: the neighbour to begin with, 0 at first. Returns the one that it waits for; `decided` where it
/// need not. A neighbour that was passed goes after this vertex, or is out: both stay true until this vertex
/// is decided.
inline constexpr std::uint32_t decided = ~std::uint32_t{0};
template <class Graph>
LOCKSTEP_HD std::uint32_t decide(const Graph& graph, std::uint32_t* words, VertexId v, std::uint32_t at) {
    const VertexRange neighbours = graph.neighbours(v);
    const auto degree = static_cast<std::uint32_t>(neighbours.size());
    const std::uint32_t mine = peek(words + v);
    if (mine == Priority::out || mine == Priority::in) return decided;
    constexpr std::uint32_t ahead = 4;  // loads of so many neighbours are under way at a time
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
    // Only where a look tells that they are not out: many would write to the word of a hub. Four that were
    // all looked at are known.
    for (std::uint32_t from = 0; from < degree; from += ahead) {
        if (at > 0 || degree > ahead) look(from);
        for (std::uint32_t i = 0; i < ahead; ++i) {
            if (theirs[i] != Priority::out) put(words + ends[i], Priority::out);
        }
    }
    return decided;
}

// Deciding is how a GPU finds it: in rounds, in which a vertex that goes before all its undecided neighbours
// is in; or at once, a thread looking at a vertex again and again, as a CPU does.

/// The values of a Solution are 1 in the set, 0 outside. The plan must live as long as the runner.
Runner independent_on_cpu(const Undirected& plan, const Priority& priority, int threads);
/// `axes` are of rounds. Throws Error (no_device) with both numbers where the device has too little memory.
Runner independent_on_cuda(const Undirected& plan, const Priority& priority, Deciding deciding,
                           const RoundAxes& axes = {});

}  // namespace lockstep::structure
