#include "options.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "command.hpp"
#include "outputs.hpp"

namespace lockstep {

namespace {

constexpr std::array registry{
    App{"sgd", "matrix factorization by stochastic gradient descent", execute_sgd},
    App{"pagerank", "PageRank by neighbour iteration (square graphs)", execute_pagerank}};

namespace po = boost::program_options;

constexpr std::uint64_t most_rounds = 1'000'000'000;
constexpr double most_seconds = 1e9, large = 1e9;

/// The names of all applications, strategies, schedules.
template <class Range>
std::vector<std::string> names_of(const Range& range) {
    std::vector<std::string> names;
    for (const auto& entry : range) names.emplace_back(entry.name);
    return names;
}

std::vector<std::string> strategy_names() {
    std::vector<std::string> names{"auto"};
    for (const App& app : registry) {
        const auto more = names_of(strategies(app.name));
        names.insert(names.end(), more.begin(), more.end());
    }
    return names;
}

cli::Options basic_options() {
    std::string summaries;
    for (const App& app : registry)
        summaries += fmt::format("{}{} ({})", summaries.empty() ? "" : ", ", app.name, app.summary);
    cli::Options options("Options");
    // clang-format off
    options.add_options()
        ("file", po::value<std::string>()->value_name("FILE.h5"), "schedule file made by lockstep-preprocess; also as first argument")
        ("app", cli::word(names_of(apps()))->default_value("sgd"), ("application: " + summaries).c_str())
        ("strategy", cli::word(strategy_names()), "how to synchronize, or to visit neighbours; see below; auto = what the cost model finds fastest here")
        ("strategies", "list the strategies with what is known of each, those of --app where it is given, and exit")
        ("device", cli::word({"auto", "cpu", "cuda", "reference"})->default_value("auto"), "cpu, cuda, auto (cuda where there is a GPU), or reference (serial, double precision)")
        ("threads", cli::number<int>(0, cli::max_threads)->default_value(0), "CPU threads; 0 = all")
        ("record", po::value<std::string>()->value_name("FILE"), "append the run to this record file (JSON lines); - = standard output");
    // clang-format on
    cli::add_force_option(options);
    return options;
}

cli::Options sgd_options() {
    const sgd::SgdOptions defaults;
    cli::Options options("Of --app sgd");
    // clang-format off
    options.add_options()
        ("rank,k", cli::number<std::uint32_t>(1, 256)->default_value(defaults.rank), "length of the factor vectors, 1 to 256")
        ("sweeps", cli::number<std::uint64_t>(0, most_rounds)->default_value(defaults.sweeps), "sweeps over all edges")
        ("learning-rate", cli::number<double>(0, large)->default_value(defaults.learning_rate, "0.01"), "of the first sweep")
        ("regularisation", cli::number<double>(0, large)->default_value(defaults.regularisation, "0.1"), "L2 regularisation of the factors")
        ("test-fraction", cli::number<double>(0, 1)->default_value(0), "share of the edges held out, by seed")
        ("seed", cli::number<std::uint64_t>(0, std::numeric_limits<std::uint64_t>::max())->default_value(defaults.seed), "of the split and of the initial factors")
        ("model", po::value<std::string>()->value_name("FILE.h5"), "write the factors to this file (HDF5); those of an interrupted run go beside it, to FILE.partial.h5");
    // clang-format on
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

cli::Options sgd_tuning_options() {
    const sgd::SgdOptions defaults;
    cli::Options options("Tuning of --app sgd");
    // clang-format off
    options.add_options()
        ("storage", cli::word({"fp32", "fp16"})->default_value("fp32"), "factors in memory as fp32, or as fp16, rounded whenever they are stored; all arithmetic is fp32 (--device reference: fp64)")
        ("rate-schedule", cli::word({"constant", "inverse", "exponential"})->default_value("constant"), "constant, inverse (rate / (1 + decay t)), exponential (rate decay^t)")
        ("decay", cli::number<double>(0, large)->default_value(defaults.decay, "0.1"), "of the rate schedule")
        ("nonnegative", "keep all factors at or above zero (NMF)")
        ("early-stop", cli::number<std::uint64_t>(0, most_rounds)->default_value(0), "stop after N evaluations without a better test RMSE, keep the best; 0 = never")
        ("time-limit", cli::number<double>(0, most_seconds)->default_value(0), "stop after the sweep with which all sweeps together take so many seconds; 0 = never")
        ("evaluate-every", cli::number<std::uint64_t>(1, most_rounds)->default_value(1), "sweeps between evaluations of the RMSE")
        ("racing-workers", cli::number<EdgeId>(0, most_rounds)->default_value(0), "hogwild on the GPU: edges in flight at a time; 0 = chosen from the graph")
        ("gpus", cli::number<int>(1, 64)->default_value(1), "tiled: GPUs that share the groups of the schedule (lockstep-preprocess --gpus)")
        ("relaxed-hubs", "tiled: an edge of a hub's long star sees the hub as it was up to 15 edges before: not serializable any more, still deterministic")
        ("device-memory", po::value<std::string>()->value_name("SIZE"), "tiled: most memory of each GPU, e.g. 8G; what does not fit is copied from the host in every sweep (default: all that is free)");
    // clang-format on
    return options;
}

cli::Options pagerank_options() {
    const pagerank::PageRankOptions defaults;
    cli::Options options("Of --app pagerank");
    // clang-format off
    options.add_options()
        ("iterations", cli::number<std::uint64_t>(1, most_rounds)->default_value(defaults.rounds), "iterations, at most")
        ("tolerance", cli::number<double>(0, large)->default_value(0), "stop when two iterations differ by at most this (L1); 0 = never")
        ("output,o", po::value<std::string>()->value_name("FILE"), "write the ranks by original id: text, or HDF5 where the name ends in .h5; - = standard output")
        ("top", cli::number<std::uint64_t>(0, max_vertices)->default_value(0), "show the N vertices of the highest rank")
        ("verify", "prove the ranks by serial double precision, apart from the kernels; exit code 7 where they are wrong");
    // clang-format on
    return options;
}

cli::Options pagerank_tuning_options() {
    const pagerank::PageRankOptions defaults;
    cli::Options options("Tuning of --app pagerank");
    // clang-format off
    options.add_options()
        ("damping", cli::number<double>(0, 1)->default_value(defaults.damping, "0.85"), "share of a rank that goes along the edges")
        ("dangling", cli::word({"spread", "lost"})->default_value("spread"), "rank of vertices without an out-edge: spread over all vertices (ranks add up to 1), or lost")
        ("warp-size", cli::number<int>(0, 64)->default_value(0), "push-warp, pull-warp, pull-nodiv-warp: threads a vertex, 1, 2, 4, … 64; 0 = by the mean degree")
        ("chunk", cli::number<int>(1, 10)->default_value(1), "the same: vertices that a virtual warp takes at a time, 1 to 10 times its size")
        ("repeat", cli::number<std::uint64_t>(1, 1'000'000)->default_value(1), "run so often; the time is the median, and all results must be equal");
    // clang-format on
    return options;
}

/// Refuses what is given, but belongs to another application.
void refuse_others(const cli::Values& values, const std::string& app, const std::string& owner,
                   const cli::Options& basic, const cli::Options& tuning) {
    if (app == owner) return;
    for (const auto* options : {&basic, &tuning}) {
        for (const auto& option : options->options()) {
            const std::string& name = option->long_name();
            if (values.count(name) && !values[name].defaulted())
                throw cli::UsageError(fmt::format("--{} is an option of {}, not of {}", name, owner, app));
        }
    }
}

/// What is written, checked before anything is read.
void check_files(const cli::Values& values, const ExecuteRequest& request) {
    cli::refuse_standard_input(request.file, "a schedule file");
    std::vector<cli::Output> outputs;
    const auto add = [&](const char* option, const std::optional<std::string>& path,
                         const cli::OutputKind& kind) {
        if (!path) return;
        outputs.push_back({option, *path, kind});
        if (!kind.appended && *path != "-") outputs.push_back({option, cli::partial_path(*path), kind});
    };
    add("--model", request.model, cli::model_output);
    if (request.output)
        add("--output", request.output,
            request.output->ends_with(".h5") ? cli::rank_output : cli::text_output);
    add("--record", request.record, cli::record_output);
    cli::check_outputs(values, {request.file}, outputs);
    if (values.count("json") && (request.output == "-" || request.record == "-"))
        throw cli::UsageError(fmt::format("--json and --{} - would both write to standard output",
                                          request.output == "-" ? "output" : "record"));
}

sgd::SgdOptions read_sgd(const cli::Values& values) {
    using sgd::RateSchedule;
    sgd::SgdOptions o;
    o.rank = values["rank"].as<std::uint32_t>();
    o.storage = values["storage"].as<std::string>() == "fp16" ? sgd::Storage::fp16 : sgd::Storage::fp32;
    o.sweeps = values["sweeps"].as<std::uint64_t>();
    o.learning_rate = values["learning-rate"].as<double>();
    const auto& schedule = values["rate-schedule"].as<std::string>();
    o.rate_schedule = schedule == "inverse"       ? RateSchedule::inverse
                      : schedule == "exponential" ? RateSchedule::exponential
                                                  : RateSchedule::constant;
    o.decay = values["decay"].as<double>();
    o.regularisation = values["regularisation"].as<double>();
    o.nonnegative = values.count("nonnegative") > 0;
    o.test_fraction = values["test-fraction"].as<double>();
    o.patience = values["early-stop"].as<std::uint64_t>();
    o.evaluate_every = values["evaluate-every"].as<std::uint64_t>();
    o.racing_workers = values["racing-workers"].as<EdgeId>();
    o.time_limit = values["time-limit"].as<double>();
    o.seed = values["seed"].as<std::uint64_t>();
    o.gpus = values["gpus"].as<int>();
    o.relaxed_hubs = values.count("relaxed-hubs") > 0;
    if (values.count("device-memory"))
        o.device_memory = cli::size_of("device-memory", values["device-memory"].as<std::string>());
    return o;
}

pagerank::PageRankOptions read_pagerank(const cli::Values& values) {
    using pagerank::Dangling;
    pagerank::PageRankOptions o;
    o.damping = values["damping"].as<double>();
    o.rounds = values["iterations"].as<std::uint64_t>();
    o.tolerance = values["tolerance"].as<double>();
    o.dangling = values["dangling"].as<std::string>() == "lost" ? Dangling::lost : Dangling::spread;
    o.warp_size = values["warp-size"].as<int>();
    o.chunk = values["chunk"].as<int>();
    o.repeats = values["repeat"].as<std::uint64_t>();
    return o;
}

}  // namespace

std::span<const App> apps() { return registry; }

const App& find_app(const std::string& name) {
    for (const App& app : registry) {
        if (name == app.name) return app;
    }
    throw cli::UsageError("there is no application " + name);
}

cli::Options execute_options() {
    cli::Options options;
    options.add(basic_options()).add(sgd_options()).add(pagerank_options());
    options.add(tuning_options()).add(sgd_tuning_options()).add(pagerank_tuning_options());
    return options;
}

ExecuteRequest execute_request(const cli::Values& values) {
    ExecuteRequest request;
    if (!values.count("file")) throw cli::UsageError("a schedule file is needed");
    if (!values.count("strategy")) throw cli::UsageError("a strategy is needed: --strategy NAME");
    request.file = values["file"].as<std::string>();
    request.app = values["app"].as<std::string>();
    refuse_others(values, request.app, "sgd", sgd_options(), sgd_tuning_options());
    refuse_others(values, request.app, "pagerank", pagerank_options(), pagerank_tuning_options());
    request.strategy = values["strategy"].as<std::string>();
    const auto optional = [&](const char* name) {
        return values.count(name) ? std::optional(values[name].as<std::string>()) : std::nullopt;
    };
    request.order = optional("order");
    request.model = optional("model");
    request.record = optional("record");
    request.lock = optional("lock");
    request.output = optional("output");
    check_files(values, request);
    request.top = values["top"].as<std::uint64_t>();
    request.verify = values.count("verify") > 0;
    request.trust = values.count("trust") > 0;
    request.sgd = read_sgd(values);
    request.pagerank = read_pagerank(values);
    const auto& word = values["device"].as<std::string>();
    request.sgd.device = request.pagerank.device = word == "cpu"         ? Device::cpu
                                                   : word == "cuda"      ? Device::cuda
                                                   : word == "reference" ? Device::reference
                                                                         : Device::automatic;
    request.sgd.threads = request.pagerank.threads = values["threads"].as<int>();
    return request;
}

}  // namespace lockstep
