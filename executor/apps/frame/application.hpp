// An application, as lockstep-execute sees it: what it is called, its options, how it runs, and what it says
// of a run. Everything between a schedule file and a result is in tools/execute/, once: load, strategy, proof, plan,
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
#include "lockstep/formats/console.hpp"
#include "lockstep/formats/fields.hpp"
#include "lockstep/formats/result_file.hpp"
#include "lockstep/formats/text.hpp"
#include "lockstep/schedules/builders.hpp"

namespace lockstep {

class Application;

/// The constant description of an application, and the function that makes one for a run.
struct Spec {
    const char* name;
    const char* summary;
    const char* example;     ///< an example command line without the program's name
    const char* strategies;  ///< application whose lines of the strategy table it runs
    const char *round = "iteration", *update = "edge", *result = "values";  ///< words of the closing line
    const char* value = "value";                ///< key of a vertex's value in the JSON of --top
    const char* format = "lockstep-result";     ///< of an HDF5 --output
    const char* outputs = "a file of results";  ///< the same, for a person
    const char* shared = nullptr;               ///< the strategy that several processes can run together
    const char* prepared = nullptr;             ///< schedules that --strategy auto is glad of
    bool takes_lengths = false;                 ///< the weights of a graph are lengths, above 0
    bool draws_pairs = true;                    ///< it learns from pairs that are drawn for implicit feedback
    bool wants_input_order = false;             ///< it asks for the edges in the order of the input
    std::unique_ptr<Application> (*make)(const Spec& spec) = nullptr;  ///< with its default options
};

/// The choice of --strategy auto or tune.
struct Choice {
    std::vector<std::string> strategies;  ///< the best first; the next ones should it not fit the device
    std::string reason;                   ///< a sentence
    std::pair<std::string, std::string> parameter;  ///< that the record keeps
    nlohmann::ordered_json json;                    ///< `key` of the JSON, where there is more to say
    const char* key = "auto";
    std::string axes = {};  ///< of its one strategy, in place of its preset; empty: that
    /// Returns the reason why the device cannot run an input, if that is known before a plan is made. An empty
    /// function: nothing is known.
    std::function<std::optional<std::string>(const Input&)> why_not = {};
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
    std::string text;                ///< the result as the closing line has it: "RMSE 0.9"
    std::string lines;               ///< more lines after the closing line
};

/// How the graph of a run is read, and scheduled.
struct Preparation {
    Ends ends = Ends::sides;  ///< whether endpoints are of two sides, or of one set of vertices
    std::optional<BuildOptions>
        building;  ///< how schedules that a graph file does not have are made; none: they are not
};

/// The description of a run for a person.
struct RunText {
    std::string workload;  ///< the size of the work: "rank 16, 90 training edges"
    std::string remark;    ///< more notes, a line each
    std::function<std::string(const SweepRecord&)>
        round;  ///< returns the metrics of a round; empty: it has none
};

/// Returns the path where a file is written, given the path of the option.
using FilePlace = std::function<std::string(const std::string&)>;

class Application {
public:
    explicit Application(const Spec& spec) : spec_(spec) {}
    virtual ~Application() = default;
    const Spec& spec() const { return spec_; }

    /// Lists the parameters: --help shows those of `basic`, --help-all also those of `more`. Applications that share a
    /// parameter list it with the same text.
    virtual void list(Fields& basic, Fields& more) = 0;
    /// Takes the parameters, once all are stored. Throws UsageError, or Error (usage), where they do not fit together.
    virtual void settle(const Fields& given, Request& request, int threads) = 0;
    /// The parameters of applications with a value per vertex.
    struct Results {
        std::optional<std::string> output;
        std::uint64_t top = 0;
        bool verify = false;
    };
    const Results& results() const { return results_; }
    /// Prepares the run before a file is read. Returns how its graph is read and scheduled.
    virtual Preparation prepare(const Common&) { return {}; }

    /// Chooses a strategy: by a rule or the cost model for --strategy auto, by running the candidates (`by_trial`) for
    /// --strategy tune. Throws UsageError if the application cannot try.
    virtual Choice choose(const Request& request, const Common& common, bool by_trial) = 0;
    /// Plans and runs. Throws ScheduleError (no_device) before the first round where the plan does not fit.
    virtual std::unique_ptr<RunOutcome> run(const Input& input, const RunCallbacks& callbacks) = 0;

    /// Describes a run whose device is known: sets rounds, rank, seed, edges and parameters of the record's header.
    virtual RunText describe(const Input& input, RunHeader& header, const RunOutcome& so_far) const = 0;

    /// Proves a result by other means, for --verify.
    virtual Checked check(const Input&, const RunOutcome&) const { return {}; }
    /// Writes the result to --output, and its other files.
    virtual void save(const Input& input, const RunHeader& header, const RunOutcome& outcome,
                      const FilePlace& place) const;
    virtual Told tell(const Input& input, const RunHeader& header, const RunOutcome& outcome) const = 0;

protected:
    /// Throws UsageError: the application has no --strategy tune.
    [[noreturn]] void refuse_trial() const;
    /// Lists --output, --top and --verify; of which list_verify() has the last alone.
    void list_results(Fields& basic);
    void list_verify(Fields& basic);
    /// Returns the place of --output; none if nothing is to be written there.
    std::optional<std::string> output_place(const RunOutcome& outcome, const FilePlace& place) const;

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
/// Asks for what an application needs of a graph file that is read for it.
void ask(const Spec& spec, ReadOptions& reading);
/// Whether a strategy of edges has in the file what it needs, and a walk for the ends of its edges.
bool runs_on(const Strategy& strategy, const ScheduleFileSummary& file);
/// Throws UsageError if no application has this name.
const Spec& find_spec(const std::string& name);

/// A number for JSON, null where it is not finite.
nlohmann::ordered_json number_or_null(double value);

}  // namespace lockstep
