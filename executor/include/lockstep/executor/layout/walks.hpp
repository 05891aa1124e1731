// How terms of a layout are kept apart.
#pragma once

#include "lockstep/executor/walk.hpp"

namespace lockstep::layout {

/// A barrier after each phase of meetings: what meets has no common vertex.
struct Exact {
    static constexpr Walk facts{.name = "layout_phases", .family = Family::layouts};
};
/// None: who is ready goes on, and what two write at once one of them loses.
struct Racing {
    static constexpr Walk facts{.name = "layout_racing", .family = Family::layouts};
};

}  // namespace lockstep::layout
