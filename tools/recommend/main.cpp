// lockstep-recommend: recommends a strategy for a graph on a device, with reasons.
#include <fmt/format.h>

#include <iostream>

#include "cli.hpp"
#include "first_sweeps.hpp"
#include "input_options.hpp"
#include "insight/build_options.hpp"
#include "insight/cache.hpp"
#include "insight/measure/measure.hpp"
#include "insight/recommend.hpp"
#include "insight/summary_json.hpp"
#include "scale.hpp"
#include "stages.hpp"

using namespace lockstep;
using namespace lockstep::insight;

namespace {

struct RecommendOptions {
    std::optional<std::string> file, probe;
    std::string device = "auto";
    std::uint32_t rank = 16;
    int threads = 0;
    RecommendationRequest question;
    bool terms = false, measure = false;
    ScaleOptions scale;
    cli::InputOptions reading;

    void list(Fields& fields) {
        std::vector<std::string> devices = built_in_classes();
        devices.insert(devices.begin(), {"auto", "cpu", "cuda", "probe"});
        fields.text("file", file, "FILE",
                    "schedule, graph or ratings file, or output of lockstep-inspect --json; without "
                    "--measure only the attributes of a schedule file are read; - = standard input");
        fields.word(
            "device", device, devices,
            fmt::format(
                "the device to predict for; auto (cuda if there is a GPU), cpu, cuda, probe (the device of "
                "--probe FILE, which may be in another machine), or a class with built-in figures: {}",
                fmt::join(built_in_classes(), ", ")));
        fields.text("probe", probe, "FILE", "file of lockstep-probe -o, instead of cached figures");
        fields.number("rank", rank, 1, 256, "length of the factor vectors, 1 to 256").with_letter('k');
        fields.number("sweeps", question.sweeps, 1, 1e12, "number of sweeps that will use the schedule");
        fields.number("threads", threads, 0, cli::max_threads, "CPU threads; 0 = all");
        fields.flag("racing", question.racing,
                    "also recommend unsynchronized (racing) strategies; often the fastest, but updates may "
                    "be lost or stale");
        fields.flag("terms", terms, "list the terms that add up to each prediction");
        fields.flag("measure", measure,
                    "run two sweeps of each of the first three strategies; then rank all strategies again, "
                    "with the measured times instead of predictions");
        scale.list(fields);
        reading.list(fields);
    }
};

struct DeviceChoice {
    Device device;
    Figures figures;
};

/// Returns the device to predict for, and its figures.
DeviceChoice choose_device(const RecommendOptions& options, const Fields& given, const cli::Common& common) {
    const std::string& word = options.device;
    const std::uint32_t rank = options.rank;
    const std::optional<std::string>& file = options.probe;
    check_rank(rank);
    if (word == "probe") {  // the device of the probe file, which may be in another machine
        if (!file) throw cli::UsageError("--device probe needs --probe FILE");
        Probe probe = read_probe(*file);
        if (given.is_given("rank") && probe.rank != rank)
            throw cli::UsageError(
                fmt::format("--rank {}: the probe {} was measured at rank {}", rank, *file, probe.rank));
        return {probe.device.kind == "cuda" ? Device::cuda : Device::cpu, {probe, "as in " + *file}};
    }
    if (const auto probe = built_in_class(word))
        return {probe->device.kind == "cuda" ? Device::cuda : Device::cpu,
                {*probe, "built-in figures of " + device_text(probe->device)}};
    std::string note;
    const Device device = usable_device(word == "cpu"    ? Device::cpu
                                        : word == "cuda" ? Device::cuda
                                                         : Device::automatic,
                                        &note);
    if (!note.empty()) cli::note(common, "predicting for the CPU: " + note);
    note.clear();
    const DeviceInfo info = device_info(device, options.threads);
    Figures figures = find_probe(info, rank, file, &note);
    if (!note.empty()) cli::note(common, note);
    return {device, std::move(figures)};
}

nlohmann::ordered_json json_of(const Recommendation& r, const Statistics& statistics, const Figures& figures,
                               const RecommendationRequest& q) {
    nlohmann::ordered_json ranked = nlohmann::ordered_json::array(), points = nlohmann::ordered_json::array();
    for (const Prediction& p : r.ranked) ranked.push_back(to_json(p, q.sweeps));
    for (const BreakEven& b : r.break_even)
        points.push_back({{"strategy", b.strategy}, {"against", b.against}, {"sweeps", b.sweeps}});
    return {{"lockstep_recommendation", 1},
            {"device", figures.probe.device.name},
            {"kind", figures.probe.device.kind},
            {"rank", figures.probe.rank},
            {"probe", figures.text},
            {"sweeps", q.sweeps},
            {"best", r.ranked.front().strategy},
            {"reason", r.reason},
            {"break_even", points},
            {"graph", to_json(statistics)},
            {"strategies", ranked},
            {"seconds", cli::stage_seconds()},
            {"peak_bytes", cli::peak_memory()}};
}

void print_text(const Recommendation& r, const Statistics& s, const Figures& figures,
                const RecommendationRequest& q, bool terms) {
    std::cout << fmt::format("{}: {} × {}, {} edges, largest degrees {} and {}\n{}, rank {}; {}\n\n", s.name,
                             cli::group_digits(s.rows.vertices), cli::group_digits(s.cols.vertices),
                             cli::group_digits(s.edges), cli::group_digits(s.rows.degrees.largest),
                             cli::group_digits(s.cols.degrees.largest), device_text(figures.probe.device),
                             figures.probe.rank, figures.text);
    std::cout << fmt::format("{:<16}{:>14}{:>9}{:>11}{:>11}{:>10}  {}\n", "strategy", "preprocessing",
                             "loading", "per sweep", fmt::format("{} sweeps", q.sweeps), "total",
                             "largest term");
    for (std::size_t i = 0; i < r.ranked.size(); ++i) {
        const Prediction& p = r.ranked[i];
        if (i == r.eligible) std::cout << "not recommended on this graph and device:\n";
        const bool possible = p.refused.empty() || !p.terms.empty();
        const auto time = [&](double seconds) { return possible ? cli::duration(seconds) : "–"; };
        std::cout << fmt::format(
            "{:<16}{:>14}{:>9}{:>11}{:>11}{:>10}  {}\n", p.strategy, time(p.preprocess), time(p.load),
            time(p.sweep()), time(q.sweeps * p.sweep()), time(p.total(q.sweeps)),
            !p.refused.empty() ? p.refused
            : p.terms.empty()
                ? ""
                : fmt::format("{}: {}{}", p.dominant().name, p.dominant().how, p.exact ? "" : " (racing)"));
        if (!terms) continue;
        for (const Term& t : p.terms)
            std::cout << fmt::format("  {:<16}{:>24}  {}\n", t.name, cli::duration(t.seconds()), t.how);
    }
    std::cout << '\n' << r.reason << '\n';
    for (const BreakEven& b : r.break_even)
        std::cout << fmt::format(
            "From {} sweep{} on, {} is faster than {}, including preprocessing and loading.\n",
            cli::group_digits(static_cast<EdgeId>(b.sweeps)), b.sweeps == 1 ? "" : "s", b.strategy,
            b.against);
}

int body(const RecommendOptions& options, const Fields& given, const cli::Common& common) {
    if (!options.file) throw cli::UsageError("a graph or a schedule file is needed");
    const std::string& path = *options.file;
    const RecommendationRequest& question = options.question;
    const bool scale = asks_for_scale(options.scale, given);
    InputFile input(path, cli::check_signal);
    const DeviceChoice chosen = scale ? DeviceChoice{Device::cuda, {*built_in_class("h200"), ""}}
                                      : choose_device(options, given, common);
    cli::end_stage("device");
    const Probe& probe = chosen.figures.probe;
    const bool measure = options.measure;
    if (measure && options.device != "auto" && options.device != "cpu" && options.device != "cuda")
        throw cli::UsageError("--measure runs on this machine: --device auto, cpu or cuda");

    Statistics statistics;
    ScheduleFile file;
    const BuildOptions build = build_options(probe);
    if (input.is_lockstep_hdf5()) {
        cli::refuse_input_options(given, path);
        if (measure) file = read_schedule_file(path);
        statistics = statistics_of(measure ? file.summary : read_schedule_file_summary(path), build);
    } else if (input.head().starts_with('{')) {
        if (measure) throw cli::UsageError("--measure needs the graph or the schedule file itself");
        statistics = statistics_of(summary_from_json(input.read_rest(), input.name()), build);
    } else {
        file.dataset = read_dataset(input, options.reading.reading());
        statistics = statistics_of(file.dataset.graph, std::filesystem::path(path).stem().string(), build);
    }
    cli::end_stage("read");
    if (scale) {
        print_scale(statistics, options.scale, options.device, options.rank, common);
        return 0;
    }
    Recommendation r = recommend(statistics, probe, question);
    cli::end_stage("predict");
    if (measure) {
        measure_first(r, 3, file, probe, chosen.device, options.threads,
                      [&](const std::string& text) { cli::note(common, text); });
        r = rank(std::move(r.ranked), question);
        cli::end_stage("measure");
    }
    if (common.json)
        cli::print_json(json_of(r, statistics, chosen.figures, question));
    else
        print_text(r, statistics, chosen.figures, question, common.verbose || options.terms);
    return 0;
}

}  // namespace

int lockstep::cli::run_program(int argc, char** argv) {
    return run(
        argc, argv,
        {"lockstep-recommend", "lockstep-recommend GRAPH|FILE.h5 [options]",
         "Predicts the time of every SGD strategy on a graph and a device, including preprocessing, ranks "
         "the strategies, and explains the ranking. The table shows the time of building the schedule "
         "(preprocessing), of preparing the data and copying them to the device (loading), of one sweep and "
         "of all sweeps, the total of preprocessing, loading and all sweeps, and the largest term of a "
         "sweep. The word racing marks strategies that may lose or delay updates.",
         "  lockstep-recommend r.h5 --rank 16 --sweeps 20\n  lockstep-recommend ratings.csv "
         "--device h200 --terms\n  lockstep-recommend r.h5 --measure --json\n"},
        {"file"}, body);
}
