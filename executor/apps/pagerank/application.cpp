// PageRank as an application of lockstep-execute: ranks by original id.
#include <fmt/format.h>

#include "apps/frame/iteration.hpp"
#include "apps/pagerank/driver.hpp"

namespace lockstep {

namespace pagerank {

namespace {

class PageRank final : public ArcApplication {
public:
    using ArcApplication::ArcApplication;

    void list(Fields& basic, Fields& more) override {
        list_until(basic, until_);
        basic
            .number("tolerance", options_.tolerance, 0, 1e9,
                    "stop when consecutive iterations differ by at most this (L1 norm); 0 = never")
            .recorded();
        more.number(
            "push-share", options_.push_share, 0, 1,
            "pull-push with --until: push as soon as at most this fraction of the edges carries a change");
        more.word("sums", options_.float_sums, {{"exact", false}, {"float", true}},
                  "arithmetic of the sums; exact: integers, bitwise identical results with every strategy; "
                  "float: 32-bit floats, as in the paper")
            .recorded();
        more.number("damping", options_.damping, 0, 1,
                    "damping factor: fraction of a vertex's score passed along its edges")
            .recorded();
        more.word("dangling", options_.dangling, {{"spread", Dangling::spread}, {"lost", Dangling::lost}},
                  "score of the vertices without an out-edge: spread over all vertices (so that the scores "
                  "add up to 1), or lost")
            .recorded();
        ArcApplication::list(basic, more);
    }
    void settle(const Fields& given, Request& request, int threads) override {
        ArcApplication::settle(given, request, threads);
        static_cast<ArcOptions&>(options_) = arc_options_;
        options_.until = until_.value_or(0);
        options_.rounds = iterations_.value_or(until_ ? 10000 : Parameters().rounds);
        check_options(options_);
    }
    std::uint64_t rounds() const override { return options_.rounds; }

private:
    Checked check(const Input& input, const RunOutcome& outcome) const override {
        const bool stable = options_.until > 0 && is_stable(static_cast<const Outcome&>(outcome));
        if (options_.until > 0 && !stable)
            return {"", "nothing: the ranks are not stable yet", {{"stable", false}}};
        const std::vector<float>& ranks = values_of(outcome);
        const Check c = stable ? check_stable(input.graph(), ranks, options_)
                               : check_ranks(input.graph(), ranks, outcome.sweeps.size(), options_);
        Checked said = checked(c);
        said.text += fmt::format(", residual {:.2g}", c.residual);
        said.json["residual"] = c.residual;
        return said;
    }

    std::unique_ptr<RunOutcome> solve(const Input& input, const Strategy& strategy, bool trial,
                                      const RunCallbacks& callbacks) override {
        const PageRankOptions options{options_of(strategy, trial), options_};
        return with_column(run_pagerank(input.graph(), strategy, input.schedule(), options, callbacks));
    }
    std::string task() const override {
        return ArcApplication::task() + (options_.float_sums ? "-float" : "") +
               (options_.until > 0 ? "-until" : "");
    }
    std::map<std::string, std::string> parameters() const override {
        return {{"until", fmt::format("{:g}", options_.until)}};
    }

    void tell_more(const RunOutcome& run, Told& told) const override {
        if (options_.until == 0) return;
        const auto& outcome = static_cast<const Outcome&>(run);
        const auto pushed = std::find_if(outcome.sweeps.begin(), outcome.sweeps.end(),
                                         [](const auto& round) { return round.metrics[2].value > 0; });
        const std::int64_t first = pushed == outcome.sweeps.end() ? 0 : pushed - outcome.sweeps.begin() + 1;
        told.metrics["stable"] = is_stable(outcome);
        told.metrics["pushed_from"] = first ? nlohmann::ordered_json(first) : nlohmann::ordered_json(nullptr);
        told.text = is_stable(outcome) ? "stable" : "not stable yet";
        if (first) told.text += fmt::format(", pushing from iteration {} on", first);
    }

    PageRankOptions options_;
    std::optional<double> until_;
};

}  // namespace

}  // namespace pagerank

const Spec& pagerank_spec() {
    static const Spec spec{.name = "pagerank",
                           .summary = "PageRank by neighbour iteration (square graphs)",
                           .example = "web.txt.gz --app pagerank --until 0.001 --output ranks.txt --top 10",
                           .strategies = "pagerank",
                           .result = "ranks",
                           .value = "rank",
                           .format = "lockstep-ranks",
                           .outputs = "a file of ranks",
                           .shared = "edge-tiled",
                           .prepared = "edge-tiled",
                           .make = make_application<pagerank::PageRank>};
    return spec;
}

}  // namespace lockstep
