// Common code of the kernels of the hub-first walk (frontier/hubs.hpp): their arrays in device memory, the
// assignment of vertices to warps, and the first and the last step of a run.
#pragma once

#include "lockstep/executor/device/runtime.cuh"
#include "lockstep/executor/device/warp.cuh"
#include "lockstep/executor/frontier/hubs/round_barrier.cuh"
#include "lockstep/executor/frontier/operator.hpp"

namespace lockstep::gpu::hubs {

using frontier::FrontierOperator;

/// Adjacency lists in quads. A quad contains four arcs in 16 bytes: their 32-bit endpoints or, if all
/// endpoints are below 2^24 and all weights are integers below 2^8, endpoints with the weights in the upper
/// bits.
struct Arcs {
    /// [vertices + 1] index of each list's first quad, padded with the total number of quads
    const std::uint32_t* first;
    const uint4* ends;  ///< endpoints; incomplete quads are padded with the list's own vertex
    /// Weights in a separate array, as the bits of floats. nullptr: there are no weights, or they are packed
    /// in `ends`.
    const uint4* weights;
};

/// The graph in device memory. Vertices are numbered by decreasing connectivity; vertices without arcs get no
/// number. Arrays with one element per vertex are padded to a multiple of 32 elements.
struct View {
    VertexId vertices;       ///< number of vertices of the graph
    VertexId linked;         ///< number of vertices with arcs
    std::uint32_t words;     ///< number of 32-bit words in a bitmap of vertices: ceil(linked / 32)
    const VertexId* number;  ///< number of each vertex of the graph in the hub-first order
    Arcs out, in;
    /// endpoint (without separate weights) or weight of the first in-arc of each vertex
    const std::uint32_t* top;
    Arcs head;  ///< first quad of in-arcs of each vertex, indexed by vertex; `head.first` is not set
};

/// The state of a run. There are two states, because a run clears the state of the next run while it waits
/// for memory in its first round.
struct Memory {
    Control* control[2];
    std::uint32_t* values[2];   ///< value of each vertex number
    std::uint32_t* seen[2][2];  ///< bitmaps of the reached vertices, for breadth-first search: two per run
    uint4* queue[2];
    EdgeId queue_size;
    std::uint32_t* result;   ///< value of each vertex of the graph
    std::uint32_t* changed;  ///< bitmap of the changed vertices, if it does not fit in registers
};

/// The indices of a thread and of its warp in the launch.
struct ThreadIndex {
    std::uint32_t lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    std::uint32_t warps = gridDim.x * (blockDim.x / 32);
    /// Index of this warp in the grid. Warps with consecutive indices are in different thread blocks, so that
    /// a small number of warps uses many multiprocessors.
    std::uint32_t worker = warp * gridDim.x + blockIdx.x;
    std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
};

template <class T>
__device__ __forceinline__ void exchange(T& a, T& b) {
    const T was = a;
    a = b, b = was;
}
/// The words of a bitmap (one bit per vertex) that a warp owns. They are grouped in sheets of up to 32 words,
/// one per lane.
struct Words {
    std::uint32_t first, last;  ///< range of the words that all warps share out
    std::uint32_t warps, worker;

