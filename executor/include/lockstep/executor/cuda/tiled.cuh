// The tiled traversal on the GPU: one persistent thread block an item block, no device-wide barrier.
//
// A block's items stay in shared memory through the sweep. One more warp than those that compute moves the
// user blocks: it stores the one just finished, says so by the block's flag, waits for the flag of the block
// that had the next one before (tiled.cpp: p + 1, two phases ago), and loads it while the others compute.
#pragma once

#include <algorithm>

#include "lockstep/executor/cuda/bulk.cuh"
#include "lockstep/executor/cuda/runtime.cuh"
#include "lockstep/executor/operator.hpp"
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

inline constexpr int compute_warps = 15;
inline constexpr int compute_threads = 32 * compute_warps;
inline constexpr int threads = compute_threads + 32;
inline constexpr int buffers = 2;

extern __shared__ __align__(128) unsigned char shared[];

/// What lies in shared memory, in this order; each part a multiple of 16 bytes. Offsets, not pointers: so
/// the compiler sees that everything lies in shared memory.
template <int B>
struct Memory {
    unsigned users_at, user_bytes, words_at, word_bytes, systems_at, directions_at, centres_at, barriers_at,
        end;

    __host__ __device__ explicit Memory(const TiledView& v) {
        const unsigned vector = static_cast<unsigned>(v.stride) * 4;
        user_bytes = static_cast<unsigned>(v.most_users) * vector;
        word_bytes = static_cast<unsigned>(v.most_words) * 4;
        users_at = static_cast<unsigned>(v.most_items) * vector;
        words_at = users_at + buffers * user_bytes;
        systems_at = words_at + buffers * word_bytes;
        directions_at = systems_at + static_cast<unsigned>(v.batches * sizeof(StarSystem<B>));
        centres_at = directions_at + static_cast<unsigned>(v.batches * B) * vector;
        barriers_at = centres_at + static_cast<unsigned>(v.batches) * vector;
        end = barriers_at + buffers * sizeof(BulkBarrier);
    }
    __device__ __forceinline__ float* items() const { return reinterpret_cast<float*>(shared); }
    __device__ __forceinline__ float* users(int buffer) const {
        return reinterpret_cast<float*>(shared + users_at + static_cast<unsigned>(buffer) * user_bytes);
    }
    __device__ __forceinline__ std::uint32_t* words(int buffer) const {
        return reinterpret_cast<std::uint32_t*>(shared + words_at +
                                                static_cast<unsigned>(buffer) * word_bytes);
    }
    __device__ __forceinline__ StarSystem<B>& system(int i) const {
        return reinterpret_cast<StarSystem<B>*>(shared + systems_at)[i];
    }
    __device__ __forceinline__ float* directions() const {
        return reinterpret_cast<float*>(shared + directions_at);
    }
    /// The centre of each batch, before it.
    __device__ __forceinline__ float* centres() const {
        return reinterpret_cast<float*>(shared + centres_at);
    }
    __device__ __forceinline__ BulkBarrier& full(int buffer) const {
        return reinterpret_cast<BulkBarrier*>(shared + barriers_at)[buffer];
    }
};

