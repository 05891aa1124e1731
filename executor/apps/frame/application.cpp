#include "apps/frame/application.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "lockstep/executor/strategy.hpp"

namespace lockstep {

RunCallbacks RunEvents::callbacks(
    std::function<RunText(RunHeader&, const RunOutcome& so_far)> describe) const {
    const auto start = [this, describe = std::move(describe)](const RunOutcome& so_far) {
        RunHeader header;
        RunText text = describe(header, so_far);
        on_start(so_far, std::move(header), std::move(text));
    };
    return {start, on_round, interrupted};
}

void Application::refuse_trial() const {
    throw UsageError(
        fmt::format("--strategy tune does not apply to {}; use auto or the name of a strategy", spec_.name));
}

void Application::list_results(Fields& basic) {
    basic
        .text("output", results_.output, "FILE",
              "write the result with the original IDs; HDF5 if the name ends in .h5, otherwise text (layout: "
              "a NumPy array if it ends in .npy); - = standard output")
        .with_letter('o');
    basic.number("top", results_.top, 0, max_vertices, "print the N vertices with the highest values");
    list_verify(basic);
}

void Application::list_verify(Fields& basic) {
    basic.flag("verify", results_.verify,
               "verify the result independently of the kernels; exit code 7 if it is wrong");
}

void Application::verify(RunOutcome& outcome, const std::function<CheckResult()>& check) const {
    if (!results_.verify || !outcome.has_result()) return;
    const Stopwatch checking;
    outcome.checked = check();
    outcome.check_seconds = checking.seconds();
}

void list_seed(Fields& fields, std::uint64_t& seed) {
    fields.number(
        "seed", seed, 0, std::numeric_limits<std::uint64_t>::max(),
        "seed of the random numbers; sgd, als: held-out edges, initial factors; lockstep-train: sampled "
        "pairs, schedules; bfs, sssp: --sources; mis: --priorities random; layout: initial "
        "positions, pivots, order of the terms; springs: schedules that are built for the run");
}
void list_sweeps(Fields& fields, std::optional<std::uint64_t>& sweeps) {
    fields.number(
        "sweeps", sweeps, 0, 1'000'000'000,
        "sweeps over all edges; default: sgd plain 10; sgd biased 30, or with held-out edges 100 unless "
        "early stopping ends them; als 8, or with held-out edges 16; update 10; layout (with falling step "
        "size) 15, "
        "or 90 if a component with all pairs has distances within a factor of ten");
}
void list_iterations(Fields& fields, std::optional<std::uint64_t>& iterations) {
    fields.number("iterations", iterations, 1, 1'000'000'000,
                  "maximum number of iterations (springs: per substep); default: pagerank 30, or 10000 with "
                  "--until; bp 20; springs 1");
}
void list_until(Fields& fields, std::optional<double>& until) {
    fields.number("until", until, 1e-7, 1,
                  "stop when no vertex changes by more than this; pagerank: relative change of the vertex's "
                  "contribution; layout: movement in a sweep, relative to the shortest edge, checked after "
                  "the --sweeps");
}
void list_chunk(Fields& fields, int& chunk) {
    fields
        .number("chunk", chunk, 0, 1 << 20,
                "push-warp, pull-warp, pull-nodiv-warp: vertices that a virtual warp processes at a time, as "
                "a multiple of --warp-size, 1 to 10; rounds over active vertices: vertices that a warp or a "
                "block claims at a time from a work queue, 0 = static distribution")
        .for_gpu();
}
void list_repeat(Fields& fields, std::uint64_t& repeats) {
    fields.number("repeat", repeats, 1, 1'000'000,
                  "number of runs; prints the median time; deterministic results must all be equal");
}
void list_tune_seconds(Fields& fields, double& seconds) {
    fields.number("tune-seconds", seconds, 0, 1e6,
                  "--strategy tune: time limit for trying strategies, in seconds");
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

void adapt_read_options(const Spec& spec, ReadOptions& reading) {
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
