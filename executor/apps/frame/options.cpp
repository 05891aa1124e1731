// The command line: what every application can be told, and what each declares.
#include <fmt/format.h>

#include <algorithm>
#include <list>

#include "apps/frame/application.hpp"
#include "lockstep/executor/strategy.hpp"

namespace lockstep {

namespace {

namespace po = boost::program_options;

std::vector<std::string> application_names() {
    std::vector<std::string> names;
    for (const Application* app : applications()) names.emplace_back(app->facts().name);
    return names;
}

std::vector<std::string> strategy_names() {
    std::vector<std::string> names{"auto", "tune"};
    for (const Application* app : applications()) {
        for (const Strategy& s : strategies(app->facts().strategies)) {
            if (std::find(names.begin(), names.end(), s.name) == names.end()) names.emplace_back(s.name);
        }
    }
    return names;
}

cli::Options basic_options() {
    std::string summaries;
    for (const Application* app : applications())
        summaries +=
            fmt::format("{}{} ({})", summaries.empty() ? "" : ", ", app->facts().name, app->facts().summary);
    cli::Options options("Options");
    // clang-format off
    options.add_options()
        ("file", po::value<std::string>()->value_name("FILE.h5"), "schedule file made by lockstep-preprocess; also as first argument")
        ("app", cli::word(application_names())->default_value("sgd"), ("application: " + summaries).c_str())
        ("strategy", cli::word(strategy_names()), "how to synchronize, or to visit neighbours; see below; auto = what the cost model, or a rule, finds fastest here; tune = what is fastest when tried (bfs, sssp)")
        ("strategies", "list the strategies with what is known of each, those of --app where it is given, and exit")
        ("device", cli::word({"auto", "cpu", "cuda", "reference"})->default_value("auto"), "cpu, cuda, auto (cuda where there is a GPU), or reference (serial, double precision)")
        ("threads", cli::number<int>(0, cli::max_threads)->default_value(0), "CPU threads; 0 = all")
        ("record", po::value<std::string>()->value_name("FILE"), "append the run to this record file (JSON lines); - = standard output");
    // clang-format on
    cli::add_force_option(options);
    return options;
}

cli::Options tuning_options() {
    cli::Options options("Tuning");
    // clang-format off
    options.add_options()
        ("order", po::value<std::string>()->value_name("NAME"), "strategies without a schedule of their own, el-shuffled, hogwild: take the order of this schedule (given, shuffle, degree, metis, …)")
        ("trust", "run the schedule without proving that its concurrent work shares no vertex (a proof is remembered by the file's hashes)")
        ("lock", po::value<std::string>()->value_name("FILE"), "hold the lock of this file while sweeps run, so that several programs can prepare side by side and none disturbs another's times");
    // clang-format on
    return options;
}

/// The options of an application.
cli::Options declared(const Application& app, bool tuning) {
    cli::Options basic, more;
    app.declare(basic, more);
    return tuning ? more : basic;
}

/// The applications that have an option: "pagerank, sums".
std::string owners(const std::string& option) {
    std::string names;
    for (const Application* app : applications()) {
        if (declared(*app, false).find_nothrow(option, false) ||
            declared(*app, true).find_nothrow(option, false))
            names += (names.empty() ? "" : ", ") + std::string(app->facts().name);
    }
    return names;
}

/// Adds the options of all applications, each once, under the names of those that have it.
void add_sections(cli::Options& options, bool tuning) {
    std::list<std::pair<std::string, cli::Options>> sections;
    for (const Application* app : applications()) {
        const cli::Options own = declared(*app, tuning);
        for (const auto& option : own.options()) {
            const std::string names = owners(option->long_name());
            if (!names.starts_with(app->facts().name)) continue;  // an earlier one has it, too
            auto section =
                std::find_if(sections.begin(), sections.end(), [&](auto& s) { return s.first == names; });
            if (section == sections.end())
                section =
                    sections.emplace(section, names, (tuning ? "Tuning of --app " : "Of --app ") + names);
            section->second.add(option);
        }
    }
    for (const auto& section : sections) options.add(section.second);
}

/// Refuses what is given, but belongs to other applications.
void refuse_others(const cli::Values& values, const Application& app) {
    const std::string name = app.facts().name;
    for (const Application* other : applications()) {
        for (const bool tuning : {false, true}) {
            const cli::Options theirs = declared(*other, tuning);
            for (const auto& option : theirs.options()) {
                const std::string& given = option->long_name();
                if (!values.count(given) || values[given].defaulted()) continue;
                if (const std::string of = owners(given);
                    (", " + of + ",").find(", " + name + ",") == std::string::npos)
                    throw cli::UsageError(fmt::format("--{} is an option of {}, not of {}", given, of, name));
            }
        }
    }
}

/// What is written, checked before anything is read.
void check_files(const cli::Values& values, const Application& app, const Request& request) {
    cli::refuse_standard_input(request.file, "a schedule file");
    std::vector<cli::Output> outputs;
    const auto add = [&](const cli::Output& output) {
        outputs.push_back(output);
        if (!output.kind.appended && output.path != "-")
            outputs.push_back({output.option, cli::partial_path(output.path), output.kind});
    };
    for (const cli::Output& output : app.outputs()) add(output);
    if (request.output) {
        const cli::OutputKind hdf5{app.facts().outputs, app.facts().format};
        add({"--output", *request.output, request.output->ends_with(".h5") ? hdf5 : cli::text_output});
    }
    if (request.record) add({"--record", *request.record, cli::record_output});
    cli::check_outputs(values, {request.file}, outputs);
    if (values.count("json") && (request.output == "-" || request.record == "-"))
        throw cli::UsageError(fmt::format("--json and --{} - would both write to standard output",
                                          request.output == "-" ? "output" : "record"));
}

Device device_of(const std::string& word) {
    return word == "cpu"         ? Device::cpu
           : word == "cuda"      ? Device::cuda
           : word == "reference" ? Device::reference
                                 : Device::automatic;
}

}  // namespace

void declare_results(cli::Options& basic) {
    // clang-format off
    basic.add_options()
        ("output,o", po::value<std::string>()->value_name("FILE"), "write the result by original id: text, or HDF5 where the name ends in .h5; - = standard output")
        ("top", cli::number<std::uint64_t>(0, max_vertices)->default_value(0), "show the N vertices of the highest value")
        ("verify", "prove the result by other means than the kernels'; exit code 7 where it is wrong");
    // clang-format on
}

void declare_seed(cli::Options& basic) {
    basic.add_options()(
        "seed", cli::number<std::uint64_t>(0, std::numeric_limits<std::uint64_t>::max())->default_value(1),
        "of all that is drawn: the split and the initial factors, the sources");
}
void declare_chunk(cli::Options& tuning) {
    tuning.add_options()(
        "chunk", cli::number<int>(0, 1 << 20)->default_value(1),
        "push-warp, pull-warp, pull-nodiv-warp: vertices that a virtual warp takes at a time, 1 to "
        "10 times its size; over active vertices: those that a block draws from a queue at a time, "
        "0 = dealt out beforehand");
}
void declare_repeat(cli::Options& tuning) {
    tuning.add_options()("repeat", cli::number<std::uint64_t>(1, 1'000'000)->default_value(1),
                         "run so often; the time is the median, and all results must be equal");
}

Application& find_application(const std::string& name) {
    for (Application* app : applications()) {
        if (name == app->facts().name) return *app;
    }
    throw cli::UsageError("there is no application " + name);
}

cli::Options execute_options() {
    cli::Options options;
    options.add(basic_options());
    add_sections(options, false);
    options.add(tuning_options());
    add_sections(options, true);
    return options;
}

Application& read_request(const cli::Values& values, Request& request) {
    if (!values.count("file")) throw cli::UsageError("a schedule file is needed");
    if (!values.count("strategy")) throw cli::UsageError("a strategy is needed: --strategy NAME");
    Application& app = find_application(values["app"].as<std::string>());
    refuse_others(values, app);
    const auto optional = [&](const char* name) {
        return values.count(name) ? std::optional(values[name].as<std::string>()) : std::nullopt;
    };
    request.file = values["file"].as<std::string>();
    request.strategy = values["strategy"].as<std::string>();
    request.order = optional("order");
    request.record = optional("record");
    request.lock = optional("lock");
    request.trust = values.count("trust") > 0;
    request.output = optional("output");
    if (values.count("top")) request.top = values["top"].as<std::uint64_t>();
    request.verify = values.count("verify") > 0;
    app.read(values, device_of(values["device"].as<std::string>()), values["threads"].as<int>());
    check_files(values, app, request);
    return app;
}

}  // namespace lockstep
