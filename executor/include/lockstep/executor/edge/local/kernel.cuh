// The local walk on the GPU: a thread block copies the vectors of a tile to shared memory, updates all edges
// of the tile there, and copies the vectors back.
//
// There is one launch, with several thread blocks per multiprocessor: while one of them waits for memory,
// others compute. Thread blocks claim tiles in the order of the plan. Before a tile of a later phase, they
// wait for flags of the tiles that have its vectors before (local/layout.hpp). This cannot deadlock, because
// the launch is cooperative: all thread blocks run concurrently, and a tile waits only for tiles that were
// claimed before it.
#pragma once

#include "lockstep/executor/device/bulk.cuh"
#include "lockstep/executor/device/copies.cuh"
#include "lockstep/executor/device/shared.cuh"
#include "lockstep/executor/device/warp.cuh"
#include "lockstep/executor/edge/edges.cuh"
#include "lockstep/executor/edge/local/layout.hpp"
#include "lockstep/executor/edge/on_chip.hpp"
#include "lockstep/executor/edge/tuning.hpp"

namespace lockstep::gpu {

struct LocalView {
    const LocalTile* tiles;
    const std::uint32_t* words;
    unsigned* done;  ///< index of the last sweep that has processed each tile
    unsigned count, first_phase, sweep;
    unsigned max_vectors, max_words, vector_bytes;
    EdgeId* counters;
};

namespace local {

extern __shared__ __align__(128) std::uint32_t shared[];

/// True if a thread holds a vector of at most 16 bytes. The registers of a multiprocessor then suffice for a
/// fourth thread block. For larger vectors, a fourth thread block costs more than it gains.
template <class Op>
inline constexpr bool few_registers = sizeof(typename Op::Row) <= 16 && Op::Lanes::lanes == 1;
template <class Op>
inline constexpr Shape shape = few_registers<Op> ? tuning::local_few_registers : tuning::local;
template <class Op>
inline constexpr int min_tiles = few_registers<Op>                ? 4
                                 : sizeof(typename Op::Row) <= 20 ? 3
                                                                  : 1;

/// The tile that a thread block is processing, in shared memory: the vectors, a vector of zeros after the
/// maximum number of vectors, the stream (local/layout.hpp), and the barrier for the copies.
template <class Op>
struct Tile {
    using Address = std::uint32_t;
    static constexpr int lanes = Op::Lanes::lanes, groups = 32 / lanes;

    const LocalView& v;
    const Op& op;
    Address vectors, words;

    __device__ Tile(const LocalView& view, const Op& o)
        : v(view),
          op(o),
          vectors(shared_address(shared)),
          words(vectors + (v.max_vectors + 1) * v.vector_bytes) {}
    __device__ std::uint32_t* stream() const { return shared + (words - vectors) / 4; }
    __device__ std::uint32_t* vector(unsigned place) const { return shared + place * (v.vector_bytes / 4); }
    __device__ BulkBarrier& filled_barrier() const {
        return *reinterpret_cast<BulkBarrier*>(stream() + v.max_words);
    }
    __device__ Address null() const { return vectors + v.max_vectors * v.vector_bytes; }
    __device__ unsigned word(unsigned i) const { return load_word(words + 4 * i); }
    __device__ unsigned steps() const { return word(2); }
    __device__ unsigned waits() const { return word(3); }
    __device__ unsigned lists() const { return 8 + steps() + 1; }
    /// address of the list of the vectors' positions in device memory
    __device__ Address list() const { return words + 4 * (lists() + waits()); }

    __device__ std::byte* row(unsigned at) const { return op.row_vectors() + EdgeId{at} * v.vector_bytes; }
    __device__ std::byte* col(unsigned at) const { return op.col_vectors() + EdgeId{at} * v.vector_bytes; }

    /// Starts the copies of the stream and, for a tile of the first phase, of the vectors, which are
    /// consecutive. Only one thread may call this function.
    __device__ void load(const LocalTile& t) const {
        const unsigned rows = t.rows * v.vector_bytes, cols = t.cols * v.vector_bytes;
        filled_barrier().arrive_expecting(4 * t.words + rows + cols);
        bulk_load(stream(), v.words + t.word, 4 * t.words, filled_barrier());
        if (rows) bulk_load(shared, row(t.row), rows, filled_barrier());
        if (cols) bulk_load(vector(t.rows), col(t.col), cols, filled_barrier());
    }
    /// Starts the copies of the vectors of a first-phase tile to device memory, and returns when they have
    /// been read from shared memory. Only one thread may call this function.
    __device__ void store(const LocalTile& t) const {
        if (t.rows) bulk_write(row(t.row), shared, t.rows * v.vector_bytes);
        if (t.cols) bulk_write(col(t.col), vector(t.rows), t.cols * v.vector_bytes);
        wait_for_bulk_reads();
    }
    /// Calls copy(address in shared memory, address in device memory) for each 16-byte piece of the vectors
    /// of a tile that is not in the first phase.
    template <class Copy>
    __device__ __forceinline__ void for_each_piece(Copy copy) const {
        const unsigned rows = word(0), count = word(1);
        const Address list = this->list();
        for (unsigned i = threadIdx.x / lanes; i < count; i += blockDim.x / lanes) {
            const unsigned at = load_word(list + 4 * i);
            std::byte* const from = i < rows ? row(at) : col(at);
            for (unsigned b = 16 * (threadIdx.x % lanes); b < v.vector_bytes; b += 16 * lanes)
                copy(vectors + i * v.vector_bytes + b, from + b);
        }
    }
    __device__ void wait_for_others() const {
        for (unsigned i = threadIdx.x; i < waits(); i += blockDim.x) {
            while (acquire_flag(v.done + word(lists() + i)) != v.sweep) {
            }
        }
    }

