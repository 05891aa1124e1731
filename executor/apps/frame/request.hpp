// The command line of a program that runs an application: lockstep-execute, lockstep-train.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "apps/device.hpp"
#include "cli.hpp"
#include "lockstep/formats/schedule_file.hpp"
#include "outputs.hpp"

namespace lockstep {

class Input;
struct RunOutcome;

/// Who runs an application without a command line.
struct Listener {
    /// Whether to go on, after so many rounds of so many.
    std::function<bool(std::uint64_t done, std::uint64_t rounds)> goes_on;
    std::function<void(const Input&, const RunHeader&, const RunOutcome&, const nlohmann::ordered_json&)>
        take;
};

/// What every application can be told.
struct Request {
    std::string program = "lockstep-execute";
    std::string file;                     ///< schedule file, or a graph file or a mesh in its place
    std::optional<ReadOptions> reading;   ///< of a graph file
    std::string reading_words;            ///< the same as it was given: " --undirected"
    std::shared_ptr<ScheduleFile> graph;  ///< what was read of it, or is in memory; with its schedules
    std::string strategy;
    std::string axes;                  ///< in place of the strategy's preset; empty: that
    std::optional<std::string> order;  ///< schedule whose edge or vertex order an online strategy takes
    std::optional<std::string> record, lock;
    bool input_order = false;  ///< the graph knows it
    bool trust = false;        ///< run schedules that are not proved
    Device device = Device::automatic;
    std::string
        idle_on_cpu;  ///< options given that only a GPU heeds, while nobody has said which it is to be
    std::map<std::string, std::string> parameters;  ///< of the application, that the record keeps

    // Of applications with a value a vertex:
    std::optional<std::string> output;
    std::uint64_t top = 0;
    bool verify = false;

    std::vector<std::string> inputs;   ///< files that the application reads itself
    std::vector<cli::Output> outputs;  ///< files that it writes itself, but for --output

    const Listener* listener = nullptr;  ///< gets the result in place of standard output
};

class Application;
struct Spec;

// Options of every such program.
void declare_running(cli::Options& basic);  ///< --device, --threads, --record
void declare_order(cli::Options& tuning);   ///< --order, --trust, --lock
/// Takes them; the application takes its own.
void read_running(const cli::Values& values, Application& app, Request& request);
/// Refuses what is written over an input, over another output or over a file of somebody else, before
/// anything is read.
void check_files(const cli::Values& values, const Application& app, const Request& request,
                 std::vector<cli::Output> outputs = {});

/// Adds the options of an application.
void declare(const Spec& spec, cli::Options& basic, cli::Options& more);

// Of lockstep-execute, which runs any application.
/// Describes the command line of all applications, or of one.
cli::Program execute_program(const Spec* spec = nullptr);
/// Reads the command line, and makes the application that it names. Throws UsageError, among others for options of
/// another application.
std::unique_ptr<Application> read_request(const cli::Values& values, Request& request);

}  // namespace lockstep
