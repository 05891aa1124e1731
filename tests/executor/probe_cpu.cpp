#include "lockstep/executor/edge/execute.hpp"
#include "probe_operators.hpp"

namespace lockstep::test {

Traced trace(EdgePlan plan) {
    Traced traced{std::move(plan), {}, {}};
    EdgePlan& p = traced.plan;
    std::vector<std::uint32_t> last_of_row(p.rows), last_of_col(p.cols);
    for (std::uint32_t e = 0; e < p.edges(); ++e) {
        p.value[e] = std::bit_cast<float>(e);
        traced.row_before.push_back(std::exchange(last_of_row[p.row[e]], e + 1));
        traced.col_before.push_back(std::exchange(last_of_col[p.col[e]], e + 1));
    }
    return traced;
}

std::vector<Mark> fresh_marks(VertexId vertices, std::uint32_t side, int lanes,
                              const std::vector<VertexId>& order) {
    std::vector<Mark> marks;
    for (VertexId i = 0; i < vertices; ++i)
        marks.insert(marks.end(), static_cast<std::size_t>(lanes),
                     Mark{((order.empty() ? i : order[i]) + 1) | side});
    return marks;
}

std::uint64_t ProbeResult::errors() const {
    std::uint64_t sum = 0;
    for (const auto* side : {&rows, &cols}) {
        for (const Mark& mark : *side) sum += mark.errors;
    }
    return sum;
}

std::uint64_t ProbeResult::conflicts(const EdgePlan& plan) const {
    std::uint64_t row_updates = 0, col_updates = 0;
    for (const Mark& mark : rows) row_updates += mark.updates;
    for (const Mark& mark : cols) col_updates += mark.updates;
    return claims + errors() + (2 * plan.edges() - row_updates - col_updates);
}

ProbeResult probe_on_cpu(const EdgePlan& plan, int threads) {
    const Traced traced = trace(plan);
    ProbeResult r{fresh_marks(plan.rows, 0, 1),
                  fresh_marks(plan.cols, Mark::column, 1),
                  std::vector<std::uint32_t>(plan.edges()),
                  0,
                  {}};
    std::vector<unsigned long long> row_claims(plan.rows), col_claims(plan.cols);
    unsigned long long claims = 0;
    const ProbeOperator<HostLanes<1>> op{
        r.rows.data(),   r.cols.data(),     traced.row_before.data(), traced.col_before.data(),
        r.visits.data(), row_claims.data(), col_claims.data(),        &claims};
    cpu::Locks locks(plan);
    r.counts = cpu::execute(traced.plan, op, locks, threads);
    r.claims = claims;
    return r;
}

}  // namespace lockstep::test
