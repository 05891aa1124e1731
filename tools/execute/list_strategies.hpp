// lockstep-execute --strategies: prints the table of strategies as text or as JSON.
#pragma once

#include <string_view>

#include "cli.hpp"

namespace lockstep {

/// Prints the strategies of an application (empty: of all). The JSON has `strategies`, an array of name, app,
/// schedule (null: none), walk, policy, class, deterministic, races, source and summary. Returns exit
/// code 0.
int list_strategies(std::string_view app, const cli::Common& common);

}  // namespace lockstep
