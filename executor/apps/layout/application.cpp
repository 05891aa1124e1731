// Graph drawing as an application: from a graph to positions of its vertices that minimise the stress, by
// stochastic gradient descent. The stress is the weighted sum of the squared differences between distances in
// the drawing and in the graph.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/frame/graph_application.hpp"
#include "apps/layout/files.hpp"
#include "apps/layout/reference.hpp"
#include "lockstep/formats/error.hpp"

namespace lockstep {

namespace layout {

namespace {

using Json = nlohmann::ordered_json;

/// Maximum number of sweeps after those of the annealing (--until).
constexpr std::uint64_t most_beyond = 1000;

struct LayoutOutcome final : RunOutcome {
    VertexPositions places;
    double stress = 0;
    EdgeId terms = 0;
    std::vector<std::vector<VertexId>> pivots;  ///< pivot vertices of each component
    std::uint64_t swept = 0;
};
const LayoutOutcome& outcome_of(const RunOutcome& run) { return static_cast<const LayoutOutcome&>(run); }

class Layout final : public GraphApplication {
public:
    using GraphApplication::GraphApplication;

    void list(Fields& basic, Fields& more) override {
        basic
            .number("dimensions", options_.dimensions, 2, max_dimensions, "dimensions of the drawing, 2 or 3")
            .recorded();
        basic
            .text("start", start_, "FILE",
                  "initial positions, in a format that --output writes; default: random, by --seed")
            .reads()
            .recorded();
        basic.text("picture", picture_, "FILE", "draw the edges to this file, .svg or .png")
            .writes(text_output);
        list_sweeps(basic, sweeps_);
        list_until(basic, options_.until);
        list_seed(basic, options_.seed);
        list_results(basic);
        more.number("eps", options_.eps, 1e-9, 1,
                    "step size of the heaviest term in the last of the --sweeps")
            .recorded();
        more.number("full-up-to", options_.full_up_to, 0, max_vertices,
                    "maximum number of vertices of a component whose terms are all pairs; a larger component "
                    "uses --pivots")
            .recorded();
        more.number("pivots", options_.pivots, 1, max_vertices,
                    "number of pivots of a component larger than --full-up-to; each pivot takes 8 bytes and "
                    "one term per vertex")
            .recorded();
        more.number("pixels", pixels_, 64, 20000, "length of the longer side of --picture, in pixels");
        GraphApplication::list(basic, more);
    }
    void settle(const Fields& given, Request& request, int threads) override {
        GraphApplication::settle(given, request, threads);
        if (picture_ && !names_picture(*picture_))
            throw UsageError(fmt::format(
                "--picture {} is not the name of a picture; expected FILE.svg or FILE.png", *picture_));
        if (picture_ && !draws_pictures())
            throw UsageError(
                "this build cannot draw pictures, because it was built without cairo (libcairo2-dev)");
        options_.sweeps = sweeps_.value_or(15), options_.sweeps_by_distances = !sweeps_;
        each_measured_ = request.record.has_value();
    }
    void save(const Input& input, const RunHeader& header, const RunOutcome& run,
              const FilePlace& place) const override {
        const VertexPositions& places = outcome_of(run).places;
        if (picture_) write_picture(place(*picture_), input.graph(), places, options_.dimensions, pixels_);
        if (!results_.output || !names_array(*results_.output))
            Application::save(input, header, run, place);
        else if (const auto path = output_place(run, place))
            write_array(*path, places, options_.dimensions);
    }
    RunReport report_run(const Input&, const RunHeader& header, const RunOutcome& run) const override {
        const LayoutOutcome& o = outcome_of(run);
        std::size_t pivots = 0;
        for (const auto& each : o.pivots) pivots += each.size();
        RunReport report;
        report.metrics = {{"stress", number_or_null(o.stress)},
                          {"vertices", header.rows},
                          {"terms", o.terms},
                          {"components", o.pivots.size()},
                          {"pivots", pivots},
                          {"sweeps", o.swept},
                          {"median_seconds", o.execute_seconds},
                          {"repeats", options().repeats}};
        report.rounds = {{"parameters", header.parameters}};
        report.text =
            fmt::format("stress {:.6g}{}", o.stress, pivots ? fmt::format(" by {} pivots", pivots) : "");
        if (o.pivots.size() > 1)
            report.text += fmt::format(", {} components", text::group_digits(o.pivots.size()));
        return report;
    }

private:
    RunText describe(const Input& input, RunHeader& header, const RunOutcome& so_far) const override {
        RunText text = GraphApplication::describe(input, header, so_far);
        header.seed = options_.seed, header.sweeps = options_.sweeps;
        header.parameters["until"] = options_.until ? fmt::format("{:g}", *options_.until) : "";
        text.round = [](const SweepRecord& record) {
            const auto stress = record.metric("stress");
            return stress ? fmt::format("stress {:.6g}", *stress) : std::string();
        };
        return text;
    }
    /// Computes the stress and its gradient in double precision from the graph alone, for --verify. If the
    /// strategy is deterministic, also compares the positions bitwise with those of a serial run.
    CheckResult check(const Input& input, const RunOutcome& run) const override {
        const LayoutOutcome& o = outcome_of(run);
        const Proof proof = measure_drawing(input.graph(), options_, o.places, o.pivots);
        constexpr double of_rounding = 1e-4;
        const Json json{{"stress", number_or_null(proof.stress)},
                        {"unrest", number_or_null(proof.rms_displacement)}};
        if (!(std::abs(proof.stress - o.stress) <= of_rounding * (1 + proof.stress)))
            return {fmt::format("the stress is {}, not {}", proof.stress, o.stress), {}, json};
        std::string text = fmt::format("stress {:.6g}; a vertex would move by {:.3g} of the shortest edge",
                                       proof.stress, proof.rms_displacement);
        if (input.strategy.deterministic()) {
            const auto start = first_places(input);
            if (reference_places(input.graph(), options_, start ? &*start : nullptr, o.swept, o.pivots) !=
                o.places)
                return {
                    "the positions differ from those of a serial run in the order of the schedule", {}, json};
            text +=
                ", and the positions are bitwise identical to those of a serial run in the order of the "
                "schedule";
        }
        return {{}, text, json};
    }
    Rule choose_rule(const ScheduleFileSummary&, bool) const override {
        return {"tournament",
                "conflict-free rounds over all pairs without locks, in a new random order in every sweep"};
    }

