// The cluster walk on a GPU: its arrays in device memory, and one traversal.
#pragma once

#include <algorithm>
#include <memory>

#include "lockstep/executor/device/memory.cuh"
#include "lockstep/executor/device/streams.cuh"
#include "lockstep/executor/frontier/cluster.hpp"
#include "lockstep/executor/frontier/cluster/rounds.cuh"
#include "lockstep/executor/frontier/run.hpp"

namespace lockstep::frontier::cluster_gpu {

using namespace lockstep::gpu;

template <class Op>
class ClusterOnDevice {
public:
    using Value = typename Op::Value;

    ClusterOnDevice(const Expand& plan, const Op& op)
        : plan_(plan),
          op_(op),
          low_(plan.out.offsets.low),
          high_(plan.out.offsets.high),
          ends_(std::span<const VertexId>(plan.out.ends)),
          weights_(std::span<const float>(Op::weighted ? plan.out.weights.data() : nullptr,
                                          Op::weighted ? plan.out.weights.size() : 0)),
          arcs_(arcs_of(plan)),
          kernel_(arcs_ == 4 ? cluster_kernel<Op, 4> : cluster_kernel<Op, 8>),
          rows_(EdgeId{plan.vertices} * arcs_),
          row_weights_(weights_.size() ? rows_.size() : 0),
          values_(plan.vertices),
          rounds_(1) {
        if (device_properties().major < 9)
            throw Error(Failure::no_device, "thread block clusters need compute capability 9.0");
        choose_blocks();
        view_ = {.offsets = {low_.data(), high_.size() ? high_.data() : nullptr},
                 .ends = ends_.data(),
                 .weights = weights_.data(),
                 .rows = rows_.data(),
                 .row_weights = row_weights_.data(),
                 .vertices = plan.vertices,
                 .room = 0,
                 .words = 0,
                 .bits = nullptr,
                 .spill = nullptr,
                 .share = (plan.vertices / 16 + 1) * 16 / blocks_,
                 .rounds = rounds_.data()};
        // Bits on chip where that leaves room for the queues.
        constexpr std::uint32_t copies = Op::by_rounds ? 1 : 2, least_room = 2048;
        const EdgeId here = shared_ / 4, words = ((EdgeId{plan.vertices} + 31) / 32 + blocks_ - 1) / blocks_;
        if (copies * words + 2 * least_room <= here)
            view_.words = static_cast<std::uint32_t>(words);
        else
            bits_ = Buffer<std::uint32_t>(2 * ((EdgeId{plan.vertices} + 31) / 32));
        view_.bits = bits_.data();
        view_.room = static_cast<std::uint32_t>((here - copies * view_.words) / 2);
        spill_ = Buffer<std::uint32_t>(2 * EdgeId{blocks_} * view_.share);
        view_.spill = spill_.data();
        (arcs_ == 4 ? fill_rows<4> : fill_rows<8>)<<<grid(), 256>>>(view_, rows_.data(), row_weights_.data());
        LOCKSTEP_CUDA(cudaGetLastError());
    }

    static EdgeId bytes_of(const Expand& plan) {
        const EdgeId row = 4 * arcs_of(plan);
        return plan.out.bytes() +
               EdgeId{plan.vertices} * (row + (plan.out.weights.empty() ? 0 : row) + 4 + 9);
    }
    void launch_from(VertexId source) {
        reset_values<<<grid(), 256>>>(values_.data(), plan_.vertices, op_.none(), source, op_.start(),
                                      bits_.data(), bits_.size());
        cudaLaunchConfig_t config = this->config();
        cudaLaunchAttribute cluster = attribute();
        config.attrs = &cluster, config.numAttrs = 1;
        LOCKSTEP_CUDA(cudaLaunchKernelEx(&config, kernel_, view_, op_, values_.data(), source));
    }
    std::vector<Value> values() const { return by_vertex(plan_, values_.download().data()); }
    std::uint32_t rounds() const { return rounds_.download()[0]; }
    int registers() const {
        cudaFuncAttributes attributes{};
        LOCKSTEP_CUDA(cudaFuncGetAttributes(&attributes, kernel_));
        return attributes.numRegs;
    }

private:
    /// Of a row: as many as any vertex has, where those are few.
    static EdgeId arcs_of(const Expand& plan) {
        const auto degree = [&](VertexId v) { return plan.out.offsets.view().degree(v); };
        EdgeId most = 0;
#pragma omp parallel for reduction(max : most)
        for (VertexId v = 0; v < plan.vertices; ++v) most = std::max(most, degree(v));
        return most <= 4 ? 4 : 8;
    }
    static unsigned grid() { return static_cast<unsigned>(device_properties().multiprocessors) * 8; }
    cudaLaunchConfig_t config() const {
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(blocks_), config.blockDim = dim3(cluster_threads);
        config.dynamicSmemBytes = shared_;
        return config;
    }
    cudaLaunchAttribute attribute() const {
        cudaLaunchAttribute cluster{};
        cluster.id = cudaLaunchAttributeClusterDimension;
        cluster.val.clusterDim.x = blocks_, cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
        return cluster;
    }
    /// As large a cluster as the device has: 16 blocks are not portable, 8 are.
    void choose_blocks() {
        shared_ = (device_properties().shared_bytes - 1024) / 16 * 16;
        LOCKSTEP_CUDA(cudaFuncSetAttribute(kernel_, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
        LOCKSTEP_CUDA(cudaFuncSetAttribute(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           static_cast<int>(shared_)));
        for (blocks_ = 16; blocks_ > 1; blocks_ /= 2) {
            cudaLaunchConfig_t config = this->config();
            cudaLaunchAttribute cluster = attribute();
            config.attrs = &cluster, config.numAttrs = 1;
            int fit = 0;
            if (cudaOccupancyMaxActiveClusters(&fit, kernel_, &config) == cudaSuccess && fit > 0) return;
            static_cast<void>(cudaGetLastError());
        }
    }

    const Expand& plan_;
    Op op_;
    Buffer<std::uint32_t> low_;
    Buffer<std::uint8_t> high_;
    Buffer<VertexId> ends_;
    Buffer<float> weights_;
    const EdgeId arcs_;  ///< of a row
    void (*const kernel_)(ClusterView, Op, Value*, VertexId);
    Buffer<VertexId> rows_;
    Buffer<float> row_weights_;
    Buffer<Value> values_;
    Buffer<std::uint32_t> rounds_, bits_, spill_;
    ClusterView view_{};
    EdgeId shared_ = 0;
    unsigned blocks_ = 16;
};

}  // namespace lockstep::frontier::cluster_gpu

namespace lockstep::frontier {

template <FrontierOperator Op>
Runner cuda_runner_of(const Cluster& plan, const Axes&, const Op& op) {
    gpu::require_memory(cluster_gpu::ClusterOnDevice<Op>::bytes_of(plan), "--device cpu needs none");
    gpu::Timer transfer;
    auto device = std::make_shared<cluster_gpu::ClusterOnDevice<Op>>(plan, op);
    return {cluster_gpu::ClusterOnDevice<Op>::bytes_of(plan), transfer.seconds(),
            [&plan, device](VertexId source, const std::function<bool()>&) {
                Traversal traversal;
                gpu::Timer timer;
                device->launch_from(plan.position(source));
                traversal.seconds = timer.seconds();
                traversal.rounds.resize(device->rounds());
                traversal.values = device->values();
                traversal.totals = {.launches = 2, .worklist_atomics = 0, .registers = device->registers()};
                return traversal;
            }};
}

}  // namespace lockstep::frontier
