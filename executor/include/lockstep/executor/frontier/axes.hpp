// Configuration of a run over a frontier: one axis per option of lockstep-execute, and one axis for operators
// with priorities. The GPU supports all values of all axes. A CPU uses only `direction` and `priority` and
// has its own methods otherwise. All values give the same result.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "lockstep/executor/csr/shares.hpp"

namespace lockstep::frontier {

/// Source of the active vertices of a round: a scan of all vertices; a list; three lists by degree, each with
/// its own kernel; arrays of marks.
enum class Active { scan, list, lists, marks };
enum class Direction { push, pull, adaptive };
/// How the offers that a group of threads pulls for one vertex are combined.
enum class Combine { lanes, atomics };
/// Threads that share one atomic operation when they append to a list.
enum class Append { thread, warp, block };
/// Method that makes the list of the next round.
enum class Filter { none, append, batch, online, ballot, strided, jit };
/// Launches: one per step; one for all rounds, in one direction; one per change of direction; one for all
/// rounds.
enum class Loop { host, outlined, fused, all };
/// Use of priorities: with near_far and delta, vertices with better values are processed first.
enum class Priority { none, near_far, delta };

/// The values of all axes.
struct Axes : Shares {
    Active active = Active::list;
    Direction direction = Direction::push;
    /// Threshold of `adaptive`: a round pulls if the active vertices have more than this share of all arcs.
    double share = 0.3;
    Combine combine = Combine::lanes;
    /// Number of vertices claimed at a time from a work queue, by a warp if warps work independently,
    /// otherwise by a block; 0: static distribution.
    std::uint32_t chunk = 0;
    EdgeId defer = 0;  ///< vertices of a larger degree are deferred to a later step of the round; 0: none
    Append append = Append::thread;
    Filter filter = Filter::append;
    /// Capacity of a thread's bin (filters online and jit); jit: if a bin is full, the round's list is made
    /// by ballot.
    std::uint32_t bin = 64;
    Loop loop = Loop::host;
    Priority priority = Priority::none;
    double delta = 0;  ///< width of the buckets of priorities; 0: chosen by the weights and the degrees

    bool in_lists() const { return active == Active::list || active == Active::lists; }
    bool pulls() const { return direction != Direction::push; }
    bool pushes() const { return direction != Direction::pull; }
    bool operator==(const Axes&) const = default;
};

/// Returns the options, each with the description of its values for the help.
std::span<const std::pair<const char*, const char*>> axis_options();
/// Sets the axis of an option ("balance") to a value ("warp+block"). Throws Error (usage) with the valid
/// values.
void set_axis(Axes& axes, std::string_view option, const std::string& value);
/// Returns the axes as options: "--active list --direction push …". set_axes() reads this format.
std::string to_string(const Axes& axes);
/// Sets the axes of the given options. The axes of all other options stay unchanged.
void set_axes(Axes& axes, std::string_view options);
/// Returns the axes of a strategy's preset (nullptr: the strategy has a walk of its own), for an operator
/// with or without priorities.
Axes preset_axes(const char* preset, bool by_priority);

/// Returns the reason why the axes cannot be combined, for an operator with or without priorities; empty if
/// they can.
std::string why_not(const Axes& axes, bool by_priority);

const char* name_of(Filter filter);

}  // namespace lockstep::frontier
