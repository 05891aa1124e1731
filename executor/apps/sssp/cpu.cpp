// Shortest paths on the CPU.
#include "lockstep/executor/frontier/cpu.hpp"
#include "apps/sssp/operator.hpp"

namespace lockstep {

template frontier::Runner frontier::on_cpu(const FrontierPlan&, const Axes&,
                                           const sssp::Distances<std::uint32_t>&, int);
template frontier::Runner frontier::on_cpu(const FrontierPlan&, const Axes&, const sssp::Distances<float>&,
                                           int);

}  // namespace lockstep
