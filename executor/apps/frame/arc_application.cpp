#include "apps/frame/arc_application.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/frame/arc_work.hpp"

namespace lockstep {

using Json = nlohmann::ordered_json;

void ArcApplication::declare(cli::Options& basic, cli::Options& tuning) const {
    basic.add_options()("iterations", cli::number<std::uint64_t>(1, 1'000'000'000),
                        "iterations, at most; without it 30 of pagerank (with --until 10000), 20 of bp");
    declare_results(basic);
    // clang-format off
    tuning.add_options()
        ("warp-size", cli::number<int>(0, 64)->default_value(0), "push-warp, pull-warp, pull-nodiv-warp: threads a vertex, 1, 2, 4, … 64; 0 = by the mean degree")
        ("gpus", cli::number<int>(1, 64)->default_value(1), "edge-tiled: GPUs that share the tiles");
    // clang-format on
    declare_chunk(tuning);
    declare_repeat(tuning);
}

void read_arc_options(ArcOptions& options, const cli::Values& values, Device device, int threads) {
    options.device = device;
    options.threads = threads;
    options.warp_size = values["warp-size"].as<int>();
    options.chunk = values["chunk"].as<int>();
    options.gpus = values["gpus"].as<int>();
    options.repeats = values["repeat"].as<std::uint64_t>();
    check_options(options);
}

std::uint64_t iterations_of(const cli::Values& values, std::uint64_t usual) {
    return values.count("iterations") ? values["iterations"].as<std::uint64_t>() : usual;
}

std::string ArcApplication::cpu_program(const Strategy& strategy) const {
    const std::string_view name =
        strategy.name;  // a thread of a CPU has no lanes, and reads ends as it likes
    if (name == "edge-aos") return "edge-soa";
    return std::string(name.substr(0, name.rfind("-warp")));
}

Choice ArcApplication::choose(const Request& request, const cli::Common&) const {
    const ScheduleFileSummary file = read_schedule_file_summary(request.file);
    const auto [strategy, reason] =
        arc::choose_walk(file.max_degree, file.rows, file.edges, [&](const std::string& name) {
            return !request.order && std::any_of(file.schedules.begin(), file.schedules.end(),
                                                 [&](const ScheduleSummary& s) { return s.name == name; });
        });
    return {{strategy}, std::string(strategy) + ": " + reason, {"chosen_for", reason}, {}};
}

void ArcApplication::describe(const Input& input, RunHeader& header, const RunOutcome& so_far) const {
    header.train_edges = input.graph().edges();
    header.parameters = parameters();
    if (options().gpus > 1) header.parameters["gpus"] = std::to_string(options().gpus);
    if (ranks().count() > 1) header.parameters["processes"] = std::to_string(ranks().count());
    if (input.strategy.walk.virtual_warps) {
        const arc::VirtualWarps& warps = static_cast<const ArcRun&>(so_far).warps;
        header.parameters["warp_size"] = std::to_string(warps.width);
        header.parameters["chunk"] = std::to_string(warps.chunk);
    }
}

std::string ArcApplication::workload(const RunHeader& header, const RunOutcome&) const {
    return fmt::format("{} vertices, {} edges", cli::grouped(header.rows), cli::grouped(header.edges));
}

Told ArcApplication::tell(const Input& input, const RunHeader& header, const RunOutcome& outcome) const {
    const arc::Work work = arc::work_of(input.strategy, header.rows, header.edges);
    Json rounds = Json::array();
    for (const SweepRecord& round : outcome.sweeps) {
        Json& json = rounds.emplace_back(Json{{"seconds", round.seconds}});
        for (const Metric& m : round.metrics) json[m.name] = number_or_null(m.value);
    }
    Told told;
    if (options().repeats > 1 && header.device.kind == "cuda")  // somebody is measuring
        told.device = {{"copy_bytes_per_second", cuda_copy_rate()}};
    told.metrics = {{"iterations", outcome.sweeps.size()},
                    {"processes", ranks().count()},
                    {"repeats", options().repeats},
                    {"run_seconds", static_cast<const ArcRun&>(outcome).run_seconds},
                    {"edges", header.edges}};
    told.rounds = {
        {"work",
         {{"reads", work.reads}, {"writes", work.writes}, {"atomics", work.atomics}, {"bytes", work.bytes}}},
        {"parameters", header.parameters},
        {"rounds", rounds}};
    const auto millions = [](EdgeId count) { return static_cast<double>(count) / 1e6; };
    told.lines =
        fmt::format("work of an iteration, by the model: {:.2f} M reads, {:.2f} M writes, {:.2f} M atomics\n",
                    millions(work.reads), millions(work.writes), millions(work.atomics));
    tell_more(outcome, told);
    return told;
}

}  // namespace lockstep
