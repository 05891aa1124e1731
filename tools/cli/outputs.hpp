// The files that a run is going to write, checked before its work.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli.hpp"
#include "lockstep/formats/fields.hpp"

namespace lockstep::cli {

using lockstep::OutputKind;

inline constexpr OutputKind schedule_output{"a schedule file", "lockstep-schedules"};
inline constexpr OutputKind model_output{"a model", "lockstep-model"};
inline constexpr OutputKind rank_output{"a file of ranks", "lockstep-ranks"};
inline constexpr OutputKind record_output{"a run record", "", "{\"record\":\"", true};
inline constexpr OutputKind probe_output{"a probe", "", "\"lockstep_probe\""};
inline constexpr OutputKind html_output{"a report", "", "<title>Lockstep report</title>"};
inline constexpr OutputKind svg_output{"a picture of lockstep-report", "", "<!-- lockstep-report -->"};
inline constexpr OutputKind csv_output{"a table of lockstep-report", "", "data,graph_hash,app,input_class,"};
inline constexpr OutputKind text_output{"text that Lockstep would recognise"};

struct Output {
    std::string option;  ///< "--model", as messages name it
    std::string path;
    OutputKind kind;
    bool resumed = false;  ///< the run goes on from it, and refuses itself what it cannot read
};

/// --force.
void add_force_option(Options& options);

/// Refuses, before any work, an output that is an input or another output of the same run (the same file,
/// whatever its name), one that would replace a file which Lockstep did not write, unless --force was given,
/// and "-" (standard output) for HDF5 or for two of them: UsageError. One that cannot be written, as its
/// folder is not there or cannot be written: OutputError. An empty file may be replaced.
void check_outputs(const Values& values, const std::vector<std::string>& inputs,
                   const std::vector<Output>& outputs);

/// "x.partial.h5" for "x.h5": where the result of an interrupted run goes, beside an earlier one.
std::string partial_path(const std::string& path);

/// Refuses "-" where a file in HDF5 is read, which needs a file that can be searched.
void refuse_standard_input(const std::string& path, const char* what);

}  // namespace lockstep::cli
