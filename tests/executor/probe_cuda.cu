#include "lockstep/executor/edge/execute.cuh"
#include "probe_operators.hpp"

namespace lockstep::test {

namespace {

/// Returns the mark of each vertex's first lane, in the order of the vertices. It counts as an error if
/// another lane's mark has other updates.
std::vector<Mark> marks_by_vertex(const std::vector<Mark>& marks, int lanes,
                                  const std::vector<VertexId>& order) {
    const auto width = static_cast<std::size_t>(lanes);
    std::vector<Mark> of(marks.size() / width);
    for (std::size_t i = 0; i < of.size(); ++i) {
        Mark& mark = of[order.empty() ? i : order[i]] = marks[i * width];
        for (std::size_t l = 1; l < width; ++l) mark.errors += marks[i * width + l].updates != mark.updates;
    }
    return of;
}

template <int Lanes>
std::optional<ProbeResult> probe(const EdgePlan& plan) {
    using gpu::Buffer;
    const Traced traced = trace(plan);
    const Buffer<std::uint32_t> row_before(traced.row_before), col_before(traced.col_before);
    Buffer<std::uint32_t> visits(plan.edges());
    Buffer<unsigned long long> row_claims(plan.rows), col_claims(plan.cols), claims(1);
    visits.zero(), row_claims.zero(), col_claims.zero(), claims.zero();
    ProbeOperator<DeviceLanes<Lanes>> op{nullptr,           nullptr,       row_before.data(),
                                         col_before.data(), visits.data(), row_claims.data(),
                                         col_claims.data(), claims.data()};
    if (why_not(traced.plan, gpu::size_of(op), gpu::device_properties())) return std::nullopt;
    gpu::DevicePlan device_plan(traced.plan, op);
    const auto* local = device_plan.get_if<LocalPlan>();
    const std::vector<VertexId> row_order = local ? local->row_order() : std::vector<VertexId>{},
                                col_order = local ? local->col_order() : std::vector<VertexId>{};
    const Buffer<Mark> rows(fresh_marks(plan.rows, 0, Lanes, row_order)),
        cols(fresh_marks(plan.cols, Mark::column, Lanes, col_order));
    op.rows = rows.data(), op.cols = cols.data();
    ProbeResult r;
    double seconds = 0;
    r.counts = device_plan.sweep(op, &seconds);
    device_plan.gather(op);
    r.rows = marks_by_vertex(rows.download(), Lanes, row_order);
    r.cols = marks_by_vertex(cols.download(), Lanes, col_order);
    if (!local && !device_plan.get_if<TiledPlan>()) r.visits = visits.download();
    r.claims = claims.download()[0];
    return r;
}

}  // namespace

std::optional<ProbeResult> probe_on_cuda(const EdgePlan& plan, int lanes) {
    switch (lanes) {
        case 1:
            return probe<1>(plan);
        case 4:
            return probe<4>(plan);
        default:
            return probe<32>(plan);
    }
}

}  // namespace lockstep::test
