// An application, as lockstep-execute sees it: what it is called, its options, how it runs, and what it says
// of a run. Everything between a schedule file and a result is in run.cpp, once: load, strategy, proof, plan,
// rounds, check, record, result.
//
// An application is a folder apps/NAME and a line in executor/CMakeLists.txt. Its application.cpp defines
//
//     const Spec& lockstep::NAME_spec();
//
// and a class, whose objects are one run's: they have its options. Those of graphs are derived from
// GraphApplication, or from one of the three that know a family: ArcApplication, FrontierApplication,
// StructureApplication.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "apps/frame/input.hpp"
#include "apps/frame/outcome.hpp"
#include "lockstep/formats/fields.hpp"
#include "lockstep/formats/result_file.hpp"
#include "lockstep/schedules/builders.hpp"
#include "outputs.hpp"

namespace lockstep {

class Application;

/// The constant description of an application, and the function that makes one for a run.
struct Spec {
    const char* name;
    const char* summary;
    const char* example;     ///< of a command line, behind the program's name
    const char* strategies;  ///< application whose lines of the strategy table it runs
    const char *round = "iteration", *update = "edge", *result = "values";  ///< words of the closing line
    const char* value = "value";                ///< key of a vertex's value in the JSON of --top
    const char* format = "lockstep-result";     ///< of an HDF5 --output
    const char* outputs = "a file of results";  ///< the same, for a person
    const char* shared = nullptr;               ///< the strategy that several processes can run together
    const char* prepared = nullptr;             ///< schedules that --strategy auto is glad of
    std::unique_ptr<Application> (*make)(const Spec& spec) = nullptr;  ///< with its default options
};

/// What --strategy auto, or tune, takes.
struct Choice {
    std::vector<std::string> strategies;  ///< the best first; the next ones should it not fit the device
    std::string reason;                   ///< a sentence
    std::pair<std::string, std::string> parameter;  ///< that the record keeps
    nlohmann::ordered_json json;                    ///< `key` of the JSON, where there is more to say
    const char* key = "auto";
    std::string axes = {};  ///< of its one strategy, in place of its preset; empty: that
};

/// Whether a result is right, as a reference apart from the kernels finds.
struct Checked {
    std::string problem;          ///< empty: proved
    std::string text;             ///< after "proved: "
    nlohmann::ordered_json json;  ///< "check" of the JSON, after "ok"
};

/// An application's part of the JSON and of the closing lines.
struct Told {
    nlohmann::ordered_json device;   ///< more of "device"
    nlohmann::ordered_json head;     ///< before "status"
    nlohmann::ordered_json metrics;  ///< after "result_hash"
    nlohmann::ordered_json rounds;   ///< after "seconds"
    std::string text;                ///< of the result, in the closing line: "RMSE 0.9"
    std::string lines;               ///< behind it
};

class Application {
public:
    explicit Application(const Spec& spec) : spec_(spec) {}
    virtual ~Application() = default;
    const Spec& spec() const { return spec_; }

    /// Lists its parameters: those of `basic` are for everybody, those of `more` for who looks for them. One that several
    /// applications have is listed alike by all of them.
    virtual void list(Fields& basic, Fields& more) = 0;
    /// Takes the parameters, once all are stored. Throws UsageError, or Error (usage), where they do not fit together.
    virtual void settle(const Fields& given, const Request& request, int threads) = 0;
    /// The parameters of applications with a value per vertex.
    struct Results {
        std::optional<std::string> output;
        std::uint64_t top = 0;
        bool verify = false;
    };
    const Results& results() const { return results_; }
    /// Files that it reads, and writes, itself.
    virtual std::vector<std::string> inputs() const { return {}; }
    virtual std::vector<cli::Output> outputs() const { return {}; }
    virtual std::uint64_t rounds() const = 0;  ///< asked for
    /// Whether it asks for the edges in the order of the input.
    virtual bool wants_input_order() const { return false; }
    /// What it asks of a graph file that is read for it.
    virtual void ask(ReadOptions&) const {}
    /// How schedules that are not in a graph file are made for the run; none: they are not.
    virtual std::optional<BuildOptions> building() const { return {}; }
    /// Makes ready what it runs, before anything is read; whose state an end of an edge is to it.
    virtual Ends prepare(const cli::Common&) { return Ends::sides; }
    /// Its options that have no effect on a CPU.
    virtual std::vector<std::string> gpu_options() const { return {}; }

