// The host code of the walk `regions` on a GPU: the arrays in device memory, and the launches of a traversal.
#pragma once

#include <algorithm>
#include <memory>

#include "lockstep/executor/device/streams.cuh"
#include "lockstep/executor/frontier/regions.cuh"
#include "lockstep/executor/frontier/run.hpp"

namespace lockstep::frontier::regions_gpu {

/// Parameters of the walk. They affect its speed, but not the result.
struct RegionTuning {
    /// Width of the window above the floor, within which labels are processed at once, in mean weights. 0: no
    /// limit. Negative: automatic, i.e. 192 with weights; without weights 400 if the mean degree is below
    /// 3.5, else no limit.
    double window = -1;
    /// Number of rounds in a region between two exchanges with neighbouring regions. 0: automatic, i.e. 8
    /// with weights, else 16.
    std::uint32_t rounds = 0;
    std::uint32_t max_workers = ~0U;
    double max_seconds = 0;  ///< time limit, after which the walk is aborted; 0: 10 s plus 2 µs per vertex
    bool checked = false;  ///< whether to check that each region has one owner and each inbox word one writer
};

template <class Value>
__global__ void reset_regions(RegionView view, std::uint32_t inbox, std::uint32_t none, std::uint32_t source,
                              std::uint32_t start) {
    const std::uint32_t step = gridDim.x * blockDim.x, me = blockIdx.x * blockDim.x + threadIdx.x;
    const std::uint32_t quads = view.regions * (view.shape.slots / 4), from = source / view.shape.slots;
    for (std::uint32_t i = me; i < quads; i += step) {
        const bool here = i == source / 4;
        uint4 label{none, none, none, none};
        std::uint32_t deferred = 0;
        if (here) {
            (&label.x)[source % 4] = start;
            deferred = 1U << (8 * (source % 4));
        }
        reinterpret_cast<uint4*>(view.labels)[i] = label;
        reinterpret_cast<std::uint32_t*>(view.deferred)[i] = deferred;
    }
    for (std::uint32_t i = me; i < inbox; i += step) view.inbox[i] = none;
    for (std::uint32_t i = me; i < view.workers * view.line; i += step) {
        const std::uint32_t at = i % view.line, owned = at - RegionView::header;
        const bool woken = at >= RegionView::header && owned * view.workers + i / view.line == from;
        view.lines[i] = woken ? start : at < 2 || at == 3 ? 0 : nothing;
    }
    if (view.claims)
        for (std::uint32_t i = me; i < view.regions + inbox; i += step) view.claims[i] = 0;
    if (me < 2) view.verdict[me] = 0;
}

static __global__ void gather_labels(const std::uint32_t* labels, const std::uint32_t* place,
                                     std::uint32_t vertices, std::uint32_t* result) {
    for (std::uint32_t v = blockIdx.x * blockDim.x + threadIdx.x; v < vertices; v += gridDim.x * blockDim.x)
        result[v] = labels[place[v]];
}

template <class Op>
class RegionsOnDevice {
public:
    using Value = typename Op::Value;

    RegionsOnDevice(const RegionLayout& layout, const Op& op, const RegionTuning& tuning = {})
        : layout_(layout),
          op_(op),
          records_(std::span<const unsigned char>(layout.records)),
          place_(std::span<const std::uint32_t>(layout.place)),
          labels_(EdgeId{layout.regions} * layout.shape.slots),
          deferred_(EdgeId{layout.regions} * layout.shape.slots),
          inbox_(layout.inbox),
          claims_(tuning.checked ? EdgeId{layout.regions} + layout.inbox : 0),
          verdict_(2),
          result_(layout.place.size()) {
        kernel_ = kernel();
        shared_ = layout.shape.bytes + layout.shape.working_bytes(region_warps);
        const int resident =
            blocks_per_multiprocessor(reinterpret_cast<const void*>(kernel_), {region_threads, 32}, shared_);
        const auto blocks = static_cast<EdgeId>(resident) * device_properties().multiprocessors;
        if (blocks < 2)
            throw Error(Failure::no_device,
                        "regions: a region does not fit in the shared memory of a multiprocessor");
        const auto workers = static_cast<std::uint32_t>(
            std::min({EdgeId{layout.regions}, blocks - 1, EdgeId{tuning.max_workers}}));
        const std::uint32_t owned = (layout.regions + workers - 1) / workers;
        view_ = {.shape = layout.shape,
                 .regions = layout.regions,
                 .workers = workers,
                 .line = (RegionView::header + owned + 3) / 4 * 4,
                 .records = records_.data(),
                 .labels = labels_.data(),
                 .deferred = deferred_.data(),
                 .inbox = inbox_.data(),
                 .lines = nullptr,
                 .claims = claims_.data(),
                 .verdict = verdict_.data(),
                 .window = window(tuning.window),
                 .rounds = tuning.rounds  ? tuning.rounds
                           : Op::weighted ? 8
                                          : 16,
                 .max_nanoseconds = static_cast<std::uint64_t>(
                     1e9 * (tuning.max_seconds > 0 ? tuning.max_seconds
                                                   : 10 + 2e-6 * static_cast<double>(layout.place.size())))};
        lines_ = Buffer<std::uint32_t>(EdgeId{workers} * view_.line);
        view_.lines = lines_.data();
    }

