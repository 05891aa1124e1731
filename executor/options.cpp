#include "options.hpp"

#include <fmt/format.h>

#include <array>
#include <map>

#include "command.hpp"

namespace lockstep {

namespace {

constexpr std::array registry{
    App{"sgd", "matrix factorization by stochastic gradient descent", execute_sgd},
    App{"pagerank", "PageRank by neighbour iteration (square graphs)", execute_pagerank}};

template <class T>
T choice(const std::string& option, const std::string& value, const std::map<std::string, T>& choices) {
    const auto found = choices.find(value);
    if (found != choices.end()) return found->second;
    std::string known;
    for (const auto& [name, ignored] : choices) known += (known.empty() ? "" : ", ") + name;
    throw cli::UsageError("--" + option + " takes one of " + known + ", not \"" + value + "\"");
}

namespace po = boost::program_options;

cli::Options shared_options() {
    std::string names;
    for (const App& app : registry)
        names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", app.name, app.summary);
    cli::Options options("Options");
    // clang-format off
    options.add_options()
        ("file", po::value<std::string>(), "schedule file made by lockstep-preprocess")
        ("app", po::value<std::string>()->default_value("sgd"), ("application: " + names).c_str())
        ("strategy", po::value<std::string>(), "how to synchronize, or to visit neighbours; see below; auto = what the cost model finds fastest here")
        ("order", po::value<std::string>(), "strategies without a schedule of their own, el-shuffled, hogwild: take the order of this schedule (given, shuffle, degree, metis, …)")
        ("device", po::value<std::string>()->default_value("auto"), "cpu, cuda, auto (cuda where there is a GPU), or reference (serial, double precision)")
        ("threads", po::value<int>()->default_value(0), "CPU threads; 0 = all")
        ("lock", po::value<std::string>(), "hold the lock of this file while sweeps run, so that several programs can prepare side by side and none disturbs another's times")
        ("record", po::value<std::string>(), "append the run to this record file (JSON lines)");
    // clang-format on
    return options;
}

cli::Options sgd_options() {
    const sgd::SgdOptions defaults;
    cli::Options options("Of --app sgd");
    // clang-format off
    options.add_options()
        ("racing-workers", po::value<EdgeId>()->default_value(0), "hogwild on the GPU: edges in flight at a time; 0 = chosen from the graph")
        ("gpus", po::value<int>()->default_value(1), "tiled: GPUs that share the groups of the schedule (lockstep-preprocess --gpus)")
        ("relaxed-hubs", "tiled: an edge of a hub's long star sees the hub as it was up to 15 edges before: not serializable any more, still deterministic")
        ("device-memory", po::value<std::string>()->value_name("SIZE"), "tiled: most memory of each GPU, e.g. 8G; what does not fit is copied from the host in every sweep (default: all that is free)")
        ("rank,k", po::value<std::uint32_t>()->default_value(defaults.rank), "length of the factor vectors, 1 to 256")
        ("storage", po::value<std::string>()->default_value("fp32"), "factors in memory as fp32, or as fp16, rounded whenever they are stored; all arithmetic is fp32 (--device reference: fp64)")
        ("sweeps", po::value<std::uint64_t>()->default_value(defaults.sweeps), "sweeps over all edges")
        ("learning-rate", po::value<double>()->default_value(defaults.learning_rate, "0.01"), "of the first sweep")
        ("rate-schedule", po::value<std::string>()->default_value("constant"), "constant, inverse (rate / (1 + decay t)), exponential (rate decay^t)")
        ("decay", po::value<double>()->default_value(defaults.decay, "0.1"), "of the rate schedule")
        ("regularisation", po::value<double>()->default_value(defaults.regularisation, "0.1"), "L2 regularisation of the factors")
        ("nonnegative", "keep all factors at or above zero (NMF)")
        ("test-fraction", po::value<double>()->default_value(0), "share of the edges held out, by seed")
        ("early-stop", po::value<std::uint64_t>()->default_value(0), "stop after N evaluations without a better test RMSE, keep the best; 0 = never")
        ("time-limit", po::value<double>()->default_value(0), "stop after the sweep with which all sweeps together take so many seconds; 0 = never")
        ("evaluate-every", po::value<std::uint64_t>()->default_value(1), "sweeps between evaluations of the RMSE")
        ("seed", po::value<std::uint64_t>()->default_value(defaults.seed), "of the split and of the initial factors")
        ("model", po::value<std::string>(), "write the factors to this file (HDF5)");
    // clang-format on
    return options;
}

cli::Options pagerank_options() {
    const pagerank::PageRankOptions defaults;
    cli::Options options("Of --app pagerank");
    // clang-format off
    options.add_options()
        ("damping", po::value<double>()->default_value(defaults.damping, "0.85"), "share of a rank that goes along the edges")
        ("iterations", po::value<std::uint64_t>()->default_value(defaults.rounds), "iterations, at most")
        ("tolerance", po::value<double>()->default_value(0), "stop when two iterations differ by at most this (L1); 0 = never")
        ("dangling", po::value<std::string>()->default_value("spread"), "rank of vertices without an out-edge: spread over all vertices (ranks add up to 1), or lost")
        ("warp-size", po::value<int>()->default_value(0), "push-warp, pull-warp, pull-nodiv-warp: threads a vertex, 1, 2, 4, … 64; 0 = by the mean degree")
        ("chunk", po::value<int>()->default_value(1), "the same: vertices that a virtual warp takes at a time, 1 to 10 times its size")
        ("repeat", po::value<std::uint64_t>()->default_value(1), "run so often; the time is the median, and all results must be equal")
        ("verify", "prove the ranks by serial double precision, apart from the kernels; exit code 7 where they are wrong")
        ("output", po::value<std::string>(), "write the ranks by original id: text, or HDF5 where the name ends in .h5; - = standard output")
        ("top", po::value<std::uint64_t>()->default_value(0), "show the N vertices of the highest rank");
    // clang-format on
    return options;
}

/// Refuses what is given, but belongs to another application.
void refuse_others(const cli::Values& values, const std::string& app, const std::string& owner,
                   const cli::Options& options) {
    if (app == owner) return;
    for (const auto& option : options.options()) {
        const std::string& name = option->long_name();
        if (values.count(name) && !values[name].defaulted())
            throw cli::UsageError(fmt::format("--{} is an option of {}, not of {}", name, owner, app));
    }
}

sgd::SgdOptions read_sgd(const cli::Values& values) {
    using sgd::RateSchedule;
    sgd::SgdOptions o;
    o.rank = values["rank"].as<std::uint32_t>();
    o.storage = choice<sgd::Storage>("storage", values["storage"].as<std::string>(),
                                     {{"fp16", sgd::Storage::fp16}, {"fp32", sgd::Storage::fp32}});
    o.sweeps = values["sweeps"].as<std::uint64_t>();
    o.learning_rate = values["learning-rate"].as<double>();
    o.rate_schedule = choice<RateSchedule>("rate-schedule", values["rate-schedule"].as<std::string>(),
                                           {{"constant", RateSchedule::constant},
                                            {"inverse", RateSchedule::inverse},
                                            {"exponential", RateSchedule::exponential}});
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
    o.dangling = choice<Dangling>("dangling", values["dangling"].as<std::string>(),
                                  {{"spread", Dangling::spread}, {"lost", Dangling::lost}});
    o.warp_size = values["warp-size"].as<int>();
    o.chunk = values["chunk"].as<int>();
    o.repeats = values["repeat"].as<std::uint64_t>();
    return o;
}

}  // namespace

std::span<const App> apps() { return registry; }

const App& find_app(const std::string& name) {
    std::map<std::string, const App*> known;
    for (const App& app : registry) known[app.name] = &app;
    return *choice("app", name, known);
}

cli::Options execute_options() {
    cli::Options options;
    options.add(shared_options()).add(sgd_options()).add(pagerank_options());
    return options;
}

ExecuteRequest execute_request(const cli::Values& values) {
    ExecuteRequest request;
    if (!values.count("file")) throw cli::UsageError("a schedule file is needed");
    if (!values.count("strategy")) throw cli::UsageError("a strategy is needed: --strategy NAME");
    request.file = values["file"].as<std::string>();
    request.app = find_app(values["app"].as<std::string>()).name;
    refuse_others(values, request.app, "sgd", sgd_options());
    refuse_others(values, request.app, "pagerank", pagerank_options());
    request.strategy = values["strategy"].as<std::string>();
    const auto optional = [&](const char* name) {
        return values.count(name) ? std::optional(values[name].as<std::string>()) : std::nullopt;
    };
    request.order = optional("order");
    request.model = optional("model");
    request.record = optional("record");
    request.lock = optional("lock");
    request.output = optional("output");
    request.top = values["top"].as<std::uint64_t>();
    request.verify = values.count("verify") > 0;
    request.sgd = read_sgd(values);
    request.pagerank = read_pagerank(values);
    const auto device = choice<Device>("device", values["device"].as<std::string>(),
                                       {{"auto", Device::automatic},
                                        {"cpu", Device::cpu},
                                        {"cuda", Device::cuda},
                                        {"reference", Device::reference}});
    const int threads = values["threads"].as<int>();
    if (threads < 0) throw cli::UsageError("--threads must not be negative");
    request.sgd.device = request.pagerank.device = device;
    request.sgd.threads = request.pagerank.threads = threads;
    return request;
}

}  // namespace lockstep
