#include "apps/sgd/application_options.hpp"

#include <algorithm>
#include <iterator>

namespace lockstep::sgd {

namespace {

namespace po = boost::program_options;

constexpr std::uint64_t most_sweeps = 1'000'000'000;
constexpr double most_seconds = 1e9, large = 1e9;

constexpr const char* rate_schedules[] = {"constant", "inverse", "exponential"};

/// The form, and what its defaults are taken for.
void read_model_form(SgdOptions& o, const cli::Values& values) {
    o.form = values["model-form"].as<std::string>() == "biased" ? ModelForm::biased : ModelForm::plain;
    if (o.nonnegative && values["model-form"].defaulted()) o.form = ModelForm::plain;
    if (o.form == ModelForm::biased) set_biased_defaults(o);
    if (values.count("sweeps")) o.sweeps = values["sweeps"].as<std::uint64_t>();
    if (values.count("learning-rate"))
        o.learning_rate = values["learning-rate"].as<double>(), o.scaled_rate = false;
    if (values.count("regularisation")) {
        o.regularisation = values["regularisation"].as<double>();
        o.scaled_regularisation = false, o.regularisation_decay = 0, o.dense = false;
    }
    if (values.count("regularisation-decay"))
        o.regularisation_decay = values["regularisation-decay"].as<double>(), o.dense = false;
    if (values.count("refit-biases")) o.refit_biases = values["refit-biases"].as<std::uint64_t>();
    if (values.count("early-stop"))
        o.patience = values["early-stop"].as<std::uint64_t>(), o.patience_if_any = false;
    if (!values.count("rate-schedule")) return;
    const auto* const found = std::find(std::begin(rate_schedules), std::end(rate_schedules),
                                        values["rate-schedule"].as<std::string>());
    o.rate_schedule = static_cast<RateSchedule>(found - std::begin(rate_schedules));
}

}  // namespace

const char* to_string(RateSchedule schedule) { return rate_schedules[static_cast<std::size_t>(schedule)]; }

const char* to_string(ModelForm form) { return form == ModelForm::biased ? "biased" : "plain"; }

void declare_options(cli::Options& basic, cli::Options& tuning) {
    const SgdOptions defaults;
    // clang-format off
    declare_sweeps(basic);
    basic.add_options()
    ("rank,k", cli::number<std::uint32_t>(1, 256)->default_value(defaults.rank), "length of the factor vectors, 1 to 256; als: 64, where it is not given")
    ("model-form", cli::word({"plain", "biased"})->default_value("biased"), "what is predicted; plain: the product of the factors (the paper's; with --nonnegative always); biased: beside it the mean and a bias of each row and column")
    ("learning-rate", cli::number<double>(0, large), "of the first sweep; default: plain 0.01, biased by the weights")
    ("regularisation", cli::number<double>(0, large), "L2 regularisation of the factors; default: plain 0.1, biased by the weights; als: of a mean vertex, in mean weights of an edge, default 3")
    ("test-fraction", cli::number<double>(0, 1)->default_value(0), "share of the edges held out, by seed")
    ("model,m", po::value<std::string>()->value_name("FILE.h5"), "write the factors to this file (HDF5); those of an interrupted run go beside it, to FILE.partial.h5");
    tuning.add_options()
    ("storage", cli::word({"fp32", "fp16"})->default_value("fp32"), "factors in memory as fp32, or as fp16, rounded whenever they are stored; all arithmetic is fp32 (--device reference: fp64)")
    ("rate-schedule", cli::word({std::begin(rate_schedules), std::end(rate_schedules)}), "constant, inverse (rate / (1 + decay t)), exponential (rate decay^t) (default: plain constant; biased inverse)")
    ("decay", cli::number<double>(0, large)->default_value(defaults.decay, "0.1"), "of the rate schedule")
    ("regularisation-decay", cli::number<double>(0, large), "regularisation of sweep t = regularisation / (1 + decay t) (default: 0; biased with --test-fraction, and no --regularisation, 0.1, or 0.2 for at least 250 training edges per vertex)")
    ("refit-biases", cli::number<std::uint64_t>(0, most_sweeps), "biased: the biases are fitted anew, to what the factors leave, after N, 2 N, 4 N, … sweeps; 0 = never (default 5)")
    ("nonnegative", "keep all factors at or above zero (NMF)")
    ("early-stop", cli::number<std::uint64_t>(0, most_sweeps), "stop after N evaluations without a better test RMSE, keep the best; 0 = never (default: biased with --test-fraction, and als, 3, else 0)")
    ("time-limit", cli::number<double>(0, most_seconds)->default_value(0), "stop after the sweep with which all sweeps together take so many seconds; 0 = never")
    ("evaluate-every", cli::number<std::uint64_t>(1, most_sweeps)->default_value(1), "sweeps between evaluations of the RMSE")
    ("train-error", cli::word({"each", "kept"}), "RMSE of the training edges at each evaluation, or, where edges are held out, of the kept factors alone (default: lockstep-train kept, lockstep-execute each)")
    ("racing-workers", cli::number<EdgeId>(0, most_sweeps)->default_value(0), "hogwild on the GPU: edges in flight at a time; 0 = chosen from the graph")
    ("gpus", cli::number<int>(1, 64)->default_value(1), "tiled: GPUs that share the groups of the schedule (lockstep-preprocess --gpus)")
    ("phase-order", cli::word({"mixed", "given"})->default_value("mixed"), "agm-e, agm-n, sgm, diag, blkdiag, el-sgm: rounds in a pseudo-random order, which learns as shuffled edges do, or as the schedule gives them (the paper's)")
    ("attempts", cli::number<int>(0, 1'000'000)->default_value(0), "el, el-shuffled, nl-el, el-sgm: attempts at an edge before it is put off to the next pass, without waiting for a hub; 1 = the paper's EL; 0 = what is fastest there")
    ("components", cli::word({"1", "4"})->default_value("4"), "agm-e, diag on a GPU: components of a vector that a thread has; 1 = the paper's F x E threads of Diag (rank 9 to 16, fp32)")
    ("device-memory", po::value<std::string>()->value_name("SIZE"), "tiled: most memory of each GPU, e.g. 8G; what does not fit is copied from the host in every sweep (default: all that is free)");
    // clang-format on
}

SgdOptions read_options(const cli::Values& values, Device device, int threads, bool split_given) {
    SgdOptions o;
    o.device = device;
    o.threads = threads;
    o.rank = values["rank"].as<std::uint32_t>();
    o.storage = values["storage"].as<std::string>() == "fp16" ? Storage::fp16 : Storage::fp32;
    o.nonnegative = values.count("nonnegative") > 0;
    o.split_given = split_given;
    o.test_fraction = o.split_given ? 0 : values["test-fraction"].as<double>();
    read_model_form(o, values);
    o.decay = values["decay"].as<double>();
    o.evaluate_every = values["evaluate-every"].as<std::uint64_t>();
    o.train_errors = !values.count("train-error") || values["train-error"].as<std::string>() == "each";
    o.racing_workers = values["racing-workers"].as<EdgeId>();
    o.time_limit = values["time-limit"].as<double>();
    o.seed = values["seed"].as<std::uint64_t>();
    o.gpus = values["gpus"].as<int>();
    o.attempts = values["attempts"].as<int>();
    o.by_component = values["components"].as<std::string>() == "1";
    o.phase_order =
        values["phase-order"].as<std::string>() == "given" ? PhaseOrder::given : PhaseOrder::mixed;
    if (values.count("device-memory"))
        o.device_memory = cli::size_of("device-memory", values["device-memory"].as<std::string>());
    check_options(o);
    return o;
}

}  // namespace lockstep::sgd
