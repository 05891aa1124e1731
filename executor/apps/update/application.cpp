// An update of the user's own as an application of lockstep-execute: two structs and a function, compiled once,
// under any strategy.
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

#include "apps/device.hpp"
#include "apps/frame/application.hpp"
#include "apps/frame/trials.hpp"
#include "apps/update/application.hpp"
#include "apps/update/compile.hpp"
#include "lockstep/formats/error.hpp"

namespace lockstep {

namespace update {

namespace {

namespace po = boost::program_options;

struct UpdateOutcome final : RunOutcome {
    RunArrays arrays;
};
const UpdateOutcome& outcome_of(const RunOutcome& run) { return static_cast<const UpdateOutcome&>(run); }

/// "compliance=1e-6".
std::pair<std::string, double> setting(const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals),
                      value = equals == text.npos ? "" : text.substr(equals + 1);
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    const bool named =
        !name.empty() && (std::isalpha(static_cast<unsigned char>(name[0])) || name[0] == '_') &&
        std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (!named || value.empty() || *end != '\0')
        throw cli::UsageError(
            fmt::format("--set {} is no setting; expected NAME=NUMBER, NAME a field of the "
                        "update's Parameters",
                        text));
    return {name, number};
}

class UpdateApplication final : public Application {
public:
    UpdateApplication()
        : Application({.name = "update",
                       .summary = "an update of your own: two structs and a function (docs/library.md)",
                       .example = "cloth.h5 --update spring.hpp --vertices x.npy --sweeps 20 --output y.npy",
                       .strategies = edge_updates,
                       .round = "sweep",
                       .update = "edge",
                       .result = "states",
                       .outputs = "an array"}) {}

    void declare(cli::Options& basic, cli::Options& tuning) const override {
        const auto file = [] { return po::value<std::string>()->value_name("FILE.npy"); };
        // clang-format off
        basic.add_options()
            ("update", po::value<std::string>()->value_name("FILE.hpp"), "the update: a struct with Vertex (or Row and Col), Edge, Parameters and a static function update; FILE.hpp:NAME where it has several")
            ("vertices", file(), "states: a row a vertex, in the order of the ids, or row I for the vertex of id I; default: zeros")
            ("rows", file(), "the same of an update of two sides")
            ("cols", file(), "likewise")
            ("edges", file(), "payloads: a row an edge, in the order of the input; default: the weight where an edge takes four bytes, else zeros")
            ("set", po::value<std::vector<std::string>>()->value_name("NAME=NUMBER,…")->composing(), "fields of Parameters, comma-separated; may be given several times");
        declare_sweeps(basic);
        basic.add_options()
            ("output,o", po::value<std::string>()->value_name("FILE.npy"), "write the states of the vertices, or of the rows, as they were read")
            ("output-cols", file(), "write those of the columns")
            ("output-edges", file(), "write the payloads of the edges");
        declare_verify(basic);
        tuning.add_options()
            ("tune-seconds", cli::number<double>(0, 1e6)->default_value(10), "--strategy tune: stop trying after so many seconds");
        // clang-format on
    }

    void read(const cli::Values& values, Device device, int threads) override {
        const auto optional = [&](const char* name) {
            return values.count(name) ? std::optional(values[name].as<std::string>()) : std::nullopt;
        };
        if (!values.count("update"))
            throw cli::UsageError("--app update needs --update FILE.hpp, a struct with a function update");
        if (device == Device::reference)
            throw cli::UsageError(
                "an update is compared with a serial loop by --verify: --device reference is of sgd");
        wanted_ = device;
        source_ = find_update(values["update"].as<std::string>());
        const auto states = [&](const char* name) {
            const auto path = optional(name);
            return path ? std::optional(StateSource{*path}) : std::nullopt;
        };
        files_ = {states("vertices"), states("rows"), states("cols"), states("edges")};
        module_.reset(), on_device_.reset(), note_.clear();
        output_cols_ = optional("output-cols"), output_edges_ = optional("output-edges");
        settings_.clear();
        if (values.count("set")) {
            for (const std::string& text : values["set"].as<std::vector<std::string>>()) {
                std::istringstream parts(text);
                for (std::string part; std::getline(parts, part, ',');) settings_.push_back(setting(part));
            }
        }
        sweeps_ = values.count("sweeps") ? values["sweeps"].as<std::uint64_t>() : 10;
        threads_ = threads ? threads : omp_get_max_threads();
        tune_seconds_ = values["tune-seconds"].as<double>();
    }
    std::vector<std::string> inputs() const override {
        std::vector<std::string> paths{source_.path};
        for (const auto& file : {files_.vertices, files_.rows, files_.cols, files_.edges}) {
            if (file) paths.push_back(file->path);
        }
        return paths;
    }
    std::vector<cli::Output> outputs() const override {
        std::vector<cli::Output> outputs;
        if (output_cols_) outputs.push_back({"--output-cols", *output_cols_, cli::text_output});
        if (output_edges_) outputs.push_back({"--output-edges", *output_edges_, cli::text_output});
        return outputs;
    }
    std::uint64_t rounds() const override { return sweeps_; }
    bool wants_input_order() const override { return true; }
    Ends prepare(const cli::Common& common) const override {
        if (module_) return module_->sizes().ends;
        std::vector<std::string> names;
        for (const auto& [name, value] : settings_) names.push_back(name);
        module_ = load(source_, names, [&](const std::string& text) { cli::note(common, text); });
        for (const auto& [name, value] : settings_) module_->set(name, value);
        prepare_device(names, common);
        refuse_others(module_->sizes().ends == Ends::vertices);
        return module_->sizes().ends;
    }