    struct Edge {
        Address row, col;
        float value;
        typename Op::Row w;
        typename Op::Col h;
    };
    /// Returns the record of an edge: the positions of its endpoints in the tile, and its value. For an
    /// address `at` ≥ `end` both positions are those of the vector of zeros.
    __device__ __forceinline__ uint2 record(Address at, Address end) const {
        uint2 r{v.max_vectors * 0x10001U, 0};
        if (at < end) r = load_uint2(at);
        return r;
    }
    __device__ __forceinline__ Edge fetch(uint2 record) const {
        const Address own = vectors + Op::lane_offset();
        Edge e{own + (record.x & 0xffff) * v.vector_bytes,
               own + (record.x >> 16) * v.vector_bytes,
               __uint_as_float(record.y),
               {},
               {}};
        e.w = op.load_lane(e.row), e.h = op.load_lane(e.col);
        return e;
    }
    /// Runs the steps of the tile one after another, and returns the number of edges of this lane group. The
    /// lane groups of a warp run as many iterations as the longest one needs. The vectors of each group's
    /// next edge, and the record of the edge after it, are loaded while an edge is updated. The first record
    /// of a step is loaded before the barrier.
    __device__ __forceinline__ unsigned run() const {
        constexpr unsigned record_bytes = 8, stride = shape<Op>.threads / lanes * record_bytes;
        const unsigned count = steps();
        const unsigned own = threadIdx.x / lanes * record_bytes, group = own % (groups * record_bytes);
        const Address edges = words + 4 * word(4);
        Address end = edges + record_bytes * word(8);
        unsigned done = 0;
#pragma unroll 1
        for (unsigned s = 0; s < count; ++s) {
            Address at = end + own;
            end = edges + record_bytes * word(9 + s);
            const uint2 first = record(at, end);
            if (s) __syncthreads();
            const Address warp_end = end + group;
            if (at >= warp_end) continue;
            Edge next = fetch(first);
            uint2 after = record(at + stride, end);
#pragma unroll 1
            do {
                Edge now = next;
                const bool really = at < end;
                at += stride;
                if (at < warp_end) next = fetch(after), after = record(at + stride, end);
                if (lanes > 1 || really) op.apply(now.w, now.h, now.value, EdgePosition{});
                op.store_lane(now.row, now.w, really), op.store_lane(now.col, now.h, really);
                done += really;
            } while (at < warp_end);
        }
        return done;
    }
};

/// Writes new values into the streams of all tiles, with one thread block per tile.
inline __global__ void set_values(const LocalTile* tiles, std::uint32_t* words, const float* values) {
    const LocalTile tile = tiles[blockIdx.x];
    std::uint32_t* const stream = words + tile.word;
    const unsigned edges = stream[8 + stream[2]], first = stream[4];
    for (unsigned e = threadIdx.x; e < edges; e += blockDim.x)
        stream[first + 2 * e + 1] = __float_as_uint(values[tile.edge + e]);
}

template <SharedMemoryOperator Op>
__global__ void __launch_bounds__(shape<Op>.threads, min_tiles<Op>)
    sweep_kernel(const LocalView v, const Op parameter) {
#if !defined(LOCKSTEP_NO_BULK_COPIES)
    Op op = parameter;
    const Tile<Op> tile(v, op);
    const bool leads = threadIdx.x == 0;
    LocalTile next{};
    for (unsigned i = 4 * threadIdx.x; i < v.vector_bytes; i += 4 * blockDim.x)
        store_word(tile.null() + i, 0);
    if (leads && blockIdx.x < v.count) {
        tile.filled_barrier().initialise(1);
        BulkBarrier::initialised();
        next = v.tiles[blockIdx.x];
        tile.load(next);
    }
    __syncthreads();
    __shared__ unsigned following[2];  // index of the next tile, for even and for odd iterations
    unsigned parity = 0, done = 0, after = 0;
#pragma unroll 1
    for (unsigned t = blockIdx.x; t < v.count; t = following[parity], parity ^= 1) {
        const LocalTile now = next;
        if (leads) {
            after = gridDim.x + static_cast<unsigned>(add_to(v.counters + drawn, 1));
            following[parity] = after;
            if (after < v.count) next = v.tiles[after];
        }
        const bool together = t < v.first_phase;
        tile.filled_barrier().wait(parity);
        if (!together) {
            tile.wait_for_others();
            __syncthreads();
            tile.for_each_piece([](std::uint32_t on_chip, const void* vector) {
                copy_piece(__cvta_shared_to_generic(on_chip), vector);
            });
            wait_for_copies();
            __syncthreads();
        }
        done += tile.run();
        if (!together) {
            __syncthreads();
            tile.for_each_piece([](std::uint32_t on_chip, void* vector) {
                __stcg(static_cast<float4*>(vector), load_float4(on_chip));
            });
        }
        bulk_fence_shared();
        __syncthreads();
        if (leads) {
            if (together) tile.store(now);
            if (after < v.count) tile.load(next);
            wait_for_bulk_writes();
            bulk_fence();
            release_flag(v.done + t, v.sweep);
        }
        __syncwarp();
    }
    add_of_block<Op>(v.counters + updates, done, tile.stream());
#endif
}

}  // namespace local

}  // namespace lockstep::gpu