    int registers() const { return registers_of(kernel_); }
    EdgeId bytes() const { return bytes_of(layout_); }
    /// Returns the required bytes of device memory, except for a few words per worker.
    static EdgeId bytes_of(const RegionLayout& layout) {
        return layout.bytes() + 4 * layout.place.size() + 5 * EdgeId{layout.regions} * layout.shape.slots;
    }

    /// Runs a traversal from vertex `source` of the graph by three kernel launches.
    void launch_from(VertexId source) {
        const unsigned blocks = static_cast<unsigned>(device_properties().multiprocessors) * 4;
        reset_regions<Value><<<blocks, 256>>>(view_, layout_.inbox, bits_of(op_.none()),
                                              layout_.place[source], bits_of(op_.start()));
        gpu::launch(kernel_, {.threads = region_threads, .blocks_per_sm = 32, .blocks = view_.workers + 1},
                    shared_, view_, op_);
        gather_labels<<<blocks, 256>>>(labels_.data(), place_.data(),
                                       static_cast<std::uint32_t>(place_.size()), result_.data());
        LOCKSTEP_CUDA(cudaGetLastError());
    }
    /// Returns the value of each vertex of the graph after launch_from(). Throws Error if the run did not end
    /// in time, or if a word had two writers.
    std::vector<Value> values() const {
        const std::vector<std::uint32_t> verdict = verdict_.download();
        if (verdict[0] != ended) throw Error(Failure::failed, "regions: the walk did not end in time");
        if (verdict[1] != 0)
            throw Error(Failure::failed, "regions: " + std::to_string(verdict[1]) + " words had two writers");
        return download(reinterpret_cast<const Value*>(result_.data()), result_.size());
    }

private:
    using Kernel = void (*)(RegionView, Op);

    Kernel kernel() const {
        if constexpr (Op::weighted) {
            if (layout_.shape.weight == WeightKind::bytes) return regions_kernel<Op, std::uint8_t>;
            if (layout_.shape.weight == WeightKind::words) return regions_kernel<Op, std::uint16_t>;
            return regions_kernel<Op, float>;
        } else {
            return regions_kernel<Op, void>;
        }
    }
    std::uint32_t window(double weights) const {
        // On graphs such as grids, shortest paths are hardly ever corrected, so a label that arrives early is
        // rarely wrong, and a wide window is better.
        constexpr float grid = 3.5F;
        if (weights < 0) weights = Op::weighted ? 192 : layout_.mean_degree < grid ? 400 : 0;
        if (weights == 0) return nothing;
        const double width = std::max(1.0, weights * (Op::weighted ? layout_.mean_weight : 1));
        if constexpr (std::is_same_v<Value, float>)
            return bits_of(static_cast<float>(weights * layout_.mean_weight));
        else
            return static_cast<std::uint32_t>(std::min(width, 4e9));
    }

    const RegionLayout& layout_;
    Op op_;
    Buffer<unsigned char> records_;
    Buffer<std::uint32_t> place_, labels_;
    Buffer<unsigned char> deferred_;
    Buffer<std::uint32_t> inbox_, lines_, claims_, verdict_, result_;
    RegionView view_{};
    Kernel kernel_ = nullptr;
    std::uint32_t shared_ = 0;
};

}  // namespace lockstep::frontier::regions_gpu

namespace lockstep::frontier {

template <FrontierOperator Op>
Runner cuda_runner_of(const Regions& plan, const Axes&, const Op& op) {
    gpu::require_memory(regions_gpu::RegionsOnDevice<Op>::bytes_of(plan.layout),
                        "the walk needs all regions on the GPU at the same time");
    gpu::Timer transfer;
    auto device = std::make_shared<regions_gpu::RegionsOnDevice<Op>>(plan.layout, op);
    return {device->bytes(), transfer.seconds(), [device](VertexId source, const std::function<bool()>&) {
                Traversal traversal;
                gpu::Timer timer;
                device->launch_from(source);
                traversal.seconds = timer.seconds();
                traversal.values = device->values();
                traversal.totals = {.launches = 3, .worklist_atomics = 0, .registers = device->registers()};
                return traversal;
            }};
}

}  // namespace lockstep::frontier
