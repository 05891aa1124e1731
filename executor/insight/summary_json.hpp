// Reads the summary of a schedule file from the output of lockstep-inspect --json. The summary suffices to
// predict times, so the schedule file itself is not needed.
#pragma once

#include <string>

#include "lockstep/formats/schedule_file.hpp"

namespace lockstep::insight {

/// Converts JSON text to a summary. Throws FormatError if an entry is missing or has the wrong type; the
/// message names the file `path` and the entry.
ScheduleFileSummary summary_from_json(const std::string& text, const std::string& path);

}  // namespace lockstep::insight
