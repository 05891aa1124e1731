// The request for a run of an application: its input, strategy, device and output, as given on the command
// line or by a caller of the library.
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

/// Functions of a program that runs an application as a library, without a command line.
struct Listener {
    /// Is called after each round, and returns false to stop the run. `done` is the number of completed
    /// rounds, and `rounds` is the maximum number of rounds of the run.
    std::function<bool(std::uint64_t done, std::uint64_t rounds)> continues;
    /// Receives the result of the run, and the JSON that describes it.
    std::function<void(const Input&, const RunHeader&, const RunOutcome&, const nlohmann::ordered_json&)>
        take;
};

/// An application's requirements for reading the graph of a run and building its schedules.
struct Preparation {
    /// Whether the two endpoints of an edge belong to different sets (rows and columns) or to one set of
    /// vertices.
    Ends ends = Ends::sides;
    /// Options for building the schedules that the run requires, if its input is a graph file; nullopt: no
    /// schedules are built.
    std::optional<BuildOptions> building;
};

/// The request for one run, with the options that all applications have.
struct Request {
    std::string program = "lockstep-execute";
    /// Path of a schedule file; of a graph file, whose schedules are built for this run; or of a mesh.
    std::string file;
    /// Options for reading a graph file; nullopt if `file` is not a graph file.
    std::optional<ReadOptions> reading;
    /// The options in `reading` as they were written on the command line: " --undirected".
    std::string reading_words;
    /// The graph and its schedules in memory, if the caller has them; `file` is not read then.
    std::shared_ptr<ScheduleFile> graph;
    std::string strategy;
    /// Axes (options of the rounds over active vertices) that replace the preset of the strategy; empty: the
    /// preset.
    std::string axes;
    /// Name of the schedule whose edge or vertex order an online strategy uses.
    std::optional<std::string> order;
    std::optional<std::string> record, lock;
    /// Whether the graph must keep the order in which the input file lists its edges.
    bool input_order = false;
    bool trust = false;  ///< whether to run schedules without verification (--trust)
    Device device = Device::automatic;
    /// Names of given options that have no effect on a CPU, if the device is chosen automatically.
    std::string idle_on_cpu;
    /// Values of the application's parameters, for the run record.
    std::map<std::string, std::string> parameters;

    // The next two are options of applications whose result has one value per vertex.
    std::optional<std::string> output;
    std::uint64_t top = 0;

    std::vector<std::string> inputs;  ///< additional files that the application reads
    std::vector<Output> outputs;      ///< files that the application writes, except --output
    /// Is called before the graph is read; returns the options for reading the graph and for building its
    /// schedules. It may throw errors of the application. If it is empty, the default options apply.
    std::function<Preparation(const Common&)> prepare;

    const Listener* listener = nullptr;  ///< receives the result, which is printed if there is no listener
};

}  // namespace lockstep
