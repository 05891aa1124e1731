#include "apps/pagerank/driver.hpp"

#include <fmt/format.h>

namespace lockstep::pagerank {

void check_options(const PageRankOptions& o) {
    const auto refuse = [](const std::string& message) { throw Error(Failure::usage, message); };
    if (!(o.damping >= 0 && o.damping < 1))
        refuse(fmt::format("the damping must be from 0 to below 1, not {:g}", o.damping));
    if (o.rounds < 1) refuse("at least one iteration is needed");
    if (!(o.tolerance >= 0) || !std::isfinite(o.tolerance)) refuse("the tolerance must not be negative");
    lockstep::check_options(o);
}

Outcome run_pagerank(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                     const PageRankOptions& options, const RunCallbacks& callbacks) {
    check_options(options);
    const auto ranks = [&](const auto& on_round) { return reference_ranks(graph, options, on_round); };
    const auto make = [&](Device device, const ArcPlan& plan, int threads) {
        const auto run = [&](const auto& op) { return arc_runner(device, plan, op, threads); };
        return device == Device::reference ? reference_runner<float, Round>(graph, ranks)
               : strategy.prepared         ? run(PageRankOperator<true>(options, arcs_of(plan)))
                                           : run(PageRankOperator<false>(options, arcs_of(plan)));
    };
    const auto metrics = [&](const Round& round) -> Metrics {
        return {{"change", options.tolerance > 0 ? round.change : std::numeric_limits<double>::quiet_NaN()}};
    };
    return run_arcs<float, Round>(graph, strategy, schedule, options, callbacks, make, metrics);
}

}  // namespace lockstep::pagerank
