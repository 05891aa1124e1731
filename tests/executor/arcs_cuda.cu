// Instantiates the operators of the tests for CUDA.
#include "arc_operators.hpp"
#include "lockstep/executor/arc/run.cuh"

namespace lockstep {

template arc::RunnerOf<test::LabelOperator> arc::on_cuda(const ArcPlan&, const test::LabelOperator&, int);
template arc::RunnerOf<test::CountOperator> arc::on_cuda(const ArcPlan&, const test::CountOperator&, int);

namespace test {

namespace {
template <class Walk>
std::uint64_t conflicts(const Walk& plan, const auto& planted) {
    gpu::DeviceArrays arrays;
    const OffsetsView out = arrays(plan.out);
    CountOperator op{};
    arc::Memory memory{plan, out, std::ref(arrays)};
    op.start(memory);
    CountOperator::Tally total{};
    double seconds = 0;
    gpu::iterate(
        planted(out, arrays), op, 0,
        [&](const auto& tally, double) {
            add_tally(total, tally);
            return true;
        },
        &seconds);
    return total.conflicts;
}
}  // namespace

std::uint64_t planted_conflicts(const arc::Tiles& plan) {
    arc::EdgeTiles planted(plan);
    planted.tiles.back() = planted.tiles.end()[-2];
    return conflicts(plan, [&](auto, auto& arrays) { return gpu::View<arc::Tiles>(plan, planted, arrays); });
}

}  // namespace test

}  // namespace lockstep
