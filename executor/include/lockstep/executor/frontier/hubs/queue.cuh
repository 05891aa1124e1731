// The queue of adjacency lists that a push round of the hub-first walk processes. Long lists are divided into
// pieces, so that warps get similar amounts of work.
#pragma once

#include "lockstep/executor/csr/lists.cuh"
#include "lockstep/executor/frontier/hubs/device.cuh"

namespace lockstep::gpu::hubs {

constexpr int chunk_quads = 32;  ///< number of quads that a warp reads in one step: 128 arcs

/// The adjacency lists to be pushed, as pieces of at most chunk_quads quads: {first quad, last quad + 1,
/// value, 0}. If the queue is full, further pieces are lost. Its length then exceeds its capacity, and the
/// caller must pull instead.
struct Queue {
    uint4* pieces;
    EdgeId capacity;
};

/// Appends the adjacency lists of up to `count` vertices per lane (those with `has`), each with the vertex's
/// value. Uses one atomic operation per warp. All lanes must call it.
template <int count>
__device__ __forceinline__ void append(const Arcs& out, const Queue& queue, unsigned long long* queued,
                                       const bool (&has)[count], const std::uint32_t (&vertex)[count],
                                       const std::uint32_t (&value)[count], std::uint32_t lane) {
    bool any = false;
#pragma unroll
    for (int i = 0; i < count; ++i) any |= has[i];
    if (!__any_sync(~0U, any)) return;
    std::uint32_t first[count], last[count], pieces[count], mine = 0;
#pragma unroll
    for (int i = 0; i < count; ++i) {
        first[i] = has[i] ? __ldg(out.first + vertex[i]) : 0;
        last[i] = has[i] ? __ldg(out.first + vertex[i] + 1) : 0;
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
                queue.pieces[at + p] = make_uint4(
                    first[i] + p * chunk_quads, min(first[i] + (p + 1) * chunk_quads, last[i]), value[i], 0);
        for_each_bit(__ballot_sync(~0U, pieces[i] > 4), [&](int l) {
            const std::uint32_t f = __shfl_sync(~0U, first[i], l), e = __shfl_sync(~0U, last[i], l),
                                n = __shfl_sync(~0U, pieces[i], l), a = __shfl_sync(~0U, at, l),
                                x = __shfl_sync(~0U, value[i], l);
            for (std::uint32_t p = lane; p < n; p += 32)
                queue.pieces[a + p] =
                    make_uint4(f + p * chunk_quads, min(f + (p + 1) * chunk_quads, e), x, 0);
        });
        at += pieces[i];
    }
}

/// The adjacency lists of the source's neighbours, divided into pieces. Every thread block computes the same
/// numbering of the pieces without communication, so that the first two rounds can run as one.
template <int threads>
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
