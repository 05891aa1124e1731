// The queue of adjacency lists that a push round of the hub-first walk processes. Long lists are divided into
// pieces, so that warps get similar amounts of work.
#pragma once

#include "lockstep/executor/csr/lists.cuh"
#include "lockstep/executor/frontier/hubs/device.cuh"
#include "lockstep/executor/frontier/hubs/tuning.hpp"

namespace lockstep::gpu::hubs {

constexpr int chunk_quads = 32;  ///< number of quads that a warp reads in one step: 128 arcs

/// The adjacency lists to be pushed, as pieces of at most chunk_quads quads: {first quad, last quad + 1,
/// value, 0}. If the queue is full, further pieces are lost. Its length then exceeds its capacity, and the
/// caller must pull instead.
struct Queue {
    uint4* pieces;
    EdgeId capacity;
};

/// Up to `count` vertices of a lane (those with `changed`), each with the bits of its value.
template <int count>
struct Sent {
    bool changed[count];
    std::uint32_t vertex[count], value[count];
};

/// Appends the adjacency lists of the changed vertices of all lanes, each with the vertex's value. Uses one
/// atomic operation per warp. All lanes must call it.
template <int count>
__device__ __forceinline__ void append(const Arcs& out, const Queue& queue, unsigned long long* queued,
                                       const Sent<count>& sent, std::uint32_t lane) {
    bool any = false;
#pragma unroll
    for (int i = 0; i < count; ++i) any |= sent.changed[i];
    if (!__any_sync(~0U, any)) return;
    std::uint32_t first[count], last[count], pieces[count], mine = 0;
#pragma unroll
    for (int i = 0; i < count; ++i) {
        first[i] = sent.changed[i] ? __ldg(out.first + sent.vertex[i]) : 0;
        last[i] = sent.changed[i] ? __ldg(out.first + sent.vertex[i] + 1) : 0;
    }
#pragma unroll
    for (int i = 0; i < count; ++i) mine += pieces[i] = (last[i] - first[i] + chunk_quads - 1) / chunk_quads;
    const std::uint32_t sum = inclusive_sum(mine);
    const std::uint32_t all = __shfl_sync(~0U, sum, 31);
    unsigned long long base = 0;
    if (lane == 0) base = atomicAdd(queued, static_cast<unsigned long long>(all));
    base = __shfl_sync(~0U, base, 0);
    if (base + all > queue.capacity) return;
    std::uint32_t at = static_cast<std::uint32_t>(base) + sum - mine;
#pragma unroll
    for (int i = 0; i < count; ++i) {
        if (pieces[i] <= 4)
            for (std::uint32_t p = 0; p < pieces[i]; ++p)
                queue.pieces[at + p] =
                    make_uint4(first[i] + p * chunk_quads, min(first[i] + (p + 1) * chunk_quads, last[i]),
                               sent.value[i], 0);
        for_each_bit(__ballot_sync(~0U, pieces[i] > 4), [&](int l) {
            const std::uint32_t f = __shfl_sync(~0U, first[i], l), e = __shfl_sync(~0U, last[i], l),
                                n = __shfl_sync(~0U, pieces[i], l), a = __shfl_sync(~0U, at, l),
                                x = __shfl_sync(~0U, sent.value[i], l);
            for (std::uint32_t p = lane; p < n; p += 32)
                queue.pieces[a + p] =
                    make_uint4(f + p * chunk_quads, min(f + (p + 1) * chunk_quads, e), x, 0);
        });
        at += pieces[i];
    }
}

/// The adjacency lists of the source's neighbours, divided into pieces. Every thread block computes the same
/// numbering of the pieces without communication, so that the first two rounds can run as one.
class Neighbours {
public:
    struct Shared {
        BlockDistribution<threads, std::uint32_t> pieces;
        std::uint32_t first[threads], last[threads];
    };

