// lockstep-inspect: shows the contents of a schedule, model or rank file.
#include <algorithm>
#include <fstream>

#include "cli.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/model_file.hpp"
#include "lockstep/formats/output_file.hpp"
#include "lockstep/formats/result_file.hpp"
#include "outputs.hpp"
#include "report.hpp"

using namespace lockstep;

namespace {

struct InspectOptions {
    std::optional<std::string> file;
    std::vector<std::string> schedules;
    bool row_ids = false;
    std::optional<VertexId> workers;

    void list(Fields& fields) {
        fields.text("file", file, "FILE",
                    "schedule file of lockstep-preprocess, or model, rank or other result file of "
                    "lockstep-execute");
        fields.list("schedule", schedules, {},
                    "show only this schedule, with its parameters, histogram of round sizes and hash; may be "
                    "repeated");
        fields.flag("row-ids", row_ids,
                    "print only the row IDs, one per line, in the format that lockstep-predict --users FILE "
                    "reads");
        fields
            .number("workers", workers, 1, max_vertices,
                    "show the number of time steps of every schedule on T threads that run in lockstep (Time "
                    "steps), and simulate EL (edge locks) and NL (node locks) on these threads")
            .with_unit("T");
    }
};

/// Throws FormatError if the file is not HDF5; the message names the program that reads such a file.
void refuse_text(const std::string& path) {
    std::ifstream file(path);
    const int first = file.peek();
    // HDF5, or a file that cannot be opened; reading it reports the error.
    if (first == 0x89 || !file) return;
    throw FormatError(path, first == '{'
                                ? "is JSON, not HDF5; run records (*.jsonl) are shown by lockstep-report"
                                : "is not an HDF5 file of Lockstep; graphs and ratings are read by "
                                  "lockstep-preprocess, which writes one");
}

/// Keeps only the named schedules, in the given order.
void select(ScheduleFileSummary& file, const std::vector<std::string>& names) {
    std::vector<ScheduleSummary> chosen;
    for (const std::string& name : names) {
        const auto found = std::find_if(file.schedules.begin(), file.schedules.end(),
                                        [&](const auto& s) { return s.name == name; });
        if (found == file.schedules.end())
            throw ScheduleError(file.path + ": there is no schedule " + name +
                                "; run lockstep-inspect without --schedule to see them");
        chosen.push_back(*found);
    }
    file.schedules = std::move(chosen);
}

inspect::Machine simulate(const ScheduleFileSummary& summary, VertexId workers) {
    std::vector<std::string> names;
    for (const auto& s : summary.schedules) names.push_back(s.name);
    ScheduleFile file = read_schedule_file(summary.path, names);
    inspect::Machine machine;
    machine.workers = workers;
    for (const auto& [schedule, seconds] : file.schedules) {
        if (schedule.has(Level::phase)) machine.time_steps[schedule.name] = time_steps(schedule, workers);
    }
    const Graph& graph = file.dataset.graph;
    if (graph.edges() <= inspect::max_simulated_edges) {
        machine.online = inspect::OnlineSteps{
            edge_locked_passes(graph, given_order(graph), workers), {}, node_locked_steps(graph, workers)};
        for (const auto& [schedule, seconds] : file.schedules) {
            if (schedule.name == "shuffle")
                machine.online->shuffled = edge_locked_passes(graph, schedule.order, workers);
        }
    }
    machine.dataset = std::move(file.dataset);
    return machine;
}

/// Prints the row IDs, one per line, in vertex order, until the reader closes the pipe.
void print_row_ids(const std::string& path, const std::optional<ResultSummary>& result) {
    using Kind = ResultSummary::Kind;
    const IdMap ids = !result ? read_schedule_file(path, std::vector<std::string>{}).dataset.row_ids
                      : result->kind == Kind::model ? read_model(path).row_ids
                                                    : read_result(path).ids;
    cli::OutputFile out("-");
    for (VertexId v = 0; v < ids.size(); ++v) out.write(ids.name(v) + '\n');
    out.commit();
}

int body(const InspectOptions& options, const Fields&, const cli::Common& common) {
    if (!options.file) throw cli::UsageError("no file given");
    const std::string& path = *options.file;
    const bool selects = !options.schedules.empty();
    cli::refuse_standard_input(path, "a schedule, model or rank file");
    refuse_text(path);
    const auto result = read_result_summary(path);
    if (options.row_ids) {
        if (common.json || selects || options.workers)
            throw cli::UsageError("--row-ids excludes --json, --schedule and --workers");
        print_row_ids(path, result);
        return 0;
    }
    if (result) {
        if (selects || options.workers)
            throw cli::UsageError("--schedule and --workers require a schedule file; " + path + " contains " +
                                  (result->kind == ResultSummary::Kind::model ? "a model" : "a result"));
        common.json ? inspect::print_json(*result) : inspect::print_text(*result);
        return 0;
    }
    inspect::Report report;
    report.file = read_schedule_file_summary(path);
    if (selects) select(report.file, options.schedules);
    if (report.file.ends == Ends::vertices)
        report.degrees =
            statistics(vertex_degrees(read_schedule_file(path, std::vector<std::string>{}).dataset.graph));
    report.details = common.verbose || selects;
    if (options.workers) report.machine = simulate(report.file, *options.workers);
    common.json ? inspect::print_json(report) : inspect::print_text(report);
    return 0;
}

}  // namespace

int lockstep::cli::run_program(int argc, char** argv) {
    return run(argc, argv,
               {"lockstep-inspect", "lockstep-inspect FILE.h5 [options]",
                "Shows the contents of a schedule file (the graph, its source, its schedules and the "
                "time of every stage), of a model file, or of a rank or other result file. The table "
                "of schedules shows the number of rounds, the edges per round (Min, Median, Max, "
                "Mean), the sides on which concurrent edges share no endpoint (Disjoint: none, row, "
                "col or both), whether no edge could run in an earlier round of its block (Maximal), "
                "and the time of building the schedule (Built in).",
                "  lockstep-inspect ratings.h5\n  lockstep-inspect ratings.h5 --schedule sgm\n  "
                "lockstep-inspect model.h5\n  lockstep-inspect sample.h5 --workers 2\n  "
                "lockstep-inspect model.h5 --row-ids | head -n 1\n"},
               {"file"}, body);
}
