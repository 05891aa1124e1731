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

struct TrainOptions {
    std::optional<std::string> input, model, keep;
    std::string strategy = "auto", solver = "auto";
    double test_fraction = 0.1;
    train::SearchOptions search;
    RunningOptions running;
    cli::InputOptions reading;

    /// `last` gets the options below those of the solvers, `input` those of reading.
    void list(Fields& basic, Fields& tuning, Fields& last, Fields& input_options) {
        std::vector<std::string> names{"auto"};
        for (const Strategy& s : strategies()) names.emplace_back(s.name);
        basic.text("input", input, "FILE",
                   "ratings file, or schedule file of lockstep-preprocess; the ratings may be plain, "
                   "compressed or in an archive; - = standard input; also accepted as first argument");
        basic
            .text("model", model, "FILE.h5",
                  "write the model to this file (HDF5); an interrupted run writes its model to "
                  "FILE.partial.h5 instead")
            .with_letter('m');
        basic.text("keep", keep, "FILE.h5",
                   "also write the schedule file; it is an input of lockstep-execute");
        basic.word(
            "strategy", strategy, names,
            "auto, or a strategy of lockstep-execute --strategies; auto = the fastest one by the cost model, "
            "schedule construction included, among those with bitwise identical results in every run");
        basic.number(
            "test-fraction", test_fraction, 0, 1,
            "fraction of the edges held out, chosen by the seed; their error determines when the run stops");
        search.list(basic, tuning);
        train::list_solver(tuning, solver);
        running.list(basic, last);
        reading.list(input_options);
        reading.list_feedback(input_options);
    }
};

std::vector<cli::Section> train_options() {
    TrainOptions own;
    const std::unique_ptr<Application> sgd = sgd_spec().make(sgd_spec()), als = als_spec().make(als_spec());
    Fields basic, tuning, last, of_als, more_of_als, input;
    own.list(basic, tuning, last, input);
    sgd->list(basic, tuning);
    als->list(of_als, more_of_als);
    cli::Options options, more, reading;
    cli::add_fields(options, basic);
    cli::add_fields(more, tuning);
    for (const Fields* fields : {&more_of_als, &of_als}) {
        for (const Field& f : *fields) {
            if (!options.find_nothrow(f.name, false)) cli::add_field(more, f);
        }
    }
    cli::add_fields(more, last);
    for (const Field& f : input) {  // --nonnegative is an option of reading and of the factors
        if (!more.find_nothrow(f.name, false)) cli::add_field(reading, f);
    }
    return {{"Options", options}, {"Reading the input", reading}, {"More options", more}};
}

int body(const cli::Values& values, const cli::Common& common) {
    if (const int count = launched(); count > 1) {
        throw cli::UsageError(
            fmt::format("{0} processes were started, but each would train the same model: start one process, "
                        "or divide the sweeps among them: lockstep-preprocess --schedule tiled --gpus {0}, "
                        "then mpirun -n {0} lockstep-execute --strategy tiled --model; {1}",
                        count, launched_alone));
    }
    TrainOptions own;
    Fields given;
    std::uint64_t seed = 1;
    own.list(given, given, given, given);
    list_seed(given, seed);
    cli::take_fields(values, given);
    if (!own.input) throw cli::UsageError("a ratings file is needed");
    if (!own.model) throw cli::UsageError("a model file is needed: -m FILE.h5");
    const Spec& spec = train::find_solver(own.solver, own.reading.is_implicit, values);
    const std::unique_ptr<Application> app = spec.make(spec);
    auto* const sgd = dynamic_cast<SgdApplication*>(app.get());
    train::TrainPreparationOptions wanted;
    wanted.input = *own.input;
    wanted.strategy = sgd ? own.strategy : strategies(spec.strategies).front().name;
    wanted.keep = own.keep;
    if (is_lockstep_file(wanted.input, cli::schedule_output.hdf5))
        // --nonnegative is an option of the factors, too.
        cli::refuse_input_options(given, wanted.input, {"memory", "nonnegative"});
    wanted.reading = own.reading.reading(seed);
    adapt_read_options(spec, wanted.reading);

    Request request;
    request.program = "lockstep-train";
    request.file = wanted.input;
    const Fields parameters = read_running(own.running, values, *app, request);
    if (parameters.text("test-latest") != "0" && !wanted.reading.time_column)
        wanted.reading.time_column = "auto";
    if (sgd && !parameters.is_given("model-form") && !parameters.is_given("nonnegative"))
        wanted.remedy = fmt::format("lockstep-train {} -m {} --feedback implicit", wanted.input, *own.model);
    std::vector<cli::Output> outputs;
    if (wanted.keep) outputs.push_back({"--keep", *wanted.keep, cli::schedule_output});
    check_files(*app, request, own.running.force, common.json, outputs);

    sgd::SgdOptions usual;
    sgd::SgdOptions& options = sgd ? sgd->options() : usual;
    if (!parameters.is_given("train-error")) options.train_errors = false;
    const bool searches = own.search.seconds.has_value();
    const std::uint32_t folds = own.search.folds;
    if (!searches && given.is_given("folds")) throw cli::UsageError("--folds requires --search");
    constexpr double usual_trials = 10;
    wanted.sweeps = static_cast<double>(options.sweeps) * (searches ? usual_trials * folds : 1);
    wanted.rank = searches ? train::largest_rank(options) : options.rank;
    const std::future<void> gpu = wake(request.device);
    Prepared prepared = train::prepare(wanted, options, *app, request, common);
    if (searches) {
        std::string text;
        prepared.json["search"] = train::search(prepared.input, sgd->split(prepared.input),
                                                *own.search.seconds, folds, options, common, text);
        prepared.text += text;
    }
    return execute(*app, request, common, std::move(prepared));
}

}  // namespace

int lockstep::cli::run_program(int argc, char** argv) {
    return run(
        argc, argv,
        {"lockstep-train", "lockstep-train RATINGS -m MODEL.h5 [options]",
         "Factorizes a ratings file: reads it, chooses a strategy, builds its schedule, trains until the "
         "error of held-out ratings is minimal, and writes the model for lockstep-predict.",
         "  lockstep-train ratings.csv -m model.h5\n"
         "  lockstep-train ratings.csv -m model.h5 --rank 32 --keep ratings.h5 --json\n"
         "  lockstep-train taken.csv -m model.h5 --feedback implicit\n",
         train_options()},
        {"input"}, body);
}
