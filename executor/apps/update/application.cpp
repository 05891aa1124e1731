// The application that runs a user's own operator (an "update": two structs and a function) under any
// strategy for edges.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

#include <algorithm>

#include "apps/device.hpp"
#include "apps/frame/application.hpp"
#include "apps/frame/trials.hpp"
#include "apps/update/application.hpp"
#include "apps/update/application_options.hpp"
#include "apps/update/compile.hpp"
#include "apps/update/sweep.hpp"
#include "insight/build_options.hpp"
#include "lockstep/formats/error.hpp"

namespace lockstep {

namespace update {

namespace {

struct UpdateOutcome final : RunOutcome {
    RunArrays arrays;
};
const UpdateOutcome& outcome_of(const RunOutcome& run) { return static_cast<const UpdateOutcome&>(run); }

/// The deterministic strategies, in the order of preference of --strategy auto.
constexpr const char* preferred[] = {"local", "agm-e", "tiled", "stars", "blkdiag", "sgm", "agm-n", "diag"};

class CompiledUpdate final : public UpdateApplication {
public:
    using UpdateApplication::UpdateApplication;

    void list(lockstep::Fields& basic, lockstep::Fields& more) override {
        wanted_.list(basic, more, results_.output);
        list_verify(basic);
    }
    void settle(const lockstep::Fields&, Request& request, int threads) override {
        wanted_.settle(request.device, threads);
        request.inputs.push_back(wanted_.source.path);
        request.prepare = [this](const Common& common) { return prepare(common); };
    }

    /// Chooses the first strategy of a fixed list for which the file has the schedule, so that equal calls
    /// have equal results; or, if `by_trial`, the fastest. If a plan does not fit on the GPU, the run uses
    /// the next strategy of the choice.
    Choice choose(const Request& request, const Common& common, bool by_trial) override {
        if (by_trial)
            return fastest_update(*this, request, common, wanted_.tune_seconds,
                                  [&](const Input& input, const RunCallbacks& callbacks) {
                                      return sweep(input, 3, callbacks);
                                  });
        const ScheduleFileSummary file = summary_of(request);
        std::vector<std::string> found;
        for (const char* const name : preferred)
            if (runs_on(find_strategy(name), file)) found.emplace_back(name);
        const std::string reason = found.empty() ? "it needs the least preparation"
                                                 : fmt::format("the first strategy with a schedule in {}",
                                                               fmt::join(preferred, ", "));
        if (found.empty()) found.emplace_back("agm-e");
        Choice choice;
        choice.reason = found.front() + ": " + reason;
        choice.strategies = std::move(found);
        choice.parameter = {"chosen_for", reason};
        choice.why_not = [this](const Input& input) { return why_not(input); };
        return choice;
    }

    std::unique_ptr<RunOutcome> run(const Input& input, const RunEvents& events) override {
        const auto described = [&](RunHeader& header, const RunOutcome&) { return describe(input, header); };
        auto outcome = sweep(input, wanted_.sweeps, events.callbacks(described));
        verify(*outcome, [&] { return check(input, *outcome); });
        return outcome;
    }

    void save(const Input&, const RunHeader&, const RunOutcome& run, const FilePlace& place) const override {
        if (const auto path = output_place(run, place))
            write_npy(*path, outcome_of(run).arrays.rows.result());
        if (wanted_.output_cols) write_npy(place(*wanted_.output_cols), outcome_of(run).arrays.cols.result());
        if (wanted_.output_edges)
            write_npy(place(*wanted_.output_edges), outcome_of(run).arrays.edges.result());
    }
    RunReport report_run(const Input&, const RunHeader&, const RunOutcome& run) const override {
        std::vector<double> seconds;
        for (const SweepRecord& s : run.sweeps) seconds.push_back(s.seconds);
        RunReport report;
        report.head = {{"update", wanted_.source.name}};
        report.metrics = {{"sweeps", run.sweeps.size()}, {"sweep_seconds", median(seconds)}};
        report.rounds = nlohmann::ordered_json::object();
        report.text = fmt::format("{} per sweep", text::duration(median(seconds)));
        return report;
    }

