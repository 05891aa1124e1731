// Maximal independent sets on a GPU (independent.hpp).
//
// The algorithm without rounds: all thread blocks are resident, and each warp owns some vertices. It
// repeatedly examines its undecided vertices, each from the neighbour on for which it waits. There is no
// device-wide barrier. The first undecided vertex of the order can always be decided, so some warp always
// makes progress. A vertex with many neighbours is examined by a whole warp, when no vertex of the block with
// few neighbours makes progress. The time is determined by loads from random addresses, so a multiprocessor
// runs the maximum number of threads, with 32 registers each.
#include <optional>

#include "lockstep/executor/csr/nested.cuh"
#include "lockstep/executor/structure/device.cuh"
#include "lockstep/executor/structure/independent.hpp"
#include "lockstep/executor/worklist/append.cuh"
#include "lockstep/executor/worklist/stages.cuh"

namespace lockstep::structure {

/// Minimum number of neighbours of a vertex that a whole warp examines.
inline constexpr EdgeId independent_many = 32;

struct IndependentState {
    UndirectedView graph;
    std::uint32_t* words;
    /// Undecided vertices, each with the index of the neighbour for which it waits: one list per warp, with
    /// `capacity` elements per thread block.
    uint2* waiting;
    /// undecided vertices with many neighbours: two lists per thread block, of `capacity` elements each
    VertexId* large;
    EdgeId capacity;
    unsigned* passes;  ///< number of passes of the first warp of each thread block, maximum over the blocks
    std::uint32_t* values;
};

__global__ void start_words(const UndirectedView g, const Priority priority, std::uint32_t* words) {
    const VertexId p = vertex_of_thread();
    if (p >= g.vertices) return;
    const EdgeId degree = g.degree(p);
    words[p] = degree ? priority.key(g.vertex(p), degree) : Priority::in;
}

/// Decides a vertex with many neighbours with the whole warp, in the same way as decide(). Returns whether it
/// is decided.
__device__ __forceinline__ bool decide_by_warp(const UndirectedView& g, std::uint32_t* words, VertexId v) {
    const std::uint32_t mine = peek(words + v);
    if (mine == Priority::out || mine == Priority::in) return true;
    const EdgeRange edges = g.edges_of(v);
    for (EdgeId first = edges.first; first < edges.last; first += 32) {
        const EdgeId e = first + lane_of_warp();
        const VertexId u = e < edges.last ? __ldg(g.ends + e) : v;
        const std::uint32_t theirs = e < edges.last ? peek(words + u) : Priority::out;
        if (__any_sync(~0U, theirs == Priority::in)) {
            if (lane_of_warp() == 0) put(words + v, Priority::out);
            return true;
        }
        if (__any_sync(~0U, theirs < mine || (theirs == mine && g.vertex(u) < g.vertex(v)))) return false;
    }
    if (lane_of_warp() == 0) put(words + v, Priority::in);
    for (EdgeId e = edges.first + lane_of_warp(); e < edges.last; e += 32) {
        const VertexId u = __ldg(g.ends + e);
        if (peek(words + u) != Priority::out) put(words + u, Priority::out);
    }
    return true;
}

__device__ __forceinline__ void write_member(const UndirectedView& g, const std::uint32_t* words, VertexId p,
                                             std::uint32_t* values) {
    values[g.vertex(p)] = peek(words + p) == Priority::in ? 1 : 0;
}

__global__ void __launch_bounds__(block_threads, 8)
    decide_at_once(const __grid_constant__ IndependentState s) {
    __shared__ unsigned large[2];
    constexpr unsigned warps = block_threads / 32;
    uint2* const mine = s.waiting + (EdgeId{blockIdx.x} * warps + threadIdx.x / 32) * (s.capacity / warps);
    const auto larges = [&](unsigned which) {
        return s.large + (EdgeId{blockIdx.x} * 2 + which) * s.capacity;
    };
    if (threadIdx.x < 2) large[threadIdx.x] = 0;
    __syncthreads();
    const auto groups = static_cast<unsigned>((EdgeId{s.graph.vertices} + 31) / 32);
    const unsigned first = blockIdx.x + threadIdx.x / 32 * gridDim.x;
    unsigned count = 0;
    const auto keep = [&](unsigned kept, VertexId v, std::uint32_t at) {
        const unsigned all = __ballot_sync(~0U, at != decided);
        if (at != decided) mine[kept + static_cast<unsigned>(__popc(all & lanes_below()))] = {v, at};
        return kept + static_cast<unsigned>(__popc(all));
    };
    for (unsigned g = first; g < groups; g += gridDim.x * warps) {
        const VertexId v = g * 32 + lane_of_warp();
        std::uint32_t at = decided;
        if (v < s.graph.vertices) {
            if (s.graph.degree(v) >= independent_many)
                larges(0)[atomicAdd(&large[0], 1U)] = v;
            else
                at = decide(s.graph, s.words, v, 0);
        }
        count = keep(count, v, at);
    }
    __syncthreads();
    unsigned in = 0, passes = 1;
    for (;; ++passes) {
        const unsigned many = large[in];
        if (many == 0 && count == 0) break;
        unsigned left = 0;
        __syncwarp();
        for (unsigned i = lane_of_warp(); i < (count + 31) / 32 * 32; i += 32) {
            const uint2 w = i < count ? mine[i] : uint2{0, 0};
            left = keep(left, w.x, i < count ? decide(s.graph, s.words, w.x, w.y) : decided);
        }
        const bool further = left < count;
        count = left;
        // Vertices with many neighbours are only examined if no other vertex of the block makes progress.
        if (many == 0 || __syncthreads_or(further)) continue;
        for (unsigned i = threadIdx.x / 32; i < many; i += warps) {
            const VertexId v = larges(in)[i];
            const bool done = decide_by_warp(s.graph, s.words, v);
            if (!done && lane_of_warp() == 0) larges(in ^ 1)[atomicAdd(&large[in ^ 1], 1U)] = v;
            __syncwarp();
        }
        __syncthreads();
        if (threadIdx.x == 0) large[in] = 0;
        in ^= 1;
        __syncthreads();
    }
    __syncthreads();
    for (unsigned g = first; g < groups; g += gridDim.x * warps) {
        const VertexId v = g * 32 + lane_of_warp();
        if (v < s.graph.vertices) write_member(s.graph, s.words, v, s.values);
    }
    if (threadIdx.x == 0) atomicMax(s.passes, passes);
}

/// The algorithm with rounds over a worklist of undecided vertices.
struct IndependentRounds {
    enum class Step { find, take, keep };
    static constexpr gpu::Shape shape{block_threads, 4};
    using Order = worklist::Stages<Step::find, Step::take, Step::keep>;
    struct State {
        unsigned round, count;
    };
    using Lists = Nested<block_threads, OwnedList<EdgeId>>;

