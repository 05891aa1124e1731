// The stages of a program, one after another, by what its user waits for.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace lockstep::cli {

/// What this program has done since its last stage ended was `stage`; one that it had before goes on.
void end_stage(const std::string& stage);

/// {"read": seconds, …, "total", "other"}: the stages and `other` add up to `total`, the time since the program began.
nlohmann::ordered_json stage_seconds();

/// The same in a line, with the most memory that was held. --verbose ends with it.
std::string stages_text();

}  // namespace lockstep::cli
