#include "lockstep/executor/cpu/traversals.hpp"
#include "probe_operators.hpp"

namespace lockstep::test {

ProbeResult probe_on_cpu(const Plan& plan, int threads) {
    ProbeResult r;
    r.row_updates.resize(plan.rows), r.col_updates.resize(plan.cols), r.visits.resize(plan.edges());
    std::vector<unsigned long long> row_claims(plan.rows), col_claims(plan.cols);
    unsigned long long conflicts = 0;
    const ProbeOperator<HostLanes<1>> op{r.row_updates.data(), r.col_updates.data(), r.visits.data(),
                                         row_claims.data(),    col_claims.data(),    &conflicts,
                                         plan.row.data(),      plan.col.data()};
    cpu::Locks locks(plan.rows, plan.cols);
    r.counts = cpu::execute(plan, op, locks, threads);
    r.conflicts = conflicts;
    return r;
}

}  // namespace lockstep::test
