// What a run of an application is asked for.
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

    std::vector<std::string> inputs;  ///< files that the application reads itself
    std::vector<Output> outputs;      ///< files that it writes itself, but for --output

    const Listener* listener = nullptr;  ///< gets the result in place of standard output
};

}  // namespace lockstep
