// Position-based dynamics of springs as an application: from a mesh and a graph of springs to the positions
// of its particles after each frame.
#include <fmt/format.h>
#include <omp.h>

#include <cmath>
#include <sstream>

#include "apps/device.hpp"
#include "apps/frame/application.hpp"
#include "apps/frame/results.hpp"
#include "apps/frame/trials.hpp"
#include "apps/springs/application_mesh.hpp"
#include "apps/springs/application_picture.hpp"
#include "apps/springs/application_run.hpp"
#include "apps/springs/check.hpp"
#include "insight/build_options.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/hash.hpp"
#include "lockstep/formats/mesh_file.hpp"
#include "lockstep/formats/npy.hpp"
#include "lockstep/formats/text.hpp"

namespace lockstep {

namespace springs {

namespace {

const SpringsOutcome& outcome_of(const RunOutcome& run) { return static_cast<const SpringsOutcome&>(run); }

/// Parses a vector such as "0,-9.81,0". Throws UsageError if the text is not a vector.
Velocity vector_of(const std::string& text) {
    Velocity v{};
    std::istringstream parts(text);
    std::string part;
    for (float* to : {&v.x, &v.y, &v.z}) {
        const bool there = static_cast<bool>(std::getline(parts, part, ','));
        const auto number = there ? parse_number<double>(part, -1e9, 1e9) : std::nullopt;
        if (!number)
            throw UsageError(
                fmt::format("--gravity {} is not a vector; expected X,Y,Z such as 0,-9.81,0", text));
        *to = static_cast<float>(*number);
    }
    if (std::getline(parts, part, ','))
        throw UsageError(
            fmt::format("--gravity {} has more than three numbers; expected X,Y,Z such as 0,-9.81,0", text));
    return v;
}

/// Parses a list of IDs such as "0,63". If the text is "@FILE", reads the IDs from this file, one per line.
std::vector<std::string> ids_of(const std::string& text) {
    std::vector<std::string> ids;
    if (text.starts_with('@')) {
        InputFile file(text.substr(1));
        readers::for_each_line(file, [&](std::uint64_t, std::string_view line) {
            if (!readers::trim(line).empty()) ids.emplace_back(readers::trim(line));
        });
        return ids;
    }
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) ids.push_back(part);
    return ids;
}

constexpr std::uint64_t max_rounds = 1'000'000'000;

class SpringsApplication final : public Application {
public:
    using Application::Application;

    void list(Fields& basic, Fields& more) override {
        Settings& s = wanted_.settings;
        basic.text("positions", positions_, "FILE",
                   "initial positions: .npy, .obj, .node or text (docs/guides/springs.md); default: those of "
                   "the mesh");
        basic.text("pin", pinned_, "ID,ID…", "particles that do not move, by ID; @FILE: one ID per line");
        basic.number("frames", s.frames, 1, max_rounds, "number of frames");
        basic.number("substeps", s.substeps, 1, max_rounds,
                     "substeps per frame; each predicts the positions from the velocities");
        basic.number(
            "compliance", s.compliance, 0, 1e12,
            "compliance (inverse stiffness) of all springs; 0 = as stiff as the iterations make them");
        basic
            .text("output", results_.output, "FILE",
                  "write positions; .npy: of all frames and the start, {frames + 1, particles, 3}; text, "
                  ".h5: of the last frame, by ID; .obj: of the last frame, with the faces of the input")
            .with_letter('o');
        basic.text("picture", wanted_.picture, "FILE.svg", "draw six of the frames side by side")
            .writes(text_output);
        list_iterations(basic, iterations_);
        list_verify(basic);
        list_seed(more, seed_);
        more.number("dt", s.frame_seconds, 1e-9, 1e9, "duration of a frame, in seconds").with_default("1/60");
        more.text("gravity", gravity_, "X,Y,Z", "acceleration of all particles that are not pinned");
        more.flag(
            "residual", wanted_.residuals,
            "compute the residual after every frame: the root mean square of the springs' relative stretch");
        more.number("until-residual", s.until, 0, 1e9,
                    "end the iterations of a substep when the residual is at most this; the residual is "
                    "computed after each iteration, outside the measured time");
        more.number("velocity-damping", s.damping, 0, 1e9,
                    "damping rate per second: velocities decay by exp(-damping t), also in free fall");
        more.word("sweep-order", s.symmetric, {{"symmetric", true}, {"forward", false}},
                  "order of the springs in an iteration; symmetric: a sweep in the order of the schedule, "
                  "then a sweep in the opposite order, which keeps small motions stable; forward: only the "
                  "first sweep, in half the time");
        more.number("relaxation", s.relaxation, 0, 2,
                    "jacobi, jacobi-gather: a particle moves by this fraction of the sum of its springs' "
                    "corrections");
        list_tune_seconds(more, tune_seconds_);
    }

