// The CUDA backend of SGD. Each thread has one lane of the operator, so a group of threads processes one
// edge. Each number of lanes is instantiated in its own file (cuda_lanes.cu.in), so that the files compile in
// parallel.
#pragma once

#include <cmath>
#include <optional>

#include "apps/device.hpp"
#include "apps/sgd/backend.hpp"
#include "apps/sgd/error_edges.cuh"
#include "apps/sgd/error_share.hpp"
#include "apps/sgd/operator.hpp"
#include "lockstep/executor/edge/execute.cuh"
#include "lockstep/executor/edge/vertex_order.hpp"

namespace lockstep::sgd {

/// Computes partial sums of squared errors, each over `error_chunk` edges. A worker adds the errors of a
/// chunk in edge order, and the host adds the partial sums in order, exactly as the CPU backend does. If
/// `begins` is not null, partial sum c is over the edges [begins[c], begins[c + 1]) of the whole list, whose
/// edge `first` is edge 0 of `edges`.
template <class Op>
__global__ void squared_error_kernel(gpu::EdgesView edges, Op op, double* partial, EdgeId chunks,
                                     const EdgeId* begins, EdgeId first) {
    for (EdgeId c = gpu::worker_index<Op>(); c < chunks; c += gpu::worker_count<Op>()) {
        const EdgeId begin = begins ? begins[c] - first : c * error_chunk,
                     end = begins ? begins[c + 1] - first : min(edges.edges, (c + 1) * error_chunk);
        double sum = 0;
        for (EdgeId e = begin; e < end; ++e) {
            const float predicted = Op::dot(op.load_row(edges.row[e]), op.load_col(edges.col[e]));
            const double error =
                __dsub_rn(static_cast<double>(edges.value[e]), static_cast<double>(predicted));
            sum = __dadd_rn(sum, __dmul_rn(error, error));
        }
        if (Op::Lanes::leads()) partial[c] = sum;
    }
}

template <class Element, int Lanes, int Chunks>
using CudaOperator = SgdOperator<DeviceLanes<Lanes>, Chunks, true, false, Element>;

template <class Element, int Lanes, int Chunks>
class CudaBackend final : public Backend {
    using Operator = CudaOperator<Element, Lanes, Chunks>;
    static_assert(HasSharedMemoryOperator<Operator>);

public:
    CudaBackend(const Problem& problem, const Factors& initial)
        : problem_(problem),
          rank_(problem.rank),
          floor_(problem.floor),
          edges_(problem.plan.edges()),
          gpus_(problem.gpus) {
        const EdgePlan& plan = problem.plan;
        EdgeId chunks = error_chunks(std::max<EdgeId>(edges_, problem.test.size()));
        if (problem.shared) {
            if (ranks().most(edges_ == 0) != 0)
                throw Error(Failure::usage, "some processes would have no edges; start fewer processes");
            train_share_ = DeviceShare(plan_share(std::get<TiledPlan>(plan.walk), ErrorEdges::piece));
            test_share_ = DeviceShare(slice_share(problem.test.size()));
            chunks = std::max(train_share_.share.sums(), test_share_.share.sums());
        }
        const EdgeId vectors = (initial.row.size() + initial.col.size()) / stride_of(rank_);
        const EdgeId own =
            2 * vectors * stride_of<Element>(rank_) * sizeof(Element) + 12 * problem.test.size() + 8 * chunks;
        load(own);
        row_ = gpu::Buffer<Element>(initial.row.size() / stride_of(rank_) * stride());
        col_ = gpu::Buffer<Element>(initial.col.size() / stride_of(rank_) * stride());
        upload(initial);
        saved_row_ = gpu::Buffer<Element>(row_.size()), saved_col_ = gpu::Buffer<Element>(col_.size());
        partial_ = gpu::Buffer<double>(chunks);
        LOCKSTEP_CUDA(cudaDeviceSynchronize());
    }