    StateFiles& files() override { return wanted_.files; }

private:
    /// Compiles the update at the first call, and returns the options for reading its graph and building its
    /// schedules.
    Preparation prepare(const Common& common) {
        if (!module_) {
            const auto module = load(wanted_.source, callbacks_of(common));
            refuse_other_states(wanted_, module->description().ends == Ends::vertices);
            set_parameters(wanted_.settings, module->description().parameters, wanted_.source,
                           module->parameters());
            prepare_device(*module, common);
            module_ = module;
        }
        BuildOptions building = insight::default_build_options();
        building.rank = std::max<int>(1, static_cast<int>(module_->description().row.bytes / sizeof(float)));
        return {module_->description().ends, building};
    }
    /// Describes a run for its messages, after the device has been chosen, and sets the members of the run
    /// record's header.
    RunText describe(const Input& input, RunHeader& header) const {
        header.sweeps = wanted_.sweeps;
        header.train_edges = input.graph().edges();
        header.parameters["update"] = wanted_.source.name;
        for (const Setting& setting : wanted_.settings)
            header.parameters["set_" + setting.name] = setting.value();
        return {
            fmt::format("{}, {} edges", wanted_.source.name, text::group_digits(input.file.summary.edges)),
            {},
            {}};
    }
    /// Checks a result with code that is independent of the walks, for --verify.
    CheckResult check(const Input& input, const UpdateOutcome& outcome) const {
        for (const SweepRecord& s : outcome.sweeps) {
            if (s.updates == input.graph().edges()) continue;
            return {fmt::format("sweep {} updated {} edges; expected {}", s.sweep, s.updates,
                                input.graph().edges()),
                    {},
                    {}};
        }
        const std::string counted = "every edge was updated once per sweep";
        if (!input.strategy.deterministic()) return {{}, counted, {{"edges", "each once"}}};
        RunArrays serial = arrays(input);
        for (std::size_t i = 0; i < outcome.sweeps.size(); ++i) loop(*module_, serial.plan, serial.memory());
        clear_padding(serial);
        const bool with_edges = module_->description().changes_edges;
        if (serial.hash(with_edges) != outcome.arrays.hash(with_edges))
            return {"the states differ from those of a serial loop in the order of the schedule", {}, {}};
        return {{},
                counted +
                    ", and the states are bitwise identical to those of a serial loop in the order of the "
                    "schedule",
                {{"edges", "each once"}, {"serial", "equal"}}};
    }
    /// Returns the reason why the plan does not fit on the GPU; nullopt if it fits or no GPU is used.
    std::optional<std::string> why_not(const Input& input) const {
        if (!on_device_) return {};
        try {
            RunArrays made = arrays(input);
            on_device_->start(made.plan, made.memory());
            return {};
        } catch (const ScheduleError& e) {
            return e.what();
        }
    }
    static CompileCallbacks callbacks_of(const Common& common) {
        return {[&](const std::string& text) { note(common, text); }, check_signal};
    }
    /// Compiles the update for the GPU, if there is one. If this fails, the update runs on the CPU and a note
    /// explains why, unless the user requested the GPU.
    void prepare_device(Module& module, const Common& common) {
        if (usable_device(wanted_.device, &note_) != Device::cuda) return;
        try {
            on_device_ = load_for_gpu(wanted_.source, cuda_capability(), callbacks_of(common));
            on_device_->set_parameters(module.parameters());
        } catch (const Interrupted&) {
            throw;
        } catch (const std::exception& e) {
            if (wanted_.device == Device::cuda) throw;
            note_ = fmt::format("the update runs on the CPU: {}", e.what());
            note(common, note_);
        }
    }

    void clear_padding(RunArrays& arrays) const {
        module_->clear_padding(arrays.memory(), arrays.plan.rows, arrays.plan.cols, arrays.plan.edges());
    }

