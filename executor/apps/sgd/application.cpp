// SGD (stochastic gradient descent) for matrix factorization as an application: from the ratings in a
// schedule file to a model.
#include <fmt/format.h>

#include <cmath>

#include "apps/sgd/application.hpp"
#include "apps/sgd/application_auto.hpp"
#include "apps/sgd/application_options.hpp"
#include "apps/sgd/application_split.hpp"
#include "apps/sgd/application_state.hpp"
#include "lockstep/executor/ranks.hpp"
#include "lockstep/formats/feedback.hpp"
#include "lockstep/formats/memory.hpp"
#include "lockstep/formats/model_file.hpp"

namespace lockstep::sgd {

namespace {

using Json = nlohmann::ordered_json;

const Outcome& of_sgd(const RunOutcome& outcome) { return static_cast<const Outcome&>(outcome); }

/// Throws Error if the factors and the plan would need more memory than the machine has. Called before they
/// are allocated.
void check_memory(const Graph& graph, const SgdOptions& options) {
    const std::uint32_t rank = options.rank;
    const std::size_t start = vector_bytes(rank, Storage::fp32),
                      kept = 2 * vector_bytes(rank, options.storage);
    const double factors = static_cast<double>(start + kept) * (static_cast<double>(graph.rows) + graph.cols);
    const double plan = 60.0 * static_cast<double>(graph.edges());
    if (factors + plan > static_cast<double>(physical_memory())) {
        throw Error(fmt::format(
            "rank {} needs about {} of memory, but this machine has {}; choose a smaller --rank", rank,
            text::bytes(factors + plan), text::bytes(static_cast<double>(physical_memory()))));
    }
}

/// Returns the name of the precision in which the run stored the factors.
std::string storage_name(const SgdOptions& o, const RunOutcome& outcome) {
    return outcome.device.kind == "reference" ? "fp64" : to_string(o.storage);
}

/// Returns the reason why a run or a sweep has no RMSE.
std::string missing_rmse(const Outcome* outcome, EdgeId train_edges) {
    if (train_edges == 0) return "no edges";
    return outcome && outcome->status == "diverged" ? "diverged" : "not evaluated";
}
/// Returns an RMSE as text; if it is not finite, returns a dash and the reason why there is none.
std::string rmse_text(double rmse, const std::string& reason) {
    return std::isfinite(rmse) ? fmt::format("{:.5f}", rmse) : fmt::format("– ({})", reason);
}
/// Returns the training and test errors of a sweep as text, for example "RMSE 1.01830, test 1.09998".
std::string rmse_text(const SweepRecord& s, const Outcome* outcome, EdgeId train_edges) {
    const std::string reason = missing_rmse(outcome, train_edges);
    const std::optional<double> test = s.metric("rmse_test");
    const double train = s.metric("rmse_train").value();
    if (test && !std::isfinite(train)) return "test RMSE " + rmse_text(*test, reason);
    return "RMSE " + rmse_text(train, reason) + (test ? ", test " + rmse_text(*test, reason) : std::string());
}

Json metric_json(const SweepRecord* sweep, const char* name) {
    const std::optional<double> value = sweep ? sweep->metric(name) : std::nullopt;
    return value ? number_or_null(*value) : Json(nullptr);
}

class Sgd final : public SgdApplication {
public:
    using SgdApplication::SgdApplication;

    void list(Fields& basic, Fields& more) override {
        given_.list(basic, more);
        split_.list(more);
        state_.list(more);
        list_seed(basic, options_.seed);
    }
    void settle(const Fields& given, Request& request, int threads) override {
        split_.settle(given, options_.test_fraction);
        state_.settle(given, request.device);
        given_.settle(given, request.device, threads, split_.given());
        state_.add_outputs(request.outputs);
    }