    SweepCounts sweep(const Step& step, double* seconds) override {
        SweepCounts counts = plan_->sweep(make_operator(step), seconds);
        *seconds = ranks().most(*seconds);
        counts.updates = ranks().sum(counts.updates);
        return counts;
    }
    double train_squared_error() override { return squared_error(train_, train_share_); }
    double test_squared_error() override { return squared_error(test_, test_share_); }
    void factors(Factors& to) override {
        gather();
        download(row_, row_order_, to.row), download(col_, col_order_, to.col);
    }
    void save() override {
        gather();
        saved_row_.copy_from(row_), saved_col_.copy_from(col_);
    }
    void restore() override {
        row_.copy_from(saved_row_), col_.copy_from(saved_col_);
        if (tiled_) tiled_->changed();
    }
    Factors copy_saved_factors() override {
        Factors copy;
        download(saved_row_, row_order_, copy.row), download(saved_col_, col_order_, copy.col);
        return copy;
    }
    void set(const Factors& factors) override {
        upload(factors);
        if (tiled_) tiled_->changed();
    }
    void reload() override {
        plan_->set_values(problem_.plan);
        if (!plan_->edges()) train_.set_values(problem_.plan.value);
        Array<float> tested(problem_.test.size());
        std::ranges::transform(problem_.test, tested.begin(), &Triple::value);
        test_.set_values(tested);
    }
    EdgeId device_bytes() const override { return bytes_; }
    DeviceInfo device() const override { return cuda_device(gpus_ * ranks().count()); }
    Streaming streaming() const override {
        if (!tiled_) return {};
        return {tiled_->streamed_bytes(), tiled_->copy_rate()};
    }

private:
    /// Copies the plan and the test edges in their current state to the device. `own` is the number of bytes
    /// that are allocated on the device later.
    void load(EdgeId own) {
        const EdgePlan& plan = problem_.plan;
        // The training error is computed from the edges of the plan on the device. Some plans have their
        // edges only as tiles there, so they need a copy of the edges.
        EdgeId errors = 0;
        if (std::holds_alternative<TiledPlan>(plan.walk)) errors = ErrorEdges::bytes(edges_, false);
        if (std::holds_alternative<LocalPlan>(plan.walk)) errors = ErrorEdges::bytes(edges_, true);
        plan_.emplace(plan, make_operator({}),
                      gpu::DeviceMemoryLimits{own + errors, gpus_, problem_.device_memory});
        bytes_ = plan_->bytes();
        if (const gpu::EdgesView* there = plan_->edges()) {
            train_ = ErrorEdges(*there);
        } else if ((tiled_ = plan_->get_if<TiledPlan>())) {
            const bool resident = errors + tiled_->room_left() >= ErrorEdges::bytes(edges_, true);
            train_ = ErrorEdges(plan.row, plan.col, plan.value, resident);
            bytes_ += ErrorEdges::bytes(edges_, resident) - errors;
        } else if (const auto* local = plan_->get_if<LocalPlan>()) {
            // The local plan reorders the vertices, and their vectors on the device have the new order.
            row_order_ = VertexOrder(local->row_order()), col_order_ = VertexOrder(local->col_order());
            train_ =
                ErrorEdges(row_order_.places_of(plan.row), col_order_.places_of(plan.col), plan.value, true);
        }
        const std::size_t tested = problem_.test.size();
        Array<VertexId> rows(tested), cols(tested);
        Array<float> values(tested);
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < tested; ++i) {
            const Triple& t = problem_.test[i];
            rows[i] = row_order_.place_of(t.row), cols[i] = col_order_.place_of(t.col), values[i] = t.value;
        }
        test_ = ErrorEdges(rows, cols, values, true);
    }
    static EdgeId error_chunks(EdgeId edges) { return (edges + error_chunk - 1) / error_chunk; }
    /// Returns the distance between consecutive vectors on the device, in elements. In Factors, it is
    /// stride_of(rank).
    EdgeId stride() const { return stride_of<Element>(rank_); }
    void upload(const Factors& factors) {
        upload(row_, row_order_, factors.row), upload(col_, col_order_, factors.col);
    }
    void upload(gpu::Buffer<Element>& to, const VertexOrder& order, const Array<float>& side) const {
        const std::size_t size = stride_of(rank_);
        Array<float> ordered;
        gpu::stage_records(to, stride(), [&](EdgeId first, EdgeId last, Element* place) {
            const float* from = side.data() + first * size;
            if (!order.is_given()) {
                ordered.resize((last - first) * size);
#pragma omp parallel for schedule(static)
                for (EdgeId i = first; i < last; ++i)
                    std::copy_n(side.data() + order.vertex_at(i) * size, size,
                                ordered.data() + (i - first) * size);
                from = ordered.data();
            }
            convert<Element, float>({from, (last - first) * size}, rank_, place);
        });
    }
    void download(const gpu::Buffer<Element>& from, const VertexOrder& order, Array<float>& side) const {
        const std::size_t size = stride_of(rank_);
        side.resize(from.size() / stride() * size);
        Array<float> ordered;
        gpu::fetch_records(from, stride(), [&](EdgeId first, EdgeId last, const Element* place) {
            float* to = side.data() + first * size;
            if (!order.is_given()) ordered.resize((last - first) * size), to = ordered.data();
            convert<float, Element>({place, (last - first) * stride()}, rank_, to);
            if (order.is_given()) return;
#pragma omp parallel for schedule(static)
            for (EdgeId i = first; i < last; ++i)
                std::copy_n(ordered.data() + (i - first) * size, size,
                            side.data() + order.vertex_at(i) * size);
        });
    }
    Operator make_operator(const Step& step) const {
        return {{},        row_.data(), col_.data(), static_cast<int>(chunks_of(rank_)),
                step.rate, step.keep,   floor_};
    }
    /// Copies the factors of all vertices to the arrays of the operator, if the plan distributes them over
    /// several GPUs.
    void gather() { plan_->gather(make_operator({})); }
    /// Partial sums that this process computes in a run of several processes, and their edge ranges on the
    /// device.
    struct DeviceShare {
        DeviceShare() = default;
        explicit DeviceShare(ErrorShare of)
            : share(std::move(of)), begins(std::span<const EdgeId>(share.begins())) {}
        ErrorShare share;
        gpu::Buffer<EdgeId> begins;
    };
    double squared_error(ErrorEdges& edges, const DeviceShare& of) {
        gather();
        if (of.begins.size()) return shared_squared_error(edges, of);
        if (edges.size() == 0) return 0;
        edges.for_each_piece([&](const gpu::EdgesView& piece, EdgeId first) {
            const EdgeId chunks = error_chunks(piece.edges);
            add_errors(piece, partial_.data() + first / error_chunk, chunks, nullptr, 0);
        });
        double sum = 0;
        for (const double p : partial_sums(error_chunks(edges.size()))) sum += p;
        return sum;
    }
    double shared_squared_error(ErrorEdges& edges, const DeviceShare& of) {
        const std::vector<EdgeId>& begins = of.share.begins();
        edges.for_each_piece([&](const gpu::EdgesView& piece, EdgeId first) {
            const auto sum_at = [&](EdgeId edge) {
                return static_cast<EdgeId>(std::ranges::lower_bound(begins, edge) - begins.begin());
            };
            const EdgeId begin = sum_at(first), end = sum_at(first + piece.edges);
            add_errors(piece, partial_.data() + begin, end - begin, of.begins.data() + begin, first);
        });
        return of.share.total(partial_sums(of.share.sums()));
    }
    void add_errors(const gpu::EdgesView& piece, double* partial, EdgeId chunks, const EdgeId* begins,
                    EdgeId first) {
        constexpr EdgeId threads = 256;
        const EdgeId blocks = std::min<EdgeId>((chunks * Lanes + threads - 1) / threads, 1U << 16);
        squared_error_kernel<<<static_cast<unsigned>(blocks), threads>>>(piece, make_operator({}), partial,
                                                                         chunks, begins, first);
        LOCKSTEP_CUDA(cudaGetLastError());
    }
    std::vector<double> partial_sums(EdgeId count) const {
        std::vector<double> partial(count);
        LOCKSTEP_CUDA(
            cudaMemcpy(partial.data(), partial_.data(), count * sizeof(double), cudaMemcpyDeviceToHost));
        return partial;
    }

