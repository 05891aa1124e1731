// Breadth-first search on the CPU.
#include "lockstep/executor/frontier/cpu.hpp"
#include "apps/bfs/operator.hpp"

namespace lockstep {

template frontier::Runner frontier::on_cpu(const FrontierPlan&, const Axes&, const bfs::Levels&, int);

}  // namespace lockstep