/// The moving warp: its first thread takes user blocks and streams in and out.
template <int B>
__device__ void move_users(const TiledView& v, const Memory<B>& memory) {
    const int p = static_cast<int>(blockIdx.x), last = v.item_blocks - 1;
    const int before = p == last ? 0 : p + 1;                   // who has our users before us,
    const int lead = p == last ? v.user_blocks - 2 * last : 2;  // and how many phases before
    const auto block = [&](int t) { return (2 * p + t) % v.user_blocks; };
    const auto user_bytes = [&](int u) {
        return static_cast<unsigned>((v.row_parts[u + 1] - v.row_parts[u]) * v.stride * 4);
    };
    const auto load = [&](int t) {
        const int u = block(t), b = t % buffers;
        const EdgeId tile = EdgeId(p) * v.user_blocks + t;
        const auto word_bytes = static_cast<unsigned>((v.tile_words[tile + 1] - v.tile_words[tile]) * 4);
        memory.full(b).arrive_expecting(word_bytes + user_bytes(u));
        bulk_load(memory.words(b), v.words + v.tile_words[tile], word_bytes, memory.full(b));
        if (t >= lead) {
#pragma unroll 1
            while (acquire_flag(v.done + before) < static_cast<unsigned>(t - lead + 1)) {
            }
            bulk_fence();
        }
        if (user_bytes(u))
            bulk_load(memory.users(b), v.users + v.row_parts[u] * v.stride, user_bytes(u), memory.full(b));
    };
#pragma unroll 1
    for (int t = 0; t < min(buffers, v.user_blocks) && threadIdx.x % 32 == 0; ++t) load(t);
#pragma unroll 1
    for (int t = 0; t < v.user_blocks; ++t) {
        const int u = block(t), b = t % buffers;
        barrier_wait(2 + b, threads);
        if (threadIdx.x % 32 == 0) {
            bulk_fence();
            if (user_bytes(u))
                bulk_store(v.users + v.row_parts[u] * v.stride, memory.users(b), user_bytes(u));
            bulk_fence();
            release_flag(v.done + p, static_cast<unsigned>(t + 1));
            if (t + buffers < v.user_blocks) load(t + buffers);
        }
        __syncwarp();  // the barrier counts warps: it must be met by all of this one
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
          users(m.users(b)),
          steps(m.words(b) + 2),
          step_count(static_cast<int>(m.words(b)[0])),
          batches(v.batches) {
        tasks = steps + step_count + 1;
        ratings = reinterpret_cast<const float*>(tasks + 2 * steps[step_count]);
        leaves = reinterpret_cast<const std::uint16_t*>(ratings + m.words(b)[1]);
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
    /// The tile's stream, 16-byte aligned.
    __device__ __forceinline__ const std::uint32_t* stream() const { return steps - 2; }
    __device__ __forceinline__ static int batches_of(const Star& s) { return (s.size + B - 1) / B; }
    __device__ __forceinline__ float* centres_of(const Star& s) const {
        return s.of_user ? users : memory.items();
    }
    __device__ __forceinline__ float* leaves_of(const Star& s) const {
        return s.of_user ? memory.items() : users;
    }
    __device__ static int warp() { return static_cast<int>(threadIdx.x) / 32; }

    /// A step: the short stars, and beside them the chains of the long ones, whose batches are solved before
    /// and replayed after; as many batches at a time as fit on chip.
    __device__ __forceinline__ void run() const {
#pragma unroll 1
        for (int s = 0; s < step_count; ++s) {
            const int first = static_cast<int>(steps[s] & 0xffff),
                      last = static_cast<int>(steps[s + 1] & 0xffff);
            const int first_short = first + static_cast<int>(steps[s] >> 16);
            const int chains = min(first_short - first, compute_warps / 2);
            int total = 0;  // batches of the step's long stars
#pragma unroll 1
            for (int task = first; task < first_short; ++task) total += batches_of(star(task));
            int begin = 0;
#pragma unroll 1
            do {
                const int end = min(total, begin + batches);
                if (total) {
                    if (begin) barrier_wait(1, compute_threads);
#pragma unroll 1
                    for (int i = begin + warp(); i < end; i += compute_warps) {
                        const BatchPlace at = locate(first, i);
                        batch(star(at.star), at.edge, at.size)
                            .solve(memory.system(i - begin), directions(i - begin));
                    }
                    barrier_wait(1, compute_threads);
                }
                if (warp() < chains) {
                    advance(first, first_short, chains, begin, end);
                } else if (begin == 0) {
                    run_short_stars(first_short, last, warp() - chains, compute_warps - chains);
                }
                if (total) {
                    barrier_wait(1, compute_threads);
                    replay(first, begin, end);
                }
                begin = end;
            } while (begin < total);
            barrier_wait(1, compute_threads);
        }
    }

    /// Each lane group takes a star; the groups of a warp go on together, those with shorter stars idly.
    __device__ __forceinline__ void run_short_stars(int first, int last, int rank, int warps) const {
#pragma unroll 1
        for (int base = first + rank * groups; base < last; base += warps * groups) {
            const int task = base + Team::group(0);
            const Star s = task < last ? star(task) : Star{0, 0, 0, false};
            const bool busy = s.size > 0;
            // An idle group goes along on data that no one writes.
            float* const idle = reinterpret_cast<float*>(const_cast<std::uint32_t*>(stream()));
            float *const centres = busy ? centres_of(s) : idle, *const table = busy ? leaves_of(s) : idle;
            const int longest = __reduce_max_sync(~0U, s.size);
            // Two edges are on their way while one is worked on: the vector of the next, the id of the one
            // after.
            const int end = s.first + max(s.size - 1, 0);
            Vector centre = op.take(centres, s.centre);
            const int mask = busy ? 0xffff : 0;
            int place = leaves[s.first] & mask, next_place = leaves[min(s.first + 1, end)] & mask;
            float next_rating = ratings[s.first];
            Vector leaf = op.take(table, place);
#pragma unroll 1
            for (int i = 0; i < longest; ++i) {
                Vector now = leaf;
                const int here = place;
                const float r = next_rating;
                place = next_place;
                leaf = op.take(table, place);
                next_rating = ratings[min(s.first + i + 1, end)];
                next_place = leaves[min(s.first + i + 2, end)] & mask;
                op.apply(now, centre, r, Place{});
                op.put(table, here, now, i < s.size);
                op.put(centres, s.centre, centre, i == s.size - 1);
            }
        }
    }

    struct BatchPlace {
        int star, edge, size;
    };
    /// Batches of the step's long stars are numbered star after star.
    __device__ __forceinline__ BatchPlace locate(int first, int index) const {
        int task = first;
#pragma unroll 1
        for (;; ++task) {
            const int size = star(task).size, count = batches_of(star(task));
            if (index < count) return {task, index * B, min(B, size - index * B)};
            index -= count;
        }
    }
    __device__ __forceinline__ Batch batch(const Star& s, int edge, int size) const {
        return {op, powers, leaves_of(s), leaves + s.first + edge, ratings + s.first + edge, size};
    }

    __device__ __forceinline__ float* directions(int slot) const {
        return memory.directions() + slot * B * op.on_chip_offset(1);
    }
    /// The chains: a warp takes every `chains`-th long star and its batches in [begin, end).
    __device__ __forceinline__ void advance(int first, int first_short, int chains, int begin,
                                            int end) const {
        int before = 0;  // batches of the stars before
#pragma unroll 1
        for (int task = first; task < first_short && before < end; ++task) {
            const Star s = star(task);
            const int count = batches_of(s), from = max(before, begin), to = min(before + count, end);
            if ((task - first) % chains == warp() && from < to) {
                Vector centre[1] = {op.take(centres_of(s), s.centre)};
                const auto link = [&](int i) {
                    const int edge = (i - before) * B;
                    return batch(s, edge, min(B, s.size - edge)).link(directions(i - begin));
                };
                typename Batch::Link next = link(from);
#pragma unroll 1
                for (int i = from; i < to; ++i) {
                    const typename Batch::Link now = next;
                    next = link(min(i + 1, to - 1));
                    op.put(memory.centres(), i - begin, centre[0], Team::group(0) == 0);
                    Batch::advance(now, memory.system(i - begin), centre);
                }
                Team::sync();
                op.put(centres_of(s), s.centre, centre[0], Team::group(0) == 0);
                Team::sync();
            }
            before += count;
        }
    }

    /// The batches [begin, end), a lane group each.
    __device__ __forceinline__ void replay(int first, int begin, int end) const {
#pragma unroll 1
        for (int base = begin; base < end; base += compute_warps * groups) {
            const int i = base + warp() + compute_warps * Team::group(0);
            const BatchPlace at = i < end ? locate(first, i) : BatchPlace{first, 0, 0};
            const Star s = star(at.star);
            float* const table = leaves_of(s);
            StarSystem<B>& system = memory.system(min(i, end - 1) - begin);
            Vector centre = op.take(memory.centres(), min(i, end - 1) - begin);
            const std::uint16_t* const places = leaves + s.first + at.edge;
            if (at.size) Batch::find_steps(system);
            Team::sync();
            if (at.size == 0) continue;
            const int last = at.size - 1;
            int place = places[0], next_place = places[min(1, last)];
            Vector leaf = op.take(table, place);
            float next_step = system.step[0];
#pragma unroll 1
            for (int j = 0; j < at.size; ++j) {
                const int here = place;
                const float step = next_step;
                Vector now = leaf;
                next_step = system.step[min(j + 1, last)];
                place = next_place;
                leaf = op.take(table, place);
                next_place = places[min(j + 2, last)];
                op.update(now, centre, step);
                op.put(table, here, now);
            }
        }
    }
};

template <class Op>
__global__ void __launch_bounds__(threads, 512 / threads) sweep_kernel(const TiledView v, const Op op) {
    constexpr int B = star_batch<Op>;
    __shared__ Powers<B> powers;
    const Memory<B> memory(v);
    const int p = static_cast<int>(blockIdx.x);
    const EdgeId first_item = v.col_parts[p];
    const int items = static_cast<int>(v.col_parts[p + 1] - first_item);
    const int worker = static_cast<int>(threadIdx.x) / Op::Lanes::lanes, workers = threads / Op::Lanes::lanes;
#pragma unroll 1
    for (int i = worker; i < items; i += workers)
        op.put(memory.items(), i, op.load_col(v.col_order[first_item + i]));
    if (threadIdx.x == 0) {
        powers.set(op.keep);
#pragma unroll 1
        for (int b = 0; b < buffers; ++b) memory.full(b).initialise(1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        bulk_fence();
    }
    __syncthreads();
    if (threadIdx.x >= compute_threads) {
        move_users(v, memory);
    } else {
#pragma unroll 1
        for (int t = 0; t < v.user_blocks; ++t) {
            const int b = t % buffers;
            memory.full(b).wait(t / buffers % 2);
            Tile<Op>(v, op, powers, memory, b).run();
            bulk_fence();
            barrier_arrive(2 + b, threads);
        }
    }
    __syncthreads();
#pragma unroll 1
    for (int i = worker; i < items; i += workers)
        op.store_col(v.col_order[first_item + i], op.take(memory.items(), i));
}

/// The rows' vectors into the order of the user blocks, and back.
template <class Op>
__global__ void reorder_users(const TiledView v, const Op op, EdgeId rows, bool back) {
    const EdgeId workers = EdgeId{gridDim.x} * blockDim.x / Op::Lanes::lanes;
    for (EdgeId i = (EdgeId{blockIdx.x} * blockDim.x + threadIdx.x) / Op::Lanes::lanes; i < rows;
         i += workers) {
        float* const there = v.users + i * v.stride;
        if (back) {
            op.store_row(v.row_order[i], op.take(there, 0));
        } else {
            op.store(there, 0, op.load_row(v.row_order[i]));
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
        // As many blocks a multiprocessor as the schedule asks for share its memory.
        const int blocks = (view_.item_blocks + sms - 1) / sms;
        limit = (limit + 1024) / blocks - 1024 - static_cast<int>(attributes.sharedSizeBytes);
        TiledView view = view_;
        const auto bytes = [&] { return EdgeId{tiled::Memory<B>(view).end}; };
        const EdgeId fixed = bytes();
        view.batches = 1;
        const EdgeId batch_bytes = bytes() - fixed;
        if (fixed + 4 * batch_bytes > static_cast<EdgeId>(limit)) {
            throw ScheduleError(
                "a tile of the schedule does not fit on chip at this rank; preprocess with a larger "
                "--rank, or more --user-blocks",
                Failure::no_device);
        }
        view.batches = static_cast<int>(
            std::min((static_cast<EdgeId>(limit) - fixed) / batch_bytes, std::max<EdgeId>(most_batches_, 1)));
        const auto kernel = tiled::sweep_kernel<Op>;
        LOCKSTEP_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           static_cast<int>(bytes())));
        LOCKSTEP_CUDA(
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, tiled::threads, bytes()));
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
                                                  dim3(static_cast<unsigned>(view.item_blocks)),
                                                  dim3(tiled::threads), arguments, bytes(), nullptr));
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
