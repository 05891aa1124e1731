// PageRank on CUDA.
#include "apps/pagerank/operator.hpp"
#include "lockstep/executor/arc/run.cuh"

namespace lockstep {

using pagerank::PageRankOperator;
template arc::Runner<PageRankOperator<false>> arc::on_cuda(const ArcPlan&, const PageRankOperator<false>&);
template arc::Runner<PageRankOperator<true>> arc::on_cuda(const ArcPlan&, const PageRankOperator<true>&);

}  // namespace lockstep
