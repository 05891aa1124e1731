#include "apps/pagerank/driver.hpp"

#include <fmt/format.h>

namespace lockstep::pagerank {

void check_options(const PageRankOptions& o) {
    const auto refuse = [](const std::string& message) { throw Error(Failure::usage, message); };
    if (!(o.damping >= 0 && o.damping < 1))
        refuse(fmt::format("the damping must be from 0 to below 1, not {:g}", o.damping));
    if (o.rounds < 1) refuse("at least one iteration is needed");
    if (o.until != 0 && !(o.until >= 1e-7 && o.until <= 1))
        refuse(fmt::format("ranks can be stable to 1e-7 up to 1 of them, not to {:g}", o.until));
    if (o.until > 0 && o.tolerance > 0) refuse("--until and --tolerance each say when it ends: give one");
    if (o.until > 0 && o.float_sums)
        refuse("--until asks what has changed, which sums of floats cannot tell: --sums exact");
    if (!(o.push_share >= 0 && o.push_share <= 1)) refuse("the share to push must be from 0 to 1");
    if (!(o.tolerance >= 0) || !std::isfinite(o.tolerance)) refuse("the tolerance must not be negative");
    lockstep::check_options(o);
}

Outcome run_pagerank(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                     const PageRankOptions& options, const RunCallbacks& callbacks) {
    check_options(options);
    const auto ranks = [&](const auto& on_round) { return reference_ranks(graph, options, on_round); };
    const auto make = [&](Device device, const ArcPlan& plan, int threads) {
        const auto run = [&](const auto& op) { return arc_runner(device, plan, op, threads, options.gpus); };
        const auto with_sums = [&]<class Sums>() {
            return strategy.prepared ? run(PageRankOperator<true, Sums>(options, arcs_of(plan)))
                                     : run(PageRankOperator<false, Sums>(options, arcs_of(plan)));
        };
        return device == Device::reference ? reference_runner<Round>(graph, ranks)
               : options.until > 0         ? run(StableRanks(options, arcs_of(plan)))
               : options.float_sums        ? with_sums.operator()<arc::FloatSums>()
                                           : with_sums.operator()<arc::FixedPointSums>();
    };
    const auto metrics = [&](const Round& round) -> Metrics {
        if (options.until > 0) {
            const bool pushed = strategy.walk == arc::PullPush::facts &&
                                static_cast<double>(round.active) <=
                                    std::floor(options.push_share * static_cast<double>(graph.edges()));
            return {{"changed", static_cast<double>(round.changed)},
                    {"active_arcs", static_cast<double>(round.active)},
                    {"pushed", pushed ? 1.0 : 0.0}};
        }
        return {{"change", options.tolerance > 0 ? round.change : std::numeric_limits<double>::quiet_NaN()}};
    };
    return run_arcs<Round>(graph, strategy, schedule, options, callbacks, make, metrics);
}

}  // namespace lockstep::pagerank
