#include "search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

namespace lockstep::train {

namespace {

using Json = nlohmann::ordered_json;
using sgd::SgdOptions;

/// The results of one setting.
struct Trial {
    std::vector<double> rmse;             ///< RMSE of each fold at its best sweep
    double sweeps = 0;                    ///< mean number of sweeps up to the best sweep
    double rate = 0, regularisation = 0;  ///< values that the run used
    double seconds = 0;
    std::string refused;  ///< reason why the setting could not run
};

double mean(const std::vector<double>& rmse) {
    double squares = 0;
    for (const double r : rmse) squares += r * r;
    return rmse.empty() ? std::numeric_limits<double>::infinity()
                        : std::sqrt(squares / static_cast<double>(rmse.size()));
}

class Search {
public:
    Search(const Input& input, const sgd::Split& split, double seconds, std::uint32_t folds,
           const SgdOptions& options, const cli::Common& common)
        : input_(input), common_(common), budget_(seconds), first_(options), best_options_(options) {
        for (std::uint32_t f = 0; f < folds; ++f)
            folds_.push_back(sgd::split_fold(input.graph(), split.held_out, f, folds, options.seed));
    }

    void run() {
        best_ = try_once(first_, true).value();
        if (!best_.refused.empty()) throw Error("the first trial failed: " + best_.refused);
        for (double factor = 2; factor > 1.15 && !budget_is_over_;) {
            bool better = false;
            for (const auto& [what, by] : {std::pair(&SgdOptions::regularisation, factor),
                                           {&SgdOptions::regularisation, 1 / factor},
                                           {&SgdOptions::learning_rate, factor},
                                           {&SgdOptions::learning_rate, 1 / factor}})
                better |= follow([&, what = what, by = by](SgdOptions& o) { o.*what *= by; });
            if (factor == 2) {
                better |= follow([](SgdOptions& o) { o.rank *= 2; });
                better |= follow([](SgdOptions& o) { o.rank /= 2; });
            }
            if (!better) factor = std::sqrt(factor);
        }
    }

    Json json() const {
        return {{"seconds", watch_.seconds()},
                {"folds", folds_.size()},
                {"complete", !budget_is_over_},
                {"best", trial_json(best_options_, best_)},
                {"trials", trials_}};
    }
    std::string text() const {
        return fmt::format("search: {} settings in {}, {} folds; best: {}\n", trials_.size(),
                           cli::duration(watch_.seconds()), folds_.size(), described(best_options_, best_));
    }
    SgdOptions best() const {
        SgdOptions o = best_options_;
        if (!is_watched(o)) o.sweeps = static_cast<std::uint64_t>(std::max(1.0, std::round(best_.sweeps)));
        return o;
    }

private:
    /// Applies `change` to the best setting repeatedly, as long as this improves the result. Returns whether
    /// it did.
    template <class Change>
    bool follow(Change change) {
        bool better = false;
        for (;;) {
            SgdOptions next = best_options_;
            change(next);
            if (next.rank < min_rank(first_) || next.rank > largest_rank(first_)) return better;
            const std::optional<Trial> trial = try_once(next, false);
            if (!trial || trial->rmse.size() < folds_.size() || mean(trial->rmse) >= mean(best_.rmse))
                return better;
            best_ = *trial, best_options_ = next, better = true;
        }
    }

    /// Tries a setting. Returns nothing if it was tried before, or if the time ends before the trial does.
    std::optional<Trial> try_once(const SgdOptions& options, bool first) {
        if (std::tuple key{options.rank, options.learning_rate, options.regularisation};
            !tried_.insert(key).second)
            return {};
        const cli::Stopwatch watch;
        Trial trial;
        const auto is_over = [&] { return !first && watch_.seconds() >= budget_; };
        for (const sgd::Split& fold : folds_) {
            cli::check_signal();
            if ((budget_is_over_ |= is_over())) return {};
            // A trial that is more than 2 % worse after the same folds does not catch up.
            const std::vector<double> of_best(
                best_.rmse.begin(), best_.rmse.begin() + static_cast<std::ptrdiff_t>(
                                                             std::min(best_.rmse.size(), trial.rmse.size())));
            if (!of_best.empty() && mean(trial.rmse) > 1.02 * mean(of_best)) break;
            try {
                if (!run_fold(options, fold, is_over, trial)) {
                    cli::check_signal();
                    budget_is_over_ = true;
                    return {};
                }
            } catch (const ScheduleError& e) {
                trial.refused = e.what();
                break;
            }
        }
        trial.sweeps /= static_cast<double>(std::max<std::size_t>(trial.rmse.size(), 1));
        trial.seconds = watch.seconds();
        trials_.push_back(trial_json(options, trial));
        cli::note(common_, "search: " + described(options, trial));
        return trial;
    }

