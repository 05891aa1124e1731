// Refinement in rounds, on any device.
//
// A round takes the bad triangles, each of which has a new random priority in every round; if they are many,
// it takes those of the highest priorities (Blelloch et al. 2012: deterministic reservations of a prefix).
// Each triangle finds its cavity and reserves it. Triangles that hold their whole cavity are refined; the
// others try again in the next round. The refined triangles, and the indices of points and triangles, depend
// only on the mesh and the rules.
#pragma once

#include <functional>

#include "lockstep/executor/mesh/mesh.hpp"
#include "lockstep/executor/walk.hpp"
#include "lockstep/executor/ways.hpp"
#include "lockstep/executor/worklist/axes.hpp"

namespace lockstep::mesh {

/// IrGL's Exclusive and Pipe: two kernels take turns; one locks cavities and refines them, the other searches
/// the new triangles for bad ones. A cavity is walked again in each step.
struct PriorityLocks {
    static constexpr Walk facts{.name = "cavity_locks", .family = Family::meshes};
};
/// Like PriorityLocks, but with the paper's own marks: plain stores in three phases (mark; mark again over
/// lower priorities; check). Overlapping cavities never both win, but the winner depends on which store comes
/// last, and so does the mesh.
struct ExclusiveMarks {
    static constexpr Walk facts{.name = "cavity_marks", .family = Family::meshes};
};
/// All reservations of a round, a barrier, then the cavities that are held are refined. Cavities are stored
/// between the steps.
struct Supersteps {
    static constexpr Walk facts{.name = "cavity_rounds", .family = Family::meshes};
};

/// The rules of a round. They determine the mesh, independently of device, threads and strategy.
struct Rules {
    Rule rule;
    /// A round takes all bad triangles if the previous round (or the first one itself) began with at most
    /// `full`; otherwise those of the highest priority, about the share 1 / `part` of all or more.
    std::uint64_t full = 1 << 17;
    std::uint64_t part = 8;
    /// Initial capacity on a GPU, as a multiple of the input's triangles. Growing beyond it requires a copy.
    std::uint64_t room = 4;
};

/// The result of one round.
struct Round {
    EdgeId bad = 0, tried = 0, refined = 0;  ///< numbers of triangles
    double seconds = 0;
};
struct Totals {
    EdgeId left = 0;  ///< bad triangles that no point can improve
    EdgeId launches = 0, registers = 0;
    double seconds = 0, transfer_seconds = 0;
    bool stopped = false;  ///< whether on_round has stopped the run
};

/// Called after each round (with a single launch: after all rounds). Returns false to stop.
using OnRound = std::function<bool(const Round&)>;

/// Refines until no triangle is bad except those that no point can improve. Throws Error if the mesh would
/// exceed 2^29 triangles.
Totals refine_on_cpu(Mesh& mesh, const Rules& rules, int threads, const OnRound& on_round);

/// Refines on a GPU. When the capacity is exhausted, it grows to more than twice the mesh's size. Throws
/// CudaError, and Error (no_device), with the needed and the free bytes, if memory is insufficient.
Totals refine_on_cuda(Mesh& mesh, const Rules& rules, Way way, worklist::Loop loop, const OnRound& on_round);

}  // namespace lockstep::mesh
