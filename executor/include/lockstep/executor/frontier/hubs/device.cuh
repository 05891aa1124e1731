// What the kernels of the hub-first walk share: their arrays, who owns which vertices, the first and the last
// step of a run.
#pragma once

#include "lockstep/executor/device/runtime.cuh"
#include "lockstep/executor/device/warp.cuh"
#include "lockstep/executor/frontier/hubs/meeting.cuh"
#include "lockstep/executor/frontier/operator.hpp"

namespace lockstep::gpu::hubs {

using frontier::FrontierOperator;

/// Four arcs, the unit of all lists: 16 bytes of ids, or of ids below 2^24 under weights below 2^8.
struct Arcs {
    const std::uint32_t* first;  ///< [vertices + 1] quad in which each list begins; filled up with the end
    const uint4* ends;           ///< filled up with the vertex itself
    const uint4* weights;        ///< apart, as the bits of floats; nullptr: none, or in `ends`
};

/// Vertices are numbers, the best-connected first, those without arcs are not among them; arrays by vertex
/// are filled up to whole words of 32.
struct View {
    VertexId vertices;       ///< of the graph
    VertexId linked;         ///< of them, those with arcs
    std::uint32_t words;     ///< ceil(linked / 32)
    const VertexId* number;  ///< by vertex of the graph
    Arcs out, in;
    const std::uint32_t* top;  ///< of each list of `in`: the end of the first arc, or its weight
    Arcs head;                 ///< of each list of `in`: its first quad; `first` is not there
};

/// State of a run; that of the next one is cleared while the first round of this one waits for memory.
struct Memory {
    Control* control[2];
    std::uint32_t* values[2];   ///< by number
    std::uint32_t* seen[2][2];  ///< bitmaps of the searches by levels
    uint4* queue[2];
    EdgeId queue_size;
    std::uint32_t* result;   ///< by vertex of the graph
    std::uint32_t* changed;  ///< bitmap, where registers do not hold it
};

/// Launch-wide numbers of a thread.
struct Place {
    std::uint32_t lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    std::uint32_t warps = gridDim.x * (blockDim.x / 32);
    /// Neighbouring warps lie in different blocks, so that few of them use many multiprocessors.
    std::uint32_t worker = warp * gridDim.x + blockIdx.x;
    std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
};

template <class T>
__device__ __forceinline__ void exchange(T& a, T& b) {
    const T was = a;
    a = b, b = was;
}
/// The words that a warp owns, of 32 vertices each, by sheets of up to 32: word k of sheet s.
struct Words {
    std::uint32_t first, last;  ///< of all warps
    std::uint32_t warps, worker;

    __device__ __forceinline__ Words(std::uint32_t first, std::uint32_t last, const Place& me)
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
    /// How many of a sheet there are.
    __device__ __forceinline__ std::uint32_t of(std::uint32_t sheet) const {
        const std::uint32_t begin = word(sheet, 0);
        return begin < last ? min(32U, (last - begin + warps - 1) / warps) : 0;
    }
    /// `bits` has the lane's word: calls f(vertex of the lane, whether its bit is set) for words that have
    /// some.
    template <class F>
    __device__ __forceinline__ void for_each(std::uint32_t sheet, std::uint32_t bits, std::uint32_t lane,
                                             F f) const {
        for_each_bit(__ballot_sync(~0U, bits != 0), [&](int k) {
            f(vertex(sheet, static_cast<std::uint32_t>(k), lane), __shfl_sync(~0U, bits, k) >> lane & 1);
        });
    }
};

/// A word that other blocks write: through L1, whose copies end at the acquire of the last meeting. Within a
/// round it may be stale; a caller needs either that nobody writes it in this round (bitmaps), or that an old
/// value does no harm (operator.hpp) and that what changed now is looked at again in the next round. Words
/// are aligned, so that none is torn.
__device__ __forceinline__ std::uint32_t near(const std::uint32_t* word) {
    std::uint32_t v;
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(__cvta_generic_to_global(word)));
    return v;
}

/// When the rounds of a run ended, by the clock of the device, the lowest bit set for pulls: their number,
/// the start, the ends of the first ones, and at the end that of the run. One thread of the grid writes it.
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

/// Clears the state of the next run. All threads.
__device__ __forceinline__ void clear_next(const Memory& memory, int run, std::uint32_t unreached,
                                           std::uint32_t words, bool levels, const Place& me) {
    if (levels) {
        for (std::uint32_t i = me.thread; i < words; i += me.threads)
            memory.seen[run ^ 1][0][i] = memory.seen[run ^ 1][1][i] = 0;
    } else {
        auto* const values = reinterpret_cast<uint4*>(memory.values[run ^ 1]);
        for (EdgeId i = me.thread; i < EdgeId{words} * 8; i += me.threads)
            values[i] = make_uint4(unreached, unreached, unreached, unreached);
    }
    if (me.thread < 4) Meeting::clear(memory.control[run ^ 1]->slot[me.thread]);
}

/// The values by vertex of the graph. All threads, behind a meeting.
__device__ __forceinline__ void write_result(const View& view, const std::uint32_t* values,
                                             std::uint32_t* result, VertexId source, std::uint32_t start,
                                             std::uint32_t unreached, const Place& me) {
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
