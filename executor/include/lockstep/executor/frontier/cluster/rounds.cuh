// Rounds of one thread block cluster: up to 16 blocks whose shared memory is one. A round ends at the
// cluster's barrier (0.2 us) instead of the device's (1.2 us).
//
// The bits of the vertices that are queued (of levels: that were ever), and the queues, lie in the shared
// memory of all blocks; a vertex is another block's, and another's again for the queue, than its neighbours,
// so that all have work. A queue that is full goes on in device memory. The first arcs of a vertex are one
// row, fetched into L2 when the vertex is found: four arcs of 16 bytes where no vertex has more, else eight
// of 32, a sector. The slowest vertex of a round is its time, so arcs are sent together, not one after
// another.
#pragma once

#include <cooperative_groups.h>

#include "lockstep/executor/arc/arcs.hpp"
#include "lockstep/executor/frontier/operator.hpp"

namespace lockstep::frontier::cluster_gpu {

inline constexpr int cluster_threads = 512;
inline constexpr VertexId no_end = ~VertexId{0},
                          more_ends = no_end - 1;  // last in a row: see the list from there on

struct ClusterView {
    arc::OffsetsView offsets;
    const VertexId* ends;
    const float* weights;          ///< nullptr: all 1
    const VertexId* rows;          ///< by vertex
    const float* row_weights;      ///< nullptr: all 1
    std::uint32_t vertices, room;  ///< room: entries of a block's queue in shared memory
    std::uint32_t words;           ///< of bits, of a block; 0: in device memory
    std::uint32_t* bits;           ///< there: twice as many as all vertices have
    std::uint32_t* spill;          ///< by round's parity and block: queued vertices without room
    std::uint32_t share;           ///< entries of that, at most
    std::uint32_t* rounds;
};

template <int arcs>
__global__ void __launch_bounds__(256) fill_rows(ClusterView view, VertexId* rows, float* row_weights) {
    for (std::uint32_t v = blockIdx.x * blockDim.x + threadIdx.x; v < view.vertices;
         v += gridDim.x * blockDim.x) {
        const EdgeId first = view.offsets[v], count = view.offsets[v + EdgeId{1}] - first;
        for (std::uint32_t k = 0; k < arcs; ++k) {
            const std::size_t at = std::size_t{v} * arcs + k;
            rows[at] = k + 1 == arcs && count > arcs ? more_ends : k < count ? view.ends[first + k] : no_end;
            if (row_weights) row_weights[at] = k < count ? view.weights[first + k] : 1.0F;
        }
    }
}

template <class Value>
__global__ void __launch_bounds__(256)
    reset_values(Value* values, std::uint32_t vertices, Value none, VertexId source, Value start,
                 std::uint32_t* bits, EdgeId words) {
    const EdgeId step = EdgeId{gridDim.x} * blockDim.x, me = EdgeId{blockIdx.x} * blockDim.x + threadIdx.x;
    for (EdgeId v = me; v < vertices; v += step) values[v] = v == source ? start : none;
    for (EdgeId w = me; w < words; w += step) bits[w] = 0;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
/// A block of the cluster; `arcs` of a row, a multiple of four.
template <class Op, int arcs>
class ClusterBlock {
    using Value = typename Op::Value;

public:
    __device__ ClusterBlock(const ClusterView& view, const Op& op, Value* values, std::uint32_t* shared)
        : view_(view),
          op_(op),
          values_(values),
          group_(cooperative_groups::this_cluster()),
          bits_(shared),
          queue_(shared + (Op::by_rounds ? 1 : 2) * view.words),
          rank_(group_.block_rank()),
          blocks_(group_.num_blocks()) {
        for (std::uint32_t i = threadIdx.x; i < (Op::by_rounds ? 1 : 2) * view.words; i += cluster_threads)
            bits_[i] = 0;
    }

    __device__ void run(VertexId source, std::uint32_t (&count)[3], std::uint32_t (&total)[2]) {
        if (threadIdx.x < 3) count[threadIdx.x] = 0;
        group_.sync();  // all blocks are there, and their bits are clear
        if (threadIdx.x == 0 && rank_ == 0) set_bit(source, 0);
        if (threadIdx.x == 0 && owner(source) == rank_) queue_[0] = source, count[0] = 1;
        group_.sync();
        std::uint32_t round = 0;
        for (std::uint32_t now = 0;; ++round) {
            const std::uint32_t next = now == 2 ? 0 : now + 1, later = next == 2 ? 0 : next + 1;
            const std::uint32_t here = count[now];
            const std::uint32_t theirs =
                threadIdx.x < blocks_ ? *group_.map_shared_rank(&count[now], threadIdx.x) : 0;
            if (threadIdx.x == 32) count[later] = 0;
            for (std::uint32_t i = threadIdx.x; i < here; i += cluster_threads)
                expand(entry(round % 2, i), round, &count[next]);
            if (threadIdx.x < 32) {
                const std::uint32_t sum = __reduce_add_sync(~0U, theirs);
                if (threadIdx.x == 0) total[round % 2] = sum;
            }
            group_.sync();
            if (total[round % 2] == 0) break;
            now = next;
        }
        if (rank_ == 0 && threadIdx.x == 0) *view_.rounds = round;
    }

private:
    /// Of sixteen neighbouring vertices every block has the same number.
    __device__ std::uint32_t owner(VertexId v) const {
        return (v ^ v >> 4 ^ v >> 8 ^ v >> 12) & (blocks_ - 1);
    }

    __device__ std::uint32_t* bit_word(VertexId v, std::uint32_t parity) const {
        const std::uint32_t w = v / 32;
        if (view_.words == 0) return view_.bits + std::size_t{parity} * ((view_.vertices + 31) / 32) + w;
        return group_.map_shared_rank(bits_ + parity * view_.words + w / blocks_, w & (blocks_ - 1));
    }
    /// Whether it was not set.
    __device__ bool set_bit(VertexId v, std::uint32_t parity) const {
        const std::uint32_t bit = 1U << (v % 32);
        return (atomicOr(bit_word(v, parity), bit) & bit) == 0;
    }

    __device__ VertexId entry(std::uint32_t parity, std::uint32_t i) const {
        return i < view_.room ? queue_[parity * view_.room + i] : spilled(parity, rank_)[i - view_.room];
    }
    __device__ std::uint32_t* spilled(std::uint32_t parity, std::uint32_t block) const {
        return view_.spill + (std::size_t{parity} * blocks_ + block) * view_.share;
    }
    __device__ void enqueue(VertexId v, std::uint32_t parity, std::uint32_t* count) const {
        const std::uint32_t block = owner(v), at = atomicAdd(group_.map_shared_rank(count, block), 1U);
        if (at < view_.room)
            *group_.map_shared_rank(queue_ + parity * view_.room + at, block) = v;
        else
            spilled(parity, block)[at - view_.room] = v;
    }

    /// Whether v is to be queued for the next round.
    __device__ bool take(VertexId v, Value offered, std::uint32_t round) const {
        if constexpr (Op::by_rounds) {
            static_cast<void>(offered);
            return set_bit(v, 0);
        } else {
            return improve(values_ + v, offered) && set_bit(v, (round + 1) % 2);
        }
    }
    __device__ void found(VertexId v, Value offered, std::uint32_t round, std::uint32_t* count) const {
        asm volatile("prefetch.global.L2 [%0];" ::"l"(view_.rows + std::size_t{v} * arcs));
        if constexpr (Op::by_rounds) values_[v] = offered;
        enqueue(v, (round + 1) % 2, count);
    }

    /// `from`: the first one's, of so many that lie together, at an address of 16 bytes.
    template <class T>
    __device__ static void load(const T* from, T (&to)[arcs]) {
        for (int k = 0; k < arcs; k += 4) {
            const uint4 four = *reinterpret_cast<const uint4*>(from + k);
            memcpy(to + k, &four, sizeof four);
        }
    }

    __device__ void expand(VertexId v, std::uint32_t round, std::uint32_t* count) const {
        VertexId end[arcs];
        float weight[arcs];
        load(view_.rows + std::size_t{v} * arcs, end);
        const bool weighs = Op::weighted && view_.row_weights;
        if (weighs) load(view_.row_weights + std::size_t{v} * arcs, weight);
        // Queued again in this round it has a bit of the other parity.
        if constexpr (!Op::by_rounds) atomicAnd(bit_word(v, round % 2), ~(1U << (v % 32)));
        const Value value = peek(values_ + v);
        const bool more = end[arcs - 1] == more_ends;
        send(value, end, weight, weighs, round, count);
        if (!more) return;
        for (EdgeId e = view_.offsets[v] + arcs - 1, last = view_.offsets[v + EdgeId{1}]; e < last;
             e += arcs) {
            for (int k = 0; k < arcs; ++k) {
                end[k] = e + k < last ? view_.ends[e + k] : no_end;
                if (weighs) weight[k] = e + k < last ? view_.weights[e + k] : 1.0F;
            }
            send(value, end, weight, weighs, round, count);
        }
    }
    __device__ void send(Value value, const VertexId (&end)[arcs], const float (&weight)[arcs], bool weighs,
                         std::uint32_t round, std::uint32_t* count) const {
        Value offered[arcs];
        bool taken[arcs];
#pragma unroll
        for (int k = 0; k < arcs; ++k) {
            offered[k] = op_.offer(value, weighs ? weight[k] : 1.0F);
            taken[k] = end[k] < more_ends && take(end[k], offered[k], round);
        }
#pragma unroll
        for (int k = 0; k < arcs; ++k)
            if (taken[k]) found(end[k], offered[k], round, count);
    }

    const ClusterView& view_;
    const Op& op_;
    Value* values_;
    cooperative_groups::cluster_group group_;
    std::uint32_t *bits_, *queue_;
    std::uint32_t rank_, blocks_;
};
#endif

template <class Op, int arcs>
__global__ void __launch_bounds__(cluster_threads, 1)
    cluster_kernel(const ClusterView view, const Op op, typename Op::Value* values, VertexId source) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    extern __shared__ std::uint32_t cluster_memory[];
    __shared__ std::uint32_t count[3], total[2];
    ClusterBlock<Op, arcs>(view, op, values, cluster_memory).run(source, count, total);
#endif
}

}  // namespace lockstep::frontier::cluster_gpu
