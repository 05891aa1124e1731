// Shortest paths on the GPU, floats.
#include "apps/sssp/operator.hpp"
#include "lockstep/executor/frontier/run.cuh"

namespace lockstep {

template frontier::Runner frontier::on_cuda(const FrontierPlan&, const Axes&, const sssp::Distances<float>&);

}  // namespace lockstep
