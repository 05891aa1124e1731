// One k-core by rounds over active vertices, on the CPU.
#include "lockstep/executor/frontier/cpu.hpp"
#include "apps/kcore/operator.hpp"

namespace lockstep::kcore {

frontier::Runner fall_on_cpu(const frontier::Expand& plan, const frontier::Axes& axes, std::uint32_t k,
                             int threads) {
    return frontier::cpu_runner_of(plan, axes, Degrees{k}, threads);
}

}  // namespace lockstep::kcore
