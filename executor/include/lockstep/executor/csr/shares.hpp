// Balance and Shares: which GPU threads process the arcs of a vertex, depending on the vertex's degree.
#pragma once

#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// The kinds of workers that process the arcs of a vertex: threads, warps and blocks. The largest kind whose
/// minimum degree the vertex reaches is used, otherwise the smallest kind.
struct Balance {
    /// Number of threads for a vertex of low degree: 1 (serial), 2 … 16 (a part of a warp), 0: none.
    int lanes = 1;
    /// Whether the arcs of a block's vertices of low degree are distributed evenly over the block's threads.
    bool fine = false;
    bool warp = false, block = false;
    bool operator==(const Balance&) const = default;
};

/// A balance, and the minimum degrees of the vertices that a warp and a block process.
struct Shares {
    Balance balance;
    EdgeId small = 32, large = 1024;  ///< minimum degree of a vertex that a warp, or a block, processes
    bool operator==(const Shares&) const = default;
};

}  // namespace lockstep