    void settle(const Fields&, Request& request, int threads) override {
        if (request.device == Device::reference)
            throw UsageError(
                "--device reference is an option of sgd; springs are compared with a serial loop by "
                "--verify");
        const bool is_mesh = names_mesh(request.file) || request.file.ends_with(".obj");
        if (!positions_ && !is_mesh)
            throw UsageError(
                "--app springs needs --positions FILE, unless it is given a mesh: NAME.obj or NAME.ele");
        wanted_.device = request.device, wanted_.threads = threads ? threads : omp_get_max_threads();
        wanted_.given = {positions_.value_or(request.file),
                         pinned_ ? ids_of(*pinned_) : std::vector<std::string>{}};
        wanted_.settings.iterations = iterations_.value_or(1);
        wanted_.settings.gravity = vector_of(gravity_);
        const std::string output = results_.output.value_or("");
        wanted_.by_frame = output.ends_with(".npy");
        if (output.ends_with(".obj") && !wanted_.given.positions.ends_with(".obj"))
            throw UsageError(
                fmt::format("--output {} needs faces, and {} has none; give an .obj mesh as the input or as "
                            "--positions, or an --output that ends in .npy, .txt or .h5",
                            output, wanted_.given.positions));
        request.inputs.push_back(wanted_.given.positions);
        request.prepare = [seed = seed_](const Common&) {
            BuildOptions building = insight::default_build_options();
            building.rank = sizeof(Particle) / sizeof(float), building.seed = seed;
            return Preparation{Ends::vertices, building};
        };
    }

    Choice choose(const Request& request, const Common& common, bool by_trial) override {
        if (by_trial) return fastest(request, common, tune_seconds_);
        constexpr double max_seconds = 2;
        const std::string reason = "the mesh is small enough to stay in shared memory in strips";
        Choice strips{{"strips"}, "strips: " + reason, {"chosen_for", reason}, {}};
        if (fits_strips(request, common)) return strips;
        if (!request.graph) return fastest(request, common, max_seconds);
        return {{"agm-e"},
                "agm-e: it needs the least preparation",
                {"chosen_for", "it needs the least preparation"},
                {}};
    }
    std::unique_ptr<RunOutcome> run(const Input& input, const RunEvents& events) override {
        const auto described = [&](RunHeader& header, const RunOutcome& so_far) {
            return describe(input, header, outcome_of(so_far));
        };
        auto outcome = run_frames(input, wanted_, events.callbacks(described));
        verify(*outcome, [&] { return check(input, outcome_of(*outcome)); });
        return outcome;
    }

