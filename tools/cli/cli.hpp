// What every Lockstep program shares: options, --help, --version, --json, --quiet, exit codes,
// signals and progress. Results go to stdout, everything else to stderr.
#pragma once

#include <boost/program_options.hpp>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lockstep/formats/text.hpp"
#include "lockstep/schedules/error.hpp"
#include "lockstep/schedules/types.hpp"
#include "values.hpp"

namespace lockstep::cli {

/// Wrong use of a program: exit code 2, with a pointer to --help.
class UsageError : public Error {
public:
    explicit UsageError(const std::string& message) : Error(Failure::usage, message) {}
};

/// Thrown by check_signal() after SIGINT, SIGTERM or SIGHUP, and with SIGPIPE when nobody reads standard
/// output any more (then without a word); exit code 128 + signal.
class Interrupted : public Error {
public:
    explicit Interrupted(int signal) : Error("interrupted"), signal_(signal) {}
    int signal() const noexcept { return signal_; }

private:
    int signal_;
};

/// Options common to all programs, as parsed.
struct Common {
    bool json = false;
    bool quiet = false;
    bool verbose = false;
    std::function<void(const std::string&)> listener =
        {};  ///< gets the notes in place of standard error; may throw
};

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

/// Signal received so far (0 = none); long loops poll it and stop at a safe place.
int pending_signal() noexcept;
/// Throws Interrupted when a signal is pending.
void check_signal();

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

/// A note on stderr, unless --quiet, or to who listens.
void note(const Common& common, const std::string& text);
/// JSON that a terminal may show: valid UTF-8, bytes that are none replaced, control characters escaped.
/// `indent` -1: in one line.
std::string json_text(const nlohmann::ordered_json& value, int indent);
/// Writes JSON to stdout as json_text, followed by a newline.
void print_json(const nlohmann::ordered_json& value);

using text::bytes, text::duration, text::grouped;

/// Seconds since construction.
class Stopwatch {
public:
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};
/// Returns the seconds since the program began, or since this thread last called start_again().
double seconds_since_start();
void start_again();

/// "8G" or "512M", as --`option` takes it: bytes, in powers of 1000. Throws UsageError.
EdgeId size_of(const std::string& option, const std::string& word);

/// Most memory this process has held, in bytes.
EdgeId peak_memory();

}  // namespace lockstep::cli
