// Implicit ALS (alternating least squares for implicit feedback) as an application: from pairs of users and
// the items that they took, such as clicks, to a model that recommends further items.
#include "apps/als/application.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/als/check.hpp"
#include "apps/als/driver.hpp"
#include "apps/sgd/application_options.hpp"
#include "apps/sgd/application_split.hpp"
#include "apps/sgd/application_state.hpp"
#include "lockstep/formats/error.hpp"

namespace lockstep {

namespace als {

namespace {

using Json = nlohmann::ordered_json;

const Outcome& outcome_of(const RunOutcome& run) { return static_cast<const Outcome&>(run); }

std::string quality_text(double recall, double ndcg) {
    return fmt::format("recall@{0} {1:.5f}, NDCG@{0} {2:.5f}", list_length, recall, ndcg);
}

class Als final : public Application {
public:
    using Application::Application;

    void list(Fields& basic, Fields& more) override {
        list_sweeps(basic, sweeps_);
        sgd::list_rank(basic, rank_).with_default(std::to_string(sgd::SgdOptions().rank));
        sgd::list_regularisation(basic, regularisation_);
        sgd::list_test_fraction(basic, test_fraction_);
        sgd::list_model(basic, model_);
        list_seed(basic, options_.seed);
        sgd::list_early_stop(more, patience_);
        split_.list(more);
        list_verify(basic);
        basic
            .number("unobserved-weight", options_.unobserved, 0, sgd::large,
                    "als: total weight of all (row, column) pairs, relative to the total weight of the edges")
            .recorded();
        more.number("regularisation-exponent", options_.exponent, 0, 4,
                    "als: power of a vertex's total weight, of edges and of unobserved pairs, with which its "
                    "regularisation grows; 0 = equal for all vertices")
            .recorded();
        more.number("at-once", at_once_, 16, sgd::max_rank,
                    "als: number of components of a vector that are solved for together, a multiple of 16, "
                    "while the other components stay fixed: less work at large ranks; default: all up to "
                    "rank 128, above it 64");
        more.number("evaluate-users", options_.evaluated_users, 1, max_vertices,
                    "als: maximum number of users whose lists are evaluated after each sweep; at the end all "
                    "users are evaluated");
    }
    void settle(const Fields& given, Request& request, int threads) override {
        if (request.device == Device::reference)
            throw UsageError("--device reference is an option of sgd; als verifies its result with --verify");
        split_.settle(given, test_fraction_);
        options_.device = request.device, options_.threads = threads;
        options_.rank = rank_.value_or(options_.rank);
        options_.at_once = at_once_.value_or(0);
        if (options_.at_once % 16)
            throw UsageError(fmt::format("--at-once {} must be a multiple of 16", options_.at_once));
        options_.regularisation = regularisation_.value_or(options_.regularisation);
        options_.patience = patience_.value_or(options_.patience);
        if (split_.given()) test_fraction_ = 0;
        const bool watched = split_.given() || test_fraction_ > 0;
        options_.sweeps = sweeps_.value_or(watched ? options_.sweeps : unwatched_sweeps);
        if (test_fraction_ >= 1) throw UsageError("--test-fraction must be below 1");
        if (options_.regularisation == 0)
            throw UsageError(
                "--regularisation must be above 0: otherwise the linear systems of als may be singular");
    }
    Choice choose(const Request&, const Common&, bool by_trial) override {
        if (by_trial) refuse_trial();
        const std::string reason = "the vectors of one side are computed in parallel";
        return {{"cholesky"}, "cholesky: " + reason, {"chosen_for", reason}, {}};
    }

    std::unique_ptr<RunOutcome> run(const Input& input, const RunEvents& events) override {
        const sgd::Split held_out = split(input);
        split_.write(input, held_out);
        const auto described = [&](RunHeader& header, const RunOutcome& so_far) {
            return describe(input, header, outcome_of(so_far));
        };
        auto outcome = run_als(input.graph(), held_out, options_, events.callbacks(described));
        outcome->kept_round = outcome->kept_sweep;
        verify(*outcome, [&] { return check(input, *outcome); });
        return outcome;
    }

    void save(const Input& input, const RunHeader& h, const RunOutcome& run,
              const FilePlace& place) const override {
        const Outcome& o = outcome_of(run);
        if (model_) write_model(place(*model_), sgd::model_of(input, h, o.factors, {}, o.kept_sweep));
    }

