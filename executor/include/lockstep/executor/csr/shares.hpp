// Assignment of a vertex's arcs to GPU threads, by the vertex's degree.
#pragma once

#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// The kinds of workers that process the arcs of a vertex. A vertex is processed by the coarsest kind whose
/// minimum degree it reaches, otherwise by the finest kind.
struct Balance {
    /// Threads per vertex of low degree: 1 (serial), 2 … 16 (part of a warp), 0: no such workers.
    int lanes = 1;
    /// The arcs of a block's vertices of low degree are distributed evenly over its threads.
    bool fine = false;
    bool warp = false, block = false;
    bool operator==(const Balance&) const = default;
};

/// A balance of arcs among threads, and the minimum degrees of the vertices that a warp and a block process.
struct Shares {
    Balance balance;
    EdgeId small = 32, large = 1024;  ///< minimum degree for a warp, for a block
    bool operator==(const Shares&) const = default;
};

}  // namespace lockstep
