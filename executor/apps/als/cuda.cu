// Implicit ALS on a GPU: a thread block a vector at a time, its system on chip where that has room for it.
#include <algorithm>

#include "apps/als/engine.hpp"
#include "apps/als/normal_equations.hpp"
#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/device/memory.cuh"
#include "lockstep/executor/device/streams.cuh"

namespace lockstep::als {

namespace {

constexpr int most_threads = 256;

/// The threads of a block.
struct Block {
    using Number = float;
    static constexpr int width = 1, across = tile;

    __device__ static float all(float x) { return x; }
    __device__ static float load(const float* from) { return *from; }
    __device__ static void store(float* to, float x) { *to = x; }
    __device__ static int thread() { return static_cast<int>(threadIdx.x); }
    __device__ static int threads() { return static_cast<int>(blockDim.x); }
    __device__ void sync() const { __syncthreads(); }
    template <class F>
    __device__ void once(F f) const {
        if (thread() == 0) f();
    }
    template <class F>
    __device__ void each(int from, int to, F f) const {
        for (int j = from + thread(); j < to; j += threads()) f(j);
    }
    template <class F>
    __device__ void after(int p, int size, F f) const {
        each(p + 1, size, f);
    }
    template <class F>
    __device__ void before(int p, F f) const {
        each(0, p, f);
    }
    /// A warp a row.
    template <class F>
    __device__ void rows(int from, int to, int size, F f) const {
        for (int i = from + thread() / 32; i < to; i += threads() / 32) {
            for (int j = i + thread() % 32; j < size; j += 32) f(i, j);
        }
    }
    /// A thread a tile: rows r and n - 1 - r of the triangle together are one of n + 1, or of n for an odd n one more than they have.
    template <class F>
    __device__ void tiles(int size, int from, F f) const {
        const int n = (size - from) / tile, pairs = (n + 1) / 2, across_pair = n + 1;
        for (int t = thread(); t < pairs * across_pair; t += threads()) {
            const int r = t / across_pair, c = t % across_pair;
            const bool upper = c < n - r;
            if (!upper && n - 1 - r == r) continue;
            const int i = upper ? r : n - 1 - r, j = upper ? r + c : c - 1;
            f(from + i * tile, from + j * tile);
        }
    }
    /// A warp a vector.
    __device__ void gather(const System& s, const Vectors& vectors, const Edges& edges, EdgeId first,
                           int count) const {
        for (int e = thread() / 32; e < count; e += threads() / 32) {
            const float* const from = vectors.at + edges.end(first + static_cast<EdgeId>(e)) * vectors.stride;
            const float w = edges.weights ? edges.weights[first + static_cast<EdgeId>(e)] : 1.0F;
            for (int j = thread() % 32; j < s.size; j += 32) {
                const float x = j < vectors.rank ? from[j] : 0.0F;
                s.near[e * s.size + j] = x;
                if (edges.weights) s.weighted[e * s.size + j] = multiply(w, x);
            }
        }
    }
};

/// A side in device memory.
struct SideView {
    const EdgeId* first;
    const VertexId *ends, *order;
    const float *weights, *regularisation;
    VertexId count;  ///< of `order`
};

/// Where a block has its system: on chip, or, where that is too small, in `memory`.
template <bool on_chip>
__device__ System system_of(int size, bool weighted, float* memory) {
    extern __shared__ float chip[];
    const auto stride = static_cast<std::size_t>(size) + 1;
    return {size, stride, weighted,
            on_chip ? chip : memory + blockIdx.x * System::floats(size, stride, weighted)};
}

template <bool on_chip>
__global__ void __launch_bounds__(most_threads)
    add_up_gram(Vectors vectors, VertexId count, VertexId block, int size, bool weighted, float* memory,
                float* partial) {
    System s = system_of<on_chip>(size, weighted, memory);
    s.weighted = s.near;
    const Block team;
    begin(team, s, nullptr, 0, 0);
    const VertexId first = blockIdx.x * block;
    add_edges<false>(team, s, vectors,
                     Edges{nullptr, nullptr, first, block < count - first ? block : count - first});
    float* const to = partial + static_cast<std::size_t>(blockIdx.x) * static_cast<std::size_t>(size * size);
    team.rows(0, size, size,
              [&](int i, int j) { to[i * size + j] = s.matrix[static_cast<std::size_t>(i) * s.stride + j]; });
}

__global__ void combine(const float* partial, unsigned blocks, int size, float* gram) {
    const int entry = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (entry >= size * size || entry % size < entry / size) return;
    float sum = partial[entry];
    for (unsigned b = 1; b < blocks; ++b)
        sum = add(sum, partial[static_cast<std::size_t>(b) * static_cast<std::size_t>(size * size) + entry]);
    gram[entry] = sum;
}

template <bool on_chip>
__global__ void __launch_bounds__(most_threads)
    solve_side(SideView side, Vectors vectors, int size, const float* gram, float share, float* memory,
               float* to) {
    const System s = system_of<on_chip>(size, side.weights != nullptr, memory);
    const Block team;
    for (VertexId i = blockIdx.x; i < side.count; i += gridDim.x) {
        const VertexId v = side.order[i];
        const EdgeId first = side.first[v];
        const Edges edges{side.ends + first, side.weights ? side.weights + first : nullptr, 0,
                          side.first[v + std::size_t{1}] - first};
        solve(team, s, vectors, edges, gram, share, side.regularisation[v]);
        team.each(0, vectors.rank, [&](int j) { to[v * vectors.stride + j] = s.x[j]; });
        team.sync();
    }
}

class DeviceSide {
public:
    explicit DeviceSide(const Side& side)
        : first_(side.first),
          ends_(std::span<const VertexId>(side.ends)),
          order_(side.order),
          weights_(std::span<const float>(side.weights)),
          regularisation_(side.regularisation) {}
    SideView view() const {
        return {first_.data(),   ends_.data(),           order_.data(),
                weights_.data(), regularisation_.data(), static_cast<VertexId>(order_.size())};
    }
    EdgeId bytes() const {
        return 8 * first_.size() +
               4 * (ends_.size() + order_.size() + weights_.size() + regularisation_.size());
    }

private:
    gpu::Buffer<EdgeId> first_;
    gpu::Buffer<VertexId> ends_, order_;
    gpu::Buffer<float> weights_, regularisation_;
};

class Cuda final : public Engine {
public:
    Cuda(const Problem& problem, const Factors& initial)
        : rank_(static_cast<int>(problem.settings.rank)),
          size_((rank_ + tile - 1) / tile * tile),
          stride_(sgd::stride_of(problem.settings.rank)),
          share_(problem.pair_weight),
          weighted_(!problem.rows.weights.empty()),
          bytes_of_system_(sizeof(float) *
                           System::floats(size_, static_cast<std::size_t>(size_) + 1, weighted_)),
          on_chip_(bytes_of_system_ <= gpu::device_properties().shared_bytes),
          rows_(problem.rows),
          cols_(problem.cols),
          row_factors_(std::span<const float>(initial.row)),
          col_factors_(std::span<const float>(initial.col)),
          gram_(entries()),
          partial_(entries() * gram_blocks) {
        const int tiles = size_ / tile * (size_ / tile + 1) / 2;
        threads_ = std::min(most_threads, (tiles + 31) / 32 * 32);
        if (!on_chip_) {
            blocks_ = static_cast<unsigned>(2 * gpu::device_properties().multiprocessors);
            memory_ = gpu::Buffer<float>(std::max(blocks_, unsigned{gram_blocks}) *
                                         (bytes_of_system_ / sizeof(float)));
            return;
        }
        for (const void* kernel : {reinterpret_cast<const void*>(&add_up_gram<true>),
                                   reinterpret_cast<const void*>(&solve_side<true>)})
            LOCKSTEP_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                               static_cast<int>(bytes_of_system_)));
    }