    Choice choose(const Request& request, const Common& common, bool by_trial) override {
        if (by_trial) refuse_trial();
        if (request.order) throw UsageError("--order does not apply to --strategy auto");
        Choice choice = choose_strategy(request.file, options_, common);
        choice.why_not = [this](const Input& input) {
            return sgd::why_not(input.graph(), input.strategy, input.schedule(), options_);
        };
        return choice;
    }
    std::unique_ptr<RunOutcome> run(const Input& input, const RunEvents& events) override {
        check_memory(input.graph(), options_);
        RunStart beginning;
        if (input.part) beginning.part = &*input.part;
        beginning.split = split(input);
        split_.write(input, *beginning.split);
        state_.apply(input, options_, beginning);
        const auto described = [&](RunHeader& header, const RunOutcome& so_far) {
            RunText text = describe(input, header, of_sgd(so_far));
            state_.start(input, header, options_, of_sgd(so_far));
            return text;
        };
        auto outcome =
            std::make_unique<Outcome>(run_sgd(input.graph(), input.strategy, input.schedule(), options_,
                                              events.callbacks(described), std::move(beginning)));
        outcome->kept_round = outcome->kept_sweep, outcome->keeps_last_good = true;
        return outcome;
    }

    void save(const Input& input, const RunHeader& h, const RunOutcome& run,
              const FilePlace& place) const override {
        if (!model_) return;
        const Outcome& outcome = of_sgd(run);
        write_model(place(*model_),
                    model_of(input, h, outcome.factors, outcome.biases, outcome.sweeps.size()));
    }

    RunReport report_run(const Input&, const RunHeader& h, const RunOutcome& run) const override {
        const Outcome& outcome = of_sgd(run);
        Json sweeps = Json::array();
        EdgeId updates = 0;
        // the last evaluated sweep up to the one whose factors are kept
        const SweepRecord* last = outcome.initial.metrics.empty() ? nullptr : &outcome.initial;
        for (const SweepRecord& s : outcome.sweeps) {
            sweeps.push_back({{"sweep", s.sweep},
                              {"seconds", s.seconds},
                              {"rmse_train", metric_json(&s, "rmse_train")},
                              {"rmse_test", metric_json(&s, "rmse_test")},
                              {"updates", s.updates},
                              {"passes", s.passes}});
            if (s.metric("f")) sweeps.back()["f"] = *s.metric("f");
            updates += s.updates;
            const bool evaluated = std::isfinite(s.metric("rmse_train").value()) || s.metric("rmse_test");
            if (s.sweep <= outcome.kept_sweep && evaluated) last = &s;
        }
        RunReport report;
        report.head = {{"rank", h.rank},
                       {"model_form", to_string(options_.form)},
                       {"storage", storage_name(options_, outcome)}};
        report.metrics = {
            {"rmse_train", metric_json(last, "rmse_train")},
            {"rmse_test", metric_json(last, "rmse_test")},
            {"rmse_note", last ? Json(nullptr) : Json(missing_rmse(&outcome, h.train_edges))},
            {"rmse_baseline", outcome.baseline ? number_or_null(*outcome.baseline) : Json(nullptr)},
            {"kept_sweep", outcome.kept_sweep},
            {"train_edges", h.train_edges},
            {"test_edges", h.test_edges},
            {"gpus", options_.gpus},
            {"processes", ranks().count()},
            {"streamed_bytes", outcome.streaming.bytes},
            {"copy_bytes_per_second", outcome.streaming.copy_rate},
            {"updates", updates}};
        report.rounds = {{"sweeps", sweeps}};
        const bool went_back =
            last && outcome.status != "diverged" && outcome.kept_sweep < outcome.sweeps.size();
        report.text = rmse_text(outcome.sweeps.empty() ? outcome.initial
                                : went_back            ? *last
                                                       : outcome.sweeps.back(),
                                &outcome, h.train_edges);
        if (went_back)
            report.text += last->sweep ? fmt::format(" after sweep {}", last->sweep) : " without factors";
        if (outcome.baseline && std::isfinite(*outcome.baseline))
            report.text += fmt::format(" (biases alone: {:.5f})", *outcome.baseline);
        return report;
    }

