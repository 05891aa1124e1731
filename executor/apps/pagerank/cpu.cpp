// PageRank on the CPU.
#include "apps/pagerank/operator.hpp"
#include "lockstep/executor/arc/rounds.hpp"

namespace lockstep {

using pagerank::PageRankOperator;
template arc::RunnerOf<PageRankOperator<false>> arc::on_cpu(const ArcPlan&, const PageRankOperator<false>&,
                                                            int);
template arc::RunnerOf<PageRankOperator<true>> arc::on_cpu(const ArcPlan&, const PageRankOperator<true>&,
                                                           int);

}  // namespace lockstep
