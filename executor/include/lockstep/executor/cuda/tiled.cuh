// The tiled traversal on the GPU: one persistent thread block an item block, no device-wide barrier.
//
// A block's items stay in shared memory through the sweep. One more warp than those that compute moves the
// user blocks: it stores the one just finished, says so by the block's flag, waits for the flag of the block
// that had the next one before (tiled.cpp: p + 1, two phases ago), and loads it while the others compute.
#pragma once

#include <algorithm>

#include "lockstep/executor/cuda/bulk.cuh"
#include "lockstep/executor/cuda/runtime.cuh"
#include "lockstep/executor/star.hpp"
#include "lockstep/executor/tiled_layout.hpp"

namespace lockstep::gpu {

struct TiledView {
    int item_blocks, user_blocks;
    int most_items, most_users, most_words;  ///< of a block, of a tile's stream
    int batches;                             ///< systems of long stars on chip at a time
    int stride;                              ///< floats from vector to vector
    const std::uint32_t* words;
    const EdgeId *tile_words, *row_parts, *col_parts;
    const VertexId *row_order, *col_order;
    float* users;    ///< the rows' vectors, in row_order
    unsigned* done;  ///< item block -> phases it has finished
};

namespace tiled {

inline constexpr int compute_warps = 16;
inline constexpr int compute_threads = 32 * compute_warps;
inline constexpr int threads = compute_threads + 32;
inline constexpr int buffers = 2;

/// What lies in shared memory, in this order; each part a multiple of 16 bytes.
template <int B>
struct Memory {
    float* items;
    float* users[buffers];
    std::uint32_t* words[buffers];
    StarSystem<B>* systems;
    float* centres;  ///< of each batch, before it
    BulkBarrier *full, *empty;

    __host__ __device__ static std::size_t bytes(const TiledView& v) {
        return (static_cast<std::size_t>(v.most_items) + buffers * v.most_users + v.batches) * v.stride * 4 +
               static_cast<std::size_t>(buffers) * v.most_words * 4 + v.batches * sizeof(StarSystem<B>) +
               2 * buffers * sizeof(BulkBarrier);
    }
    __device__ Memory(unsigned char* at, const TiledView& v) {
        const auto take = [&](std::size_t bytes) { return (at += bytes) - bytes; };
        items = reinterpret_cast<float*>(take(std::size_t(v.most_items) * v.stride * 4));
        for (auto& u : users) u = reinterpret_cast<float*>(take(std::size_t(v.most_users) * v.stride * 4));
        for (auto& w : words) w = reinterpret_cast<std::uint32_t*>(take(std::size_t(v.most_words) * 4));
        systems = reinterpret_cast<StarSystem<B>*>(take(v.batches * sizeof(StarSystem<B>)));
        centres = reinterpret_cast<float*>(take(std::size_t(v.batches) * v.stride * 4));
        full = reinterpret_cast<BulkBarrier*>(take(buffers * sizeof(BulkBarrier)));
        empty = reinterpret_cast<BulkBarrier*>(take(buffers * sizeof(BulkBarrier)));
    }
};

/// The moving warp's one thread: user blocks and streams in and out.
template <int B>
__device__ void move_users(const TiledView& v, const Memory<B>& memory) {
    const int p = static_cast<int>(blockIdx.x), last = v.item_blocks - 1;
    const int before = p == last ? 0 : p + 1;                                  // who has our users before us,
    const int lead = p == last ? v.user_blocks - 2 * last : 2;                 // and how many phases before
    const auto block = [&](int t) { return (2 * p + t) % v.user_blocks; };
    const auto user_bytes = [&](int u) {
        return static_cast<unsigned>((v.row_parts[u + 1] - v.row_parts[u]) * v.stride * 4);
    };
    const auto load = [&](int t) {
        const int u = block(t), b = t % buffers;
        const EdgeId tile = EdgeId(p) * v.user_blocks + t;
        const auto word_bytes = static_cast<unsigned>((v.tile_words[tile + 1] - v.tile_words[tile]) * 4);
        memory.full[b].arrive_expecting(word_bytes + user_bytes(u));
        bulk_load(memory.words[b], v.words + v.tile_words[tile], word_bytes, memory.full[b]);
        if (t >= lead) {
            while (acquire_flag(v.done + before) < static_cast<unsigned>(t - lead + 1)) {
            }
            bulk_fence();
        }
        if (user_bytes(u))
            bulk_load(memory.users[b], v.users + v.row_parts[u] * v.stride, user_bytes(u), memory.full[b]);
    };
    for (int t = 0; t < min(buffers, v.user_blocks); ++t) load(t);
    for (int t = 0; t < v.user_blocks; ++t) {
        const int u = block(t), b = t % buffers;
        memory.empty[b].wait(t / buffers % 2);
        bulk_fence();
        if (user_bytes(u)) bulk_store(v.users + v.row_parts[u] * v.stride, memory.users[b], user_bytes(u));
        bulk_fence();
        release_flag(v.done + p, static_cast<unsigned>(t + 1));
        if (t + buffers < v.user_blocks) load(t + buffers);
    }
}

/// A tile on chip and the warps that compute it.
template <class Op>
struct Tile {
    using Team = WarpTeam<Op::Lanes::lanes>;
    using Vector = typename Op::Row;
    static constexpr int B = star_batch<Op>;
    static constexpr int groups = Team::groups;
    using Batch = StarBatch<Op, Team, std::uint16_t>;

