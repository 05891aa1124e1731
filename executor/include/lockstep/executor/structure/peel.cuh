// The algorithm "local" for core numbers on a GPU (cores.hpp): one persistent kernel peels level after level.
// Device-wide barriers separate the levels, but not the work within a level. Each thread block owns some
// vertices. At the beginning of a level, it puts its vertices whose degree is at most the level into its
// queue. If a subtraction reduces the degree of a neighbour to the level, the block that has subtracted puts
// this neighbour into its own queue in shared memory, and continues with it.
//
// Three kinds of work are instead divided into pieces of adjacency lists, which are distributed over all
// blocks at the next barrier: large amounts of work, work that exceeds the capacity of the queue, and all
// work that remains after a number of steps. In this way all blocks take part in a wavefront that moves
// through a grid. If one block has shared its part of a wavefront, the others must not continue alone for
// long, because this would split one wavefront into many.
//
// A vertex may be queued twice: by its owner, and by the block that subtracts. An atomic exchange writes the
// level of the vertex, and only the block that exchanges first continues with it. Later subtractions may
// reduce the vertex's degree further, but it is not used any more.
#pragma once

#include "lockstep/executor/device/barrier.cuh"
#include "lockstep/executor/structure/device.cuh"

namespace lockstep::structure {

inline constexpr int peel_threads = 512, peel_warps = peel_threads / 32;
inline constexpr unsigned peel_room = 2048;  ///< capacity of a queue in shared memory, in vertices
/// Number of vertices that are examined between two checks of the queue's length.
inline constexpr unsigned peel_scan = 1024;
/// Maximum number of arcs that a thread block processes alone at a time.
inline constexpr unsigned peel_most = 8192;
inline constexpr unsigned peel_piece = 1024;  ///< maximum number of arcs per piece
/// number of steps after which a thread block shares its remaining work
inline constexpr unsigned peel_steps = 32;

struct Piece {
    EdgeId begin;
    EdgeId count;
};

struct PeelState {
    UndirectedView graph;
    std::uint32_t* degrees;
    std::uint32_t* cores;  ///< core number of each vertex; no_vertex: not removed yet
    VertexId* lists;       ///< remaining vertices: two lists per thread block, of capacity `capacity` each
    EdgeId capacity;
    Piece* pieces[2];           ///< pieces for even rounds and for odd rounds
    unsigned long long* sizes;  ///< number of pieces of three consecutive rounds
    unsigned* levels;  ///< smallest degree that remains, i.e. the next level, for three consecutive levels
    std::uint64_t* rounds;  ///< number of rounds, i.e. of barriers at which the blocks exchanged pieces
    EdgeId* arrivals;
    bool all;        ///< whether all levels are peeled; otherwise only `level` is
    unsigned level;  ///< the only level if not `all`
};

struct PeelShared {
    VertexId queue[2][peel_room];
    EdgeId begin[peel_threads];
    BlockDistribution<peel_threads> dealt;
    unsigned queued[2], kept, least;
};

class Peeler {
public:
    __device__ __forceinline__ Peeler(const PeelState& state, PeelShared& shared_memory)
        : s(state), shared(shared_memory) {}

    /// Peels levels until all vertices have a core number.
    __device__ void run() {
        gpu::DeviceBarrier barrier(s.arrivals);
        begin();
        barrier.sync();
        level = s.all ? __ldcg(s.levels) : s.level;
        for (unsigned number = 1; level != no_vertex; ++number) {
            bool peeled = scan();
            for (;;) {
                peeled = by_itself() || peeled;
                if (threadIdx.x == 0) {
                    const unsigned next = peeled ? level + 1 : shared.least;
                    if (next != no_vertex) atomicMin(s.levels + number % 3, next);
                }
                barrier.sync();
                const EdgeId size = __ldcg(s.sizes + round % 3);
                if (thread_of_grid() == 0) s.sizes[(round + 2) % 3] = 0;
                ++round;
                if (size == 0) break;
                take_pieces(size);
                peeled = true;
            }
            level = s.all ? __ldcg(s.levels + number % 3) : no_vertex;
            if (thread_of_grid() == 0) s.levels[(number + 2) % 3] = no_vertex;
        }
        if (thread_of_grid() == 0) *s.rounds = round;
    }

private:
    __device__ __forceinline__ VertexId* list(unsigned which) const {
        return s.lists + (EdgeId{blockIdx.x} * 2 + which) * s.capacity;
    }
    /// Collects the vertices that this block owns: groups of 32 vertices, distributed round-robin.
    __device__ void begin() {
        if (threadIdx.x == 0) shared.kept = 0, shared.least = no_vertex;
        __syncthreads();
        const EdgeId groups = (EdgeId{s.graph.vertices} + 31) / 32;
        unsigned least = no_vertex;
        for (EdgeId g = blockIdx.x + EdgeId{threadIdx.x / 32} * gridDim.x; g < groups;
             g += EdgeId{gridDim.x} * peel_warps) {
            const auto v = static_cast<VertexId>(g * 32 + lane_of_warp());
            const bool here = v < s.graph.vertices;
            const auto degree = here ? static_cast<unsigned>(s.graph.degree(v)) : 0;
            if (here) s.degrees[v] = degree, s.cores[v] = degree ? no_vertex : 0;
            const unsigned at = place_in(&shared.kept, degree > 0);
            if (degree) list(0)[at] = v, least = min(least, degree);
        }
        least = min_of_warp(least);
        if (lane_of_warp() == 0) atomicMin(&shared.least, least);
        __syncthreads();
        if (threadIdx.x == 0) atomicMin(s.levels, shared.least);
        left = shared.kept;
        __syncthreads();
    }

