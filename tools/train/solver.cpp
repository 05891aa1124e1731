#include "solver.hpp"

#include <fmt/format.h>

#include <set>

#include "apps/als/application.hpp"
#include "apps/sgd/application.hpp"

namespace lockstep::train {

namespace {

std::set<std::string> options_of(const Spec& spec) {
    const std::unique_ptr<Application> app = spec.make(spec);
    Fields fields;
    app->list(fields, fields);
    std::set<std::string> names;
    for (const Field& f : fields) names.insert(f.name);
    return names;
}

/// Options of this program that belong to schedules, to the search, or to drawn pairs.
const std::set<std::string> of_sgd{"strategy", "order", "trust", "keep", "search", "folds", "negatives"};

}  // namespace

void list_solver(Fields& fields, std::string& solver) {
    fields.word("solver", solver, {"auto", "als", "sgd"},
                "algorithm that fits the model; als: alternating least squares on implicit "
                "feedback, for ranked lists; every edge means that the item was taken, with the "
                "weight as confidence; sgd: stochastic gradient descent on ratings or on sampled "
                "pairs, with a --strategy; auto = als with --feedback implicit, else sgd");
}

const Spec& find_solver(const std::string& solver, bool is_implicit, const cli::Values& values) {
    const bool als = solver == "als" || (solver == "auto" && is_implicit);
    const Spec &chosen = als ? als_spec() : sgd_spec(), &other = als ? sgd_spec() : als_spec();
    std::set<std::string> foreign = options_of(other);
    if (als) foreign.insert(of_sgd.begin(), of_sgd.end());
    for (const std::string& own : options_of(chosen)) foreign.erase(own);
    for (const auto& [name, value] : values) {
        if (value.defaulted() || !foreign.contains(name)) continue;
        throw cli::UsageError(fmt::format("--{} is an option of --solver {}, not of {}, which {}", name,
                                          other.name, chosen.name,
                                          solver != "auto" ? "was given"
                                          : als            ? "--feedback implicit selects"
                                                           : "is the default without --feedback implicit"));
    }
    return chosen;
}

}  // namespace lockstep::train
