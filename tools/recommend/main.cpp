// lockstep-recommend: recommends a strategy for a graph on a device, with reasons.
#include <fmt/format.h>

#include <iostream>

#include "cli.hpp"
#include "first_sweeps.hpp"
#include "input_options.hpp"
#include "insight/cache.hpp"
#include "insight/measure/measure.hpp"
#include "insight/recommend.hpp"
#include "insight/summary_json.hpp"
#include "scale.hpp"
#include "stages.hpp"

using namespace lockstep;
using namespace lockstep::insight;
namespace po = boost::program_options;

namespace {

struct Chosen {
    Device device;
    Figures figures;
};

/// Returns the device to predict for, and its figures.
Chosen choose_device(const cli::Values& values, const cli::Common& common) {
    const auto word = values["device"].as<std::string>();
    const auto rank = values["rank"].as<std::uint32_t>();
    const int threads = values["threads"].as<int>();
    check_rank(rank);
    const auto file = values.count("probe") ? std::optional(values["probe"].as<std::string>()) : std::nullopt;
    if (word == "probe") {  // the device of the probe file, which may be in another machine
        if (!file) throw cli::UsageError("--device probe needs --probe FILE");
        Probe probe = read_probe(*file);
        if (values.count("rank") && !values["rank"].defaulted() && probe.rank != rank)
            throw cli::UsageError(
                fmt::format("--rank {}: the probe {} is of rank {}", rank, *file, probe.rank));
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
    const DeviceInfo info = device_info(device, threads);
    Figures figures = find_probe(info, rank, file, &note);
    if (!note.empty()) cli::note(common, note);
    return {device, std::move(figures)};
}

nlohmann::ordered_json json_of(const Recommendation& r, const Statistics& statistics, const Figures& figures,
                               const Question& q) {
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

void print_text(const Recommendation& r, const Statistics& s, const Figures& figures, const Question& q,
                bool terms) {
    std::cout << fmt::format("{}: {} × {}, {} edges, largest degrees {} and {}\n{}, rank {}; {}\n\n", s.name,
                             cli::grouped(s.rows.vertices), cli::grouped(s.cols.vertices),
                             cli::grouped(s.edges), cli::grouped(s.rows.degrees.largest),
                             cli::grouped(s.cols.degrees.largest), device_text(figures.probe.device),
                             figures.probe.rank, figures.text);
    std::cout << fmt::format("{:<16}{:>14}{:>9}{:>11}{:>11}{:>10}  {}\n", "strategy", "preprocessing",
                             "loading", "a sweep", fmt::format("{} sweeps", q.sweeps), "total", "most of it");
    for (std::size_t i = 0; i < r.ranked.size(); ++i) {
        const Prediction& p = r.ranked[i];
        if (i == r.eligible) std::cout << "not to be recommended here:\n";
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
            "From {} sweep{} on {} is ahead of {}, preprocessing and loading included.\n",
            cli::grouped(static_cast<EdgeId>(b.sweeps)), b.sweeps == 1 ? "" : "s", b.strategy, b.against);
}

int body(const cli::Values& values, const cli::Common& common) {
    if (!values.count("file")) throw cli::UsageError("a graph or a schedule file is needed");
    const auto path = values["file"].as<std::string>();
    Question question;
    question.sweeps = values["sweeps"].as<double>();
    question.racing = values.count("racing") > 0;
    const bool scale = asks_for_scale(values);
    InputFile input(path, cli::check_signal);
    const Chosen chosen =
        scale ? Chosen{Device::cuda, {*built_in_class("h200"), ""}} : choose_device(values, common);
    cli::end_stage("device");
    const Probe& probe = chosen.figures.probe;
    const bool measure = values.count("measure") > 0;
    if (measure && values["device"].as<std::string>() != "auto" &&
        values["device"].as<std::string>() != "cpu" && values["device"].as<std::string>() != "cuda")
        throw cli::UsageError("--measure runs on this machine: --device auto, cpu or cuda");

    Statistics statistics;
    ScheduleFile file;
    const BuildOptions options = build_options(probe);
    if (input.is_lockstep_hdf5()) {
        cli::refuse_input_options(values, path);
        if (measure) file = read_schedule_file(path);
        statistics = statistics_of(measure ? file.summary : read_schedule_file_summary(path), options);
    } else if (input.head().starts_with('{')) {
        if (measure) throw cli::UsageError("--measure needs the graph or the schedule file itself");
        statistics = statistics_of(summary_from_json(input.read_rest(), input.name()), options);
    } else {
        file.dataset = read_dataset(input, cli::input_options(values));
        statistics = statistics_of(file.dataset.graph, std::filesystem::path(path).stem().string(), options);
    }
    cli::end_stage("read");
    if (scale) {
        print_scale(statistics, values, common);
        return 0;
    }
    Recommendation r = recommend(statistics, probe, question);
    cli::end_stage("predict");
    if (measure) {
        measure_first(r, 3, file, probe, chosen.device, values["threads"].as<int>(),
                      [&](const std::string& text) { cli::note(common, text); });
        r = rank(std::move(r.ranked), question);
        cli::end_stage("measure");
    }
    if (common.json)
        cli::print_json(json_of(r, statistics, chosen.figures, question));
    else
        print_text(r, statistics, chosen.figures, question, common.verbose || values.count("terms"));
    return 0;
}

}  // namespace

int main(int argc, char** argv) try {
    std::vector<std::string> devices = built_in_classes();
    devices.insert(devices.begin(), {"auto", "cpu", "cuda", "probe"});
    cli::Options options, reading;
    // clang-format off
    options.add_options()
        ("file", po::value<std::string>()->value_name("FILE"), "schedule, graph or ratings file, or output of lockstep-inspect --json; without --measure only the attributes of a schedule file are read; - = standard input")
        ("device", cli::word(devices)->default_value("auto"), ("the device to predict for; auto (cuda if there is a GPU), cpu, cuda, probe (the device of --probe FILE, which may be in another machine), or a class with built-in figures: " + fmt::format("{}", fmt::join(built_in_classes(), ", "))).c_str())
        ("probe", po::value<std::string>()->value_name("FILE"), "file of lockstep-probe -o, instead of cached figures")
        ("rank,k", cli::number<std::uint32_t>(1, 256)->default_value(16), "length of the factor vectors, 1 to 256")
        ("sweeps", cli::number<double>(1, 1e12)->default_value(20), "number of sweeps that will use the schedule")
        ("threads", cli::number<int>(0, cli::max_threads)->default_value(0), "CPU threads; 0 = all")
        ("racing", "also recommend unsynchronized (racing) strategies; often the fastest, but updates may be lost or stale")
        ("terms", "list the terms that add up to each prediction")
        ("measure", "run two sweeps of each of the first three strategies; then rank all strategies again, with the measured times instead of predictions");
    // clang-format on
    declare_scale(options);
    cli::add_input_options(reading);
    return cli::run(argc, argv,
                    {"lockstep-recommend",
                     "lockstep-recommend GRAPH|FILE.h5 [options]",
                     "Predicts the time of every SGD strategy on a graph and a device, including "
                     "preprocessing, ranks the strategies, and explains the ranking. The table shows the "
                     "time of building the schedule (preprocessing), of preparing the data and copying "
                     "them to the device (loading), of one sweep and of all sweeps, the total of "
                     "preprocessing, loading and all sweeps, and the largest term of a sweep (most of it). "
                     "The word racing marks strategies that may lose or delay updates.",
                     "  lockstep-recommend r.h5 --rank 16 --sweeps 20\n  lockstep-recommend ratings.csv "
                     "--device h200 --terms\n  lockstep-recommend r.h5 --measure --json\n",
                     {{"Options", options}, {"Reading the input", reading}}},
                    {"file"}, body);
} catch (...) {
    return lockstep::cli::failed_early(argv[0]);
}
