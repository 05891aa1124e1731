// Sets as trees that all threads join at once, on any device: each vertex has a parent, a root is its own.
//
// Who is a root stays so until one compare-and-swap gives it a parent, a smaller vertex; so a parent is
// always smaller, there are no cycles, the root of a tree is its smallest vertex, and whatever the order of
// the joins, the trees at the end are the components of what was joined. Shortening a path replaces a parent
// by one of its ancestors, which stays one, so a stale parent is an ancestor too, and does no harm.
// (Jaiganesh and Burtscher, "A high-performance connected components implementation for GPUs", HPDC 2018.)
#pragma once

#include "lockstep/executor/device/atomics.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep::structure {

inline constexpr VertexId no_vertex = ~VertexId{0};

/// The root above v; halves the path to it.
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

/// Joins the trees of a and b; whether they were two, and this call has made them one. `first`, if it is a
/// vertex, is a root that counts as the smallest of all, in all joins at once: what joins a giant component
/// then does so by words of its own, and not all by that of the giant's root.
LOCKSTEP_HD bool join(VertexId* parents, VertexId a, VertexId b, VertexId first = no_vertex) {
    a = root_of(parents, a), b = root_of(parents, b);
    while (a != b) {
        if (a == first || (b != first && a < b)) {
            const VertexId larger = b;
            b = a, a = larger;
        }
#if defined(__CUDA_ARCH__)
        // Of the lanes that would change the same root one tries: the others see what has become of it.
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
