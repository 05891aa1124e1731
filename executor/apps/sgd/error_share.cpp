#include "apps/sgd/error_share.hpp"

namespace lockstep::sgd {

ErrorShare plan_share(const TiledPlan& plan, EdgeId piece) {
    std::vector<EdgeId> here;
    for (EdgeId t = 0; t < plan.grid.phases(); ++t) {
        const auto first_edge = [&](EdgeId phase) {
            return plan.task_offsets[plan.first_task(phase * plan.grid.side_by_side())];
        };
        here.push_back(first_edge(t + 1) - first_edge(t));
    }
    std::vector<EdgeId> all = here, before = here;
    ranks().sum(all), ranks().exclusive_sum(before);
    std::vector<ErrorRun> runs;
    EdgeId at = 0;
    for (EdgeId t = 0; t < here.size(); at += all[t++]) runs.push_back({here[t], at + before[t]});
    return {runs, at, piece};
}

ErrorShare slice_share(EdgeId edges) { return {{{edges, ranks().exclusive_sum(edges)}}, ranks().sum(edges)}; }

}  // namespace lockstep::sgd