    void save(const Input& input, const RunHeader& header, const RunOutcome& run,
              const FilePlace& place) const override {
        const SpringsOutcome& o = outcome_of(run);
        if (wanted_.picture) {
            std::vector<std::vector<float>> shown;
            for (std::size_t f = 0; f < o.kept.size(); ++f)
                if (!wanted_.by_frame || wanted_.shows(f)) shown.push_back(o.kept[f]);
            write_strip(place(*wanted_.picture), o.model, shown);
        }
        if (const auto path = output_place(run, place)) write_positions(*path, input, header, o);
    }
    RunReport report_run(const Input&, const RunHeader& header, const RunOutcome& run) const override {
        const SpringsOutcome& o = outcome_of(run);
        std::vector<double> seconds;
        for (const SweepRecord& s : o.sweeps) seconds.push_back(s.seconds);
        const double iteration = o.iterations ? o.sweep_seconds / static_cast<double>(o.iterations) : 0;
        RunReport report;
        report.metrics = {{"frames", o.sweeps.size()},
                          {"iterations", o.iterations},
                          {"particles", header.rows},
                          {"springs", header.edges},
                          {"pinned", pinned(o.model)},
                          {"residual", number_or_null(o.residual)},
                          {"sweeps", o.iterations * o.model.sweeps()},
                          {"residual_start", number_or_null(o.residual_start)},
                          {"frame_seconds", median(seconds)},
                          {"sweep_seconds", o.sweep_seconds},
                          {"iteration_seconds", iteration}};
        report.rounds = {{"parameters", header.parameters}};
        report.text = fmt::format("residual {:.4g}, {} per iteration", o.residual, text::duration(iteration));
        return report;
    }

private:
    /// Describes a run for its messages, after the device has been chosen, and sets the members of the run
    /// record's header.
    RunText describe(const Input& input, RunHeader& header, const SpringsOutcome& run) const {
        header.seed = seed_;
        header.sweeps = wanted_.settings.frames;
        header.train_edges = input.graph().edges();
        const auto set = [&](const char* name, auto value) {
            header.parameters[name] = fmt::format("{}", value);
        };
        set("substeps", wanted_.settings.substeps), set("iterations", wanted_.settings.iterations),
            set("dt", wanted_.settings.frame_seconds);
        set("compliance", wanted_.settings.compliance), set("relaxation", wanted_.settings.relaxation);
        set("gravity", fmt::format("{},{},{}", wanted_.settings.gravity.x, wanted_.settings.gravity.y,
                                   wanted_.settings.gravity.z));
        set("sweep_order", wanted_.settings.symmetric ? "symmetric" : "forward");
        set("velocity_damping", wanted_.settings.damping);
        if (wanted_.settings.until) set("until_residual", *wanted_.settings.until);
        const ScheduleFileSummary& file = input.file.summary;
        return {fmt::format("{} particles, {} springs, {} pinned", text::group_digits(file.rows),
                            text::group_digits(file.edges), text::group_digits(pinned(run.model))),
                {},
                [](const SweepRecord& record) {
                    return record.metrics.empty() ? std::string()
                                                  : fmt::format("residual {:.4g}", record.metrics[0].value);
                }};
    }
    /// Checks a result with code that is independent of the kernels, for --verify.
    CheckResult check(const Input& input, const SpringsOutcome& o) const {
        EdgeId updates = 0;
        for (const SweepRecord& s : o.sweeps) updates += s.updates;
        const std::uint64_t sweeps = o.iterations * o.model.sweeps();
        const EdgeId expected = sweeps * input.graph().edges();
        if (updates != expected)
            return {fmt::format("{} springs were updated, expected {}", updates, expected), {}, {}};
        CheckResult checked{{}, "every spring was updated once per sweep", {{"springs", "each once"}}};
        if (!input.strategy.races() && pinned(o.model) == 0) {
            checked.problem =
                find_momentum_problem(o.model, wanted_.settings, o.sweeps.size(), sweeps, o.state);
            checked.text += ", the momentum is conserved", checked.json["momentum"] = "kept";
        }
        if (checked.problem.empty() && input.strategy.deterministic()) {
            checked.problem = departure_from_serial(o.model, wanted_.settings, o.sweeps.size(), o.state);
            checked.text +=
                ", and the positions and velocities are bitwise identical to those of a serial loop in the "
                "order of the schedule";
            checked.json["serial"] = "equal";
        }
        return checked;
    }
    static EdgeId pinned(const Model& model) {
        return static_cast<EdgeId>(std::count_if(model.particles.begin(), model.particles.end(),
                                                 [](const Particle& p) { return p.inverse_mass == 0; }));
    }
    bool fits_strips(const Request& request, const Common& common) const {
        constexpr EdgeId few = 500'000;
        if (request.order || summary_of(request).edges > few) return false;
        std::string note;
        if (usable_device(request.device, &note) == Device::cuda && cuda_capability() < 90) return false;
        if (request.graph)
            return strips_fit(make_strips(request.graph->dataset.graph), wanted_.settings.multipliers());
        Request trial = request;
        trial.strategy = "strips";
        const Input input(trial, common, find_strategy("strips", spec().strategies));
        return strips_fit(make_strips(input.graph()), wanted_.settings.multipliers());
    }
    Choice fastest(const Request& request, const Common& common, double max_seconds) const {
        if (request.graph)
            throw UsageError("--strategy tune needs a schedule file; build it with lockstep-preprocess");
        SpringsRunOptions three = wanted_;
        three.settings.frames = 1, three.settings.substeps = 3, three.settings.until.reset();
        three.by_frame = three.residuals = false, three.picture.reset();
        return fastest_update(*this, request, common, max_seconds,
                              [&](const Input& input, const RunCallbacks& callbacks) {
                                  return run_frames(input, three, callbacks);
                              });
    }

    void write_positions(const std::string& path, const Input& input, const RunHeader& header,
                         const SpringsOutcome& o) const {
        if (path.ends_with(".obj"))
            return write_moved_mesh(path, wanted_.given.positions, input.file.dataset.row_ids,
                                    o.state.particles);
        if (!wanted_.by_frame) {
            std::vector<float> x, y, z;
            for (const Particle& p : o.state.particles) x.push_back(p.x), y.push_back(p.y), z.push_back(p.z);
            return write_columns(path, spec(),
                                 {{"x", std::move(x)}, {"y", std::move(y)}, {"z", std::move(z)}}, input,
                                 header, o.sweeps.size());
        }
        NpyArray array{"<f4", {o.kept.size(), o.model.particles.size(), 3}, {}};
        for (const auto& frame : o.kept) {
            const auto bytes = std::as_bytes(std::span(frame));
            array.bytes.insert(array.bytes.end(), bytes.begin(), bytes.end());
        }
        write_npy(path, array);
    }

    SpringsRunOptions wanted_;
    std::optional<std::string> positions_, pinned_;
    std::string gravity_ = "0,-9.81,0";
    std::optional<std::uint64_t> iterations_;
    std::uint64_t seed_ = 1;
    double tune_seconds_ = 10;
};

}  // namespace

}  // namespace springs

const Spec& springs_spec() {
    static const Spec spec{
        .name = "springs",
        .summary = "position-based dynamics of springs: cloth, meshes (docs/guides/springs.md)",
        .example = "cloth.txt --app springs --positions cloth.npy --pin 0,63",
        .strategies = "springs",
        .round = "frame",
        .update = "spring",
        .result = "positions",
        .outputs = "positions",
        .prepared = "agm-e",
        .takes_lengths = true,
        .make = make_application<springs::SpringsApplication>};
    return spec;
}

}  // namespace lockstep
