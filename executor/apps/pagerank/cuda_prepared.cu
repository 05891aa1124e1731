// PageRank on CUDA, dividing a vertex.
#include "apps/pagerank/operator.hpp"
#include "lockstep/executor/arc/run.cuh"

namespace lockstep {

using Op = pagerank::PageRankOperator<true>;
template arc::Runner<Op> arc::on_cuda(const ArcPlan&, const Op&);

}  // namespace lockstep
