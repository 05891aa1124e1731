// The interface between lockstep-execute and an application: its name, its options, its run, and the report
// of a run. The steps that all applications share (load, choose a strategy, verify, plan, check, record,
// write the result) are in tools/execute/.
//
// An application is the files apps/NAME.hpp and apps/NAME.cpp, or a folder apps/NAME, and a line in
// executor/CMakeLists.txt. Its NAME.cpp or application.cpp defines
//
//     const Spec& lockstep::NAME_spec();
//
// Each object of Application stands for one run and holds the options of this run. make_traversal() makes
// the applications over active vertices, make_iteration() those along arcs, and make_structure() those that
// compute a structure of a graph. The other applications have a class that is derived from GraphApplication
// or Application.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "apps/frame/input.hpp"
#include "apps/frame/outcome.hpp"
#include "lockstep/formats/console.hpp"
#include "lockstep/formats/fields.hpp"
#include "lockstep/formats/result_file.hpp"
#include "lockstep/formats/text.hpp"

namespace lockstep {

class Application;

/// The constant description of an application, and the function that makes one for a run.
struct Spec {
    const char* name;
    const char* summary;
    const char* example;     ///< an example command line without the program's name
    const char* strategies;  ///< application whose entries of the strategy table it runs
    const char *round = "iteration", *update = "edge", *result = "values";  ///< words of the closing line
    const char* value = "value";                ///< key of a vertex's value in the JSON of --top
    const char* format = "lockstep-result";     ///< `format` attribute of an HDF5 --output
    const char* outputs = "a file of results";  ///< description of such a file in messages
    const char* shared = nullptr;               ///< the strategy that several processes can run together
    const char* prepared = nullptr;             ///< schedules that --strategy auto uses if the file has them
    bool takes_lengths = false;                 ///< whether the weights of a graph are lengths, above 0
    bool draws_pairs = true;         ///< whether it trains on pairs that are drawn for implicit feedback
    bool wants_input_order = false;  ///< whether it requires the edges in the order of the input
    /// Creates an application with its default options.
    std::unique_ptr<Application> (*make)(const Spec& spec) = nullptr;
};

/// The choice of --strategy auto or tune.
struct Choice {
    /// Strategies, the best one first. A later one is used if the plans of those before it do not fit the
    /// device.
    std::vector<std::string> strategies;
    std::string reason;                             ///< explanation of the choice, a sentence
    std::pair<std::string, std::string> parameter;  ///< parameter that is added to the run record
    nlohmann::ordered_json json;  ///< how the strategy was chosen, for the JSON; null: nothing
    const char* key = "auto";     ///< key of `json` in the JSON
    std::string axes = {};        ///< axes that replace the preset of the only strategy; empty: its preset
    /// Returns the reason why the device cannot run an input, as far as it is known before planning; nothing
    /// if there is none. An empty function: nothing is known before planning.
    std::function<std::optional<std::string>(const Input&)> why_not = {};
};

/// An application's part of the JSON and of the closing lines.
struct RunReport {
    nlohmann::ordered_json device;   ///< additional members of "device"
    nlohmann::ordered_json head;     ///< members before "status"
    nlohmann::ordered_json metrics;  ///< members after "result_hash"
    nlohmann::ordered_json rounds;   ///< members after "seconds"
    std::string text;                ///< the result in the closing line: "RMSE 0.9"
    std::string lines;               ///< more lines after the closing line
};

/// The description of a run in messages.
struct RunText {
    std::string workload;  ///< the size of the work: "rank 16, 90 training edges"
    std::string remark;    ///< more notes, one per line
    /// Returns the metrics of a round as a text; empty if rounds have none.
    std::function<std::string(const SweepRecord&)> round;
};

/// The functions of the caller that an application calls during a run.
struct RunEvents {
    /// Called when device and plan are known. `header` has the members of the run record that the application
    /// knows: rounds, rank, seed, edges and parameters.
    std::function<void(const RunOutcome& so_far, RunHeader header, RunText text)> on_start;
    std::function<void(const SweepRecord&)> on_round;
    std::function<bool()> interrupted;

