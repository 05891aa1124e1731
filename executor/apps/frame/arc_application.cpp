#include "apps/frame/arc_application.hpp"

#include <fmt/format.h>

#include "apps/frame/arc_work.hpp"

namespace lockstep {

using Json = nlohmann::ordered_json;

void ArcApplication::declare(cli::Options& basic, cli::Options& tuning) const {
    declare_iterations(basic);
    declare_results(basic);
    // clang-format off
    tuning.add_options()
        ("warp-size", cli::number<int>(0, 64)->default_value(0), "push-warp, pull-warp, pull-nodiv-warp: threads a vertex, 1, 2, 4, … 64; 0 = by the mean degree")
        ("gpus", cli::number<int>(1, 64)->default_value(1), "edge-tiled: GPUs that share the tiles");
    // clang-format on
    declare_chunk(tuning);
    declare_repeat(tuning);
}

void ArcApplication::read(const cli::Values& values, Device device, int threads) {
    GraphApplication::read(values, device, threads);
    arc_options_ = {options(), values["warp-size"].as<int>(), values["chunk"].as<int>(),
                    values["gpus"].as<int>()};
    check_options(arc_options_);
}

GraphApplication::Rule ArcApplication::rule(const ScheduleFileSummary& file, bool) const {
    const auto [strategy, reason] =
        arc::choose_walk(file.max_degree, file.rows, file.edges,
                         [&](const char* schedule) { return schedule_in(file, schedule) != nullptr; });
    return {strategy, reason};
}

void ArcApplication::describe(const Input& input, RunHeader& header, const RunOutcome& so_far) const {
    GraphApplication::describe(input, header, so_far);
    header.deterministic = header.deterministic && static_cast<const ArcRun&>(so_far).same_bits;
    if (arc_options_.gpus > 1) header.parameters["gpus"] = std::to_string(arc_options_.gpus);
    if (ranks().count() > 1) header.parameters["processes"] = std::to_string(ranks().count());
    if (input.strategy.walk.virtual_warps) {
        const arc::VirtualWarps& warps = static_cast<const ArcRun&>(so_far).warps;
        header.parameters["warp_size"] = std::to_string(warps.width);
        header.parameters["chunk"] = std::to_string(warps.chunk);
    }
}

Checked ArcApplication::checked(const ArcCheck& c) {
    Checked said{
        c.problem,
        fmt::format("off by {:.2g} of the sum, {:.2g} at one vertex; sum {:.9f}", c.distance, c.worst, c.sum),
        {{"distance", number_or_null(c.distance)}, {"worst", number_or_null(c.worst)}, {"sum", c.sum}}};
    if (c.allowed == 0) return said;
    said.text += fmt::format(", of floats, whose rounding allows {:.2g}", c.allowed);
    said.json["rounding"] = number_or_null(c.allowed);
    return said;
}

Told ArcApplication::tell(const Input& input, const RunHeader& header, const RunOutcome& outcome) const {
    const arc::Work work = arc::work_of(input.strategy, header.rows, header.edges);
    Json rounds = Json::array();
    for (const SweepRecord& round : outcome.sweeps) {
        Json& json = rounds.emplace_back(Json{{"seconds", round.seconds}});
        for (const Metric& m : round.metrics) json[m.name] = number_or_null(m.value);
    }
    Told told;
    if (arc_options_.repeats > 1 && header.device.kind == "cuda")  // somebody is measuring
        told.device = {{"copy_bytes_per_second", cuda_copy_rate()}};
    told.metrics = {{"iterations", outcome.sweeps.size()},
                    {"processes", ranks().count()},
                    {"repeats", arc_options_.repeats},
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