    __device__ __forceinline__ Words(std::uint32_t first, std::uint32_t last, const ThreadIndex& me)
        : first(first), last(last), warps(me.warps), worker(me.worker) {}
    __device__ __forceinline__ std::uint32_t sheets() const {
        return (last - first + 32 * warps - 1) / (32 * warps);
    }
    __device__ __forceinline__ std::uint32_t word(std::uint32_t sheet, std::uint32_t k) const {
        return first + (sheet * 32 + k) * warps + worker;
    }
    __device__ __forceinline__ VertexId vertex(std::uint32_t sheet, std::uint32_t k,
                                               std::uint32_t lane) const {
        return word(sheet, k) * 32 + lane;
    }
    /// Returns the number of words that this warp owns in a sheet.
    __device__ __forceinline__ std::uint32_t of(std::uint32_t sheet) const {
        const std::uint32_t begin = word(sheet, 0);
        return begin < last ? min(32U, (last - begin + warps - 1) / warps) : 0;
    }
    /// Calls f(vertex of the lane, whether the vertex's bit is set) for each word of the sheet that is not
    /// zero. `bits` is the word of the calling lane.
    template <class F>
    __device__ __forceinline__ void for_each(std::uint32_t sheet, std::uint32_t bits, std::uint32_t lane,
                                             F f) const {
        for_each_bit(__ballot_sync(~0U, bits != 0), [&](int k) {
            f(vertex(sheet, static_cast<std::uint32_t>(k), lane), __shfl_sync(~0U, bits, k) >> lane & 1);
        });
    }
};

/// Reads a word, which other thread blocks may write, through the L1 cache. The acquire at the last barrier
/// has invalidated the cache, but within a round the word may be stale. Therefore either no thread writes the
/// word in this round (bitmaps), or a stale value does no harm (operator.hpp) and a vertex that changes now
/// is processed again in the next round. A word is aligned and is read as a whole.
__device__ __forceinline__ std::uint32_t near(const std::uint32_t* word) {
    std::uint32_t v;
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(__cvta_generic_to_global(word)));
    return v;
}

/// A log of the times at which the rounds of a run ended, in clock ticks of the device; the lowest bit is set
/// for pull rounds. Its elements are the number of rounds, the start time, the end times of the first rounds,
/// and last the end time of the run. Only one thread of the grid writes it.
class Log {
public:
    static constexpr std::uint32_t size = 4096, most = size - 3;

    __device__ __forceinline__ explicit Log(EdgeId* log) : log_(log) {}
    __device__ __forceinline__ void start() { put(1, false); }
    __device__ __forceinline__ void note(bool pull) {
        if (log_ && ++noted_ <= most) put(1 + noted_, pull);
    }
    __device__ __forceinline__ void end() {
        put(size - 1, false);
        if (log_) log_[0] = noted_;
    }

private:
    __device__ __forceinline__ void put(std::uint32_t at, bool pull) {
        if (log_) log_[at] = static_cast<EdgeId>(clock64()) << 1 | EdgeId{pull};
    }
    EdgeId* log_;
    std::uint32_t noted_ = 0;
};

/// Clears the state of the next run. All threads of the grid must call it.
__device__ __forceinline__ void clear_next(const Memory& memory, int run, std::uint32_t unreached,
                                           std::uint32_t words, bool levels, const ThreadIndex& me) {
    if (levels) {
        for (std::uint32_t i = me.thread; i < words; i += me.threads)
            memory.seen[run ^ 1][0][i] = memory.seen[run ^ 1][1][i] = 0;
    } else {
        auto* const values = reinterpret_cast<uint4*>(memory.values[run ^ 1]);
        for (EdgeId i = me.thread; i < EdgeId{words} * 8; i += me.threads)
            values[i] = make_uint4(unreached, unreached, unreached, unreached);
    }
    if (me.thread < 4) RoundBarrier::clear(memory.control[run ^ 1]->slot[me.thread]);
}

/// Writes the value of each vertex of the graph to `result`. All threads of the grid must call it, after a
/// barrier.
__device__ __forceinline__ void write_result(const View& view, const std::uint32_t* values,
                                             std::uint32_t* result, VertexId source, std::uint32_t start,
                                             std::uint32_t unreached, const ThreadIndex& me) {
    const auto value = [&](VertexId number) {
        return number < view.linked ? near(values + number) : number == source ? start : unreached;
    };
    const VertexId quads = view.vertices / 4;
    for (VertexId i = me.thread; i < quads; i += me.threads) {
        const uint4 n = __ldg(reinterpret_cast<const uint4*>(view.number) + i);
        reinterpret_cast<uint4*>(result)[i] = make_uint4(value(n.x), value(n.y), value(n.z), value(n.w));
    }
    for (VertexId v = quads * 4 + me.thread; v < view.vertices; v += me.threads)
        result[v] = value(view.number[v]);
}

}  // namespace lockstep::gpu::hubs
