// Refines a triangulation in rounds, on CPU or GPU, until no triangle has too small an angle.
//
// Each bad triangle has a new random priority in every round. A round processes the bad triangles or, if
// there are many, those with the highest priorities (Blelloch et al. 2012: deterministic reservations of a
// prefix). Each of them finds the cavity of its new point and reserves it. If a triangle holds its whole
// cavity, it is refined; otherwise it tries again in the next round. The refined triangles, and the indices
// of points and triangles, depend only on the mesh and the rules.
#pragma once

#include <functional>

#include "lockstep/executor/mesh/mesh.hpp"
#include "lockstep/executor/walk.hpp"
#include "lockstep/executor/walk_variants.hpp"
#include "lockstep/executor/worklist/axes.hpp"

namespace lockstep::mesh {

/// The algorithm of IrGL: two kernels alternate, of which one locks and refines cavities, and the other
/// searches the new triangles for bad ones. Each step walks around the cavity again.
struct PriorityLocks {
    static constexpr Walk facts{.name = "cavity_locks", .family = Family::meshes};
};
/// Like PriorityLocks, but with the marks of the paper: plain stores in three phases (mark; mark again where
/// a lower priority has overwritten the mark; check). Two overlapping cavities never both win. Which one wins
/// depends on the order of the stores, so the resulting mesh varies.
struct ExclusiveMarks {
    static constexpr Walk facts{.name = "cavity_marks", .family = Family::meshes};
};
/// All triangles of a round reserve their cavities; after a barrier, those that hold their whole cavity are
/// refined. Cavities are stored between the steps instead of walking around them again.
struct Supersteps {
    static constexpr Walk facts{.name = "cavity_rounds", .family = Family::meshes};
};

/// The rules of a round. They determine the resulting mesh, whatever the device, the number of threads and
/// the strategy.
struct Rules {
    Rule rule;
    /// A round processes all bad triangles if the previous round (for the first round: this round) began with
    /// at most `full` bad ones. Otherwise it processes those with the highest priorities, about `full`
    /// triangles or the share 1 / `part`, whichever is more.
    std::uint64_t full = 1 << 17;
    std::uint64_t part = 8;
    /// Initial capacity on a GPU, as a multiple of the number of triangles of the input. A larger mesh must
    /// be copied to new arrays.
    std::uint64_t initial_capacity = 4;
};

/// The report of one round.
struct Round {
    /// number of bad triangles, of those that the round tried, and of those that it refined
    EdgeId bad = 0, tried = 0, refined = 0;
    double seconds = 0;
};
struct Totals {
    EdgeId left = 0;  ///< number of bad triangles for which no point can be inserted
    EdgeId launches = 0, registers = 0;
    double seconds = 0, transfer_seconds = 0;
    bool stopped = false;  ///< whether on_round has stopped the run
};

/// A function that is called after each round or, if all rounds run in a single launch, after all of them. It
/// returns false to stop.
using OnRound = std::function<bool(const Round&)>;

/// Refines the mesh until no triangle is bad, except triangles for which no point can be inserted. Throws
/// Error if the mesh would exceed 2^29 triangles.
Totals refine_on_cpu(Mesh& mesh, const Rules& rules, int threads, const OnRound& on_round);

/// Refines the mesh on a GPU in the same way. If the capacity of the arrays is exhausted, they grow to more
/// than twice the mesh's size. Throws CudaError, and Error (no_device) with the required and the free number
/// of bytes if the device has too little memory.
Totals refine_on_cuda(Mesh& mesh, const Rules& rules, RefinementMethod method, worklist::Loop loop,
                      const OnRound& on_round);

}  // namespace lockstep::mesh
