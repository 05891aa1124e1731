// Delaunay mesh refinement as an application: from a triangle mesh to a mesh in which no triangle has a small
// angle.
#include <fmt/format.h>

#include <cmath>

#include "apps/dmr/place.hpp"
#include "apps/dmr/reference.hpp"
#include "apps/frame/graph_application.hpp"

namespace lockstep {

namespace dmr {

namespace {

using Json = nlohmann::ordered_json;

struct DmrOutcome : RunOutcome, PlacedMesh {
    mesh::Mesh refined;
    mesh::Rules rules;
    mesh::Totals totals;
    EdgeId left = 0;  ///< number of bad triangles that remain, for any reason
    /// After a finished run, returns the number of remaining bad triangles that the refinement rules exempt;
    /// otherwise 0.
    EdgeId let_be() const { return status == "ok" ? left - totals.left : 0; }
    std::vector<mesh::Round> rounds;
};
const DmrOutcome& outcome_of(const RunOutcome& run) { return static_cast<const DmrOutcome&>(run); }

class Dmr final : public GraphApplication {
public:
    using GraphApplication::GraphApplication;

    void list(Fields& basic, Fields& more) override {
        basic.number(
            "min-angle", angle_, 0, 34,
            "minimum angle of a triangle, in degrees; triangles with a smaller angle are refined. "
            "Termination is guaranteed up to 20.7 degrees; above 20.7, --min-edge ensures termination");
        basic.number("min-edge", edge_, 0, 1e150,
                     "minimum length of an edge; triangles with a shorter edge are not refined, boundary "
                     "segments are not halved below it; 0 = a quarter of the mesh's shortest edge, or of the "
                     "smallest distance of a point from the boundary if that is less");
        basic.text("mesh", mesh_, "NAME.ele", "write the refined mesh to NAME.node and NAME.ele");
        list_verify(basic);
        more.number("try-all", rules_.full, 1, 1 << 30,
                    "maximum number of bad triangles up to which a round tries to refine all of them")
            .recorded();
        more.number("try-part", rules_.part, 1, 1 << 20,
                    "above --try-all bad triangles, a round tries --try-all of them, but at least one in "
                    "this number")
            .recorded();
        more.number("room", rules_.initial_capacity, 1, 1 << 20,
                    "initial GPU memory, as a multiple of the mesh's triangles; if more triangles are made, "
                    "growing the memory takes time")
            .for_gpu();
        GraphApplication::list(basic, more);
    }

    void settle(const Fields& fields, Request& request, int threads) override {
        GraphApplication::settle(fields, request, threads);
        if (mesh_ && !names_mesh(*mesh_))
            throw UsageError(fmt::format(
                "--mesh {} is not the name of a mesh file; expected NAME.ele or NAME.node", *mesh_));
        for (const auto& [loop, word] : given()) {
            if (word != "host" && word != "outlined")
                throw UsageError(
                    fmt::format("--loop {} does not apply to dmr; expected host or outlined", word));
            loop_ = word == "host" ? worklist::Loop::host : worklist::Loop::outlined;
        }
        if (!mesh_) return;
        const auto [node, ele] = mesh_paths(*mesh_);
        for (const auto& path : {node, ele})
            request.outputs.push_back({"--mesh", path.string(), text_output});
    }

    void save(const Input& input, const RunHeader& header, const RunOutcome& run,
              const FilePlace& place) const override {
        if (!mesh_) return;
        const DmrOutcome& o = outcome_of(run);
        MeshFile file{input.mesh.x, input.mesh.y, {}, input.mesh.first, {}};
        for (std::size_t p = file.x.size(); p < o.refined.points.size(); ++p) {
            file.x.push_back(o.grid.x_of(o.refined.points[p]));
            file.y.push_back(o.grid.y_of(o.refined.points[p]));
        }
        for (const mesh::Triangle& t : o.refined.triangles)
            file.corners.insert(file.corners.end(), t.corner, t.corner + 3);
        write_mesh(
            place(*mesh_), file,
            fmt::format("{}: {} refined to {} degrees", header.program, input.file.summary.path, angle_));
    }

