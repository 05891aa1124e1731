// lockstep-train: makes a model from a ratings file: reads it, chooses the strategy, schedules, sweeps,
// stops.
#include <fmt/format.h>

#include "apps/als/application.hpp"
#include "apps/sgd/application.hpp"
#include "command.hpp"
#include "execute.hpp"
#include "input_options.hpp"
#include "lockstep/executor/ranks.hpp"
#include "lockstep/executor/strategy.hpp"
#include "lockstep/formats/file_mark.hpp"
#include "prepare.hpp"
#include "search.hpp"
#include "solver.hpp"

using namespace lockstep;

namespace {

namespace po = boost::program_options;

/// Adds the options of `more` that `options` does not have: --nonnegative is an option of reading and of the
/// factors.
void add_missing(cli::Options& options, const cli::Options& more) {
    for (const auto& option : more.options()) {
        if (!options.find_nothrow(option->long_name(), false)) options.add(option);
    }
}

std::vector<cli::Section> train_options() {
    std::vector<std::string> names{"auto"};
    for (const Strategy& s : strategies()) names.emplace_back(s.name);
    cli::Options options, basic, tuning, reading, input;
    // clang-format off
    options.add_options()
        ("input", po::value<std::string>()->value_name("FILE"), "ratings file, or schedule file of lockstep-preprocess; the ratings may be plain, compressed or in an archive; - = standard input; also accepted as first argument")
        ("model,m", po::value<std::string>()->value_name("FILE.h5"), "write the model to this file (HDF5); an interrupted run writes its model to FILE.partial.h5 instead")
        ("keep", po::value<std::string>()->value_name("FILE.h5"), "also write the schedule file; it is an input of lockstep-execute")
        ("strategy", cli::word(names)->default_value("auto"), "auto, or a strategy of lockstep-execute --strategies; auto = the fastest one by the cost model, schedule construction included, among those with bitwise identical results in every run")
        ("test-fraction", cli::number<double>(0, 1)->default_value(0.1, "0.1"), "fraction of the edges held out, chosen by the seed; their error determines when the run stops");
    // clang-format on
    train::declare_search(options, tuning);
    train::declare_solver(tuning);
    declare(sgd_spec(), basic, tuning);
    cli::Options of_als, more_of_als;
    declare(als_spec(), of_als, more_of_als);
    add_missing(more_of_als, of_als);
    declare_running(options);
    add_missing(options, basic);
    for (const auto& option : more_of_als.options()) {  // options that both have are already listed
        if (!options.find_nothrow(option->long_name(), false) &&
            !tuning.find_nothrow(option->long_name(), false))
            tuning.add(option);
    }
    declare_order(tuning);
    cli::add_force_option(tuning);
    cli::add_input_options(input);
    cli::add_feedback_options(input);
    for (const auto& option : input.options()) {
        if (!tuning.find_nothrow(option->long_name(), false)) reading.add(option);
    }
    return {{"Options", options}, {"Reading the input", reading}, {"More options", tuning}};
}

int body(const cli::Values& values, const cli::Common& common) {
    if (const int count = launched(); count > 1) {
        throw cli::UsageError(fmt::format(
            "{0} processes were started, but each would train the same model: start one, or share its "
            "sweeps: lockstep-preprocess --schedule tiled --gpus {0}, then mpirun -n {0} lockstep-execute "
            "--strategy tiled --model; {1}",
            count, launched_alone));
    }
    if (!values.count("input")) throw cli::UsageError("a ratings file is needed");
    if (!values.count("model")) throw cli::UsageError("a model file is needed: -m FILE.h5");
    const Spec& spec = train::solver_of(values);
    const std::unique_ptr<Application> app = spec.make(spec);
    auto* const sgd = dynamic_cast<SgdApplication*>(app.get());
    train::Wanted wanted;
    wanted.input = values["input"].as<std::string>();
    wanted.strategy = sgd ? values["strategy"].as<std::string>() : strategies(spec.strategies).front().name;
    if (is_lockstep_file(wanted.input, cli::schedule_output.hdf5))
        // --nonnegative is an option of the factors, too.
        cli::refuse_input_options(values, wanted.input, {"memory", "nonnegative"});
    wanted.reading = cli::input_options(values);
    if (values["test-latest"].as<double>() > 0 && !wanted.reading.time_column)
        wanted.reading.time_column = "auto";
    ask(spec, wanted.reading);
    if (sgd && values["model-form"].defaulted() && !values.count("nonnegative"))
        wanted.remedy = fmt::format("lockstep-train {} -m {} --feedback implicit", wanted.input,
                                    values["model"].as<std::string>());
    if (values.count("keep")) wanted.keep = values["keep"].as<std::string>();

    Request request;
    request.program = "lockstep-train";
    request.file = wanted.input;
    read_running(values, *app, request);
    std::vector<cli::Output> outputs;
    if (wanted.keep) outputs.push_back({"--keep", *wanted.keep, cli::schedule_output});
    check_files(values, *app, request, outputs);

    sgd::SgdOptions usual;
    sgd::SgdOptions& options = sgd ? sgd->options() : usual;
    if (!values.count("train-error")) options.train_errors = false;
    const bool searches = values.count("search") > 0;
    const auto folds = values["folds"].as<std::uint32_t>();
    if (!searches && !values["folds"].defaulted()) throw cli::UsageError("--folds goes with --search");
    constexpr double usual_trials = 10;
    wanted.sweeps = static_cast<double>(options.sweeps) * (searches ? usual_trials * folds : 1);
    wanted.rank = searches ? train::largest_rank(options) : options.rank;
    const std::future<void> gpu = wake(request.device);
    Prepared prepared = train::prepare(wanted, options, *app, request, common);
    if (searches) {
        std::string text;
        prepared.json["search"] = train::search(prepared.input, sgd->split(prepared.input),
                                                values["search"].as<double>(), folds, options, common, text);
        prepared.text += text;
    }
    return execute(*app, request, common, std::move(prepared));
}

}  // namespace

int main(int argc, char** argv) try {
    return cli::run(
        argc, argv,
        {"lockstep-train", "lockstep-train RATINGS -m MODEL.h5 [options]",
         "Factorizes a ratings file: reads it, chooses a strategy, builds its schedule, trains until the "
         "error of held-out ratings is minimal, and writes the model for lockstep-predict.",
         "  lockstep-train ratings.csv -m model.h5\n"
         "  lockstep-train ratings.csv -m model.h5 --rank 32 --keep ratings.h5 --json\n"
         "  lockstep-train taken.csv -m model.h5 --feedback implicit\n",
         train_options()},
        {"input"}, body);
} catch (...) {
    return lockstep::cli::failed_early(argv[0]);
}