    std::optional<VertexPositions> first_places(const Input& input) const {
        if (!start_) return {};
        return read_places(*start_, input.file.dataset.row_ids, options_.dimensions);
    }
    static void require_lengths(const Input& input) {
        const Graph& graph = input.graph();
        for (VertexId u = 0; u < graph.rows; ++u) {
            for (const EdgeId e : graph.edges_of(u)) {
                if (graph.weight(e) > 0) continue;
                const IdMap& ids = input.file.dataset.row_ids;
                throw FormatError(
                    input.file.summary.source.path,
                    fmt::format("the edge from {} to {} has the weight {:g}; a layout uses the weights as "
                                "lengths, which must be above 0 (--value-column none ignores the weights)",
                                ids.name(u), ids.name(graph.col[e]), graph.weight(e)));
            }
        }
    }

    std::unique_ptr<RunOutcome> solve(const Input& input, const Strategy& strategy, bool trial,
                                      const RunCallbacks& callbacks) override {
        auto outcome = std::make_unique<LayoutOutcome>();
        LayoutOutcome& o = *outcome;
        require_lengths(input);
        const auto start = first_places(input);
        Options options = options_;
        options.device = usable_device(this->options().device, &o.device_note);
        options.threads = this->options().all_threads();
        options.racing = strategy.races();
        const Stopwatch planning;
        Drawing drawing(input.graph(), options);
        options.sweeps = options_.sweeps = drawing.sweeps();
        o.terms = drawing.terms();
        for (std::size_t i = 0; i < drawing.parts().size(); ++i) o.pivots.push_back(drawing.pivots(i));
        begin_runs(o, device_info(options.device, this->options().threads), planning.seconds(),
                   drawing.bytes(), drawing.transfer_seconds(), callbacks);
        const auto once = [&](bool first) {
            drawing.begin(start ? &*start : nullptr);
            if (options.device == Device::reference) return by_reference(input, options, start, o);
            return sweeps(drawing, options, first, o, callbacks);
        };
        o.execute_seconds = median(repeat(o, repeats(trial), callbacks, once, options.racing));
        for (int k = 0; k < options.dimensions; ++k) {
            std::vector<float> column(input.graph().rows);
            for (std::size_t v = 0; v < column.size(); ++v)
                column[v] = o.places[v * static_cast<std::size_t>(options.dimensions) + k];
            o.columns.push_back({std::string(1, "xyz"[k]), std::move(column)});
        }
        return outcome;
    }