    /// Puts the remaining vertices whose degree is at most the level into the queue, and the others into the
    /// next list. Processes the queue whenever its capacity might be exceeded. Returns true if it has
    /// processed vertices.
    __device__ bool scan() {
        if (threadIdx.x == 0) shared.kept = shared.queued[0] = shared.queued[1] = 0, shared.least = no_vertex;
        __syncthreads();
        unsigned least = no_vertex;
        bool peeled = false;
        const VertexId* const from = list(in);
        VertexId* const to = list(in ^ 1);
        current = 0;
        for (unsigned first = 0; first < left; first += peel_scan) {
            for (unsigned i = first + threadIdx.x; i < first + peel_scan; i += peel_threads) {
                const VertexId v = i < left ? from[i] : no_vertex;
                const unsigned degree = i < left ? peek(s.degrees + v) : 0;
                const bool keeps = i < left && degree > level;
                const unsigned at = place_in(&shared.kept, keeps);
                if (keeps) to[at] = v, least = min(least, degree);
                if (i < left && !keeps && peek(s.cores + v) == no_vertex) enqueue(v, current);
            }
            if (__syncthreads_or(shared.queued[current] > peel_room - peel_scan)) {
                peeled = by_itself() || peeled;
                __syncthreads();
            }
        }
        least = min_of_warp(least);
        if (lane_of_warp() == 0 && least != no_vertex) atomicMin(&shared.least, least);
        __syncthreads();
        left = shared.kept, in ^= 1;
        return peeled;
    }

    /// Returns true if this call removes v, and false if another call has removed it already.
    __device__ __forceinline__ bool take(VertexId v) { return atomicExch(s.cores + v, level) == no_vertex; }
    __device__ __forceinline__ void enqueue(VertexId v, unsigned which) {
        const unsigned at = atomicAdd(&shared.queued[which], 1U);
        if (at < peel_room) {
            shared.queue[which][at] = v;
        } else if (take(v)) {
            const EdgeRange edges = s.graph.edges_of(v);
            const EdgeId pieces = (edges.size() + peel_piece - 1) / peel_piece;
            if (pieces)
                put_pieces(atomicAdd(s.sizes + round % 3, static_cast<unsigned long long>(pieces)),
                           edges.first, edges.size());
        }
    }
    __device__ __forceinline__ void put_pieces(EdgeId at, EdgeId begin, EdgeId count) {
        for (EdgeId done = 0; done < count; done += peel_piece)
            s.pieces[round % 2][at++] = {begin + done, min(count - done, EdgeId{peel_piece})};
    }

    /// Subtracts one from the degree of each neighbour in `ends`, and queues the neighbours whose degrees
    /// reach the level. The memory operations of the neighbours overlap. If `look`, degrees are read first,
    /// and neighbours that are already at the level are skipped.
    template <unsigned n>
    __device__ __forceinline__ void subtract(VertexId (&ends)[n], bool look) {
        unsigned degree[n];
        if (look) {
#pragma unroll
            for (unsigned j = 0; j < n; ++j) degree[j] = ends[j] != no_vertex ? peek(s.degrees + ends[j]) : 0;
#pragma unroll
            for (unsigned j = 0; j < n; ++j) {
                if (degree[j] <= level) ends[j] = no_vertex;
            }
        }
#pragma unroll
        for (unsigned j = 0; j < n; ++j)
            degree[j] = ends[j] != no_vertex ? atomicSub(s.degrees + ends[j], 1U) : 0;
#pragma unroll
        for (unsigned j = 0; j < n; ++j) {
            if (degree[j] == level + 1) enqueue(ends[j], current ^ 1);
        }
    }

