// Measures the part of a GPU's probe that requires CUDA code.
#include <algorithm>

#include "apps/sgd/operator.hpp"
#include "insight/measure/measure.hpp"
#include "insight/measure/probe.cuh"

namespace lockstep::insight {

namespace {

template <int Lanes, int Chunks>
gpu::UpdateSeconds update_seconds(const gpu::Buffer<float>& row, const gpu::Buffer<float>& col) {
    return gpu::measure_updates(sgd::SgdOperator<DeviceLanes<Lanes>, Chunks, false, true>{
        {}, row.data(), col.data(), Lanes * Chunks, 1e-3F, 1, -1});
}

}  // namespace

void measure_cuda(Probe& p) {
    p.device = cuda_device();
    p.copy_rate = cuda_copy_rate();
    int cache = 0;
    LOCKSTEP_CUDA(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, 0));
    p.cache_bytes = cache;
    for (const int threads : {32, 128, 512, 2048, 8192, 32768, 131072, 262144}) {
        p.atomics_same.x.push_back(threads), p.atomics_same.y.push_back(gpu::atomic_rate(threads, false));
        p.atomics_spread.x.push_back(threads), p.atomics_spread.y.push_back(gpu::atomic_rate(threads, true));
    }
    const auto sms = static_cast<int>(p.device.threads);
    for (const int blocks : {1, sms / 16, sms / 4, sms / 2, sms, 2 * sms, 4 * sms, 8 * sms}) {
        if (blocks < 1 || (!p.barrier_by_blocks.x.empty() && blocks <= p.barrier_by_blocks.x.back()))
            continue;
        p.barrier_by_blocks.x.push_back(blocks);
        p.barrier_by_blocks.y.push_back(gpu::barrier_seconds(blocks, 256));
    }
    p.barrier = gpu::barrier_seconds(sms, 1024);
    p.block_barrier = gpu::block_barrier_seconds();
    p.launch = gpu::launch_seconds();
    p.graph_node = gpu::graph_node_seconds();
    constexpr std::size_t vectors = 1 << 12, longest = 256;
    const gpu::Buffer<float> row(std::vector<float>(vectors * longest, 0.1F)),
        col(std::vector<float>(vectors * longest, 0.1F));
    for (DependentUpdate& u : p.updates) {
        const gpu::UpdateSeconds s = sgd::with_lanes(
            u.rank, [&]<int Lanes, int Chunks>() { return update_seconds<Lanes, Chunks>(row, col); });
        u.near = s.near, u.shared = s.l2, u.locked = s.locked;
    }
}

}  // namespace lockstep::insight