    RunReport report_run(const Input&, const RunHeader& header, const RunOutcome& run) const override {
        const DmrOutcome& o = outcome_of(run);
        RunReport report;
        Json rounds = Json::array();
        EdgeId refined = 0, tried = 0;
        const EdgeId bad = o.rounds.empty() ? 0 : o.rounds[0].bad;
        for (const mesh::Round& r : o.rounds) {
            rounds.push_back(
                {{"seconds", r.seconds}, {"bad", r.bad}, {"tried", r.tried}, {"refined", r.refined}});
            refined += r.refined, tried += r.tried;
        }
        report.metrics = {{"points", o.refined.points.size()},
                          {"triangles", o.refined.triangles.size()},
                          {"points_before", o.input.points.size()},
                          {"triangles_before", o.input.triangles.size()},
                          {"bad_before", bad},
                          {"left", o.left},
                          {"let_be", o.let_be()},
                          {"tried", tried},
                          {"refined", refined},
                          {"moved", o.moved},
                          {"repeats", options().repeats}};
        report.rounds = {{"launches", o.totals.launches},
                         {"registers", o.totals.registers},
                         {"parameters", header.parameters},
                         {"rounds", rounds}};
        report.text = fmt::format("{} of {} triangles were bad; {} points and {} triangles now",
                                  text::group_digits(bad), text::group_digits(o.input.triangles.size()),
                                  text::group_digits(o.refined.points.size()),
                                  text::group_digits(o.refined.triangles.size()));
        const auto more = [&](EdgeId count, const char* why) {
            if (count)
                report.lines += fmt::format("{} bad {} left: {}\n", text::group_digits(count),
                                            count == 1 ? "triangle is" : "triangles are", why);
        };
        more(o.totals.left, "no point improves them");
        more(o.let_be(),
             "not refined, because they lie between two boundary segments or have an edge shorter than "
             "--min-edge");
        return report;
    }

private:
    RunText describe(const Input& input, RunHeader& header, const RunOutcome& run) const override {
        const DmrOutcome& o = outcome_of(run);
        header.sweeps = 1;
        record_program(input.strategy, run, header);
        header.parameters["min_angle"] = fmt::format("{}", angle_);
        header.parameters["min_edge"] =
            fmt::format("{}", std::sqrt(static_cast<double>(o.rules.rule.shortest2)) * o.grid.step());
        header.parameters["grid_step"] = fmt::format("{}", o.grid.step());
        RunText text{fmt::format("{} triangles, smallest angle {} degrees",
                                 text::group_digits(o.input.triangles.size()), angle_),
                     {},
                     [](const SweepRecord& record) {
                         return fmt::format("{} bad triangles, {} cavities",
                                            static_cast<EdgeId>(record.metrics[0].value), record.updates);
                     }};
        if (o.moved > 0)
            text.remark = fmt::format(
                "note: {} of {} points are not on the grid (step {}): computations use the nearest grid "
                "point, the output has the original coordinates",
                text::group_digits(o.moved), text::group_digits(o.input.points.size()), o.grid.step());
        return text;
    }
    CheckResult check(const Input&, const RunOutcome& run) const override {
        const DmrOutcome& o = outcome_of(run);
        if (o.status != "ok") return {"the run was interrupted, so the mesh is incomplete", "", {}};
        const Quality q = verify_refinement(o.input, o.refined, o.rules);
        return {
            q.problem,
            fmt::format("{} points added, Delaunay, smallest angle {:.2f} degrees, same area as the input",
                        text::group_digits(q.added), q.smallest_angle),
            {{"smallest_angle", q.smallest_angle}, {"let_be", q.left}, {"segments", q.segments}}};
    }

    std::vector<std::string> axes() const override { return {"loop"}; }
    // The input is a mesh, so there is no schedule file to summarize.
    ScheduleFileSummary summary_of(const Request&) const override { return {}; }
    Rule choose_rule(const ScheduleFileSummary&, bool) const override {
        return {"supersteps", "each round finds the cavities once, in one kernel launch"};
    }

