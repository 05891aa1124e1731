// PageRank on CUDA.
#include "apps/pagerank/operator.hpp"
#include "lockstep/executor/arc/run.cuh"

namespace lockstep {

using pagerank::PageRankOperator;
template arc::RunnerOf<PageRankOperator<false>> arc::on_cuda(const ArcPlan&, const PageRankOperator<false>&);
template arc::RunnerOf<PageRankOperator<true>> arc::on_cuda(const ArcPlan&, const PageRankOperator<true>&);

}  // namespace lockstep
