// Sparse stress (pivots.hpp) on a GPU. In each sweep, one thread block first computes the position of every
// pivot at its turn. Then one thread per vertex applies the terms of its vertex with all pivots. The terms of
// neighbours are a user-defined update (update/update.hpp); all three kernels use its states as the positions
// of the vertices.
#pragma once

#include <chrono>
#include <memory>

#include "lockstep/executor/layout/pivots.hpp"
#include "lockstep/executor/update/run.cuh"

namespace lockstep::layout {

inline constexpr int pivot_threads = 256;

/// The arrays that the kernels access.
struct DevicePivots {
    const float* terms;  ///< terms with the pivots, in the layout of PivotStress::terms
    const VertexId* pivots;
    unsigned count;  ///< number of pivots
    VertexId vertices;
    update::Vector<EdgeTerm>* at;  ///< position of each vertex

    __device__ const float* term(VertexId v, VertexId pivot) const {
        return terms + (EdgeId{v / octet} * count + pivot) * 2 * octet + v % octet;
    }
    template <int D>
    __device__ Point<float, D> load(VertexId v) const {
        const auto state = at[v].template as<EdgeTerm::Vertex>();
        Point<float, D> p;
        for (int k = 0; k < D; ++k) p.x[k] = state.x[k];
        return p;
    }
    template <int D>
    __device__ void store(VertexId v, const Point<float, D>& p) const {
        EdgeTerm::Vertex state{};
        for (int k = 0; k < D; ++k) state.x[k] = p.x[k];
        at[v] = update::Vector<EdgeTerm>::of(state);
    }
};

/// Computes ways[i], the position of pivot order[i] when its turn comes. `now` is a buffer with one element
/// per pivot. Must be launched with one thread block.
template <int D>
__global__ void __launch_bounds__(1024) ways_kernel(DevicePivots t, const VertexId* order, float half_eta,
                                                    Point<float, D>* now, Point<float, D>* ways) {
    for (unsigned i = threadIdx.x; i < t.count; i += blockDim.x) now[i] = t.load<D>(t.pivots[i]);
    for (unsigned turn = 0; turn < t.count; ++turn) {
        const VertexId pivot = order[turn];
        __syncthreads();
        const Point<float, D> here = now[pivot];
        __syncthreads();  // waits until all have read `here`, because the pivot itself may move
        if (threadIdx.x == 0) ways[turn] = here;
        for (unsigned i = threadIdx.x; i < t.count; i += blockDim.x) {
            const float* const q = t.term(t.pivots[i], pivot);
            approach(now[i], here, q[0], q[octet], half_eta);
        }
    }
}

template <int D>
__global__ void __launch_bounds__(pivot_threads)
    approach_kernel(DevicePivots t, const VertexId* __restrict__ order, float half_eta,
                    const Point<float, D>* __restrict__ ways) {
    const VertexId v = blockIdx.x * pivot_threads + threadIdx.x;
    if (v >= t.vertices) return;
    Point<float, D> p = t.load<D>(v);
#pragma unroll 4
    for (unsigned turn = 0; turn < t.count; ++turn) {
        const float* const q = t.term(v, order[turn]);
        approach(p, ways[turn], __ldg(q), __ldg(q + octet), half_eta);
    }
    t.store(v, p);
}

/// The terms and the positions in the memory of a GPU.
template <int D>
class PivotsOnDevice {
public:
    explicit PivotsOnDevice(const PivotStress& stress)
        : run_(stress.edges, find_strategy("agm-e"), &stress.matchings),
          terms_(gpu::staged<float>(stress.terms)),
          pivots_(stress.pivots),
          order_(stress.pivots.size()),
          now_(stress.pivots.size()),
          ways_(stress.pivots.size()) {
        set_lengths(stress, run_);
        view_ = {terms_.data(), pivots_.data(), static_cast<unsigned>(stress.pivots.size()), stress.vertices,
                 nullptr};
    }

    EdgeId bytes() const {
        return 4 * terms_.size() + 8 * now_.size() * D + 8 * order_.size() + run_.bytes();
    }
    void result(Positions& positions) {
        run_.gather();
        get(run_, positions);
    }
    /// Runs the sweeps, as a Runner does. Returns the time from the first launch to the end, in seconds.
    double run(const Positions* first, const std::vector<SweepOrder>& orders,
               const std::vector<float>& half_etas) {
        if (first) {
            run_.gather();
            put(*first, run_);
        }
        view_.at = run_.states();
        LOCKSTEP_CUDA(cudaDeviceSynchronize());
        const auto start = std::chrono::steady_clock::now();
        for (std::size_t i = 0; i < orders.size(); ++i) {
            order_.upload(orders[i].phases);
            ways_kernel<D><<<1, 1024>>>(view_, order_.data(), half_etas[i], now_.data(), ways_.data());
            const unsigned blocks = (view_.vertices + pivot_threads - 1) / pivot_threads;
            approach_kernel<D><<<blocks, pivot_threads>>>(view_, order_.data(), half_etas[i], ways_.data());
            LOCKSTEP_CUDA(cudaGetLastError());
            run_.sweep({half_etas[i]});
        }
        LOCKSTEP_CUDA(cudaDeviceSynchronize());
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }

private:
    update::DeviceRun<EdgeTerm> run_;
    gpu::Buffer<float> terms_;
    gpu::Buffer<VertexId> pivots_, order_;
    gpu::Buffer<Point<float, D>> now_, ways_;
    DevicePivots view_{};
};

template <int D>
Runner pivots_on_device(const PivotStress& stress) {
    const auto start = std::chrono::steady_clock::now();
    gpu::require_memory(4 * stress.terms.size() + 64 * EdgeId{stress.vertices} + 32 * stress.edges.edges(),
                        "use fewer --pivots, or --device cpu");
    const auto device = std::make_shared<PivotsOnDevice<D>>(stress);
    return run_of<Runner>(device,
                          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

Runner pivots_on_cuda(const PivotStress& stress, int dimensions) {
    return dimensions == 3 ? pivots_on_device<3>(stress) : pivots_on_device<2>(stress);
}

}  // namespace lockstep::layout