    const Problem problem_;
    std::uint32_t rank_;
    float floor_;
    EdgeId edges_, bytes_ = 0;
    int gpus_;
    std::optional<gpu::DevicePlan> plan_;
    // the tiled plan on the device; null if the plan is of another type
    gpu::DeviceWalk<TiledPlan>* tiled_ = nullptr;
    VertexOrder row_order_, col_order_;  // order of the vertices on the device, if the plan is local
    gpu::Buffer<Element> row_, col_, saved_row_, saved_col_;
    ErrorEdges train_, test_;
    DeviceShare train_share_, test_share_;
    gpu::Buffer<double> partial_;
};

template <class Element, int Lanes, int Chunks>
std::unique_ptr<Backend> make_cuda_backend_of(const Problem& problem, const Factors& initial) {
    return std::make_unique<CudaBackend<Element, Lanes, Chunks>>(problem, initial);
}

/// Implements find_cuda_misfit() of start.hpp for this number of lanes.
template <class Element, int Lanes, int Chunks>
std::optional<std::string> cuda_misfit_of(const EdgePlan& plan, std::uint32_t rank) {
    const CudaOperator<Element, Lanes, Chunks> op{{}, nullptr, nullptr, static_cast<int>(chunks_of(rank))};
    return why_not(plan, gpu::size_of(op), gpu::device_properties());
}

}  // namespace lockstep::sgd
