// lockstep-execute --strategies: prints the table of strategies as text or as JSON.
#pragma once

#include <string_view>

#include "cli.hpp"

namespace lockstep {

/// Prints the strategies of an application, or of all applications if `app` is empty. With --json, prints an
/// object with the array `strategies`, whose entries have name, app, schedule (null: none), walk, policy,
/// class, deterministic, races, source and summary. Returns the exit code 0.
int list_strategies(std::string_view app, const cli::Common& common);

}  // namespace lockstep
