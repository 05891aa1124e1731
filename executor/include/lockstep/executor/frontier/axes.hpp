// How a frontier is run: axes, each of which is an option of lockstep-execute, and one for operators with
// priorities. The GPU has every value of each; a CPU goes by `direction` and `priority` and
// has ways of its own for the rest. The result is the same for all of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "lockstep/executor/csr/shares.hpp"

namespace lockstep::frontier {

/// Where the active vertices of a round are found: a scan of all; a list; three of them by degree, each with a
/// kernel of its own; arrays of marks.
enum class Active { scan, list, lists, marks };
enum class Direction { push, pull, adaptive };
enum class Combine { lanes, atomics };      ///< how what a group of threads pulls for a vertex comes together
enum class Append { thread, warp, block };  ///< who adds to a list at once, with one atomic operation
enum class Filter { none, append, batch, online, ballot, strided, jit };
enum class Loop { host, outlined, fused, all };
enum class Priority { none, near_far, delta };

struct Axes : Shares {
    Active active = Active::list;
    Direction direction = Direction::push;
    double share = 0.3;  ///< adaptive: pull while the active vertices have more than this share of the arcs
    Combine combine = Combine::lanes;
    std::uint32_t chunk =
        0;  ///< vertices drawn at a time, by a warp where each has its own; 0: dealt out beforehand
    EdgeId defer = 0;  ///< vertices of a larger degree go to a later step; 0: none
    Append append = Append::thread;
    Filter filter = Filter::append;
    std::uint32_t bin = 64;  ///< jit: vertices that a thread keeps before the round's list is made by ballot
    Loop loop = Loop::host;
    Priority priority = Priority::none;
    double delta = 0;  ///< of priorities; 0: chosen by the weights and the degrees

    bool in_lists() const { return active == Active::list || active == Active::lists; }
    bool pulls() const { return direction != Direction::push; }
    bool pushes() const { return direction != Direction::pull; }
    bool operator==(const Axes&) const = default;
};

/// The options, each with its values for the help.
std::span<const std::pair<const char*, const char*>> axis_options();
/// Sets the axis of an option ("balance") to a value ("warp+block"). Throws Error (usage) naming what it
/// takes.
void set_axis(Axes& axes, std::string_view option, const std::string& value);
/// "--active list --direction push …", as it can be given again; and back. Options that are left out stay as
/// they are.
std::string to_string(const Axes& axes);
void set_axes(Axes& axes, std::string_view options);
/// Of a strategy's preset (nullptr: it has a way of its own), for an operator with priorities or without.
Axes preset_axes(const char* preset, bool by_priority);

/// Why they make no sense, for an operator with priorities or without; empty where they do.
std::string why_not(const Axes& axes, bool by_priority);

const char* name_of(Filter filter);

}  // namespace lockstep::frontier
