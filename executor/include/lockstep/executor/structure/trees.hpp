// Disjoint sets, stored as trees that many threads can join concurrently, on CPU and GPU. Each vertex has a
// parent; a root is its own parent.
//
// A root remains a root until a compare-and-swap gives it a parent, which is a smaller vertex. A parent is
// thus always smaller than its child, so there are no cycles, and the root of a tree is its smallest vertex.
// Whatever the order of the joins, the final trees are the connected components of the joined pairs.
// Shortening a path replaces a parent by one of its ancestors, and an ancestor always remains an ancestor. A
// stale parent is therefore also an ancestor and does no harm (Jaiganesh and Burtscher, "A high-performance
// connected components implementation for GPUs", HPDC 2018).
#pragma once

#include "lockstep/executor/device/atomics.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep::structure {

inline constexpr VertexId no_vertex = ~VertexId{0};

/// Returns the root of the tree that contains v, and halves the path from v to it.
LOCKSTEP_HD VertexId root_of(VertexId* parents, VertexId v) {
    VertexId parent = peek(parents + v);
    while (parent != v) {
        const VertexId above = peek(parents + parent);
        if (above == parent) return parent;
        put(parents + v, above);
        v = above;
        parent = peek(parents + v);
    }
    return v;
}

/// Joins the trees of a and b. Returns true if this call has joined two different trees. If `first` is a
/// vertex, it must be a root, and it counts as the smallest vertex in all concurrent joins. Trees that join a
/// giant component then change their own words, instead of all changing the word of the giant component's
/// root.
LOCKSTEP_HD bool join(VertexId* parents, VertexId a, VertexId b, VertexId first = no_vertex) {
    a = root_of(parents, a), b = root_of(parents, b);
    while (a != b) {
        if (a == first || (b != first && a < b)) {
            const VertexId larger = b;
            b = a, a = larger;
        }
#if defined(__CUDA_ARCH__)
        // Only one of the lanes that would change the same root tries. The other lanes look up their roots
        // again.
        const unsigned alike = __match_any_sync(__activemask(), a);
        if (threadIdx.x % 32 != static_cast<unsigned>(__ffs(static_cast<int>(alike))) - 1) {
            a = root_of(parents, a), b = root_of(parents, b);
            continue;
        }
#endif
        const VertexId found = swap_if(parents + a, a, b);
        if (found == a) return true;
        a = root_of(parents, found), b = root_of(parents, b);
    }
    return false;
}

}  // namespace lockstep::structure
