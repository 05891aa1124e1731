// Services common to all Lockstep programs: options, --help, --version, --json, --quiet, exit codes, signals
// and progress. Results are printed to stdout, everything else to stderr.
#pragma once

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "field_options.hpp"
#include "lockstep/formats/console.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/interruption.hpp"
#include "lockstep/formats/output_file.hpp"
#include "lockstep/formats/text.hpp"
#include "lockstep/schedules/types.hpp"
#include "values.hpp"

namespace lockstep::cli {

using lockstep::Common, lockstep::note, lockstep::Stopwatch, lockstep::seconds_since_start,
    lockstep::start_again;
using lockstep::size_of, lockstep::OutputFile;
using lockstep::UsageError, lockstep::Interrupted, lockstep::check_signal, lockstep::pending_signal;

/// A group of options with its title in --help-all.
struct Section {
    std::string title;
    Options options;
};

/// A program's options and its help texts.
struct Program {
    std::string name;      ///< "lockstep-inspect"
    std::string usage;     ///< "lockstep-inspect FILE.h5 [options]"
    std::string summary;   ///< begins with one sentence; lines of the form "  name   text" keep their columns
    std::string examples;  ///< example commands, one per line, indented by two; may be empty
    std::vector<Section> sections = {};
    std::vector<std::string> basic =
        {};                  ///< options that --help shows, in this order; empty: the first section
    std::string notes = {};  ///< text below the options of --help-all; may be empty
};

/// Returns the options of the fields, in sections.
std::vector<Section> sections_of(const Fields& fields);
/// Returns the options of all sections.
Options options_of(const Program& program);

/// Parses the command line, handles --help, --help-all and --version, runs `body`, and turns exceptions into
/// an exit code and one message on stderr. `positional` names the options that positional arguments fill, in
/// order; the last one takes all remaining arguments if it may be given several times. If `about` is given,
/// the help describes the program that it returns for the given values. All output is made safe for a
/// terminal.
int run(int argc, char** argv, const Program& program, const std::vector<std::string>& positional,
        const std::function<int(const Values&, const Common&)>& body,
        const std::function<Program(const Values&)>& about = {});

/// Runs a program whose options are the members of T: `T::list(Fields&)` lists them. `body` gets the parsed
/// options, and the fields, which contain whether each option was given. If `about` is given, it changes the
/// help according to the options.
template <class T>
int run(int argc, char** argv, Program program, const std::vector<std::string>& positional,
        int (*body)(const T&, const Fields& given, const Common&),
        void (*about)(const T&, const Fields& given, Program&) = nullptr) {
    T options;
    Fields fields;
    options.list(fields);
    program.sections = sections_of(fields);
    return run(
        argc, argv, program, positional,
        [&](const Values& values, const Common& common) {
            take_fields(values, fields);
            return body(options, fields, common);
        },
        [&](const Values& values) {
            take_fields(values, fields);
            if (about) about(options, fields, program);
            return program;
        });
}

/// Runs a program: calls run() with the options of the program, and returns the exit code. Each program
/// defines this function, and its `main` calls it.
int run_program(int argc, char** argv);

/// Suppresses all further output of this process, since another process of the same run prints the messages.
void be_silent();

/// Prints that memory is exhausted, without allocating any, and returns the exit code for `main`. It
/// handles exceptions that are thrown outside of `run`, while options are declared; only a lack of memory can
/// cause them.
int failed_early(const char* program) noexcept;

/// Returns the command line as given, for run records.
const std::vector<std::string>& command_line();

/// A progress line on stderr, shown only on a terminal, without --quiet, and after the first second.
class Progress {
public:
    Progress(std::string label, EdgeId total, const Common& common);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    /// Updates the line; `more` is shown next to the progress, e.g. "RMSE 0.91".
    void update(EdgeId done, const std::string& more = {});

private:
    std::string label_;
    EdgeId total_;
    bool enabled_;
    bool shown_ = false;
    std::chrono::steady_clock::time_point start_, last_;
};

/// Returns JSON text that is safe for a terminal: valid UTF-8 (invalid bytes are replaced), with control
/// characters escaped. `indent` -1: on one line.
std::string json_text(const nlohmann::ordered_json& value, int indent);
/// Writes json_text to stdout, followed by a newline.
void print_json(const nlohmann::ordered_json& value);

using text::bytes, text::duration, text::group_digits;

/// Returns the peak memory of this process in bytes.
EdgeId peak_memory();

}  // namespace lockstep::cli
