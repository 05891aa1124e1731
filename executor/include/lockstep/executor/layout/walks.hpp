// The walks of layouts, which differ in how they prevent conflicts between terms.
#pragma once

#include "lockstep/executor/walk.hpp"

namespace lockstep::layout {

/// A barrier follows each phase of meetings. Meetings of a phase have no common vertex.
struct Exact {
    static constexpr Walk facts{.name = "layout_phases", .family = Family::layouts};
};
/// No barriers: threads continue unsynchronized, and concurrent writes to a vertex may lose an update.
struct Racing {
    static constexpr Walk facts{.name = "layout_racing", .family = Family::layouts};
};

}  // namespace lockstep::layout