    template <class IsOver>
    bool run_fold(SgdOptions options, const sgd::Split& fold, IsOver is_over, Trial& trial) {
        constexpr std::uint64_t usual_patience = 3;
        options.test_fraction = 0, options.split_given = true;
        if (options.patience == 0) options.patience = usual_patience;
        options.patience_if_any = true;
        sgd::RunStart beginning;
        beginning.split = fold;
        RunCallbacks callbacks;
        callbacks.interrupted = [&] { return cli::pending_signal() != 0 || is_over(); };
        const sgd::Outcome outcome =
            sgd::run_sgd(input_.graph(), input_.strategy, input_.schedule(), options, callbacks, beginning);
        if (outcome.status == "interrupted") return false;
        double least = std::numeric_limits<double>::infinity(), at = 0;
        for (const SweepRecord& sweep : outcome.sweeps) {
            const double rmse = sweep.metric("rmse_test").value_or(least);
            if (rmse < least) least = rmse, at = static_cast<double>(sweep.sweep);
        }
        trial.rmse.push_back(outcome.status == "diverged" ? std::numeric_limits<double>::infinity() : least);
        trial.sweeps += at;
        trial.rate = outcome.learning_rate, trial.regularisation = outcome.regularisation;
        return true;
    }

    static Json trial_json(const SgdOptions& o, const Trial& t) {
        return {{"rank", o.rank},
                {"learning_rate", t.rate},
                {"regularisation", t.regularisation},
                {"rmse", number_or_null(mean(t.rmse))},
                {"folds", t.rmse.size()},
                {"sweeps", t.sweeps},
                {"seconds", t.seconds},
                {"refused", t.refused.empty() ? Json(nullptr) : Json(t.refused)}};
    }
    static std::string described(const SgdOptions& o, const Trial& t) {
        std::string text =
            fmt::format("rank {}, rate {:.3g}, regularisation {:.3g}: ", o.rank, t.rate, t.regularisation);
        if (!t.refused.empty()) return text + t.refused;
        const double rmse = mean(t.rmse);
        if (!std::isfinite(rmse)) return text + "diverged";
        return text + fmt::format("RMSE {:.5f} of {} folds, {:.0f} sweeps", rmse, t.rmse.size(), t.sweeps);
    }

    const Input& input_;
    const cli::Common& common_;
    const double budget_;
    const SgdOptions first_;
    SgdOptions best_options_;
    Trial best_;
    std::vector<sgd::Split> folds_;
    std::set<std::tuple<std::uint32_t, double, double>> tried_;
    Json trials_ = Json::array();
    bool budget_is_over_ = false;
    const cli::Stopwatch watch_;
};

}  // namespace

void SearchOptions::list(Fields& basic, Fields& tuning) {
    basic.number(
        "search", seconds, 0, 1e9,
        "first search rank and rates for this many seconds; by cross-validation on the training edges, "
        "starting from the given rank, learning rate and regularisation; the run then uses the best values");
    tuning.number("folds", folds, 2, 100, "--search: number of folds of the cross-validation");
}

std::uint32_t min_rank(const SgdOptions& options) { return std::max(options.rank / 4, std::uint32_t{1}); }
std::uint32_t largest_rank(const SgdOptions& options) { return std::min(options.rank * 4, sgd::max_rank); }

Json search(const Input& input, const sgd::Split& split, double seconds, std::uint32_t folds,
            SgdOptions& options, const cli::Common& common, std::string& text) {
    Search search(input, split, seconds, folds, options, common);
    search.run();
    options = search.best();
    text = search.text();
    return search.json();
}

}  // namespace lockstep::train
