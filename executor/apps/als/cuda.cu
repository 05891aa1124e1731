// Implicit ALS on a GPU. Each thread block solves for one vector at a time. The system of linear equations is
// in shared memory if it fits there, otherwise in device memory.
#include <algorithm>

#include "apps/als/normal_equations.hpp"
#include "apps/als/solver.hpp"
#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/device/memory.cuh"
#include "lockstep/executor/device/streams.cuh"

namespace lockstep::als {

namespace {

constexpr int max_threads = 256;

/// The Team (see normal_equations.hpp) that solves one system on a GPU: one thread block.
struct Block {
    using Number = float;
    static constexpr int width = 1, across = tile, unknowns = tile;

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
    /// Calls f(i, j) for the entries of the upper triangle in the rows from `from` to `to`. Each warp
    /// processes one row at a time.
    template <class F>
    __device__ void rows(int from, int to, int size, F f) const {
        for (int i = from + thread() / 32; i < to; i += threads() / 32) {
            for (int j = i + thread() % 32; j < size; j += 32) f(i, j);
        }
    }
    /// Calls f for each tile of the upper triangle; each thread processes one tile at a time. With n rows of
    /// tiles, the rows r and n - 1 - r together have n + 1 tiles, so pairs of rows distribute the tiles
    /// evenly. If n is odd, the middle row is paired with itself, and half of this pair is skipped.
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
    /// Copies the vectors at the edges of a chunk to s.near, and their products with the weights to
    /// s.weighted. Each warp copies one vector at a time.
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
    /// Calls f(e, product) for each vector e of a chunk, where product is the dot product of e and s.x. Eight
    /// threads compute each product.
    template <class F>
    __device__ void products(const System& s, int count, F f) const {
        constexpr int lanes = 8;
        for (int t = thread(); t < (count * lanes + 31) / 32 * 32; t += threads()) {
            const int e = t / lanes;
            float sum = 0;
            for (int j = t % lanes; e < count && j < s.size; j += lanes)
                sum = fused_multiply_add(s.near[e * s.size + j], s.x[j], sum);
            for (int half = lanes / 2; half > 0; half /= 2) sum = add(sum, __shfl_xor_sync(~0U, sum, half));
            if (e < count && t % lanes == 0) f(e, sum);
        }
    }
};

/// Pointers to one side of the problem (rows or columns) in device memory.
struct SideView {
    const EdgeId* first;
    const VertexId *ends, *order;
    const float *weights, *regularisation;
    VertexId count;  ///< number of vertices with edges, which are in `order`
};

/// Returns the memory of a block's system of equations: shared memory if `in_shared_memory`, otherwise a part
/// of `memory`.
template <bool in_shared_memory>
__device__ System system_of(int size, bool weighted, float* memory) {
    extern __shared__ float chip[];
    const auto stride = static_cast<std::size_t>(size) + 1;
    return {size, stride, weighted,
            in_shared_memory ? chip : memory + blockIdx.x * System::floats(size, stride, weighted)};
}

template <bool in_shared_memory>
__global__ void __launch_bounds__(max_threads)
    add_up_gram(Vectors vectors, VertexId count, VertexId block, int size, bool weighted, float* memory,
                float* partial) {
    System s = system_of<in_shared_memory>(size, weighted, memory);
    s.weighted = s.near;
    const Block team;
    begin(team, s, {nullptr, 0}, 0, 0, 0);
    const VertexId first = blockIdx.x * block;
    add_edges<Right::none>(team, s, vectors,
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
    gram[entry] = gram[entry % size * size + entry / size] = sum;
}

template <bool in_shared_memory>
__global__ void __launch_bounds__(max_threads)
    solve_side(SideView side, Vectors vectors, int size, int block, Gram gram, float share, float* memory,
               float* predicted, float* to) {
    const System s = system_of<in_shared_memory>(size, side.weights != nullptr, memory);
    const Block team;
    for (VertexId i = blockIdx.x; i < side.count; i += gridDim.x) {
        const VertexId v = side.order[i];
        const EdgeId first = side.first[v];
        const Edges edges{side.ends + first, side.weights ? side.weights + first : nullptr, 0,
                          side.first[v + std::size_t{1}] - first, block ? predicted + first : nullptr};
        float* const x = to + v * vectors.stride;
        if (block) {
            solve_in_blocks(team, s, vectors, edges, gram, share, side.regularisation[v], block, x);
        } else {
            solve(team, s, vectors, edges, gram, share, side.regularisation[v]);
            team.each(0, vectors.rank, [&](int j) { x[j] = s.x[j]; });
            team.sync();
        }
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

class Cuda {
public:
    Cuda(const Problem& problem, const Factors& initial)
        : rank_(static_cast<int>(problem.settings.rank)),
          size_((rank_ + tile - 1) / tile * tile),
          block_(problem.settings.block()),
          stride_(sgd::stride_of(problem.settings.rank)),
          share_(problem.pair_weight),
          weighted_(!problem.rows.weights.empty()),
          gram_system_(system_of_size(size_)),
          solved_(system_of_size(block_ ? block_ : size_)),
          rows_(problem.rows),
          cols_(problem.cols),
          row_factors_(std::span<const float>(initial.row)),
          col_factors_(std::span<const float>(initial.col)),
          gram_(entries()),
          partial_(entries() * gram_blocks),
          predicted_(block_ ? problem.edges() : 0) {
        blocks_ = static_cast<unsigned>(2 * gpu::device_properties().multiprocessors);
        memory_ = gpu::Buffer<float>(
            std::max(gram_system_.in_shared_memory ? 0 : gram_blocks * gram_system_.bytes / sizeof(float),
                     solved_.in_shared_memory ? 0 : blocks_ * solved_.bytes / sizeof(float)));
        const auto ask_for = [](const void* kernel, const LaunchParameters& system) {
            if (system.in_shared_memory)
                LOCKSTEP_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                   static_cast<int>(system.bytes)));
        };
        ask_for(reinterpret_cast<const void*>(&add_up_gram<true>), gram_system_);
        ask_for(reinterpret_cast<const void*>(&solve_side<true>), solved_);
    }

    double run() {
        gpu::Timer timer;
        solve(rows_, col_factors_, row_factors_);
        solve(cols_, row_factors_, col_factors_);
        return timer.seconds();
    }
    Factors result() const { return {row_factors_.download_array(), col_factors_.download_array()}; }
    EdgeId bytes() const {
        return rows_.bytes() + cols_.bytes() +
               sizeof(float) * (row_factors_.size() + col_factors_.size() + gram_.size() + partial_.size() +
                                predicted_.size() + memory_.size());
    }

private:
    /// The launch parameters for systems of one size: threads per block, and memory.
    struct LaunchParameters {
        int size, threads;
        EdgeId bytes;
        bool in_shared_memory;
        EdgeId shared() const { return in_shared_memory ? bytes : 0; }
    };
    LaunchParameters system_of_size(int size) const {
        const int tiles = size / tile * (size / tile + 1) / 2;
        const EdgeId bytes =
            sizeof(float) * System::floats(size, static_cast<std::size_t>(size) + 1, weighted_);
        return {size, std::min(max_threads, (tiles + 31) / 32 * 32), bytes,
                bytes <= gpu::device_properties().shared_bytes};
    }
    EdgeId entries() const { return static_cast<EdgeId>(size_) * static_cast<EdgeId>(size_); }

    void solve(const DeviceSide& side, const gpu::Buffer<float>& from, const gpu::Buffer<float>& to) const {
        const Vectors vectors{from.data(), stride_, rank_};
        const auto count = static_cast<VertexId>(from.size() / stride_);
        const VertexId block = gram_block(count), blocks = (count + block - 1) / block;
        const auto gram_kernel = gram_system_.in_shared_memory ? add_up_gram<true> : add_up_gram<false>;
        gram_kernel<<<blocks, static_cast<unsigned>(gram_system_.threads), gram_system_.shared()>>>(
            vectors, count, block, size_, weighted_, memory_.data(), partial_.data());
        LOCKSTEP_CUDA(cudaGetLastError());
        combine<<<static_cast<unsigned>((entries() + max_threads - 1) / max_threads), max_threads>>>(
            partial_.data(), blocks, size_, gram_.data());
        LOCKSTEP_CUDA(cudaGetLastError());
        const SideView view = side.view();
        if (view.count == 0) return;
        const auto kernel = solved_.in_shared_memory ? solve_side<true> : solve_side<false>;
        const unsigned grid = solved_.in_shared_memory ? view.count : std::min<unsigned>(view.count, blocks_);
        kernel<<<grid, static_cast<unsigned>(solved_.threads), solved_.shared()>>>(
            view, vectors, solved_.size, block_, Gram{gram_.data(), static_cast<std::size_t>(size_)}, share_,
            memory_.data(), predicted_.data(), to.data());
        LOCKSTEP_CUDA(cudaGetLastError());
    }

    int rank_, size_, block_;
    std::size_t stride_;
    float share_;
    bool weighted_;
    LaunchParameters gram_system_, solved_;
    /// Number of concurrent blocks, each of which has its system in `memory_`; used if systems do not fit in
    /// shared memory.
    unsigned blocks_ = 0;
    DeviceSide rows_, cols_;
    gpu::Buffer<float> row_factors_, col_factors_, gram_, partial_, predicted_, memory_;
};

}  // namespace

Solver on_cuda(const Problem& problem, const Factors& initial) {
    return run_of<Solver>(std::make_shared<Cuda>(problem, initial));
}

}  // namespace lockstep::als
