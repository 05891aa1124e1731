// lockstep-preprocess: reads a graph or ratings file and writes conflict-free schedules.
#include <fmt/format.h>
#include <omp.h>

#include <cstdlib>
#include <iostream>
#include <limits>
#include <new>
#include <optional>

#include "bounded_memory.hpp"
#include "build_options.hpp"
#include "cli.hpp"
#include "file_lock.hpp"
#include "input_options.hpp"
#include "insight/build_options.hpp"
#include "insight/cache.hpp"
#include "lockstep/formats/file_mark.hpp"
#include "outputs.hpp"
#include "pipeline.hpp"

using namespace lockstep;

namespace {

struct PreprocessOptions {
    std::optional<std::string> input, output;
    std::vector<std::string> schedules{"agm-e"};
    int threads = 0, deflate = 0;
    std::uint64_t seed = 1;
    bool no_times = false, no_verify = false, force = false;
    cli::InputOptions reading;
    BuilderOptions tuning;

    void list(Fields& fields) {
        std::vector<std::string> names{"all"};
        for (const Builder& builder : builders()) names.emplace_back(builder.name);
        fields.text("input", input, "FILE",
                    "graph or ratings file, or schedule file to extend; graphs and ratings may be plain, "
                    "compressed or in an archive; - = standard input; also accepted as first argument");
        fields.text("output", output, "FILE.h5", "schedule file to write (HDF5)").with_letter('o');
        fields.list("schedule", schedules, names, "schedules to compute, comma-separated, or all")
            .with_letter('s');
        fields.number("threads", threads, 0, cli::max_threads, "CPU threads; 0 = all");
        fields.number("seed", seed, 0, std::numeric_limits<std::uint64_t>::max(),
                      "seed of all random choices; for shuffles, METIS, stars and the sampled pairs of "
                      "--feedback implicit");
        reading.list(fields);
        reading.list_feedback(fields);
        fields.begin_section("Tuning of the schedules");
        tuning.list(fields);
        fields.begin_section("More options");
        fields.number("deflate", deflate, 0, 9, "compression of the schedule file, 0 (none), 1 (fast) to 9");
        fields.flag("no-times", no_times,
                    "do not store the time of each stage: the same input and options then give a "
                    "byte-identical file");
        fields.flag("no-verify", no_verify, "do not verify the schedules before they are written");
        cli::list_force(fields, force);
    }
};

nlohmann::ordered_json to_json(const PreprocessRequest& request, const PreprocessResult& result) {
    nlohmann::ordered_json schedules = nlohmann::ordered_json::array();
    for (const ScheduleSummary& s : result.file.schedules) {
        schedules.push_back({{"name", s.name},
                             {"seconds", s.seconds},
                             {"rounds", s.statistics.rounds},
                             {"max_round", s.statistics.max_round},
                             {"parameters", s.parameters},
                             {"hash", s.hash}});
    }
    const PreprocessSeconds& t = result.seconds;
    const double total = cli::seconds_since_start();
    return {{"input", request.input.string()},
            {"format", result.file.source.format},
            {"compression", result.file.source.compression},
            {"output", request.output.string()},
            {"rows", result.file.rows},
            {"cols", result.file.cols},
            {"edges", result.file.edges},
            {"repeats", result.file.source.repeats},
            {"drawn", result.file.source.drawn},
            {"max_row_degree", result.file.max_degree.row},
            {"max_col_degree", result.file.max_degree.col},
            {"graph_hash", result.file.graph_hash},
            {"seconds",
             {{"read", t.read},
              {"schedule", t.schedule},
              {"verify", t.verify},
              {"write", t.write},
              {"total", total},
              {"other", total - t.read - t.schedule - t.verify - t.write}}},
            {"estimated_bytes", result.estimated_bytes},
            {"peak_bytes", cli::peak_memory()},
            {"temporary_bytes", max_mapped()},
            {"schedules", schedules}};
}

void print_text(const PreprocessResult& result, bool verbose) {
    std::cout << fmt::format("{:<10} {:>10} {:>12} {:>14}\n", "schedule", "time", "rounds", "largest round");
    for (const ScheduleSummary& s : result.file.schedules) {
        std::cout << fmt::format("{:<10} {:>10} {:>12} {:>14}\n", s.name, cli::duration(s.seconds),
                                 cli::group_digits(s.statistics.rounds),
                                 cli::group_digits(s.statistics.max_round));
    }
    for (const ScheduleSummary& s : result.file.schedules) {
        const auto& parameters = s.parameters;
        if (parameters.contains("matching_reason")) {
            std::cout << fmt::format("{}: --matching {}: {}\n", s.name, parameters.at("matching"),
                                     parameters.at("matching_reason"));
        }
        if (parameters.contains("bound")) {
            std::cout << fmt::format("{}: at least {} rounds, because a column has {} rows\n", s.name,
                                     parameters.at("bound"), parameters.at("bound"));
        }
        if (parameters.contains("predicted_ms")) {
            std::cout << fmt::format("{}: {}", s.name, parameters.at("choice"));
            // --verbose prints the prediction also for the default device.
            if (verbose || parameters.contains("predicted_for"))
                std::cout << fmt::format(
                    "; about {} ms per sweep on {}{}", parameters.at("predicted_ms"),
                    parameters.contains("predicted_for") ? parameters.at("predicted_for") : "an H200",
                    parameters.at("predicted_parts"));
            std::cout << '\n';
        }
    }
    const PreprocessSeconds& t = result.seconds;
    std::cout << fmt::format("read {}, schedule {}, verify {}, write {}; peak memory {}",
                             cli::duration(t.read), cli::duration(t.schedule), cli::duration(t.verify),
                             cli::duration(t.write), cli::bytes(static_cast<double>(cli::peak_memory())));
    if (const EdgeId mapped = max_mapped())
        std::cout << fmt::format(", temporary files {}", cli::bytes(static_cast<double>(mapped)));
    std::cout << '\n';
}

/// Limits the resident memory to --memory. Temporary files are created in $TMPDIR or, if it is not set, in
/// the folder of the output.
void bound(PreprocessRequest& request, const std::string& given) {
    const EdgeId limit = request.memory_limit, least = min_memory(omp_get_max_threads());
    if (limit < least) {
        throw cli::UsageError(fmt::format("--memory {}: with {} threads at least {}M are needed", given,
                                          omp_get_max_threads(), (least + 999'999) / 1'000'000));
    }
    const char* const named = std::getenv("TMPDIR");
    const std::filesystem::path folder = named && *named ? named : request.output.parent_path();
    std::error_code error;
    const auto space = std::filesystem::space(folder.empty() ? "." : folder, error);
    if (!error) request.read.memory_limit += space.available;
    request.bounded = true;
    bound_memory(limit, folder);
}

/// Chooses sizes by the costs of a probed device.
void take_probe(const std::string& name, const Fields& given, PreprocessRequest& request) {
    const auto known = insight::built_in_class(name);
    const insight::Probe probe = known ? *known : insight::read_probe(name);
    if (probe.device.kind != "cuda") {
        throw cli::UsageError(
            fmt::format("--probe {}: this is the probe of a CPU, but sizes are chosen only for GPUs; give "
                        "the probe of a GPU",
                        name));
    }
    request.build.costs = insight::device_costs(probe);
    if (given.is_given("multiprocessors")) return;
    const BuildOptions device = insight::build_options(probe);
    request.build.multiprocessors = device.multiprocessors;
    if (!given.is_given("workers")) request.build.workers = device.workers;
}

int preprocess_main(const PreprocessOptions& options, const Fields& given, const cli::Common& common) {
    if (!options.input) throw cli::UsageError("an input file is needed");
    if (!options.output) throw cli::UsageError("an output file is needed: -o FILE.h5");
    PreprocessRequest request;
    request.input = *options.input;
    request.output = *options.output;
    request.schedules = options.schedules;
    // A schedule file is read completely before it is replaced by one with the added schedules.
    const bool adds = is_lockstep_file(request.input, cli::schedule_output.hdf5);
    cli::check_outputs(adds ? std::vector<std::string>{} : std::vector{*options.input},
                       {{"-o", *options.output, cli::schedule_output}}, options.force);
    if (adds) cli::refuse_input_options(given, *options.input);
    std::optional<cli::ReplacementLock> lock;
    std::error_code ignored;
    if (adds && std::filesystem::equivalent(request.input, request.output, ignored))
        lock.emplace(*options.output, common);
    request.read = options.reading.reading(options.seed);
    request.memory_limit = request.read.memory_limit;
    request.build = options.tuning.build(options.seed);
    if (options.tuning.probe) take_probe(*options.tuning.probe, given, request);
    request.verify = !options.no_verify;
    request.times = !options.no_times;
    request.deflate = options.deflate;
    if (options.threads > 0) omp_set_num_threads(options.threads);

    if (options.reading.memory) bound(request, *options.reading.memory);

    try {
        const PreprocessResult result = preprocess(request, [&](const std::string& text) {
            cli::check_signal();
            cli::note(common, text);
        });
        if (common.json) {
            cli::print_json(to_json(request, result));
        } else if (!common.quiet) {
            print_text(result, common.verbose);
        }
    } catch (const std::bad_alloc&) {
        check_temporary_files();
        throw;
    }
    return 0;
}

}  // namespace

int lockstep::cli::run_program(int argc, char** argv) {
    std::string schedules =
        "With --ends sides (the default), concurrent edges share no row and no column. Rows and columns have "
        "separate states, so that a vertex of a square graph has two states. With --ends vertices (springs, "
        "layouts, meshes), concurrent edges share no vertex at all.\n\nSchedules:\n";
    for (const Builder& builder : builders())
        schedules += fmt::format("  {:<12} {}\n", builder.name, builder.summary);
    return run(
        argc, argv,
        {"lockstep-preprocess",
         "lockstep-preprocess INPUT -o OUTPUT.h5 [options]",
         "Computes conflict-free schedules of a graph and writes them, with the graph, to a schedule file.",
         "  lockstep-preprocess ratings.csv -o ratings.h5 --schedule agm-e,sgm,blkdiag\n"
         "  lockstep-preprocess web.txt.gz -o web.h5 --shape square --schedule edge-tiled\n",
         {},
         {"input", "output", "schedule", "threads", "seed", "format", "shape", "ends", "undirected",
          "repeats", "memory"},
         schedules},
        {"input"}, preprocess_main);
}
