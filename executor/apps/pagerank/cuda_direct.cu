// PageRank on CUDA, dividing an arc.
#include "apps/pagerank/operator.hpp"
#include "lockstep/executor/arc/run.cuh"

namespace lockstep {

using Op = pagerank::PageRankOperator<false>;
template arc::Runner<Op> arc::on_cuda(const ArcPlan&, const Op&);

}  // namespace lockstep
