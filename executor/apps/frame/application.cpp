#include "apps/frame/application.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "lockstep/executor/strategy.hpp"

namespace lockstep {

void Application::refuse_trial() const {
    throw UsageError(fmt::format("{} has no --strategy tune; give auto, or a strategy", spec_.name));
}

void Application::list_results(Fields& basic) {
    basic
        .text(
            "output", results_.output, "FILE",
            "write the result by original id; text, or HDF5 where the name ends in .h5; - = standard output")
        .with_letter('o');
    basic.number("top", results_.top, 0, max_vertices, "show the N vertices of the highest value");
    list_verify(basic);
}

void Application::list_verify(Fields& basic) {
    basic.flag("verify", results_.verify,
               "prove the result by other means than the kernels'; exit code 7 where it is wrong");
}

void list_seed(Fields& fields, std::uint64_t& seed) {
    fields.number("seed", seed, 0, std::numeric_limits<std::uint64_t>::max(),
                  "of all that is drawn; the split and the initial factors, the sources");
}
void list_sweeps(Fields& fields, std::optional<std::uint64_t>& sweeps) {
    fields.number(
        "sweeps", sweeps, 0, 1'000'000'000,
        "sweeps over all edges; default: 10; sgd biased 30, with --test-fraction 100, of which early "
        "stopping leaves what helps; als 8, with held-out edges 16; layout 15, or 90, in which its steps "
        "fall");
}
void list_iterations(Fields& fields, std::optional<std::uint64_t>& iterations) {
    fields.number(
        "iterations", iterations, 1, 1'000'000'000,
        "iterations, at most; without it 30 of pagerank (with --until 10000), 20 of bp; springs: sweeps "
        "of a substep, 1");
}
void list_until(Fields& fields, std::optional<double>& until) {
    fields.number(
        "until", until, 1e-7, 1,
        "pagerank: stop when ranks are stable: when no vertex has more than this share of what it "
        "gives to give otherwise; layout: go on after its sweeps until no vertex moves by more than "
        "this share of the shortest distance");
}
void list_chunk(Fields& fields, int& chunk) {
    fields
        .number("chunk", chunk, 0, 1 << 20,
                "push-warp, pull-warp, pull-nodiv-warp: vertices that a virtual warp takes at a time, 1 to "
                "10 times its size; over active vertices: those that a block draws from a queue at a time, "
                "0 = dealt out beforehand")
        .for_gpu();
}
void list_repeat(Fields& fields, std::uint64_t& repeats) {
    fields.number("repeat", repeats, 1, 1'000'000,
                  "run so often; the time is the median, and all results must be equal");
}
void list_tune_seconds(Fields& fields, double& seconds) {
    fields.number("tune-seconds", seconds, 0, 1e6, "--strategy tune: stop trying after so many seconds");
}

const Spec& find_spec(const std::string& name) {
    for (const Spec* spec : specs()) {
        if (name == spec->name) return *spec;
    }
    throw UsageError("there is no application " + name);
}

bool runs_on_meshes(const Spec& spec) {
    return strategies(spec.strategies).front().walk.family == Family::meshes;
}

void ask(const Spec& spec, ReadOptions& reading) {
    if (spec.takes_lengths) reading.positive = true;
    if (!spec.draws_pairs && reading.feedback) reading.feedback->drawn = 0;
}

bool runs_on(const Strategy& strategy, const ScheduleFileSummary& file) {
    const bool one_set = file.ends == Ends::vertices;
    if (one_set && !strategy.of_vertices && !strategy.walk.one_set) return false;
    return !strategy.schedule || schedule_in(file, strategy.schedule);
}

nlohmann::ordered_json number_or_null(double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

}  // namespace lockstep
