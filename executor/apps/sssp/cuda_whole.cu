// Shortest paths on the GPU, whole numbers.
#include "apps/sssp/operator.hpp"
#include "lockstep/executor/frontier/run.cuh"

namespace lockstep {

template frontier::Runner frontier::on_cuda(const FrontierPlan&, const Axes&,
                                            const sssp::Distances<std::uint32_t>&);

}  // namespace lockstep