    double sweep() override {
        gpu::Timer timer;
        solve(rows_, col_factors_, row_factors_);
        solve(cols_, row_factors_, col_factors_);
        return timer.seconds();
    }
    Factors factors() override { return {row_factors_.download_array(), col_factors_.download_array()}; }
    EdgeId bytes() const override {
        return rows_.bytes() + cols_.bytes() +
               sizeof(float) * (row_factors_.size() + col_factors_.size() + gram_.size() + partial_.size() +
                                memory_.size());
    }

private:
    EdgeId entries() const { return static_cast<EdgeId>(size_) * static_cast<EdgeId>(size_); }

    void solve(const DeviceSide& side, const gpu::Buffer<float>& from, const gpu::Buffer<float>& to) const {
        const Vectors vectors{from.data(), stride_, rank_};
        const auto count = static_cast<VertexId>(from.size() / stride_);
        const VertexId block = gram_block(count), blocks = (count + block - 1) / block;
        const EdgeId shared = on_chip_ ? bytes_of_system_ : 0;
        const auto gram_kernel = on_chip_ ? add_up_gram<true> : add_up_gram<false>;
        gram_kernel<<<blocks, static_cast<unsigned>(threads_), shared>>>(
            vectors, count, block, size_, weighted_, memory_.data(), partial_.data());
        LOCKSTEP_CUDA(cudaGetLastError());
        combine<<<static_cast<unsigned>((entries() + most_threads - 1) / most_threads), most_threads>>>(
            partial_.data(), blocks, size_, gram_.data());
        LOCKSTEP_CUDA(cudaGetLastError());
        const SideView view = side.view();
        if (view.count == 0) return;
        const auto kernel = on_chip_ ? solve_side<true> : solve_side<false>;
        const unsigned grid = on_chip_ ? view.count : std::min<unsigned>(view.count, blocks_);
        kernel<<<grid, static_cast<unsigned>(threads_), shared>>>(view, vectors, size_, gram_.data(), share_,
                                                                  memory_.data(), to.data());
        LOCKSTEP_CUDA(cudaGetLastError());
    }

    int rank_, size_, threads_ = 0;
    std::size_t stride_;
    float share_;
    bool weighted_;
    EdgeId bytes_of_system_;
    bool on_chip_;
    unsigned blocks_ = 0;  ///< that run at once, where systems are not on chip
    DeviceSide rows_, cols_;
    gpu::Buffer<float> row_factors_, col_factors_, gram_, partial_, memory_;
};

}  // namespace

std::unique_ptr<Engine> on_cuda(const Problem& problem, const Factors& initial) {
    return std::make_unique<Cuda>(problem, initial);
}

}  // namespace lockstep::als
