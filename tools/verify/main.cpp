// lockstep-verify: verifies a schedule file. Reading verifies checksums, hashes and ranges; the schedule
// checker verifies each schedule against the graph.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli.hpp"
#include "input_options.hpp"
#include "lockstep/formats/cache_folder.hpp"
#include "lockstep/formats/schedule_file.hpp"
#include "lockstep/schedules/verify.hpp"
#include "outputs.hpp"
#include "stages.hpp"

using namespace lockstep;

namespace {

struct VerifyOptions {
    std::optional<std::string> file, input;
    std::vector<std::string> schedules;
    cli::InputOptions reading;

    void list(Fields& fields) {
        fields.text("file", file, "FILE", "schedule file written by lockstep-preprocess");
        fields.list("schedule", schedules, {}, "verify only this schedule; may be repeated");
        fields.text("input", input, "GRAPH",
                    "also verify that the schedule file was built from this graph file; the options under "
                    "Reading the input define how the graph file is read");
        reading.list(fields);
    }
};

struct Proof {
    std::string name;
    EdgeId rounds, max_round;
    Verification result;
};

/// Returns an empty text if the file was built from the graph in `input`, else an error message.
std::string compare_input(const ScheduleFile& file, const std::string& input, const ReadOptions& options) {
    const Dataset dataset = read_dataset(input, options);
    if (graph_hash(dataset) == file.summary.graph_hash) return {};
    const Graph& graph = dataset.graph;
    return fmt::format(
        "schedule of another graph: {} was built from {} ({} x {}, {} edges), not from {} as it is read now "
        "({} x {}, {} edges)",
        file.summary.path, file.summary.source.path, file.summary.rows, file.summary.cols, file.summary.edges,
        input, graph.rows, graph.cols, graph.edges());
}

void print_table(const std::vector<Proof>& proofs) {
    std::size_t width = 8;
    for (const Proof& p : proofs) width = std::max(width, p.name.size());
    const auto mark = [](bool good) { return good ? "ok" : "FAILED"; };
    std::cout << fmt::format("{:<{}}  {:<8}{:<8}{:<8}{:<10}{:<9}{:<10}{:>10}{:>12}\n", "Schedule", width,
                             "Result", "Cover", "Nested", "Disjoint", "Maximal", "Resident", "Rounds",
                             "Max round");
    for (const auto& [name, rounds, max_round, v] : proofs) {
        std::cout << fmt::format("{:<{}}  {:<8}{:<8}{:<8}{:<10}{:<9}{:<10}{:>10}{:>12}\n", name, width,
                                 mark(v.ok()), mark(v.cover), mark(v.nested), mark(v.disjoint),
                                 mark(v.maximal), mark(v.resident), cli::group_digits(rounds),
                                 cli::group_digits(max_round));
        for (const std::string& problem : v.problems)
            std::cout << fmt::format("{:<{}}  {}\n", "", width, problem);
    }
}

void print_json(const std::string& path, bool ok, const std::vector<Proof>& proofs,
                const std::string& other_graph) {
    nlohmann::ordered_json json{{"ok", ok}, {"file", path}, {"schedules", nlohmann::ordered_json::array()}};
    for (const auto& [name, rounds, max_round, v] : proofs) {
        json["schedules"].push_back({{"name", name},
                                     {"ok", v.ok()},
                                     {"rounds", rounds},
                                     {"max_round", max_round},
                                     {"cover", v.cover},
                                     {"nested", v.nested},
                                     {"disjoint", v.disjoint},
                                     {"maximal", v.maximal},
                                     {"resident", v.resident},
                                     {"problems", v.problems}});
    }
    if (!other_graph.empty()) json["problem"] = other_graph;
    json["seconds"] = cli::stage_seconds();
    json["peak_bytes"] = cli::peak_memory();
    cli::print_json(json);
}

int body(const VerifyOptions& options, const Fields&, const cli::Common& common) {
    if (!options.file) throw cli::UsageError("no file given");
    std::optional<std::vector<std::string>> names;
    if (!options.schedules.empty()) names = options.schedules;
    const ReadOptions reading = options.reading.reading();
    cli::refuse_standard_input(*options.file, "a schedule file");
    const ScheduleFile file = read_schedule_file(*options.file, names);
    cli::end_stage("read");

    std::string other_graph;
    if (options.input) {
        other_graph = compare_input(file, *options.input, reading);
        cli::end_stage("input");
    }
    std::vector<Proof> proofs;
    for (const auto& [schedule, seconds] : file.schedules) {
        cli::check_signal();
        const ScheduleStatistics s = statistics(schedule);
        proofs.push_back({schedule.name, s.rounds, s.max_round, verify(file.dataset.graph, schedule)});
        const auto summary =
            std::find_if(file.summary.schedules.begin(), file.summary.schedules.end(),
                         [&name = schedule.name](const ScheduleSummary& of) { return of.name == name; });
        if (proofs.back().result.ok()) store_verification(file.summary.graph_hash, summary->hash);
    }
    cli::end_stage("prove");
    const bool ok = other_graph.empty() &&
                    std::all_of(proofs.begin(), proofs.end(), [](const Proof& p) { return p.result.ok(); });
    common.json ? print_json(file.summary.path, ok, proofs, other_graph) : print_table(proofs);
    if (!other_graph.empty()) std::cerr << "lockstep-verify: " << other_graph << '\n';
    return ok ? 0 : static_cast<int>(Failure::verification);
}

}  // namespace

int lockstep::cli::run_program(int argc, char** argv) {
    return run(
        argc, argv,
        {"lockstep-verify", "lockstep-verify FILE.h5 [options]",
         "Verifies a schedule file: checksums and hashes, each edge exactly once, no conflict inside a "
         "round, maximality if it is claimed. Exit code 7 if the verification fails, 4 if the file is "
         "damaged. Each row of the table shows whether all checks passed (Result), each edge occurs exactly "
         "once (Cover), the levels are well-formed (Nested), concurrent edges share no endpoint on the sides "
         "that the schedule claims (Disjoint), no edge could run in an earlier round of its block, if this "
         "is claimed (Maximal), and each edge of a block is in a column that only this block keeps in shared "
         "memory, if there are such columns (Resident). Rounds is the number of rounds, Max round the number "
         "of edges of the largest round.",
         "  lockstep-verify ratings.h5\n  lockstep-verify ratings.h5 --schedule sgm --input "
         "ratings.csv.xz\n"},
        {"file"}, body);
}
