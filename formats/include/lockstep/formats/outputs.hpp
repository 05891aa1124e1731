// The kinds of files that Lockstep writes, and how an existing file of each kind is recognised before it is
// replaced.
#pragma once

#include <string>

#include "lockstep/formats/fields.hpp"

namespace lockstep {

inline constexpr OutputKind schedule_output{"a schedule file", "lockstep-schedules"};
inline constexpr OutputKind model_output{"a model", "lockstep-model"};
inline constexpr OutputKind rank_output{"a file of ranks", "lockstep-ranks"};
inline constexpr OutputKind record_output{"a run record", "", "{\"record\":\"", true};
inline constexpr OutputKind probe_output{"a probe", "", "\"lockstep_probe\""};
inline constexpr OutputKind html_output{"a report", "", "<title>Lockstep report</title>"};
inline constexpr OutputKind csv_output{"a table of lockstep-report", "", "data,graph_hash,app,input_class,"};
inline constexpr OutputKind text_output{"text that Lockstep recognises"};

/// An output file that an option of the program names.
struct Output {
    std::string option;  ///< option that names the file, for messages: "--model"
    std::string path;
    OutputKind kind;
    /// Whether the run resumes from this file; if so, the run itself refuses a file that it cannot read.
    bool resumed = false;
};

/// Returns the path to which an interrupted run writes its result: "x.partial.h5" if `path` is "x.h5".
std::string partial_path(const std::string& path);

/// Throws UsageError if `path` is "-", because HDF5 files need random access, which standard input does not
/// have. `what` describes the file.
void refuse_standard_input(const std::string& path, const char* what);

}  // namespace lockstep
