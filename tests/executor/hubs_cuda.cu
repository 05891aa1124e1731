#include "hubs_cuda.hpp"

#include "apps/bfs.hpp"
#include "apps/sssp.hpp"
#include "lockstep/executor/frontier/hubs.cuh"

namespace lockstep::test {

template <class Op>
frontier::Values hub_values(const frontier::Hubs& plan, VertexId source, EdgeId blocks, int way) {
    using namespace gpu::hubs;
    gpu::HubsOnDevice device(plan, Op::by_rounds, Op::weighted, std::bit_cast<std::uint32_t>(Op::none()));
    if (way == 3) device.limit_queue(3);
    const auto change = [&](auto& tuning) {
        constexpr std::uint32_t any = 1U << 30;
        if (way == 1 || way == 2) tuning.push = way - 1U;
        if (way == 4) tuning.push = any;
        if constexpr (Op::by_rounds) {
            if (way == 1 || way == 2) tuning.push_share = any;
            if (way >= 3) tuning.back = 0, tuning.back_share = 2;
        } else {
            if (way == 4) tuning.tail = any;
            if (way == 5) tuning.light_hubs = 4 * 32, tuning.hubs = any, tuning.tail = 20;
        }
    };
    for (int again = 0; again < 3; ++again)  // uses both states, and one that a run has cleared
        run(device, Op(), plan.position(source), blocks, change);
    return device.values<typename Op::Value>();
}

template frontier::Values hub_values<bfs::Levels>(const frontier::Hubs&, VertexId, EdgeId, int);
template frontier::Values hub_values<sssp::Distances<std::uint32_t>>(const frontier::Hubs&, VertexId, EdgeId,
                                                                     int);
template frontier::Values hub_values<sssp::Distances<float>>(const frontier::Hubs&, VertexId, EdgeId, int);

}  // namespace lockstep::test
