// The strategies in the order of the report, and their kinds.
#pragma once

#include <cstddef>
#include <string_view>

#include "table.hpp"

namespace lockstep::report {

/// Position of a strategy in the report; unknown ones come last, all at the same place.
std::size_t place_of(std::string_view strategy);

/// Kind of a strategy; one that this program does not know is offline when its runs used a schedule.
Kind kind_of(std::string_view strategy, bool has_schedule);

}  // namespace lockstep::report
