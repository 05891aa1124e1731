// The functions of the C interface that fit a model to ratings in memory, as lockstep-train does.
#include <fmt/format.h>

#include "apps/als/application.hpp"
#include "apps/als/driver.hpp"
#include "apps/sgd/application.hpp"
#include "apps/sgd/application_state.hpp"
#include "cuda.hpp"
#include "graph_use.hpp"
#include "prepare.hpp"
#include "run.hpp"
#include "search.hpp"

using namespace lockstep;
using c::call;
using c::required;

namespace {

bool is_given(const std::vector<std::string>& options, const std::string& name) {
    for (const std::string& option : options)
        if (option == name || option.starts_with(name + "=")) return true;
    return false;
}

/// Removes the option `solver` from the options, and returns the application that it selects: sgd (default),
/// or als for implicit feedback.
const Spec& solver_of(std::vector<std::string>& options) {
    const std::string solver = c::take_option(options, "solver");
    if (solver.empty() || solver == "sgd") return sgd_spec();
    if (solver != "als") throw cli::UsageError(fmt::format("solver={}; expected als or sgd", solver));
    for (const char* name : {"strategy", "order", "trust"}) {
        if (is_given(options, name)) throw cli::UsageError(fmt::format("{} requires solver=sgd", name));
    }
    return als_spec();
}

/// The options search=SECONDS and folds=N, which the constructor removes from the list of options.
struct Search {
    double seconds = 0;
    std::uint32_t folds = 0;

    explicit Search(std::vector<std::string>& options) {
        std::vector<std::string> own;
        for (const char* name : {"search", "folds"}) {
            const std::string value = c::take_option(options, name);
            if (!value.empty()) own.push_back(fmt::format("{}={}", name, value));
        }
        train::SearchOptions taken;
        Fields fields;
        taken.list(fields, fields);
        c::take_options(own, fields);
        seconds = taken.seconds.value_or(0);
        folds = taken.folds;
    }
};

Model model_of(bool uses_sgd, const Input& input, const RunHeader& header, const RunOutcome& outcome) {
    if (!uses_sgd) {
        const auto& run = static_cast<const als::Outcome&>(outcome);
        return sgd::model_of(input, header, run.factors, {}, run.kept_sweep);
    }
    const auto& run = static_cast<const sgd::Outcome&>(outcome);
    return sgd::model_of(input, header, run.factors, run.biases, run.sweeps.size());
}

/// Adds the default of lockstep-train: if the options select no test ratings, a tenth of the ratings is held
/// out.
std::vector<std::string> with_defaults(std::vector<std::string> options) {
    if (!is_given(options, "test-fraction") && !is_given(options, "test") &&
        !is_given(options, "test-latest"))
        options.emplace_back("test-fraction=0.1");
    return options;
}

}  // namespace

int lockstep_fit_check(const char* const* reading, const char* const* options) {
    return call([&] {
        c::check_graph_options(reading);
        std::vector<std::string> list = c::list_of(options);
        const Spec& spec = solver_of(list);
        const Search search(list);
        ExecuteOptions taken;
        static_cast<void>(c::running_options(spec, list, taken));
    });
}

int lockstep_fit(lockstep_graph* ratings, const char* const* options, lockstep_progress progress, void* data,
                 lockstep_model** model, lockstep_result** result) {
    return call([&] {
        required(model, "model") = nullptr;
        if (result) *result = nullptr;
        lockstep_graph& g = required(ratings, "ratings");
        if (c::runs_on_cuda(options))
            return c::passed(
                c::in_cuda(&lockstep_fit, "lockstep_fit")(ratings, options, progress, data, model, result));
        const std::lock_guard lock(g.mutex);
        if (g.graph().edges() == 0) throw Error(Failure::bad_input, "there are no ratings");
        const c::CallGuard running;
        std::vector<std::string> list = with_defaults(c::list_of(options));
        const Spec& spec = solver_of(list);
        const std::unique_ptr<Application> app = spec.make(spec);
        auto* const sgd = dynamic_cast<SgdApplication*>(app.get());
        const Search search(list);
        if (search.seconds > 0 && !sgd) throw cli::UsageError("search requires solver=sgd");
        Request request = c::request_of(*app, list, g);
        sgd::SgdOptions usual;
        sgd::SgdOptions& chosen = sgd ? sgd->options() : usual;
        if (!is_given(list, "train-error")) chosen.train_errors = false;
        train::TrainPreparationOptions wanted;
        wanted.input = "memory";
        wanted.strategy = sgd ? request.strategy : strategies(spec.strategies).front().name;
        wanted.sweeps = static_cast<double>(chosen.sweeps);
        wanted.rank = search.seconds > 0 ? train::largest_rank(chosen) : chosen.rank;
        if (sgd && !is_given(list, "model-form") && !is_given(list, "nonnegative"))
            wanted.remedy = "feedback=implicit";
        const c::Progress listener(progress, data);
        const cli::Common common = listener.common();
        Prepared prepared = train::prepare(wanted, chosen, *app, request, common);
        if (search.seconds > 0) {
            std::string text;
            prepared.json["search"] = train::search(prepared.input, sgd->split(prepared.input),
                                                    search.seconds, search.folds, chosen, common, text);
        }
        auto made = std::make_unique<lockstep_model>();
        auto fit_result = c::execute(
            *app, request, listener,
            [&](const Input& input, const RunHeader& header, const RunOutcome& outcome, lockstep_result&,
                nlohmann::ordered_json&) { made->model = model_of(sgd, input, header, outcome); },
            std::move(prepared));
        g.is_summarised = true;
        *model = made.release();
        if (result) *result = fit_result.release();
    });
}
