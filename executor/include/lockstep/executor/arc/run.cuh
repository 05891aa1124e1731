// on_cuda(): runs arc operators on one or several GPUs (run.hpp).
#pragma once

#include <memory>

#include "lockstep/executor/arc/parts.cuh"
#include "lockstep/executor/arc/run.hpp"
#include "lockstep/executor/arc/walks.cuh"

namespace lockstep::arc {

template <ArcOperator Op>
RunnerOf<Op> on_cuda(const ArcPlan& plan, const Op& op, int gpus) {
    if (gpus > 1 || ranks().count() > 1) {
        if constexpr (Shared<Op>) {
            gpu::Timer transfer;
            const auto parts = std::make_shared<gpu::ArcParts<Op>>(std::get<Tiles>(plan), op, gpus);
            return {parts->bytes(), transfer.seconds(),
                    [parts](const auto& on_round, double* seconds) { return parts->run(on_round, seconds); }};
        } else {
            throw Error(Failure::usage, "the operator runs on one GPU (arc/parts.hpp)");
        }
    }
    const EdgeId bytes = device_bytes(plan) + state_bytes(plan, op);
    gpu::require_memory(bytes, "or use --device cpu");
    return std::visit(
        [&]<class Walk>(const Walk& walk) -> RunnerOf<Op> {
            gpu::Timer transfer;
            const auto arrays = std::make_shared<gpu::DeviceArrays>();
            const OffsetsView out = (*arrays)(walk.out);
            const gpu::View<Walk> view(walk, out, *arrays);
            const auto run = [&walk, arrays, out, view, op](const auto& on_round, double* seconds) {
                gpu::DeviceArrays state;
                Memory memory{walk, out, std::ref(state)};
                Op run = op;
                run.start(memory);
                const auto make_report = [&](const auto& tally, double of_round) {
                    return on_round(op.make_report(tally, of_round));
                };
                run = gpu::iterate(view, run, walk.launch_rounds, make_report, seconds);
                return by_vertex(walk, gpu::download(run.result(), walk.vertices).data());
            };
            return {bytes, transfer.seconds(), run, is_bit_reproducible<Op>(plan)};
        },
        plan);
}

}  // namespace lockstep::arc
