// SGD on CUDA: the operator with one lane a thread. Each lane count and storage is instantiated in a file of
// its own (cuda_lanes_*.cu), so that they compile in parallel.
#pragma once

#include <cmath>
#include <optional>

#include "apps/device.hpp"
#include "apps/sgd/backend.hpp"
#include "apps/sgd/error_edges.cuh"
#include "apps/sgd/operator.hpp"
#include "apps/sgd/vertex_order.hpp"
#include "lockstep/executor/cuda/execute.cuh"
#include "lockstep/executor/cuda/local.cuh"
#include "lockstep/executor/cuda/tiled_devices.cuh"

namespace lockstep::sgd {

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

template <class Element, int Lanes, int Chunks>
class CudaBackend final : public Backend {
    using Operator = SgdOperator<DeviceLanes<Lanes>, Chunks, true, false, Element>;

public:
    CudaBackend(const Problem& problem, const Factors& initial)
        : rank_(problem.rank), floor_(problem.floor), edges_(problem.plan.edges()) {
        const Plan& plan = problem.plan;
        const EdgeId chunks = error_chunks(std::max<EdgeId>(edges_, problem.test.size()));
        const EdgeId vectors = (initial.row.size() + initial.col.size()) / stride_of(rank_);
        const EdgeId own = 2 * vectors * vector_bytes() + 12 * problem.test.size() + 8 * chunks;
        const bool tiled = plan.traversal == Traversal::tiled && edges_ > 0;
        if (tiled) {
            make_tiled(problem, own);
        } else if (plan.traversal == Traversal::local && edges_ > 0) {
            make_local(plan, own);
        } else {
            plan_.emplace(plan, own);
            const gpu::PlanView& view = plan_->view();
            train_ = ErrorEdges(EdgeArrays{view.row, view.col, view.value, view.edges});
            bytes_ = own + gpu::DevicePlan::bytes(plan);
        }
        row_ =
            gpu::Buffer<Element>(stored<Element>(row_order_.to_device(initial.row, stride_of(rank_)), rank_));
        col_ =
            gpu::Buffer<Element>(stored<Element>(col_order_.to_device(initial.col, stride_of(rank_)), rank_));
        saved_row_ = gpu::Buffer<Element>(row_.size()), saved_col_ = gpu::Buffer<Element>(col_.size());
        partial_ = gpu::Buffer<double>(chunks);
        std::vector<VertexId> rows, cols;
        std::vector<float> values;
        for (const Triple& t : problem.test) {
            rows.push_back(row_order_.place_of(t.row)), cols.push_back(col_order_.place_of(t.col));
            values.push_back(t.value);
        }
        test_ = ErrorEdges(rows, cols, values, true);
        LOCKSTEP_CUDA(cudaDeviceSynchronize());
        transfer_seconds_ = transfer_.seconds();
    }