    SgdOptions& options() override { return options_; }
    Split split(const Input& input) override {
        return split_.split(input, options_.test_fraction, options_.seed);
    }

private:
    /// Describes a run for its messages, after the device has been chosen, and sets the members of the run
    /// record's header.
    RunText describe(const Input& input, RunHeader& h, const Outcome& outcome) const {
        const SgdOptions& o = options_;
        h.rank = o.rank;
        h.sweeps = o.sweeps;
        h.seed = o.seed;
        h.train_edges = outcome.train_edges, h.test_edges = outcome.test_edges;
        h.parameters = {{"model_form", to_string(o.form)},
                        {"learning_rate", fmt::format("{:g}", outcome.learning_rate)},
                        {"decay", fmt::format("{:g}", o.decay)},
                        {"regularisation", fmt::format("{:g}", outcome.regularisation)},
                        {"rate_schedule", to_string(o.rate_schedule)},
                        {"nonnegative", o.nonnegative ? "true" : "false"},
                        {"storage", storage_name(o, outcome)},
                        {"test_fraction", fmt::format("{:g}", o.test_fraction)}};
        const auto feedback = feedback_of(input.file.dataset);
        if (outcome.scale && !feedback)
            h.parameters["scale"] =
                fmt::format("{:.9g}..{:.9g}", outcome.scale->first, outcome.scale->second);
        if (feedback) {
            h.parameters["feedback"] = "implicit";
            h.parameters["negatives"] = std::to_string(feedback->drawn);
        }
        if (o.form == ModelForm::biased) h.parameters["refit_biases"] = std::to_string(o.refit_biases);
        if (outcome.regularisation_decay > 0)
            h.parameters["regularisation_decay"] = fmt::format("{:g}", outcome.regularisation_decay);
        if (outcome.dense) h.parameters["dense"] = "true";
        if (outcome.baseline) h.parameters["rmse_baseline"] = fmt::format("{:g}", *outcome.baseline);
        if (o.attempts) h.parameters["attempts"] = std::to_string(o.attempts);
        if (o.by_component) h.parameters["components"] = "1";
        if (mixes_phases(input.strategy, input.schedule(), o.phase_order))
            h.parameters["phase_order"] = "mixed";
        if (o.gpus > 1) h.parameters["gpus"] = std::to_string(o.gpus);
        if (ranks().count() > 1) h.parameters["processes"] = std::to_string(ranks().count());
        if (outcome.streaming.bytes) {
            h.parameters["streamed_bytes"] = std::to_string(outcome.streaming.bytes);
            h.parameters["copy_bytes_per_second"] = fmt::format("{:.0f}", outcome.streaming.copy_rate);
        }
        if (outcome.racing_workers) h.parameters["racing_workers"] = std::to_string(outcome.racing_workers);
        split_.describe(h);
        state_.describe(h);
        return {fmt::format("rank {}, {}, {} training edges, {} held out", h.rank, storage_name(o, outcome),
                            text::group_digits(h.train_edges), text::group_digits(h.test_edges)),
                remark(outcome), [edges = h.train_edges](const SweepRecord& sweep) {
                    return rmse_text(sweep, nullptr, edges);
                }};
    }
    std::string remark(const Outcome& so_far) const {
        std::vector<std::string> remarks{split_.remark(), state_.remark()};
        const Streaming& s = so_far.streaming;
        if (s.bytes) {
            const auto bytes = static_cast<double>(s.bytes);
            remarks.push_back(fmt::format(
                "the schedule does not fit in this memory: every sweep copies {} from the host, which takes "
                "at least {} at {}/s",
                text::bytes(bytes), text::duration(bytes / s.copy_rate), text::bytes(s.copy_rate)));
        }
        std::erase(remarks, "");
        return fmt::format("{}", fmt::join(remarks, "\n"));
    }

    RequestedOptions given_;
    SgdOptions& options_ = given_.options;
    std::optional<std::string>& model_ = given_.model;
    // During a run, these two objects store what describe() reports.
    SplitOptions split_;
    StateOptions state_;
};

}  // namespace

}  // namespace lockstep::sgd

namespace lockstep {

const Spec& sgd_spec() {
    static const Spec spec{.name = "sgd",
                           .summary = "matrix factorization by stochastic gradient descent",
                           .example = "ratings.h5 --rank 32 --test-fraction 0.1 --model model.h5",
                           .strategies = edge_updates,
                           .round = "sweep",
                           .update = "update",
                           .result = "factors",
                           .shared = "tiled",
                           .prepared = "agm-e,tiled",
                           .make = make_application<sgd::Sgd>};
    return spec;
}

}  // namespace lockstep