    Choice choose(const Request& request, const cli::Common& common) const override {
        constexpr double most_seconds = 2;
        Choice choice = by_trial(request, common, most_seconds);
        choice.key = "auto";
        return choice;
    }
    Choice tune(const Request& request, const cli::Common& common) const override {
        return by_trial(request, common, tune_seconds_);
    }

    std::unique_ptr<RunOutcome> run(const Input& input, const RunCallbacks& callbacks) const override {
        return sweep(input, sweeps_, callbacks);
    }

    void describe(const Input& input, RunHeader& header, const RunOutcome&) const override {
        header.train_edges = input.graph().edges();
        header.parameters["update"] = source_.name;
        for (const auto& [name, value] : settings_)
            header.parameters["set_" + name] = fmt::format("{}", value);
    }
    std::string workload(const RunHeader& header, const RunOutcome&) const override {
        return fmt::format("{}, {} edges", source_.name, cli::grouped(header.edges));
    }

    Checked check(const Input& input, const RunOutcome& run) const override {
        const UpdateOutcome& outcome = outcome_of(run);
        for (const SweepRecord& s : outcome.sweeps) {
            if (s.updates == input.graph().edges()) continue;
            return {fmt::format("sweep {} ran {} edges of {}", s.sweep, s.updates, input.graph().edges()),
                    {},
                    {}};
        }
        const std::string counted = "every edge ran once a sweep";
        if (!input.strategy.deterministic()) return {{}, counted, {{"edges", "each once"}}};
        RunArrays serial = arrays(input);
        for (std::size_t i = 0; i < outcome.sweeps.size(); ++i) module_->loop(serial.plan, serial.memory());
        module_->clear_padding(serial.plan, serial.memory());
        const bool with_edges = module_->sizes().changes_edges;
        if (serial.hash(with_edges) != outcome.arrays.hash(with_edges))
            return {"the states are not those of a serial loop in the order of the schedule", {}, {}};
        return {
            {},
            counted + ", and the states are those of a serial loop in the order of the schedule, to the bit",
            {{"edges", "each once"}, {"serial", "equal"}}};
    }
    void write(const std::string& path, const Input&, const RunHeader&,
               const RunOutcome& run) const override {
        write_npy(path, outcome_of(run).arrays.rows.result());
    }
    void save(const Input&, const RunHeader&, const RunOutcome& run,
              const std::function<std::string(const std::string&)>& place) const override {
        if (output_cols_) write_npy(place(*output_cols_), outcome_of(run).arrays.cols.result());
        if (output_edges_) write_npy(place(*output_edges_), outcome_of(run).arrays.edges.result());
    }
    Told tell(const Input&, const RunHeader&, const RunOutcome& run) const override {
        std::vector<double> seconds;
        for (const SweepRecord& s : run.sweeps) seconds.push_back(s.seconds);
        Told told;
        told.head = {{"update", source_.name}};
        told.metrics = {{"sweeps", run.sweeps.size()}, {"sweep_seconds", median(seconds)}};
        told.rounds = nlohmann::ordered_json::object();
        told.text = fmt::format("{} a sweep", cli::duration(median(seconds)));
        return told;
    }

    StateFiles& files() { return files_; }

private:
    /// The update for a GPU, where there is one and what compiles it. Who has asked for it is told what is
    /// missing; who has not runs on the CPU, with a note.
    void prepare_device(const std::vector<std::string>& names, const cli::Common& common) const {
        if (usable_device(wanted_, &note_) != Device::cuda) return;
        try {
            on_device_ = load_for_gpu(source_, names, cuda_capability(),
                                      [&](const std::string& text) { cli::note(common, text); });
            for (const auto& [name, value] : settings_) on_device_->set(name, value);
        } catch (const std::exception& e) {
            if (wanted_ == Device::cuda) throw;
            note_ = fmt::format("the update runs on the CPU: {}", e.what());
            cli::note(common, note_);
        }
    }