    /// Processes the arcs [begin, begin + count) of each thread. A thread with few arcs processes them
    /// itself. The arcs of the others are distributed over the block or, if they are many, put into pieces
    /// for all blocks. `share` requires pieces, and `mine` excludes them. `look`: threads with few arcs also
    /// read degrees first, which costs no time if there are many vertices.
    __device__ void expand(EdgeId begin, EdgeId count, bool mine, bool share, bool look) {
        if (!share && count <= 8) {
            VertexId ends[8];
#pragma unroll
            for (unsigned j = 0; j < 8; ++j)
                ends[j] = j < count ? __ldg(s.graph.ends + begin + j) : no_vertex;
            subtract(ends, look);
            count = 0;
        }
        if (!__syncthreads_or(count > 0)) return;
        const EdgeId total = shared.dealt.distribute(count);
        if (share || (!mine && total > peel_most)) {
            const EdgeId pieces = (count + peel_piece - 1) / peel_piece, earlier = exclusive_sum(pieces);
            unsigned long long at = 0;
            if (lane_of_warp() == 31 && earlier + pieces)
                at = atomicAdd(s.sizes + round % 3, earlier + pieces);
            at = __shfl_sync(~0U, at, 31);
            put_pieces(at + earlier, begin, count);
            __syncthreads();
            return;
        }
        shared.begin[threadIdx.x] = begin;
        __syncthreads();
        constexpr unsigned unroll = 4;
        for (EdgeId first = threadIdx.x; first < total; first += peel_threads * unroll) {
            VertexId ends[unroll];
#pragma unroll
            for (unsigned j = 0; j < unroll; ++j) {
                const EdgeId i = first + j * peel_threads;
                ends[j] = no_vertex;
                if (i >= total) continue;
                EdgeId its;
                const unsigned owner = shared.dealt.owner(i, &its);
                ends[j] = __ldg(s.graph.ends + shared.begin[owner] + its);
            }
            subtract(ends, true);
        }
        __syncthreads();
    }

    /// Processes the queue of this block until it is empty. Returns true if it contained a vertex.
    __device__ bool by_itself() {
        bool any = false;
        for (unsigned steps = 0;; ++steps) {
            __syncthreads();
            const unsigned size = min(shared.queued[current], peel_room);
            if (size == 0) break;
            any = true;
            const bool share = steps >= peel_steps;
            for (unsigned first = 0; first < size; first += peel_threads) {
                EdgeId begin = 0, count = 0;
                if (first + threadIdx.x < size) {
                    const VertexId v = shared.queue[current][first + threadIdx.x];
                    const EdgeRange edges = s.graph.edges_of(v);
                    begin = edges.first, count = take(v) ? edges.size() : 0;
                }
                expand(begin, count, false, share, size >= peel_scan);
            }
            __syncthreads();
            if (threadIdx.x == 0) shared.queued[current] = 0;
            current ^= 1;
        }
        return any;
    }
    /// Processes this block's share of the pieces of the previous round, and queues the vertices that it
    /// finds.
    __device__ void take_pieces(EdgeId size) {
        const Piece* const pieces = s.pieces[(round - 1) % 2];
        const EdgeId mine = size > blockIdx.x ? (size - blockIdx.x + gridDim.x - 1) / gridDim.x : 0;
        for (EdgeId first = 0; first < mine; first += peel_threads) {
            Piece piece{0, 0};
            const EdgeId i = first + threadIdx.x;
            if (i < mine) {
                const ulonglong2 both =
                    __ldcg(reinterpret_cast<const ulonglong2*>(pieces + blockIdx.x + i * gridDim.x));
                piece = {both.x, both.y};
            }
            expand(piece.begin, piece.count, true, false, false);
        }
        current ^= 1;
        __syncthreads();
    }

    const PeelState& s;
    PeelShared& shared;
    unsigned level = 0, round = 0, left = 0, in = 0, current = 0;
};

__global__ void __launch_bounds__(peel_threads, 2) peel(const __grid_constant__ PeelState s) {
    __shared__ PeelShared shared;
    Peeler(s, shared).run();
}

}  // namespace lockstep::structure
