// Factorizing ratings in memory: what lockstep-train calls.
#include <fmt/format.h>

#include "apps/sgd/application.hpp"
#include "apps/sgd/application_state.hpp"
#include "cuda.hpp"
#include "graph_use.hpp"
#include "prepare.hpp"
#include "run.hpp"

using namespace lockstep;
using c::call;
using c::required;

namespace {

bool is_given(const std::vector<std::string>& options, const std::string& name) {
    for (const std::string& option : options)
        if (option == name || option.starts_with(name + "=")) return true;
    return false;
}

/// lockstep-train holds a tenth out, unless it is told.
std::vector<std::string> with_defaults(std::vector<std::string> options) {
    if (!is_given(options, "test-fraction") && !is_given(options, "test") &&
        !is_given(options, "test-latest"))
        options.emplace_back("test-fraction=0.1");
    return options;
}

}  // namespace

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
        const c::Turn turn;
        Application& app = sgd_application();
        const std::vector<std::string> list = with_defaults(c::list_of(options));
        Request request = c::request_of(app, list, g);
        const sgd::SgdOptions& chosen = sgd_options();
        train::Wanted wanted;
        wanted.input = "memory";
        wanted.strategy = request.strategy;
        wanted.sweeps = static_cast<double>(chosen.sweeps);
        wanted.rank = chosen.rank;
        if (!is_given(list, "model-form") && !is_given(list, "nonnegative"))
            wanted.remedy = "feedback=implicit";
        const c::Progress listener(progress, data);
        const cli::Common common = listener.common();
        Prepared prepared = train::prepare(wanted, chosen, app, request, common);
        auto made = std::make_unique<lockstep_model>();
        auto told = c::execute(
            app, request, listener,
            [&](const Input& input, const RunHeader& header, const RunOutcome& outcome, lockstep_result&,
                nlohmann::ordered_json&) {
                const auto& run = static_cast<const sgd::Outcome&>(outcome);
                made->model = sgd::model_of(input, header, run.factors, run.biases, run.sweeps.size());
            },
            std::move(prepared));
        g.is_summarised = true;
        *model = made.release();
        if (result) *result = told.release();
    });
}