    /// Runs all sweeps of a drawing. Returns their execution time in seconds.
    double sweeps(Drawing& drawing, const Options& options, bool first, LayoutOutcome& o,
                  const RunCallbacks& callbacks) const {
        double seconds = 0;
        const auto measure = [&] {
            const Stopwatch watch;
            o.stress = drawing.stress();
            o.evaluate_seconds += watch.seconds();
        };
        const std::uint64_t most = options.sweeps + (options.until ? most_beyond : 0);
        const bool at_once = options.device == Device::cuda && !each_measured_ && !options.until;
        bool at_rest = false;
        while (drawing.swept() < most && !at_rest && o.status == "ok") {
            const std::uint64_t count = at_once ? most : 1;
            const double taken = drawing.sweep(count);
            seconds += taken;
            if (options.until)
                at_rest = drawing.change() <= *options.until && drawing.swept() >= options.sweeps;
            if (each_measured_ && first) measure();
            for (std::uint64_t i = 0; i < count && first; ++i) {
                o.sweeps.push_back(
                    {drawing.swept() - count + i + 1, taken / static_cast<double>(count), {}, o.terms, 1});
                if (each_measured_) o.sweeps.back().metrics = {{"stress", o.stress}};
                if (callbacks.on_round) callbacks.on_round(o.sweeps.back());
            }
            if (callbacks.interrupted && callbacks.interrupted()) o.status = "interrupted";
        }
        measure();
        o.swept = drawing.swept();
        finish(drawing.places(), o);
        return seconds;
    }
    double by_reference(const Input& input, const Options& options,
                        const std::optional<VertexPositions>& start, LayoutOutcome& o) const {
        const Stopwatch watch;
        o.swept = options.sweeps;
        VertexPositions places =
            reference_places(input.graph(), options, start ? &*start : nullptr, o.swept, o.pivots);
        const double seconds = watch.seconds();
        o.stress = measure_drawing(input.graph(), options, places, o.pivots).stress;
        o.sweeps.assign(1, {1, seconds, {{"stress", o.stress}}, o.terms * o.swept, 1});
        finish(std::move(places), o);
        return seconds;
    }
    /// Stores the positions of a run. The status becomes "diverged" if a position or the stress is not
    /// finite.
    static void finish(VertexPositions places, LayoutOutcome& o) {
        o.places = std::move(places);
        o.result_hash = hash_of(o.places);
        const bool are_finite = std::ranges::all_of(o.places, [](float x) { return std::isfinite(x); });
        if (std::isfinite(o.stress) && are_finite) return;
        o.status = "diverged";
        o.message = fmt::format("positions are not finite: {}; nothing was written",
                                std::isfinite(o.stress)
                                    ? "the drawing is too large for single precision. Divide the weights"
                                    : "lengths differ too much for single precision");
    }

    Options options_;  ///< options of the run; the graph may determine the number of sweeps later
    std::optional<std::uint64_t> sweeps_;  ///< value of --sweeps; nullopt if the option is not given
    std::optional<std::string> start_, picture_;
    int pixels_ = 1200;
    bool each_measured_ = false;
};

}  // namespace

}  // namespace layout

const Spec& layout_spec() {
    static const Spec spec{
        .name = "layout",
        .summary = "graph drawing by stochastic gradient descent on the stress (square graphs)",
        .example = "web.txt.gz --app layout --output positions.txt --picture web.png",
        .strategies = "layout",
        .round = "sweep",
        .update = "term",
        .result = "positions",
        .value = "x",
        .takes_lengths = true,
        .make = make_application<layout::Layout>};
    return spec;
}

}  // namespace lockstep
