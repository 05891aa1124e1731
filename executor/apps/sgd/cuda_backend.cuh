// SGD on CUDA: the operator with one lane a thread. Each lane count is instantiated in a file of its
// own (cuda_lanes_*.cu), so that they compile in parallel.
#pragma once

#include <cmath>
#include <optional>

#include "apps/device.hpp"
#include "apps/sgd/backend.hpp"
#include "apps/sgd/operator.hpp"
#include "lockstep/executor/cuda/execute.cuh"
#include "lockstep/executor/cuda/tiled.cuh"

namespace lockstep::sgd {

/// Test edges in device memory, struct of arrays.
struct EdgeArrays {
    const VertexId *row, *col;
    const float* value;
    EdgeId edges;
};

/// Partial sums of squared errors, `error_chunk` edges each: a worker sums a chunk in edge order, the
/// host adds the chunks in order, exactly as the CPU does.
template <class Op>
__global__ void squared_error_kernel(EdgeArrays edges, Op op, double* partial, EdgeId chunks) {
    for (EdgeId c = gpu::worker_index<Op>(); c < chunks; c += gpu::worker_count<Op>()) {
        const EdgeId end = min(edges.edges, (c + 1) * error_chunk);
        double sum = 0;
        for (EdgeId e = c * error_chunk; e < end; ++e) {
            const float predicted = Op::dot(op.load_row(edges.row[e]), op.load_col(edges.col[e]));
            const double error =
                __dsub_rn(static_cast<double>(edges.value[e]), static_cast<double>(predicted));
            sum = __dadd_rn(sum, __dmul_rn(error, error));
        }
        if (Op::Lanes::leads()) partial[c] = sum;
    }
}

template <int Lanes, int Chunks>
class CudaBackend final : public Backend {
    using Operator = SgdOperator<DeviceLanes<Lanes>, Chunks>;

public:
    CudaBackend(const Problem& problem, const Factors& initial)
        : CudaBackend(problem, initial, layout_of(problem)) {}

private:
    CudaBackend(const Problem& problem, const Factors& initial, const std::optional<TiledLayout>& layout)
        : rank_(problem.rank),
          floor_(problem.floor),
          bytes_(gpu::DevicePlan::bytes(problem.plan) + own_bytes(problem, initial, layout)),
          plan_(problem.plan, own_bytes(problem, initial, layout)),
          row_(initial.row),
          col_(initial.col),
          saved_row_(initial.row.size()),
          saved_col_(initial.col.size()),
          test_edges_(problem.test.size()),
          partial_(chunks_of(std::max<EdgeId>(problem.plan.edges(), problem.test.size()))) {
        std::vector<VertexId> row, col;
        std::vector<float> value;
        for (const Triple& t : problem.test)
            row.push_back(t.row), col.push_back(t.col), value.push_back(t.value);
        test_row_ = gpu::Buffer<VertexId>(row), test_col_ = gpu::Buffer<VertexId>(col),
        test_value_ = gpu::Buffer<float>(value);
        if (layout) tiled_.emplace(problem.plan, *layout, static_cast<int>(stride_of(rank_)));
        LOCKSTEP_CUDA(cudaDeviceSynchronize());
        transfer_seconds_ = transfer_.seconds();
    }

public:
    SweepCounts sweep(const Step& step, double* seconds) override {
        if (tiled_) return sweep_tiles(make_operator(step), seconds);
        return gpu::execute(plan_, make_operator(step), seconds);
    }
    double train_squared_error() override {
        const gpu::PlanView& plan = plan_.view();
        return squared_error({plan.row, plan.col, plan.value, plan.edges});
    }
    double test_squared_error() override {
        return squared_error({test_row_.data(), test_col_.data(), test_value_.data(), test_edges_});
    }
    Factors factors() override { return {row_.download(), col_.download()}; }
    void save() override { saved_row_.copy_from(row_), saved_col_.copy_from(col_); }
    void restore() override { row_.copy_from(saved_row_), col_.copy_from(saved_col_); }
    double transfer_seconds() const override { return transfer_seconds_; }
    EdgeId device_bytes() const override { return bytes_; }
    DeviceInfo device() const override { return cuda_device(); }

private:
    static EdgeId chunks_of(EdgeId edges) { return (edges + error_chunk - 1) / error_chunk; }
    static std::optional<TiledLayout> layout_of(const Problem& problem) {
        if (problem.plan.traversal != Traversal::tiled || problem.plan.edges() == 0) return std::nullopt;
        return tiled_layout(problem.plan, stride_of(problem.rank), gpu::tiled::chains);
    }
    static EdgeId own_bytes(const Problem& problem, const Factors& initial,
                            const std::optional<TiledLayout>& layout) {
        const EdgeId tiled =
            layout ? gpu::TiledPlan::bytes(problem.plan, *layout, stride_of(problem.rank)) : 0;
        return tiled + 8 * (initial.row.size() + initial.col.size()) + 12 * problem.test.size() +
               8 * chunks_of(std::max<EdgeId>(problem.plan.edges(), problem.test.size()));
    }
    Operator make_operator(const Step& step) const {
        return {row_.data(), col_.data(), static_cast<int>(stride_of(rank_) / 4),
                step.rate,   step.keep,   floor_};
    }
    bool clips() const { return !std::isinf(floor_); }
    /// The operator for the lanes of a warp, without the tests that this run does not need.
    SweepCounts sweep_tiles(const Operator& op, double* seconds) {
        const bool full = stride_of(rank_) == std::size_t{4} * Lanes * Chunks;
        gpu::Timer timer;
        if (clips()) {
            tiled_->sweep(op.template on<WarpLanes<Lanes>, true, false>());
        } else if (full) {
            tiled_->sweep(op.template on<WarpLanes<Lanes>, false, true>());
        } else {
            tiled_->sweep(op.template on<WarpLanes<Lanes>, false, false>());
        }
        *seconds = timer.seconds();
        return {plan_.view().edges, 1};
    }
    double squared_error(const EdgeArrays& edges) {
        if (edges.edges == 0) return 0;
        const EdgeId chunks = chunks_of(edges.edges);
        constexpr EdgeId threads = 256;
        const EdgeId blocks = std::min<EdgeId>((chunks * Lanes + threads - 1) / threads, 1U << 16);
        squared_error_kernel<<<static_cast<unsigned>(blocks), threads>>>(edges, make_operator({}),
                                                                         partial_.data(), chunks);
        LOCKSTEP_CUDA(cudaGetLastError());
        std::vector<double> partial(chunks);
        LOCKSTEP_CUDA(
            cudaMemcpy(partial.data(), partial_.data(), chunks * sizeof(double), cudaMemcpyDeviceToHost));
        double sum = 0;
        for (const double p : partial) sum += p;
        return sum;
    }

    std::uint32_t rank_;
    float floor_;
    EdgeId bytes_;
    gpu::Timer transfer_;  // before the buffers: it spans their uploads
    gpu::DevicePlan plan_;
    std::optional<gpu::TiledPlan> tiled_;
    gpu::Buffer<float> row_, col_, saved_row_, saved_col_;
    EdgeId test_edges_;
    gpu::Buffer<double> partial_;
    gpu::Buffer<VertexId> test_row_, test_col_;
    gpu::Buffer<float> test_value_;
    double transfer_seconds_ = 0;
};

/// One factory a lane count, each defined in its own file.
template <int Lanes, int Chunks>
std::unique_ptr<Backend> make_cuda_backend_of(const Problem& problem, const Factors& initial);

#define LOCKSTEP_SGD_CUDA_LANES(Lanes, Chunks)                                             \
    template <>                                                                            \
    std::unique_ptr<Backend> make_cuda_backend_of<Lanes, Chunks>(const Problem& problem,   \
                                                                 const Factors& initial) { \
        return std::make_unique<CudaBackend<Lanes, Chunks>>(problem, initial);             \
    }

}  // namespace lockstep::sgd