    RunArrays arrays(const Input& input) const {
        const Description& update = module_->description();
        const bool one_set = update.ends == Ends::vertices;
        const auto type = [&](const Layout& layout, const char* name) {
            return Struct{layout, wanted_.source.name + "::" + name};
        };
        const Graph& graph = input.graph();
        RunArrays made{make_plan(graph, input.strategy, input.schedule(), Endpoints::both, {},
                                 PhaseOrder::given, update.ends, true),
                       {},
                       {},
                       {}};
        const Dataset& data = input.file.dataset;
        const auto& first = one_set ? wanted_.files.vertices : wanted_.files.rows;
        made.rows = StateArray(one_set ? "--vertices" : "--rows", first,
                               type(update.row, one_set ? "Vertex" : "Row"), data.row_ids);
        if (!one_set)
            made.cols = StateArray("--cols", wanted_.files.cols, type(update.col, "Col"), data.col_ids);
        made.edges =
            StateArray(wanted_.files.edges, type(update.edge, "Edge"), graph, input_edges(graph, made.plan));
        return made;
    }

    std::unique_ptr<UpdateOutcome> sweep(const Input& input, std::uint64_t sweeps,
                                         const RunCallbacks& callbacks) const {
        auto outcome = std::make_unique<UpdateOutcome>();
        outcome->device = on_device_ ? cuda_device() : cpu_device(wanted_.threads);
        outcome->device_note = note_;
        const double start = omp_get_wtime();
        RunArrays& now = outcome->arrays = arrays(input);
        outcome->plan_seconds = omp_get_wtime() - start;
        outcome->device_bytes =
            now.plan.bytes() + now.rows.bytes().size() + now.cols.bytes().size() + now.edges.bytes().size();
        std::optional<cpu::Locks> locks;
        std::optional<Sweeps> on_gpu;
        if (on_device_) {
            on_gpu = on_device_->start(now.plan, now.memory());
            outcome->transfer_seconds = on_gpu->transfer_seconds, outcome->device_bytes = on_gpu->bytes;
        } else {
            locks.emplace(now.plan);
        }
        if (callbacks.on_start) callbacks.on_start(*outcome);
        for (std::uint64_t s = 1; s <= sweeps; ++s) {
            const double begin = omp_get_wtime();
            double seconds = 0;
            const SweepCounts counts =
                on_gpu ? on_gpu->run(&seconds)
                       : update::sweep(*module_, now.plan, now.memory(), *locks, wanted_.threads);
            if (!on_gpu) seconds = omp_get_wtime() - begin;
            outcome->execute_seconds += seconds;
            outcome->sweeps.push_back({s, seconds, {}, counts.updates, counts.passes});
            if (callbacks.on_round) callbacks.on_round(outcome->sweeps.back());
            if (callbacks.interrupted && callbacks.interrupted()) {
                outcome->status = "interrupted";
                break;
            }
        }
        if (on_gpu) {
            const double begin = omp_get_wtime();
            on_gpu->result(now.memory());
            on_gpu.reset();  // frees the memory of the GPU
            outcome->transfer_seconds += omp_get_wtime() - begin;
        }
        clear_padding(now);
        outcome->result_hash = now.hash(module_->description().changes_edges);
        return outcome;
    }

    UpdateRunOptions wanted_;
    // prepare() sets the following members.
    std::shared_ptr<Module> module_;
    /// The update compiled for the GPU; null if sweeps run on the CPU.
    std::shared_ptr<DeviceModule> on_device_;
    std::string note_;  ///< reason why sweeps do not run on a GPU
};

}  // namespace

}  // namespace update

const Spec& update_spec() {
    static const Spec spec{
        .name = "update",
        .summary = "an update of your own: two structs and a function (docs/guides/updates.md)",
        .example = "cloth.h5 --update spring.hpp --vertices x.npy --sweeps 20 --output y.npy",
        .strategies = edge_updates,
        .round = "sweep",
        .update = "edge",
        .result = "states",
        .outputs = "an array",
        .wants_input_order = true,
        .make = make_application<update::CompiledUpdate>};
    return spec;
}
const update::RunArrays& update_arrays(const RunOutcome& outcome) {
    return update::outcome_of(outcome).arrays;
}

}  // namespace lockstep
