// The walks of layouts. They differ in how they treat concurrent terms that move the same vertex.
#pragma once

#include "lockstep/executor/walk.hpp"

namespace lockstep::layout {

/// A barrier follows each phase of meetings, so concurrent terms never have a common vertex.
struct Exact {
    static constexpr Walk facts{.name = "layout_phases", .family = Family::layouts};
};
/// There are no barriers: threads continue unsynchronized, and concurrent updates of a vertex may overwrite
/// each other.
struct Racing {
    static constexpr Walk facts{.name = "layout_racing", .family = Family::layouts};
};

}  // namespace lockstep::layout
