// Breadth-first search on the GPU.
#include "apps/bfs/operator.hpp"
#include "lockstep/executor/frontier/run.cuh"

namespace lockstep {

template frontier::Runner frontier::on_cuda(const FrontierPlan&, const Axes&, const bfs::Levels&);

}  // namespace lockstep