    SweepCounts sweep(const Step& step, double* seconds) override {
        if (plan_) return gpu::execute(*plan_, make_operator(step), seconds);
        with_warp_operator(
            step, [&](const auto& op) { *seconds = tiled_ ? tiled_->sweep(op) : local_->sweep(op); });
        return {edges_, 1};
    }
    double train_squared_error() override { return squared_error(train_); }
    double test_squared_error() override { return squared_error(test_); }
    Factors factors() override {
        gather();
        return {row_order_.to_host(widened(row_.download(), rank_), stride_of(rank_)),
                col_order_.to_host(widened(col_.download(), rank_), stride_of(rank_))};
    }
    void save() override {
        gather();
        saved_row_.copy_from(row_), saved_col_.copy_from(col_);
    }
    void restore() override {
        row_.copy_from(saved_row_), col_.copy_from(saved_col_);
        if (tiled_) tiled_->changed();
    }
    double transfer_seconds() const override { return transfer_seconds_; }
    EdgeId device_bytes() const override { return bytes_; }
    DeviceInfo device() const override { return cuda_device(gpus_); }
    Streaming streaming() const override {
        if (!tiled_) return {};
        return {tiled_->streamed_bytes(), tiled_->copy_rate()};
    }

private:
    EdgeId vector_bytes() const { return sizeof(Element) * stride_of<Element>(rank_); }
    static EdgeId error_chunks(EdgeId edges) { return (edges + error_chunk - 1) / error_chunk; }
    /// The streams stay on the device if they fit beside `own` bytes, then the edges for the errors too.
    void make_tiled(const Problem& problem, EdgeId own) {
        const Plan& plan = problem.plan;
        gpus_ = problem.gpus;
        TiledLayout layout = tiled_layout(plan, vector_bytes());
        own +=
            gpu::TiledPlan::bytes(plan, layout, vector_bytes(), gpus_ > 1) + ErrorEdges::bytes(edges_, false);
        gpu::require_memory(own, "a smaller rank needs less, --device cpu none");
        const EdgeId limit =
            std::min(gpu::free_memory(), problem.device_memory ? problem.device_memory : ~EdgeId{0});
        if (own > limit) {
            throw Error(Failure::no_device, "factors and offsets alone take " +
                                                std::to_string(own / 1000000 + 1) +
                                                " MB of GPU memory, more than --device-memory allows");
        }
        tiled_.emplace(plan, std::move(layout), vector_bytes(), gpus_, limit - own, limit);
        const EdgeId taken = own + tiled_->resident_bytes(0) - ErrorEdges::bytes(edges_, false);
        const bool resident = taken + ErrorEdges::bytes(edges_, true) <= limit;
        train_ = ErrorEdges(plan.row, plan.col, plan.value, resident);
        bytes_ = taken + ErrorEdges::bytes(edges_, resident);
        for (int device = 1; device < gpus_; ++device) bytes_ += tiled_->bytes(device);
    }
    /// On the device vertices have the numbers of the places where their vectors lie.
    void make_local(const Plan& plan, EdgeId own) {
        LocalLayout layout = local_layout(plan);
        bytes_ = own + gpu::LocalPlan::bytes(layout) + ErrorEdges::bytes(edges_, true);
        gpu::require_memory(bytes_, "a smaller rank needs less, --device cpu none");
        local_.emplace(layout, vector_bytes());
        row_order_ = VertexOrder(std::move(layout.row_order)),
        col_order_ = VertexOrder(std::move(layout.col_order));
        train_ = ErrorEdges(row_order_.places_of(plan.row), col_order_.places_of(plan.col), plan.value, true);
    }
    Operator make_operator(const Step& step) const {
        return {row_.data(), col_.data(), static_cast<int>(chunks_of(rank_)), step.rate, step.keep,
                floor_,      step.relaxed};
    }
    bool clips() const { return !std::isinf(floor_); }
    /// run(op) with the operator for the lanes of a warp, without the tests that this run does not need.
    template <class Run>
    void with_warp_operator(const Step& step, Run run) {
        const Operator op = make_operator(step);
        const bool full = chunks_of(rank_) == Lanes * Chunks;
        if (clips()) {
            run(op.template on<WarpLanes<Lanes>, true, false>());
        } else if (full) {
            run(op.template on<WarpLanes<Lanes>, false, true>());
        } else {
            run(op.template on<WarpLanes<Lanes>, false, false>());
        }
    }
    /// All factors to this device, where several share them.
    void gather() {
        if (gpus_ > 1) with_warp_operator({}, [&](const auto& op) { tiled_->gather(op); });
    }
    double squared_error(ErrorEdges& edges) {
        if (edges.size() == 0) return 0;
        gather();
        edges.for_each_piece([&](const EdgeArrays& piece, EdgeId first) {
            const EdgeId chunks = error_chunks(piece.edges);
            constexpr EdgeId threads = 256;
            const EdgeId blocks = std::min<EdgeId>((chunks * Lanes + threads - 1) / threads, 1U << 16);
            squared_error_kernel<<<static_cast<unsigned>(blocks), threads>>>(
                piece, make_operator({}), partial_.data() + first / error_chunk, chunks);
            LOCKSTEP_CUDA(cudaGetLastError());
        });
        std::vector<double> partial(error_chunks(edges.size()));
        LOCKSTEP_CUDA(cudaMemcpy(partial.data(), partial_.data(), partial.size() * sizeof(double),
                                 cudaMemcpyDeviceToHost));
        double sum = 0;
        for (const double p : partial) sum += p;
        return sum;
    }

    std::uint32_t rank_;
    float floor_;
    EdgeId edges_, bytes_ = 0;
    int gpus_ = 1;
    gpu::Timer transfer_;  // before the buffers: it spans their uploads
    std::optional<gpu::DevicePlan> plan_;
    std::optional<gpu::TiledDevices> tiled_;
    std::optional<gpu::LocalPlan> local_;
    VertexOrder row_order_, col_order_;  // on the device, local
    gpu::Buffer<Element> row_, col_, saved_row_, saved_col_;
    ErrorEdges train_, test_;
    gpu::Buffer<double> partial_;
    double transfer_seconds_ = 0;
};

/// One factory a lane count and storage, each defined in its own file.
template <class Element, int Lanes, int Chunks>
std::unique_ptr<Backend> make_cuda_backend_of(const Problem& problem, const Factors& initial);

#define LOCKSTEP_SGD_CUDA_LANES(Element, Lanes, Chunks)                                             \
    template <>                                                                                     \
    std::unique_ptr<Backend> make_cuda_backend_of<Element, Lanes, Chunks>(const Problem& problem,   \
                                                                          const Factors& initial) { \
        return std::make_unique<CudaBackend<Element, Lanes, Chunks>>(problem, initial);             \
    }

}  // namespace lockstep::sgd