    virtual Choice choose(const Request& request, const cli::Common& common) const = 0;
    /// The same by trying. Throws UsageError where the application has no way to.
    virtual Choice tune(const Request& request, const cli::Common& common);
    /// The program that a strategy is on a CPU, where several are one there: the same words of the same
    /// program. Empty: each is one of its own.
    virtual std::string cpu_program(const Strategy&) const { return {}; }
    /// Why the device cannot run this, if it cannot, as far as that is known beforehand; --strategy auto
    /// asks.
    virtual std::optional<std::string> why_not(const Input&) const { return {}; }
    /// Plans and runs. Throws ScheduleError (no_device) before the first round where the plan does not fit.
    virtual std::unique_ptr<RunOutcome> run(const Input& input, const RunCallbacks& callbacks) = 0;

    /// Once the device is known: rank, seed, edges and parameters for the record.
    virtual void describe(const Input& input, RunHeader& header, const RunOutcome& so_far) const = 0;
    /// What runs, for the note before the first round: "rank 16, 90 training edges"; and more notes.
    virtual std::string workload(const RunHeader& header, const RunOutcome& so_far) const = 0;
    virtual std::string remark(const RunOutcome&) const { return {}; }
    /// A round's metrics, for a person; nothing where it has none.
    virtual std::string round_text(const SweepRecord&, const RunHeader&) const { return {}; }

    /// The round whose result is kept, where it may be another than the last.
    virtual std::optional<std::uint64_t> kept_round(const RunOutcome&) const { return {}; }
    /// Returns whether a run that diverged has a result, that of its last good round. The frame neither checks nor
    /// writes the result of any other run that diverged, so that earlier output files stay as they are.
    virtual bool keeps_last_good_result() const { return false; }

    /// For --verify: proves a result by other means.
    virtual Checked check(const Input&, const RunOutcome&) const { return {}; }
    /// The result by vertex, for --output and --top (the first column).
    virtual std::vector<ResultColumn> columns(const RunOutcome& outcome) const { return outcome.columns; }
    /// Writes the result to --output.
    virtual void write(const std::string& path, const Input& input, const RunHeader& header,
                       const RunOutcome& outcome) const;
    /// Writes its other files; `place(path)` says where one goes.
    virtual void save(const Input&, const RunHeader&, const RunOutcome&,
                      const std::function<std::string(const std::string&)>& /*place*/) const {}
    virtual Told tell(const Input& input, const RunHeader& header, const RunOutcome& outcome) const = 0;

protected:
    /// Lists --output, --top and --verify; of which list_verify() has the last alone.
    void list_results(Fields& basic);
    void list_verify(Fields& basic);

    Results results_;

private:
    const Spec& spec_;
};

template <class T>
std::unique_ptr<Application> make_application(const Spec& spec) {
    return std::make_unique<T>(spec);
}

// Parameters of several applications.
void list_seed(Fields& fields, std::uint64_t& seed);
void list_sweeps(Fields& fields, std::optional<std::uint64_t>& sweeps);
void list_until(Fields& fields, std::optional<double>& until);
void list_iterations(Fields& fields, std::optional<std::uint64_t>& iterations);
void list_chunk(Fields& fields, int& chunk);
void list_repeat(Fields& fields, std::uint64_t& repeats);
void list_tune_seconds(Fields& fields, double& seconds);

/// Returns the descriptions of all applications, in the order of executor/CMakeLists.txt, which makes the definition.
std::span<const Spec* const> specs();
/// Returns whether the files of an application are meshes, not graphs.
bool runs_on_meshes(const Spec& spec);
/// Whether a strategy of edges has in the file what it needs, and a walk for the ends of its edges.
bool runs_on(const Strategy& strategy, const ScheduleFileSummary& file);
/// Throws UsageError if no application has this name.
const Spec& find_spec(const std::string& name);

/// The one path from a schedule file to a result. Throws as its steps do.
int execute(Application& application, const Request& request, const cli::Common& common);

/// A run whose graph and schedule are in memory.
struct Prepared {
    Input input;
    std::optional<Choice> choice;  ///< how the strategy was found, where the user left it open
    nlohmann::ordered_json json;   ///< more of the run's JSON
    std::string text;              ///< lines before the closing one
    bool in_memory = false;        ///< read and scheduled by this program
};
/// The same from there on.
int execute(Application& application, const Request& request, const cli::Common& common, Prepared prepared);

/// A number for JSON, null where it is not finite.
nlohmann::ordered_json number_or_null(double value);

}  // namespace lockstep