    /// Numbers the pieces. `end` is the neighbour of this thread, if `has`. All threads of the block must
    /// call it.
    __device__ Neighbours(Shared& shared, const Arcs& out, bool has, std::uint32_t end) : shared_(shared) {
        const std::uint32_t first = has ? __ldg(out.first + end) : 0,
                            last = has ? __ldg(out.first + end + 1) : 0;
        shared.first[threadIdx.x] = first, shared.last[threadIdx.x] = last;
        pieces_ = shared.pieces.distribute((last - first + chunk_quads - 1) / chunk_quads);
    }
    __device__ std::uint32_t pieces() const { return pieces_; }
    /// Returns the index of the neighbour to whose list piece `i` belongs, and stores the piece's first quad
    /// and last quad + 1.
    __device__ unsigned find(std::uint32_t i, std::uint32_t* first, std::uint32_t* last) const {
        std::uint32_t its;
        const unsigned neighbour = shared_.pieces.owner(i, &its);
        *first = shared_.first[neighbour] + its * chunk_quads;
        *last = min(*first + chunk_quads, shared_.last[neighbour]);
        return neighbour;
    }

private:
    const Shared& shared_;
    std::uint32_t pieces_;
};

/// The open vertices of the warps in a pull, whose arcs must still be read, in shared memory. Also contains
/// the bits of the vertices that have changed.
template <int size>
struct OpenVertices {
    std::uint32_t changed[threads / 32][32];
    std::uint16_t entries[threads / 32][size];

    /// Appends to the `count` entries of this warp the vertices of word `k` of a sheet whose bits are set in
    /// `all`. `mine` is the bit of this lane.
    __device__ __forceinline__ void add(const ThreadIndex& me, std::uint32_t k, std::uint32_t all, bool mine,
                                        unsigned& count) {
        if (mine)
            entries[me.warp][count + __popc(all & ((1U << me.lane) - 1))] =
                static_cast<std::uint16_t>(k << 5 | me.lane);
        count += __popc(all);
    }
    /// Sets the bit of the vertex of an entry.
    __device__ __forceinline__ void set_changed(const ThreadIndex& me, std::uint32_t entry) {
        atomicOr(&changed[me.warp][entry >> 5], 1U << (entry & 31));
    }
    __device__ __forceinline__ void clear(const ThreadIndex& me) { changed[me.warp][me.lane] = 0; }
    /// Returns the bits of the changed vertices in the lane's word, and clears them.
    __device__ __forceinline__ std::uint32_t take_changed(const ThreadIndex& me) {
        __syncwarp();
        const std::uint32_t bits = changed[me.warp][me.lane];
        __syncwarp();
        clear(me);
        return bits;
    }
};

/// The common state of breadth-first search and shortest paths: the ownership of words, the barrier, and the
/// queue.
class Run {
protected:
    __device__ __forceinline__ Run(const View& view, const Memory& memory, VertexId source, int run,
                                   std::uint32_t first_word, RoundBarrier::Shared& barrier, EdgeId* log)
        : view_(view),
          memory_(memory),
          source_(source),
          run_(run),
          words_(first_word, view.words, me_),
          sheets_(words_.sheets()),
          barrier_(memory.control[run], barrier),
          log_(me_.thread == 0 ? log : nullptr) {}

    /// Prepares the first round, whose pieces are parts of the source's list: the quads [first, last).
    __device__ __forceinline__ void begin_with(std::uint32_t first, std::uint32_t last) {
        pieces_ = (last - first + chunk_quads - 1) / chunk_quads;
        source_first_ = first, source_last_ = last;
    }
    __device__ __forceinline__ VertexId vertex_of(std::uint32_t sheet, std::uint32_t entry) const {
        return words_.vertex(sheet, entry >> 5, entry & 31);
    }
    /// Returns piece `i` of the current round.
    __device__ __forceinline__ uint4 piece(std::uint32_t i, std::uint32_t value_of_source) const {
        if (!first_) return __ldcg(memory_.queue[barrier_.round() & 1] + i);
        const std::uint32_t quad = source_first_ + i * chunk_quads;
        return make_uint4(quad, min(quad + chunk_quads, source_last_), value_of_source, 0);
    }
    /// Returns the queue to which pieces of the next round are appended.
    __device__ __forceinline__ Queue queue() const {
        return {memory_.queue[~barrier_.round() & 1], memory_.queue_size};
    }
    /// Barrier, after which the pieces in the filled queue are those of the current round.
    __device__ __forceinline__ void take_queue() {
        pieces_ = barrier_.sync<true>().queued;
        log_.note(false);
    }

    const View& view_;
    const Memory& memory_;
    const VertexId source_;
    const int run_;
    const ThreadIndex me_;
    const Words words_;
    const std::uint32_t sheets_;
    RoundBarrier barrier_;
    std::uint32_t pieces_ = 0, source_first_ = 0, source_last_ = 0;
    bool first_ = true;  ///< whether the first round has not ended yet
    Log log_;
};

}  // namespace lockstep::gpu::hubs
