// The stages of a program, one after another, and the time that each took.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace lockstep::cli {

/// Ends the stage that began when the last one ended, and names it. The times of stages with the same name
/// are added.
void end_stage(const std::string& stage);

/// Returns {"read": seconds, …, "total", "other"}: the stages and `other` add up to `total`, the time since
/// the start of the program.
nlohmann::ordered_json stage_seconds();

/// Returns the stages on one line, with the peak memory. It is the last line of --verbose.
std::string stages_text();

}  // namespace lockstep::cli
