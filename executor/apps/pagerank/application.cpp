// PageRank as an application of lockstep-execute: ranks by original id.
#include <fmt/format.h>

#include "apps/frame/arc_application.hpp"
#include "apps/pagerank/driver.hpp"

namespace lockstep {

namespace pagerank {

namespace {

const std::vector<float>& ranks_of(const RunOutcome& run) { return static_cast<const Outcome&>(run).values; }

class PageRank final : public ArcApplication {
public:
    PageRank()
        : ArcApplication({.name = "pagerank",
                          .summary = "PageRank by neighbour iteration (square graphs)",
                          .strategies = "pagerank",
                          .result = "ranks",
                          .value = "rank",
                          .format = "lockstep-ranks",
                          .outputs = "a file of ranks",
                          .shared = "edge-tiled",
                          .prepared = "edge-tiled"}) {}

    void declare(cli::Options& basic, cli::Options& tuning) const override {
        // clang-format off
        basic.add_options()
            ("until", cli::number<double>(1e-7, 1), "stop when ranks are stable: when no vertex has more than this share of what it gives to give otherwise")
            ("tolerance", cli::number<double>(0, 1e9)->default_value(0), "stop when two iterations differ by at most this (L1); 0 = never");
        tuning.add_options()
            ("push-share", cli::number<double>(0, 1)->default_value(options_.push_share, "0.2"), "pull-push, with --until: push once at most this share of the edges has a change")
            ("damping", cli::number<double>(0, 1)->default_value(options_.damping, "0.85"), "share of a rank that goes along the edges")
            ("dangling", cli::word({"spread", "lost"})->default_value("spread"), "rank of vertices without an out-edge: spread over all vertices (ranks add up to 1), or lost");
        // clang-format on
        ArcApplication::declare(basic, tuning);
    }
    void read(const cli::Values& values, Device device, int threads) override {
        options_.damping = values["damping"].as<double>();
        options_.until = values.count("until") ? values["until"].as<double>() : 0;
        options_.push_share = values["push-share"].as<double>();
        options_.rounds = iterations_of(values, options_.until > 0 ? 10000 : PageRankOptions().rounds);
        options_.tolerance = values["tolerance"].as<double>();
        options_.dangling =
            values["dangling"].as<std::string>() == "lost" ? Dangling::lost : Dangling::spread;
        read_arc_options(options_, values, device, threads);
        check_options(options_);
    }
    std::uint64_t rounds() const override { return options_.rounds; }

    std::unique_ptr<RunOutcome> run(const Input& input, const RunCallbacks& callbacks) const override {
        return std::make_unique<Outcome>(
            run_pagerank(input.graph(), input.strategy, input.schedule(), options_, callbacks));
    }
    std::vector<ResultColumn> columns(const RunOutcome& outcome) const override {
        return {{"ranks", ranks_of(outcome)}};
    }
    Checked check(const Input& input, const RunOutcome& outcome) const override {
        const bool stable = options_.until > 0 && is_stable(static_cast<const Outcome&>(outcome));
        if (options_.until > 0 && !stable)
            return {"", "nothing: the ranks are not stable yet", {{"stable", false}}};
        const Check c = stable
                            ? check_stable(input.graph(), ranks_of(outcome), options_)
                            : check_ranks(input.graph(), ranks_of(outcome), outcome.sweeps.size(), options_);
        return {c.problem,
                fmt::format("off by {:.2g} of the sum, {:.2g} at one vertex; sum {:.9f}, residual {:.2g}",
                            c.distance, c.worst, c.sum, c.residual),
                {{"distance", number_or_null(c.distance)},
                 {"worst", number_or_null(c.worst)},
                 {"sum", c.sum},
                 {"residual", c.residual}}};
    }

private:
    const ArcOptions& options() const override { return options_; }
    std::map<std::string, std::string> parameters() const override {
        return {{"damping", fmt::format("{:g}", options_.damping)},
                {"tolerance", fmt::format("{:g}", options_.tolerance)},
                {"until", fmt::format("{:g}", options_.until)},
                {"dangling", options_.dangling == Dangling::spread ? "spread" : "lost"}};
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
};

}  // namespace

}  // namespace pagerank

Application& pagerank_application() {
    static pagerank::PageRank application;
    return application;
}

}  // namespace lockstep