    /// Returns the callbacks that pass on these events, for a run that `describe` describes. `describe` sets
    /// the members of the header. The events must outlive the callbacks.
    RunCallbacks callbacks(std::function<RunText(RunHeader&, const RunOutcome& so_far)> describe) const;
};

/// Returns the path to which a file is written, given the path in the option.
using FilePlace = std::function<std::string(const std::string&)>;

class Application {
public:
    explicit Application(const Spec& spec) : spec_(spec) {}
    virtual ~Application() = default;
    const Spec& spec() const { return spec_; }

    /// Lists the parameters: --help shows those of `basic`, --help-all also those of `more`. Applications
    /// that share a parameter list it with the same text.
    virtual void list(Fields& basic, Fields& more) = 0;
    /// Processes the parameters after all have been stored, and adds to the request the files of the
    /// application and its preparation. Throws UsageError, or Error (usage), if parameters contradict each
    /// other.
    virtual void settle(const Fields& given, Request& request, int threads) = 0;
    /// Parameters of applications with a value per vertex.
    struct Results {
        std::optional<std::string> output;
        std::uint64_t top = 0;
        bool verify = false;
    };
    const Results& results() const { return results_; }

    /// Chooses a strategy: by a rule or the cost model for --strategy auto, by running the candidates
    /// (`by_trial`) for --strategy tune. Throws UsageError if the application does not support trials.
    virtual Choice choose(const Request& request, const Common& common, bool by_trial) = 0;
    /// Makes a plan and runs it. With --verify, also checks the result. Throws ScheduleError (no_device)
    /// before the first round if the plan does not fit into the device's memory.
    virtual std::unique_ptr<RunOutcome> run(const Input& input, const RunEvents& events) = 0;

    /// Writes the result to --output, and the application's other files.
    virtual void save(const Input& input, const RunHeader& header, const RunOutcome& outcome,
                      const FilePlace& place) const;
    /// Returns the application's part of the report of a run.
    virtual RunReport report_run(const Input& input, const RunHeader& header,
                                 const RunOutcome& outcome) const = 0;

protected:
    /// Throws UsageError: the application has no --strategy tune.
    [[noreturn]] void refuse_trial() const;
    /// Lists --output, --top and --verify.
    void list_results(Fields& basic);
    /// Lists only --verify.
    void list_verify(Fields& basic);
    /// With --verify, stores in the outcome what `check` returns, and its time. A run without a result is not
    /// checked. `check` shares no code with the kernels.
    void verify(RunOutcome& outcome, const std::function<CheckResult()>& check) const;
    /// Returns the path to which --output is written; none without --output, or if it is standard output and
    /// the run was interrupted.
    std::optional<std::string> output_place(const RunOutcome& outcome, const FilePlace& place) const;

    Results results_;

private:
    const Spec& spec_;
};

template <class T>
std::unique_ptr<Application> make_application(const Spec& spec) {
    return std::make_unique<T>(spec);
}

// Each of these functions lists a parameter that several applications have.
void list_seed(Fields& fields, std::uint64_t& seed);
void list_sweeps(Fields& fields, std::optional<std::uint64_t>& sweeps);
void list_until(Fields& fields, std::optional<double>& until);
void list_iterations(Fields& fields, std::optional<std::uint64_t>& iterations);
void list_chunk(Fields& fields, int& chunk);
void list_repeat(Fields& fields, std::uint64_t& repeats);
void list_tune_seconds(Fields& fields, double& seconds);

/// Returns the descriptions of all applications, in the order of executor/CMakeLists.txt, which generates
/// this function's definition.
std::span<const Spec* const> specs();
/// Returns true if the application runs on meshes instead of graphs.
bool runs_on_meshes(const Spec& spec);
/// Adapts the options for reading a graph file to an application: requires positive weights if they are
/// lengths, and draws no pairs for implicit feedback if the application does not train on them.
void adapt_read_options(const Spec& spec, ReadOptions& reading);
/// Returns true if the file has the schedule that a strategy for edges requires, and the strategy has a walk
/// for the file's kind of endpoints (two sides, or one set of vertices).
bool runs_on(const Strategy& strategy, const ScheduleFileSummary& file);
/// Returns the description of the application of this name. Throws UsageError if there is none.
const Spec& find_spec(const std::string& name);

/// Returns a number as JSON; null if it is not finite.
nlohmann::ordered_json number_or_null(double value);

}  // namespace lockstep
