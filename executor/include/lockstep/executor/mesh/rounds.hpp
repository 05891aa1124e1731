// Refinement in rounds, on any device.
//
// A round takes bad triangles, each with a random priority of its own in every round; of many, those of the
// highest priorities (Blelloch et al. 2012: deterministic reservations of a prefix). Each finds its cavity
// and reserves it. Those that hold all of theirs are refined, the others try again. Which these are, and the
// numbers that points and triangles get, depends on the mesh and the rules alone.
#pragma once

#include <functional>

#include "lockstep/executor/mesh/mesh.hpp"
#include "lockstep/executor/walk.hpp"
#include "lockstep/executor/ways.hpp"
#include "lockstep/executor/worklist/axes.hpp"

namespace lockstep::mesh {

/// IrGL's Exclusive and Pipe: a kernel that locks cavities and refines them, one that looks for bad triangles
/// in what it made, in turns. A cavity is walked again for each of these steps.
struct PriorityLocks {
    static constexpr Walk facts{.name = "cavity_locks", .family = Family::meshes};
};
/// The same with the source's own marks: plain stores in three phases (mark; mark again what has a lower
/// priority; look). Cavities that overlap never both win, but which wins depends on which store comes last,
/// and so does the mesh.
struct ExclusiveMarks {
    static constexpr Walk facts{.name = "cavity_marks", .family = Family::meshes};
};
/// Reservations of a whole round, a barrier, and those that hold go on. Cavities are kept between the steps.
struct Supersteps {
    static constexpr Walk facts{.name = "cavity_rounds", .family = Family::meshes};
};

/// What a round does. One mesh comes of it, whatever device, threads and strategy.
struct Rules {
    Rule rule;
    /// A round tries all bad triangles while they are no more than `full`; else those of the highest
    /// priority, the share 1 / `part` of all at least.
    std::uint64_t full = 1 << 17;
    std::uint64_t part = 8;
    /// On a GPU there is room for so many times the input's triangles at first; more takes a copy.
    std::uint64_t room = 4;
};

/// Of one round.
struct Round {
    EdgeId bad = 0, tried = 0, refined = 0;  ///< triangles
    double seconds = 0;
};
struct Totals {
    EdgeId left = 0;  ///< bad ones that no point can mend
    EdgeId launches = 0, registers = 0;
    double seconds = 0, transfer_seconds = 0;
    bool stopped = false;  ///< by on_round
};

/// Called after each round (of one launch, after all of them); false: stop.
using OnRound = std::function<bool(const Round&)>;

/// Refines until no triangle is bad but those that no point can mend. Throws Error where the mesh would
/// outgrow its 2^29 triangles.
Totals refine_on_cpu(Mesh& mesh, const Rules& rules, int threads, const OnRound& on_round);

/// The same on a GPU, with room for twice the result where that is more than there was at first. Throws
/// CudaError, and Error (no_device) with both numbers where memory does not do.
Totals refine_on_cuda(Mesh& mesh, const Rules& rules, Way way, worklist::Loop loop, const OnRound& on_round);

}  // namespace lockstep::mesh
