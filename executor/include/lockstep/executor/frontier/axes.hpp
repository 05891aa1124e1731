// The configuration of a run over active vertices (the frontier): one axis per option of lockstep-execute,
// and the axis `priority` for operators with priorities. A GPU supports all values of all axes. A CPU uses
// only `direction` and `priority`; for everything else it has methods of its own. The values of the axes do
// not change the result.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "lockstep/executor/csr/shares.hpp"

namespace lockstep::frontier {

/// How a round finds its active vertices: by a scan of all vertices, from one list, from three lists by
/// degree that different kernels process, or from arrays of marks.
enum class ActiveSetForm { scan, list, lists, marks };
enum class Direction { push, pull, adaptive };
/// How the offers that several threads have pulled for one vertex are combined: by a reduction over the
/// lanes, or by atomics.
enum class CombineMethod { lanes, atomics };
/// Group of threads that shares one atomic operation when its threads append vertices to a list.
enum class Append { thread, warp, block };
/// Method by which a round makes the list of the active vertices of the next round.
enum class Filter { none, append, batch, online, ballot, strided, jit };
/// Number of kernel launches: one per step of a round (host); one per sequence of rounds, for one direction
/// (outlined) or until the direction changes (fused); one for all rounds (all).
enum class Loop { host, outlined, fused, all };
/// Whether vertices with better values are processed first (near_far and delta) or not (none).
enum class Priority { none, near_far, delta };

/// A configuration: the values of all axes.
struct Axes : Shares {
    ActiveSetForm active = ActiveSetForm::list;
    Direction direction = Direction::push;
    /// Threshold of `adaptive`. A round pulls if the active vertices have more than this share of all arcs.
    double share = 0.3;
    CombineMethod combine = CombineMethod::lanes;
    /// Number of vertices that a warp (if warps work independently) or a thread block claims at a time from a
    /// work queue. 0 selects a static distribution.
    std::uint32_t chunk = 0;
    /// a vertex with more arcs than this is deferred to a later step of the round; 0: no vertex is
    EdgeId defer = 0;
    Append append = Append::thread;
    Filter filter = Filter::append;
    /// Capacity of a thread's bin, in which the filters online and jit collect vertices. If a bin overflows,
    /// jit makes the list of this round by ballot.
    std::uint32_t bin = 64;
    Loop loop = Loop::host;
    Priority priority = Priority::none;
    double delta = 0;  ///< width of the buckets of priorities; 0: derived from the weights and the degrees

    bool in_lists() const { return active == ActiveSetForm::list || active == ActiveSetForm::lists; }
    bool pulls() const { return direction != Direction::push; }
    bool pushes() const { return direction != Direction::pull; }
    bool operator==(const Axes&) const = default;
};

/// Returns the names of all options of the axes, each with a description of its values for the help.
std::span<const std::pair<const char*, const char*>> axis_options();
/// Sets the axis that an option names ("balance") to a value ("warp+block"). Throws Error (usage) with the
/// list of valid values.
void set_axis(Axes& axes, std::string_view option, const std::string& value);
/// Returns the axes as command-line options, in the format of set_axes(): "--active list --direction push …".
std::string to_string(const Axes& axes);
/// Sets the axes that `options` contains. Other axes stay unchanged.
void set_axes(Axes& axes, std::string_view options);
/// Returns the axes of a strategy's preset, for an operator with or without priorities. `preset` is nullptr
/// if the strategy has a walk of its own.
Axes preset_axes(const char* preset, bool by_priority);

/// Returns the reason if the axes cannot be combined, for an operator with or without priorities. Returns an
/// empty string if they can.
std::string why_not(const Axes& axes, bool by_priority);

const char* name_of(Filter filter);

}  // namespace lockstep::frontier