    const Op& op;
    const Powers<B>& powers;
    const Memory<B>& memory;
    float* users;
    const std::uint32_t *steps, *tasks;
    const float* ratings;
    const std::uint16_t* leaves;
    int step_count, batches;  ///< of the tile; systems that fit on chip

    __device__ Tile(const TiledView& v, const Op& o, const Powers<B>& p, const Memory<B>& m, int b)
        : op(o),
          powers(p),
          memory(m),
          users(m.users[b]),
          steps(m.words[b] + 2),
          step_count(static_cast<int>(m.words[b][0])),
          batches(v.batches) {
        tasks = steps + step_count + 1;
        ratings = reinterpret_cast<const float*>(tasks + 2 * steps[step_count]);
        leaves = reinterpret_cast<const std::uint16_t*>(ratings + m.words[b][1]);
    }

    struct Star {
        int first, size, centre;
        bool of_user;
    };
    __device__ __forceinline__ Star star(int task) const {
        const uint2 word = make_uint2(tasks[2 * task], tasks[2 * task + 1]);
        return {static_cast<int>(word.x), static_cast<int>(word.y >> 16), static_cast<int>(word.y & 0x7fff),
                (word.y >> 15 & 1) != 0};
    }
    __device__ __forceinline__ float* centres_of(const Star& s) const { return s.of_user ? users : memory.items; }
    __device__ __forceinline__ float* leaves_of(const Star& s) const { return s.of_user ? memory.items : users; }
    __device__ static int warp() { return static_cast<int>(threadIdx.x) / 32; }

    __device__ __forceinline__ void run() const {
        for (int s = 0; s < step_count; ++s) {
            const int first = static_cast<int>(steps[s] & 0xffff), last = static_cast<int>(steps[s + 1] & 0xffff);
            const int long_stars = static_cast<int>(steps[s] >> 16);
            if (long_stars) {
                run_with_long_stars(first, first + long_stars, last);
            } else {
                run_short_stars(first, last, warp(), compute_warps);
            }
            partial_barrier(compute_threads);
        }
    }

    /// Each lane group takes a star; the groups of a warp go on together, those with shorter stars idly.
    __device__ __forceinline__ void run_short_stars(int first, int last, int rank, int warps) const {
        for (int base = first + rank * groups; base < last; base += warps * groups) {
            const int task = base + Team::group(0);
            const Star s = task < last ? star(task) : Star{0, 0, 0, false};
            float *const centres = centres_of(s), *const table = leaves_of(s);
            const int longest = __reduce_max_sync(~0U, s.size);
            Vector centre = op.take(centres, s.centre);
            int place = leaves[s.first];
            float rating = ratings[s.first];
            Vector leaf = op.take(table, place);
            for (int i = 0; i < longest; ++i) {
                Vector now = leaf;
                const int here = place;
                const float r = rating;
                const int ahead = s.first + min(i + 1, max(s.size - 1, 0));
                place = leaves[ahead];
                rating = ratings[ahead];
                leaf = op.take(table, place);
                op.apply(now, centre, r, Place{});
                if (i < s.size) op.put(table, here, now);
                if (i == s.size - 1) op.put(centres, s.centre, centre);
            }
        }
    }

    struct BatchPlace {
        int star, edge, size;
    };
    /// Batches of the step's long stars are numbered star after star.
    __device__ __forceinline__ BatchPlace locate(int first, int index) const {
        int task = first;
        for (;; ++task) {
            const int size = star(task).size, count = (size + B - 1) / B;
            if (index < count) return {task, index * B, min(B, size - index * B)};
            index -= count;
        }
    }
    __device__ __forceinline__ Batch batch(const Star& s, int edge, int size) const {
        return {op, powers, leaves_of(s), leaves + s.first + edge, ratings + s.first + edge, size};
    }

