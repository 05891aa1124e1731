// PageRank on the CPU.
#include "apps/pagerank/operator.hpp"
#include "lockstep/executor/arc/rounds.hpp"

namespace lockstep {

template <bool Prepared>
using Op = pagerank::PageRankOperator<Prepared>;
template arc::Runner<Op<false>> arc::on_cpu(const ArcPlan&, const Op<false>&, int);
template arc::Runner<Op<true>> arc::on_cpu(const ArcPlan&, const Op<true>&, int);

}  // namespace lockstep