    RunReport report_run(const Input&, const RunHeader& h, const RunOutcome& run) const override {
        const Outcome& o = outcome_of(run);
        Json sweeps = Json::array();
        for (const SweepRecord& s : o.sweeps) {
            sweeps.push_back({{"sweep", s.sweep}, {"seconds", s.seconds}});
            for (const Metric& m : s.metrics) sweeps.back()[m.name] = number_or_null(m.value);
        }
        RunReport report;
        report.head = {{"solver", "als"}, {"rank", h.rank}, {"model_form", "plain"}};
        report.metrics = {{"at", list_length},
                          {"kept_sweep", o.kept_sweep},
                          {"train_edges", h.train_edges},
                          {"test_edges", h.test_edges}};
        if (o.test_edges > 0)
            report.metrics.update(
                {{"recall", o.quality.recall}, {"ndcg", o.quality.ndcg}, {"users", o.quality.users}});
        report.rounds = {{"sweeps", sweeps}, {"parameters", h.parameters}};
        if (o.test_edges > 0)
            report.text = fmt::format(
                "{} of {} users{}", quality_text(o.quality.recall, o.quality.ndcg),
                text::group_digits(o.quality.users),
                o.kept_sweep < o.sweeps.size() ? fmt::format(" after sweep {}", o.kept_sweep) : "");
        return report;
    }

private:
    /// Describes a run for its messages, after the device has been chosen, and sets the members of the run
    /// record's header.
    RunText describe(const Input& input, RunHeader& h, const Outcome& o) const {
        h.sweeps = options_.sweeps;
        h.rank = options_.rank, h.seed = options_.seed;
        h.train_edges = o.train_edges, h.test_edges = o.test_edges;
        h.parameters = {{"solver", "als"},
                        {"feedback", "implicit"},
                        {"model_form", "plain"},
                        {"regularisation", fmt::format("{:g}", options_.regularisation)},
                        {"solved_at_once", options_.block() ? std::to_string(options_.block()) : "all"},
                        {"test_fraction", fmt::format("{:g}", test_fraction_)}};
        const Graph& graph = input.graph();
        h.parameters["confidence"] = o.weighted ? "weights" : "equal";
        h.parameters["mean_weight"] = fmt::format("{}", o.mean_weight);
        h.parameters["mean_row_weight"] =
            fmt::format("{}", o.mean_weight * static_cast<double>(o.train_edges) / graph.rows);
        split_.describe(h);
        return {fmt::format("rank {}, {} training edges, {} held out", h.rank,
                            text::group_digits(h.train_edges), text::group_digits(h.test_edges)),
                split_.remark(), [](const SweepRecord& sweep) {
                    const auto recall = sweep.metric("recall"), ndcg = sweep.metric("ndcg");
                    return recall && ndcg ? quality_text(*recall, *ndcg) : std::string();
                }};
    }
    /// Checks the factors of a run with code that is independent of the solvers, for --verify.
    CheckResult check(const Input& input, const Outcome& o) const {
        if (o.kept_sweep == 0) return {{}, "nothing was solved", Json::object()};
        const Problem problem = make_problem(input.graph(), split(input).held_out, options_);
        std::string wrong = problem_of_columns(problem, o.factors);
        if (wrong.empty()) wrong = problem_of_dimensions(problem, o.factors);
        return {
            wrong,
            fmt::format("the gradient of the objective by the {} is 0, in double precision, and no unused "
                        "dimension of the vectors would lower the objective",
                        options_.block() ? "column components that were updated last" : "vectors of columns"),
            Json::object()};
    }
    /// Returns the split into training and test edges. In implicit feedback, only edges with at least the
    /// weight `least` count as taken items; test edges of another file with a smaller weight are removed. The
    /// test edges are sorted by row.
    sgd::Split split(const Input& input) const {
        sgd::Split split = split_.split(input, test_fraction_, options_.seed);
        // test edges of another file, which still have their own weights
        if (split.held_out.empty() && !split.test.empty()) {
            const float least = input.file.dataset.source.least;
            std::erase_if(split.test, [&](const Triple& t) { return t.value < least; });
            if (split.test.empty())
                throw Error(Failure::bad_input,
                            fmt::format("no edge of --test has a weight of at least {:g}, from which on an "
                                        "edge counts as taken; give a smaller --positive-from",
                                        least));
        }
        std::stable_sort(split.test.begin(), split.test.end(),
                         [](const Triple& a, const Triple& b) { return a.row < b.row; });
        return split;
    }

    AlsOptions options_;
    double test_fraction_ = 0;
    std::optional<std::string> model_;
    std::optional<std::uint64_t> sweeps_, patience_;
    std::optional<std::uint32_t> rank_, at_once_;
    std::optional<double> regularisation_;
    /// Options that divide the ratings into training and test edges. A run also stores in them what the
    /// report states about this division.
    mutable sgd::SplitOptions split_;
};

}  // namespace

}  // namespace als

const Spec& als_spec() {
    static const Spec spec{
        .name = "als",
        .summary = "recommendations from implicit feedback, such as clicks, by alternating least squares",
        .example = "taken.txt --app als --test-fraction 0.1 --model model.h5",
        .strategies = "als",
        .round = "sweep",
        .update = "edge",
        .result = "factors",
        .draws_pairs = false,
        .make = make_application<als::Als>};
    return spec;
}

}  // namespace lockstep