    __device__ __forceinline__ void run_with_long_stars(int first, int first_short, int last) const {
        const int chains = min(first_short - first, compute_warps / 2);
        int total = 0;
        for (int task = first; task < first_short; ++task) total += (star(task).size + B - 1) / B;
        for (int wave = 0; wave < total; wave += batches) {
            const int end = min(total, wave + batches);
            for (int i = wave + warp(); i < end; i += compute_warps) {
                const BatchPlace at = locate(first, i);
                batch(star(at.star), at.edge, at.size).solve(memory.systems[i - wave]);
            }
            partial_barrier(compute_threads);
            if (warp() < chains) {
                advance(first, first_short, chains, wave, end);
            } else if (wave == 0) {
                run_short_stars(first_short, last, warp() - chains, compute_warps - chains);
            }
            partial_barrier(compute_threads);
            replay(first, wave, end);
            if (end < total) partial_barrier(compute_threads);
        }
    }

    /// The chains of the step: a warp takes every `chains`-th long star and its batches in [wave, end).
    __device__ __forceinline__ void advance(int first, int first_short, int chains, int wave, int end) const {
        int begin = 0;
        for (int task = first; task < first_short; ++task) {
            const Star s = star(task);
            const int count = (s.size + B - 1) / B, from = max(begin, wave), to = min(begin + count, end);
            if ((task - first) % chains == warp() && from < to) {
                Vector centre[1] = {op.take(centres_of(s), s.centre)};
                for (int i = from; i < to; ++i) {
                    if (Team::group(0) == 0) op.put(memory.centres, i - wave, centre[0]);
                    const int edge = (i - begin) * B;
                    batch(s, edge, min(B, s.size - edge)).advance(memory.systems[i - wave], centre);
                }
                if (Team::group(0) == 0) op.put(centres_of(s), s.centre, centre[0]);
            }
            begin += count;
        }
    }

    /// A lane group a batch.
    __device__ __forceinline__ void replay(int first, int wave, int end) const {
        for (int base = wave; base < end; base += compute_warps * groups) {
            const int i = base + warp() + compute_warps * Team::group(0);
            const BatchPlace at = i < end ? locate(first, i) : BatchPlace{first, 0, 0};
            const Star s = star(at.star);
            float* const table = leaves_of(s);
            const int slot = min(i, end - 1) - wave;
            Vector centre = op.take(memory.centres, slot);
            for (int j = 0; j < at.size; ++j) {
                const int place = leaves[s.first + at.edge + j];
                Vector leaf = op.take(table, place);
                op.update(leaf, centre, memory.systems[slot].step[j]);
                op.put(table, place, leaf);
            }
        }
    }
};

template <class Op>
__global__ void __launch_bounds__(threads, 1) sweep_kernel(const TiledView v, const Op op) {
    constexpr int B = star_batch<Op>;
    extern __shared__ __align__(128) unsigned char shared[];
    __shared__ Powers<B> powers;
    const Memory<B> memory(shared, v);
    const int p = static_cast<int>(blockIdx.x);
    const EdgeId first_item = v.col_parts[p];
    const int items = static_cast<int>(v.col_parts[p + 1] - first_item);
    const int worker = static_cast<int>(threadIdx.x) / Op::Lanes::lanes, workers = threads / Op::Lanes::lanes;
    for (int i = worker; i < items; i += workers) op.put(memory.items, i, op.load_col(v.col_order[first_item + i]));
    if (threadIdx.x == 0) {
        powers.set(op.keep);
        for (int b = 0; b < buffers; ++b) memory.full[b].initialise(1), memory.empty[b].initialise(compute_warps);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        bulk_fence();
    }
    __syncthreads();
    if (threadIdx.x >= compute_threads) {
        if (threadIdx.x == compute_threads) move_users(v, memory);
    } else {
        for (int t = 0; t < v.user_blocks; ++t) {
            const int b = t % buffers;
            memory.full[b].wait(t / buffers % 2);
            Tile<Op>(v, op, powers, memory, b).run();
            bulk_fence();
            __syncwarp();
            if (threadIdx.x % 32 == 0) memory.empty[b].arrive();
        }
    }
    __syncthreads();
    for (int i = worker; i < items; i += workers) op.store_col(v.col_order[first_item + i], op.take(memory.items, i));
}

/// The rows' vectors into the order of the user blocks, and back.
template <class Op>
__global__ void reorder_users(const TiledView v, const Op op, EdgeId rows, bool back) {
    const EdgeId workers = EdgeId{gridDim.x} * blockDim.x / Op::Lanes::lanes;
    for (EdgeId i = (EdgeId{blockIdx.x} * blockDim.x + threadIdx.x) / Op::Lanes::lanes; i < rows; i += workers) {
        float* const there = v.users + i * v.stride;
        if (back) {
            op.store_row(v.row_order[i], op.take(there, 0));
        } else {
            op.put(there, 0, op.load_row(v.row_order[i]));
        }
    }
}

}  // namespace tiled

/// A tiled plan in device memory.
class TiledPlan {
public:
    TiledPlan(const Plan& plan, const TiledLayout& layout, int stride)
        : rows_(plan.rows),
          words_(layout.words),
          tile_words_(layout.tile_words),
          row_parts_(plan.row_parts),
          col_parts_(plan.col_parts),
          row_order_(plan.row_order),
          col_order_(plan.col_order),
          users_(EdgeId{plan.rows} * stride),
          done_(layout.item_blocks),
          most_batches_(layout.most_batches) {
        view_ = {static_cast<int>(layout.item_blocks),
                 static_cast<int>(layout.user_blocks),
                 static_cast<int>(layout.most_items),
                 static_cast<int>(layout.most_users),
                 static_cast<int>(layout.most_words),
                 0,
                 stride,
                 words_.data(),
                 tile_words_.data(),
                 row_parts_.data(),
                 col_parts_.data(),
                 row_order_.data(),
                 col_order_.data(),
                 users_.data(),
                 done_.data()};
    }

