// What every Lockstep program shares: options, --help, --version, --json, --quiet, exit codes,
// signals and progress. Results go to stdout, everything else to stderr.
#pragma once

#include <boost/program_options.hpp>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

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

using Options = boost::program_options::options_description;
using Values = boost::program_options::variables_map;

/// Options under a title of --help-all.
struct Section {
    std::string title;
    Options options;
};

/// What a program is told, and what it says of itself.
struct Program {
    std::string name;      ///< "lockstep-inspect"
    std::string usage;     ///< "lockstep-inspect FILE.h5 [options]"
    std::string summary;   ///< one sentence first; lines of "  name   text" keep their columns
    std::string examples;  ///< commands, one a line, indented by two; may be empty
    std::vector<Section> sections = {};
    std::vector<std::string> basic =
        {};                  ///< options that --help shows, in this order; empty: the first section
    std::string notes = {};  ///< below the options of --help-all, may be empty
};

/// The options of all sections.
Options options_of(const Program& program);

/// Parses, answers --help, --help-all and --version, runs `body` and turns what it throws into an exit code
/// and one message on stderr. `positional` names the options that positional arguments fill, in order;
/// the last takes the rest, if it may be given several times. Help is of what `about` makes of the values,
/// where it is given. Whatever is printed is made safe for a terminal.
int run(int argc, char** argv, const Program& program, const std::vector<std::string>& positional,
        const std::function<int(const Values&, const Common&)>& body,
        const std::function<Program(const Values&)>& about = {});

/// Nothing more is said by this process: another one of the same run says what there is to say.
void be_silent();

/// For `main` to return where something was thrown outside of `run`: only a lack of memory can, while options
/// are declared. Says so, takes no memory.
int failed_early(const char* program) noexcept;

/// The command line as given, for run records.
const std::vector<std::string>& command_line();

/// A progress line on stderr: only on a terminal, not under --quiet, and only past one second.
class Progress {
public:
    Progress(std::string label, EdgeId total, const Common& common);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    /// `more` is shown beside what is done, e.g. "RMSE 0.91".
    void update(EdgeId done, const std::string& more = {});

private:
    std::string label_;
    EdgeId total_;
    bool enabled_;
    bool shown_ = false;
    std::chrono::steady_clock::time_point start_, last_;
};

/// JSON that a terminal may show: valid UTF-8, bytes that are none replaced, control characters escaped.
/// `indent` -1: in one line.
std::string json_text(const nlohmann::ordered_json& value, int indent);
/// Writes JSON to stdout as json_text, followed by a newline.
void print_json(const nlohmann::ordered_json& value);

using text::bytes, text::duration, text::grouped;

/// Most memory this process has held, in bytes.
EdgeId peak_memory();

}  // namespace lockstep::cli