    std::unique_ptr<RunOutcome> solve(const Input& input, const Strategy& strategy, bool trial,
                                      const RunCallbacks& callbacks) override {
        auto outcome = std::make_unique<DmrOutcome>();
        DmrOutcome& o = *outcome;
        const Stopwatch planning;
        const Device device = usable_device(options().device, &o.device_note);
        static_cast<PlacedMesh&>(o) =
            place_on_grid(input.mesh, mesh_paths(input.file.summary.path).second.string());
        o.rules = rules_;
        o.rules.rule = mesh::rule_of(o.input, angle_, edge_ / o.grid.step());
        const EdgeId bytes =
            o.input.points.size() * sizeof(mesh::Point) + o.input.triangles.size() * sizeof(mesh::Triangle);
        begin_runs(o, device_info(device, options().threads), planning.seconds(), bytes, 0, callbacks);
        const bool may_differ = device == Device::cuda && !strategy.deterministic();
        const auto once = [&](bool first) { return refine(strategy, device, first, o, callbacks); };
        o.execute_seconds = median(repeat(o, repeats(trial), callbacks, once, may_differ));
        o.left = mesh::small_angles(o.refined, o.rules.rule);
        return outcome;
    }

    mesh::Totals refine(mesh::Mesh& mesh, const Strategy& strategy, Device device, const mesh::Rules& rules,
                        const mesh::OnRound& on_round) const {
        if (device == Device::reference) return reference_refine(mesh, rules, on_round);
        return on_device(
            device, [&] { return mesh::refine_on_cpu(mesh, rules, options().all_threads(), on_round); },
            [&] {
                const auto method = std::get<mesh::RefinementMethod>(strategy.variant);
                const auto usual = method == mesh::RefinementMethod::supersteps ? worklist::Loop::outlined
                                                                                : worklist::Loop::host;
                return mesh::refine_on_cuda(mesh, rules, method, loop_.value_or(usual), on_round);
            });
    }

    /// Refines a copy of the input mesh, and returns the elapsed seconds.
    double refine(const Strategy& strategy, Device device, bool first, DmrOutcome& o,
                  const RunCallbacks& callbacks) const {
        o.refined = o.input;
        o.rounds.clear();
        const auto on_round = [&](const mesh::Round& r) {
            o.rounds.push_back(r);
            if (first) {
                const double bad = static_cast<double>(r.bad), tried = static_cast<double>(r.tried);
                o.sweeps.push_back({o.rounds.size(), r.seconds, {{"bad", bad}, {"tried", tried}}, r.refined});
                if (callbacks.on_round) callbacks.on_round(o.sweeps.back());
            }
            return !callbacks.interrupted();
        };
        const Stopwatch watch;
        o.totals = refine(o.refined, strategy, device, o.rules, on_round);
        const double seconds = o.totals.seconds > 0 ? o.totals.seconds : watch.seconds();
        if (o.totals.stopped) o.status = "interrupted";
        o.transfer_seconds = o.totals.transfer_seconds;
        ContentHash hash;
        hash.add(std::span<const mesh::Point>(o.refined.points));
        for (const mesh::Triangle& t : o.refined.triangles) hash.add(std::span<const std::int32_t>(t.corner));
        o.result_hash = hash.hex();
        return seconds;
    }

    double angle_ = 30, edge_ = 0;
    std::optional<std::string> mesh_;
    std::optional<worklist::Loop> loop_;
    mesh::Rules rules_;  ///< rules of the refinement, except the definition of a bad triangle
};

}  // namespace

}  // namespace dmr

const Spec& dmr_spec() {
    static const Spec spec{.name = "dmr",
                           .summary = "Delaunay mesh refinement (NAME.node and NAME.ele)",
                           .example = "m.ele --app dmr --min-angle 28 --mesh fine.ele",
                           .strategies = "dmr",
                           .round = "round",
                           .update = "update",
                           .result = "mesh",
                           .make = make_application<dmr::Dmr>};
    return spec;
}

}  // namespace lockstep
