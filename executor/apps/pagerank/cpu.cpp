// PageRank on the CPU.
#include "apps/pagerank/operator.hpp"
#include "lockstep/executor/arc/rounds.hpp"

namespace lockstep {

using pagerank::PageRankOperator;
template arc::Runner<PageRankOperator<false>> arc::on_cpu(const ArcPlan&, const PageRankOperator<false>&,
                                                          int);
template arc::Runner<PageRankOperator<true>> arc::on_cpu(const ArcPlan&, const PageRankOperator<true>&, int);

}  // namespace lockstep