    /// Refuses files of states that the update does not have.
    void refuse_others(bool one_set) const {
        const auto refuse = [&](const std::optional<StateSource>& file, const char* option, bool wrong) {
            if (file && wrong)
                throw cli::UsageError(fmt::format("--{} is for an update of {}, and {} is of {}", option,
                                                  one_set ? "two sides" : "one set of vertices", source_.name,
                                                  one_set ? "one: --vertices" : "two: --rows and --cols"));
        };
        refuse(files_.vertices, "vertices", !one_set);
        refuse(files_.rows, "rows", one_set), refuse(files_.cols, "cols", one_set);
    }

    RunArrays arrays(const Input& input) const {
        const Sizes sizes = module_->sizes();
        const bool one_set = sizes.ends == Ends::vertices;
        const Graph& graph = input.graph();
        RunArrays made{make_plan(graph, input.strategy, input.schedule(), Endpoints::both, {},
                                 PhaseOrder::given, sizes.ends, true),
                       {},
                       {},
                       {}};
        const Dataset& data = input.file.dataset;
        const auto& first = one_set ? files_.vertices : files_.rows;
        made.rows = StateArray(one_set ? "--vertices" : "--rows", first, sizes.row, data.row_ids);
        if (!one_set) made.cols = StateArray("--cols", files_.cols, sizes.col, data.col_ids);
        made.edges = StateArray(files_.edges, sizes.edge, graph, input_edges(graph, made.plan));
        return made;
    }

    std::unique_ptr<UpdateOutcome> sweep(const Input& input, std::uint64_t sweeps,
                                         const RunCallbacks& callbacks) const {
        auto outcome = std::make_unique<UpdateOutcome>();
        outcome->device = on_device_ ? cuda_device() : cpu_device(threads_);
        outcome->device_note = note_;
        const double start = omp_get_wtime();
        RunArrays& now = outcome->arrays = arrays(input);
        outcome->plan_seconds = omp_get_wtime() - start;
        outcome->device_bytes =
            now.plan.bytes() + now.rows.bytes().size() + now.cols.bytes().size() + now.edges.bytes().size();
        const auto transfer = [&](auto move) {
            const double begin = omp_get_wtime();
            move();
            outcome->transfer_seconds += omp_get_wtime() - begin;
        };
        std::optional<cpu::Locks> locks;
        if (on_device_) {
            transfer([&] { on_device_->put(now.plan, now.memory()); });
            outcome->device_bytes = on_device_->bytes();
        } else {
            locks.emplace(now.plan);
        }
        if (callbacks.on_start) callbacks.on_start(*outcome);
        for (std::uint64_t s = 1; s <= sweeps; ++s) {
            const double begin = omp_get_wtime();
            double seconds = 0;
            const SweepCounts counts = on_device_ ? on_device_->sweep(&seconds)
                                                  : module_->sweep(now.plan, now.memory(), *locks, threads_);
            if (!on_device_) seconds = omp_get_wtime() - begin;
            outcome->execute_seconds += seconds;
            outcome->sweeps.push_back({s, seconds, {}, counts.updates, counts.passes});
            if (callbacks.on_round) callbacks.on_round(outcome->sweeps.back());
            if (callbacks.interrupted && callbacks.interrupted()) {
                outcome->status = "interrupted";
                break;
            }
        }
        if (on_device_) transfer([&] { on_device_->get(now.memory()); });
        module_->clear_padding(now.plan, now.memory());
        outcome->result_hash = now.hash(module_->sizes().changes_edges);
        return outcome;
    }

    Choice by_trial(const Request& request, const cli::Common& common, double most_seconds) const {
        return fastest_update(
            *this, request, common, most_seconds,
            [&](const Input& input, const RunCallbacks& callbacks) { return sweep(input, 3, callbacks); });
    }

    Source source_;
    StateFiles files_;
    std::optional<std::string> output_cols_, output_edges_;
    std::vector<std::pair<std::string, double>> settings_;
    std::uint64_t sweeps_ = 10;
    int threads_ = 1;
    double tune_seconds_ = 10;
    Device wanted_ = Device::automatic;
    // Once prepared:
    mutable std::shared_ptr<Module> module_;
    mutable std::shared_ptr<DeviceModule> on_device_;  ///< where sweeps are on a GPU
    mutable std::string note_;                         ///< why they are not
};

UpdateApplication& the_application() {
    static UpdateApplication application;
    return application;
}

}  // namespace

}  // namespace update

Application& update_application() { return update::the_application(); }
update::StateFiles& update_states() { return update::the_application().files(); }
const update::RunArrays& update_arrays(const RunOutcome& outcome) {
    return update::outcome_of(outcome).arrays;
}

}  // namespace lockstep