    UndirectedView g;
    std::uint32_t *words, *blocked;
    VertexId* lists[2];
    unsigned* sizes;  ///< lengths of the lists of three consecutive rounds
    Shares shares;
    worklist::Append append;

    LOCKSTEP_HD static constexpr bool decides(Step step) { return step == Step::find; }
    template <Step step>
    __device__ auto run(State& s) const {
        if constexpr (step == Step::find) {
            s.count = __ldcg(sizes + s.round % 3);
            if (s.count == 0) return worklist::NextStage::stop;
            find(s);
            return worklist::NextStage::on;
        } else if constexpr (step == Step::take) {
            take(s);
        } else {
            keep(s.count, lists[s.round % 2], s.round + 1);
            if (thread_of_grid() == 0) sizes[(s.round + 2) % 3] = 0;
            ++s.round;
        }
    }
    /// Appends the undecided vertices of `list` (nullptr: of all vertices) to the list of round `round`.
    __device__ void keep(unsigned count, const VertexId* list, unsigned round) const {
        __shared__ worklist::PositionReservation<block_threads> places;
        for_list(count, list, [&](VertexId v, bool here) {
            const bool undecided = here && words[v] != Priority::in && words[v] != Priority::out;
            const unsigned at = places.of(undecided, sizes + round % 3, append);
            if (undecided) lists[round % 2][at] = v;
        });
    }

private:
    template <class Use>
    __device__ static void for_list(unsigned count, const VertexId* list, Use use) {
        for (EdgeId base = EdgeId{blockIdx.x} * block_threads; base < count; base += threads_of_grid()) {
            const EdgeId i = base + threadIdx.x;
            const bool here = i < count;
            use(!here ? 0 : list ? list[i] : static_cast<VertexId>(i), here);
        }
    }
    __device__ Lists::List list_of(VertexId v, bool has) const {
        const EdgeRange edges = edges_if(has, g, v);
        return {edges.first, edges.last, v};
    }
    /// Sets `blocked` for each vertex that has a neighbour which precedes it in the order and is not out.
    __device__ void find(const State& s) const {
        __shared__ Lists arcs;
        for_list(s.count, lists[s.round % 2], [&](VertexId v, bool here) {
            if (here) put(blocked + v, 0U);
            __syncthreads();
            arcs.each_number(shares, list_of(v, here), [&](const Lists::List& of, EdgeId e) {
                const VertexId u = __ldg(g.ends + e), w = of.owner;
                const std::uint32_t theirs = words[u], mine = words[w];
                if (theirs < mine || (theirs == mine && g.vertex(u) < g.vertex(w))) put(blocked + w, 1U);
            });
        });
    }
    __device__ void take(const State& s) const {
        __shared__ Lists arcs;
        for_list(s.count, lists[s.round % 2], [&](VertexId v, bool here) {
            const bool takes = here && !blocked[v];
            if (takes) put(words + v, Priority::in);
            arcs.each_number(shares, list_of(v, takes), [&](const Lists::List&, EdgeId e) {
                put(words + __ldg(g.ends + e), Priority::out);
            });
        });
    }
};
static __global__ void __launch_bounds__(block_threads)
    list_undecided(const __grid_constant__ IndependentRounds rounds) {
    rounds.keep(rounds.g.vertices, nullptr, 0);
}
__global__ void write_members(const UndirectedView g, const std::uint32_t* words, std::uint32_t* values) {
    const VertexId p = vertex_of_thread();
    if (p < g.vertices) write_member(g, words, p, values);
}

class DeviceIndependent {
public:
    DeviceIndependent(const Undirected& plan, const Priority& priority, IndependentSetMethod deciding,
                      const RoundAxes& axes)
        : plan_(plan),
          priority_(priority),
          axes_(axes),
          graph_(upload(plan, arrays_)),
          words_(plan.vertices),
          values_(plan.vertices),
          size_(3) {
        if (deciding == IndependentSetMethod::at_once) {
            blocks_ = gpu::resident_blocks(decide_at_once, gpu::Shape{block_threads, 8}, 0);
            const EdgeId groups = (EdgeId{plan.vertices} + 31) / 32;
            const EdgeId warps = EdgeId{blocks_} * (block_threads / 32);
            const EdgeId capacity = (groups + warps - 1) / warps * block_threads;
            waiting_ = gpu::Buffer<uint2>(blocks_ * capacity);
            lists_ = gpu::Buffer<VertexId>(2 * blocks_ * capacity);
            state_ = {graph_,   words_.data(), waiting_.data(), lists_.data(),
                      capacity, size_.data(),  values_.data()};
        } else {
            lists_ = gpu::Buffer<VertexId>(2 * EdgeId{plan.vertices});
            blocked_ = gpu::Buffer<std::uint32_t>(plan.vertices);
            looping_.emplace();
        }
    }
    static EdgeId bytes_of(const Undirected& plan) { return plan.bytes() + 24 * EdgeId{plan.vertices}; }

