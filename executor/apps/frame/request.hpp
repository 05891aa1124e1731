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

namespace lockstep {

class Input;
struct RunOutcome;

/// The caller of an application that is run without a command line.
struct Listener {
    /// Returns whether the run continues. `done` and `rounds` are the number of rounds done and of all rounds.
    std::function<bool(std::uint64_t done, std::uint64_t rounds)> goes_on;
    std::function<void(const Input&, const RunHeader&, const RunOutcome&, const nlohmann::ordered_json&)>
        take;
};

/// The options that all applications have.
struct Request {
    std::string program = "lockstep-execute";
    std::string file;                     ///< schedule file, or a graph file or a mesh in its place
    std::optional<ReadOptions> reading;   ///< how a graph file is read
    std::string reading_words;            ///< the same as it was given: " --undirected"
    std::shared_ptr<ScheduleFile> graph;  ///< what was read of it, or is in memory; with its schedules
    std::string strategy;
    std::string axes;                  ///< in place of the strategy's preset; empty: that
    std::optional<std::string> order;  ///< schedule whose edge or vertex order an online strategy takes
    std::optional<std::string> record, lock;
    bool input_order = false;  ///< the graph knows it
    bool trust = false;        ///< run schedules that are not proved
    Device device = Device::automatic;
    std::string idle_on_cpu;  ///< given options that a CPU ignores, if the device is chosen automatically
    std::map<std::string, std::string> parameters;  ///< parameters of the application, for the run record

    // Of applications with a value a vertex:
    std::optional<std::string> output;
    std::uint64_t top = 0;
    bool verify = false;

    std::vector<std::string> inputs;  ///< files that the application reads itself
    std::vector<Output> outputs;      ///< files that it writes itself, but for --output

    const Listener* listener = nullptr;  ///< gets the result in place of standard output
};

}  // namespace lockstep
