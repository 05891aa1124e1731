// Reads the summary of a schedule file from the output of lockstep-inspect --json, which is enough for a
// prediction.
#pragma once

#include <string>

#include "lockstep/formats/schedule_file.hpp"

namespace lockstep::insight {

/// Returns the summary. Throws FormatError that names `path` and the entry that is missing or of the wrong
/// type.
ScheduleFileSummary summary_from_json(const std::string& text, const std::string& path);

}  // namespace lockstep::insight
