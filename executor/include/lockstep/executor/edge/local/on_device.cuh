// A local plan in the memory of one device. The application must store its vectors in the order that
// row_order() and col_order() return.
#pragma once

#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/edge/device_memory_limits.hpp"
#include "lockstep/executor/edge/local/kernel.cuh"

namespace lockstep::gpu {

template <>
class DeviceWalk<LocalPlan> : public Counting {
public:
    /// Uploads the plan. Throws ScheduleError (no_device) if a tile does not fit in shared memory, and Error
    /// (no_device) if there is too little device memory.
    DeviceWalk(const EdgeList& edges, const LocalPlan& plan, const OperatorSize& size,
               const DeviceMemoryLimits& limits)
        : DeviceWalk(local_layout(edges, plan), size, limits) {}

    /// Returns the device memory in use, including that of the application, in bytes.
    EdgeId bytes() const { return bytes_; }
    /// Return the order of the vectors: the row, or column, whose vector is at each position in memory.
    const std::vector<VertexId>& row_order() const { return row_order_; }
    const std::vector<VertexId>& col_order() const { return col_order_; }

    /// Sets the value of each edge e of the plan to values[e]; `values` is in device memory.
    void set_values(const float* values) {
        local::set_values<<<view_.count, 256>>>(view_.tiles, words_.data(), values);
        LOCKSTEP_CUDA(cudaGetLastError());
    }

    void set_values(const EdgeList& edges, const LocalPlan&) {
        const Buffer<float> values = staged<float>(edges.value);
        set_values(values.data());
        LOCKSTEP_CUDA(cudaStreamSynchronize(nullptr));
    }

    template <SharedMemoryOperator Op>
    void sweep(const Op& op) {
        ++view_.sweep;
        launch(local::sweep_kernel<Op>, local::shape<Op>, shared_bytes_, view_, op);
    }

private:
    DeviceWalk(LocalLayout layout, const OperatorSize& size, const DeviceMemoryLimits& limits)
        : bytes_(limits.other_bytes + 4 * layout.words.size() +
                 (sizeof(LocalTile) + sizeof(unsigned)) * layout.tiles.size()),
          shared_bytes_(local_bytes(layout, size)) {
        if (const auto why = why_not(layout, size, device_properties()))
            throw ScheduleError(*why, Failure::no_device);
        require_memory(bytes_, "use a smaller --rank, or --device cpu");
        tiles_ = Buffer<LocalTile>(layout.tiles), words_ = staged<std::uint32_t>(layout.words);
        done_ = Buffer<unsigned>(layout.tiles.size());
        done_.zero();
        view_ = {tiles_.data(),
                 words_.data(),
                 done_.data(),
                 checked_cast<unsigned>(layout.tiles.size(), "tiles"),
                 static_cast<unsigned>(layout.first_phase),
                 0,
                 static_cast<unsigned>(layout.max_vectors),
                 checked_cast<unsigned>(layout.max_words, "words of a tile"),
                 static_cast<unsigned>(size.vector_bytes),
                 counters_.data()};
        row_order_ = std::move(layout.row_order), col_order_ = std::move(layout.col_order);
    }

    EdgeId bytes_, shared_bytes_;
    Buffer<LocalTile> tiles_;
    Buffer<std::uint32_t> words_;
    Buffer<unsigned> done_;
    std::vector<VertexId> row_order_, col_order_;
    LocalView view_{};
};

}  // namespace lockstep::gpu
