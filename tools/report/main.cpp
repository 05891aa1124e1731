// lockstep-report: shows how the time divides into preprocessing and run time, from run records and schedule
// files.
#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <iostream>
#include <set>

#include "cli.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/output_file.hpp"
#include "lockstep/formats/version.hpp"
#include "outputs.hpp"
#include "writers.hpp"

namespace {

using namespace lockstep;

struct ReportOptions {
    std::vector<std::string> inputs;
    std::optional<std::string> html, csv, baseline;
    bool force = false;

    void list(Fields& fields) {
        fields.texts("input", inputs, "FILE…",
                     "run records (JSON lines), schedule files (HDF5), probes (lockstep-probe -o) and "
                     "predictions (lockstep-recommend --json); the kind of a file is detected from its "
                     "content");
        fields.text("html", html, "FILE", "also write a page with pictures").writes(html_output);
        fields.text("csv", csv, "FILE", "also write the table as CSV").writes(csv_output);
        fields.text("baseline", baseline, "STRATEGY",
                    "strategy to which times are normalised (default: sgd el or el-shuffled, else slowest)");
        cli::list_force(fields, force);
    }
};

void write_output(const std::string& path, const std::string& content) {
    cli::OutputFile file(path);
    file.write(content);
    file.commit();
}

/// Checks the output files before anything is read.
void check_files(const ReportOptions& options, const Fields& given, const cli::Common& common) {
    const std::vector<cli::Output> outputs = cli::given_outputs(given);
    for (const cli::Output& output : outputs) {
        if (output.path == "-" && common.json)
            throw cli::UsageError(
                fmt::format("--json and {} - would both write to standard output", output.option));
    }
    cli::check_outputs(options.inputs, outputs, options.force);
}

int report_files(const ReportOptions& options, const Fields& given, const cli::Common& common) {
    if (options.inputs.empty())
        throw cli::UsageError("no files given: expected run records or schedule files");
    check_files(options, given, common);
    std::vector<RunRecord> records;
    std::vector<ScheduleFileSummary> files;
    std::vector<insight::Probe> probes;
    std::vector<report::Forecast> forecasts;
    std::set<std::filesystem::path> seen;
    for (const std::string& path : options.inputs) {
        cli::check_signal();
        // A run must not be counted twice for "run*.jsonl run1.jsonl".
        if (!seen.insert(std::filesystem::weakly_canonical(path)).second) continue;
        // The kind of a file is detected from its contents, not from its name.
        InputFile input(path, cli::check_signal);
        if (input.is_hdf5()) {
            files.push_back(read_schedule_file_summary(path));
            continue;
        }
        const std::string text = input.read_rest();
        if (!text.starts_with("{\n")) {  // JSON lines
            auto more = parse_run_records(text, input.name());
            std::move(more.begin(), more.end(), std::back_inserter(records));
        } else if (text.find("\"lockstep_probe\"") != std::string::npos) {
            probes.push_back(insight::probe_from_json(text, path));
        } else if (text.find("\"lockstep_recommendation\"") != std::string::npos) {
            forecasts.push_back(report::forecast_from_json(text, path));
        } else {
            throw FormatError(input.name(),
                              "is JSON of another kind; expected run records (one object per line), a probe "
                              "or a recommendation");
        }
    }
    report::Table table = report::build_table(records, files, options.baseline);
    table.probes = std::move(probes);
    report::add_forecasts(table, forecasts);
    const report::Origin origin{program_version("lockstep-report"), cli::command_line()};
    bool printed = false;  // whether an output was written to standard output ("-")
    const auto write = [&](const std::optional<std::string>& path,
                           const std::function<std::string()>& content) {
        if (!path) return;
        write_output(*path, content());
        printed = printed || path == "-";
    };
    write(options.html, [&] { return report::to_html(table, origin); });
    write(options.csv, [&] { return report::to_csv(table); });
    if (printed) return 0;
    if (common.json)
        cli::print_json(report::to_json(table, origin));
    else if (!common.quiet || !(options.html || options.csv))
        std::cout << report::to_text(table, origin);
    return 0;
}

}  // namespace

int lockstep::cli::run_program(int argc, char** argv) {
    return run(
        argc, argv,
        {"lockstep-report", "lockstep-report RECORD.jsonl… [SCHEDULES.h5…] [options]",
         "Shows how the time divides into preprocessing, transfer and execution, one row per strategy. "
         "Times are relative to EL (edge locks) or to the slowest run. For each schedule the report shows "
         "the number of sweeps "
         "after which it has saved as much time as its preprocessing took.",
         "  lockstep-report run*.jsonl\n"
         "  lockstep-report run*.jsonl r.h5 --html report.html --csv table.csv\n"
         "  lockstep-report run*.jsonl --baseline nl-el --json\n"},
        {"input"}, report_files);
}
