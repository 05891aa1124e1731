// What lockstep-inspect --json says of a schedule file, read back: a prediction needs no more of it.
#pragma once

#include <string>

#include "lockstep/formats/schedule_file.hpp"

namespace lockstep::insight {

/// Throws FormatError naming `path` and what is missing or of the wrong type.
ScheduleFileSummary summary_from_json(const std::string& text, const std::string& path);

}  // namespace lockstep::insight