    Solution run() {
        const VertexId n = plan_.vertices;
        Solution solution;
        if (n == 0) return solution;
        gpu::Timer timer;
        for_vertices(start_words, n, graph_, priority_, words_.data());
        if (blocks_) {
            LOCKSTEP_CUDA(cudaMemsetAsync(size_.data(), 0, sizeof(unsigned)));
            gpu::launch_blocks(decide_at_once, blocks_, block_threads, 0, state_);
        } else {
            solution.rounds = by_rounds();
            for_vertices(write_members, n, graph_, words_.data(), values_.data());
        }
        solution.seconds = timer.seconds();
        if (blocks_) solution.rounds = size_.download()[0];
        solution.values = values_.download();
        return solution;
    }

private:
    std::uint64_t by_rounds() {
        const IndependentRounds rounds{
            graph_,       words_.data(), blocked_.data(), {lists_.data(), lists_.data() + plan_.vertices},
            size_.data(), axes_.shares,  axes_.append};
        LOCKSTEP_CUDA(cudaMemsetAsync(size_.data(), 0, 3 * sizeof(unsigned)));
        list_undecided<<<looping_->blocks(), block_threads>>>(rounds);
        LOCKSTEP_CUDA(cudaGetLastError());
        IndependentRounds::State state{};
        looping_->run(rounds, state, axes_.loop, [](const auto&) { return true; });
        return state.round;
    }

    const Undirected& plan_;
    const Priority priority_;
    const RoundAxes axes_;
    gpu::DeviceArrays arrays_;
    const UndirectedView graph_;
    gpu::Buffer<std::uint32_t> words_, values_, blocked_;
    gpu::Buffer<uint2> waiting_;
    gpu::Buffer<VertexId> lists_;
    gpu::Buffer<unsigned> size_;
    std::optional<worklist::LoopRunner<IndependentRounds>> looping_;
    unsigned blocks_ = 0;
    IndependentState state_{};
};

Runner independent_on_cuda(const Undirected& plan, const Priority& priority, IndependentSetMethod deciding,
                           const RoundAxes& axes) {
    return runner_of<DeviceIndependent>(DeviceIndependent::bytes_of(plan), plan, priority, deciding, axes);
}

}  // namespace lockstep::structure
