#include "options.hpp"

#include <map>

namespace lockstep {

namespace {

template <class T>
T choice(const std::string& option, const std::string& value, const std::map<std::string, T>& choices) {
    const auto found = choices.find(value);
    if (found != choices.end()) return found->second;
    std::string known;
    for (const auto& [name, ignored] : choices) known += (known.empty() ? "" : ", ") + name;
    throw cli::UsageError("--" + option + " takes one of " + known + ", not \"" + value + "\"");
}

}  // namespace

cli::Options execute_options() {
    namespace po = boost::program_options;
    const sgd::SgdOptions defaults;
    cli::Options options("Options");
    // clang-format off
    options.add_options()
        ("file", po::value<std::string>(), "schedule file made by lockstep-preprocess")
        ("app", po::value<std::string>()->default_value("sgd"), "application: sgd (matrix factorization)")
        ("strategy", po::value<std::string>(), "how to synchronize; see below")
        ("order", po::value<std::string>(), "el, nl, nl-el, hogwild: take the order of this schedule (given, shuffle, degree, metis, …)")
        ("racing-workers", po::value<EdgeId>()->default_value(0), "hogwild on the GPU: edges in flight at a time; 0 = chosen from the graph")
        ("device", po::value<std::string>()->default_value("auto"), "cpu, cuda, auto (cuda where there is a GPU), or reference (serial, double precision)")
        ("threads", po::value<int>()->default_value(0), "CPU threads; 0 = all")
        ("rank,k", po::value<std::uint32_t>()->default_value(defaults.rank), "length of the factor vectors, 1 to 256")
        ("sweeps", po::value<std::uint64_t>()->default_value(defaults.sweeps), "sweeps over all edges")
        ("learning-rate", po::value<double>()->default_value(defaults.learning_rate, "0.01"), "of the first sweep")
        ("rate-schedule", po::value<std::string>()->default_value("constant"), "constant, inverse (rate / (1 + decay t)), exponential (rate decay^t)")
        ("decay", po::value<double>()->default_value(defaults.decay, "0.1"), "of the rate schedule")
        ("regularisation", po::value<double>()->default_value(defaults.regularisation, "0.1"), "L2 regularisation of the factors")
        ("nonnegative", "keep all factors at or above zero (NMF)")
        ("test-fraction", po::value<double>()->default_value(0), "share of the edges held out, by seed")
        ("early-stop", po::value<std::uint64_t>()->default_value(0), "stop after N evaluations without a better test RMSE, keep the best; 0 = never")
        ("evaluate-every", po::value<std::uint64_t>()->default_value(1), "sweeps between evaluations of the RMSE")
        ("seed", po::value<std::uint64_t>()->default_value(defaults.seed), "of the split and of the initial factors")
        ("model", po::value<std::string>(), "write the factors to this file (HDF5)")
        ("record", po::value<std::string>(), "append the run to this record file (JSON lines)");
    // clang-format on
    return options;
}

ExecuteRequest execute_request(const cli::Values& values) {
    ExecuteRequest request;
    if (!values.count("file")) throw cli::UsageError("a schedule file is needed");
    if (!values.count("strategy")) throw cli::UsageError("a strategy is needed: --strategy NAME");
    request.file = values["file"].as<std::string>();
    request.app = choice<std::string>("app", values["app"].as<std::string>(), {{"sgd", "sgd"}});
    request.strategy = values["strategy"].as<std::string>();
    const auto optional = [&](const char* name) {
        return values.count(name) ? std::optional(values[name].as<std::string>()) : std::nullopt;
    };
    request.order = optional("order");
    request.model = optional("model");
    request.record = optional("record");

    sgd::SgdOptions& o = request.sgd;
    using sgd::Device, sgd::RateSchedule;
    o.device = choice<Device>("device", values["device"].as<std::string>(),
                              {{"auto", Device::automatic},
                               {"cpu", Device::cpu},
                               {"cuda", Device::cuda},
                               {"reference", Device::reference}});
    o.threads = values["threads"].as<int>();
    o.rank = values["rank"].as<std::uint32_t>();
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
    o.seed = values["seed"].as<std::uint64_t>();
    return request;
}

}  // namespace lockstep
