// The request for a run of an application.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "apps/device.hpp"
#include "lockstep/formats/console.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/interruption.hpp"
#include "lockstep/formats/numbers.hpp"
#include "lockstep/formats/outputs.hpp"
#include "lockstep/formats/schedule_file.hpp"
#include "lockstep/formats/text.hpp"
#include "lockstep/schedules/builders.hpp"

namespace lockstep {

class Input;
struct RunOutcome;

/// Callbacks of a caller that runs an application without a command line.
struct Listener {
    /// Returns true if the run is to continue. `done` and `rounds` are the numbers of rounds done and of all
    /// rounds.
    std::function<bool(std::uint64_t done, std::uint64_t rounds)> goes_on;
    /// Receives the result and its JSON.
    std::function<void(const Input&, const RunHeader&, const RunOutcome&, const nlohmann::ordered_json&)>
        take;
};

/// Options to read the graph of a run and to build its schedules.
struct Preparation {
    Ends ends = Ends::sides;  ///< whether endpoints are of two sides, or of one set of vertices
    /// Options to build the schedules that a run on a graph file requires; none: schedules are not built.
    std::optional<BuildOptions> building;
};

/// The options that all applications have.
struct Request {
    std::string program = "lockstep-execute";
    std::string file;                     ///< schedule file, or a graph file or a mesh in its place
    std::optional<ReadOptions> reading;   ///< options to read a graph file
    std::string reading_words;            ///< these options as given: " --undirected"
    std::shared_ptr<ScheduleFile> graph;  ///< graph in memory, with its schedules
    std::string strategy;
    std::string axes;                  ///< axes that replace the strategy's preset; empty: the preset
    std::optional<std::string> order;  ///< schedule whose edge or vertex order an online strategy uses
    std::optional<std::string> record, lock;
    bool input_order = false;  ///< whether the graph must contain the order of the input
    bool trust = false;        ///< whether to run schedules without verification
    Device device = Device::automatic;
    std::string idle_on_cpu;  ///< given options that a CPU ignores, if the device is chosen automatically
    std::map<std::string, std::string> parameters;  ///< parameters of the application, for the run record

    // Options of applications with one value per vertex:
    std::optional<std::string> output;
    std::uint64_t top = 0;

    std::vector<std::string> inputs;  ///< files that the application reads itself
    std::vector<Output> outputs;      ///< files that it writes itself, except --output
    /// Prepares the application before the graph is read, and returns the options to read and to schedule the
    /// graph. Throws the application's errors. An empty function: the default options.
    std::function<Preparation(const Common&)> prepare;

    const Listener* listener = nullptr;  ///< receives the result instead of standard output
};

}  // namespace lockstep
