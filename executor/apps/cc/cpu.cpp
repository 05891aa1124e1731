// Labels that spread, on the CPU.
#include "lockstep/executor/frontier/cpu.hpp"
#include "apps/cc/operator.hpp"

namespace lockstep::cc {

frontier::Runner spread_on_cpu(const frontier::Expand& plan, const frontier::Axes& axes, int threads) {
    return frontier::cpu_runner_of(plan, axes, Labels(), threads);
}

}  // namespace lockstep::cc