    /// One sweep. Op's lanes are those of a warp (star.hpp).
    template <class Op>
    void sweep(const Op& op) {
        constexpr int B = star_batch<Op>;
        int device = 0, sms = 0, limit = 0, resident = 0;
        LOCKSTEP_CUDA(cudaGetDevice(&device));
        LOCKSTEP_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
        LOCKSTEP_CUDA(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
        cudaFuncAttributes attributes{};
        LOCKSTEP_CUDA(cudaFuncGetAttributes(&attributes, tiled::sweep_kernel<Op>));
        limit -= static_cast<int>(attributes.sharedSizeBytes);
        TiledView view = view_;
        const auto bytes = [&] { return tiled::Memory<B>::bytes(view); };
        const EdgeId fixed = bytes();
        view.batches = 1;
        const EdgeId batch_bytes = bytes() - fixed;
        if (fixed + 8 * batch_bytes > static_cast<EdgeId>(limit)) {
            throw ScheduleError("a tile of the schedule does not fit on chip at this rank; preprocess with a larger "
                                "--rank, or more --user-blocks",
                                Failure::no_device);
        }
        view.batches = static_cast<int>(std::min((static_cast<EdgeId>(limit) - fixed) / batch_bytes,
                                                 std::max<EdgeId>(most_batches_, 1)));
        const auto kernel = tiled::sweep_kernel<Op>;
        LOCKSTEP_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           static_cast<int>(bytes())));
        LOCKSTEP_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, tiled::threads, bytes()));
        if (resident * sms < view.item_blocks) {
            throw ScheduleError("the schedule has " + std::to_string(view.item_blocks) +
                                    " item blocks, but this device runs " + std::to_string(resident * sms) +
                                    " at once; preprocess with --item-blocks",
                                Failure::no_device);
        }
        const unsigned grid = static_cast<unsigned>(4 * sms);
        done_.zero();
        tiled::reorder_users<<<grid, 512>>>(view, op, rows_, false);
        void* arguments[] = {&view, const_cast<Op*>(&op)};
        LOCKSTEP_CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel),
                                                  dim3(static_cast<unsigned>(view.item_blocks)), dim3(tiled::threads),
                                                  arguments, bytes(), nullptr));
        tiled::reorder_users<<<grid, 512>>>(view, op, rows_, true);
        LOCKSTEP_CUDA(cudaGetLastError());
    }

private:
    EdgeId rows_;
    Buffer<std::uint32_t> words_;
    Buffer<EdgeId> tile_words_, row_parts_, col_parts_;
    Buffer<VertexId> row_order_, col_order_;
    Buffer<float> users_;
    Buffer<unsigned> done_;
    EdgeId most_batches_;
    TiledView view_{};
};

}  // namespace lockstep::gpu
