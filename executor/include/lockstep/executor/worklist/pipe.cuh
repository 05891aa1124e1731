// Pipe and Iterate (pipe.hpp) on a GPU. The kernels run as stages of a loop (stages.cuh), with one thread per
// item. An Exclusive kernel has one stage per claim, and one stage for its work.
#pragma once

#include <cuda/std/tuple>
#include <utility>

#include "lockstep/executor/worklist/pipe.hpp"
#include "lockstep/executor/worklist/stages.cuh"

namespace lockstep::worklist {

/// Two worklists that are used alternately, and three lengths: of the list that is read, of the list that is
/// written, and one that is being reset for the next round.
struct Lists {
    Item* list[2];
    unsigned* size;
    unsigned capacity;  ///< capacity of each worklist
};

/// Appends an item to the next worklist. Threads of a warp that call it together use one atomic operation
/// (IrGL's reserve_warp).
__device__ inline void push_item(const Lists& lists, std::uint32_t round, Item item) {
    const unsigned together = __activemask(), lane = gpu::lane_of_warp();
    const int first = __ffs(static_cast<int>(together)) - 1;
    unsigned at = 0;
    if (static_cast<int>(lane) == first)
        at = atomicAdd(lists.size + (round + 1) % 3,
                       static_cast<unsigned>(__popc(static_cast<int>(together))));
    at = __shfl_sync(together, at, first) +
         static_cast<unsigned>(__popc(static_cast<int>(together & gpu::lanes_below())));
    if (at < lists.capacity) lists.list[(round + 1) % 2][at] = item;
}

/// A stage of the loop: a kernel first claims the locks of its items, in one stage or several, and then
/// processes the items in another stage.
struct Part {
    std::size_t kernel, place;  ///< index of the kernel, and index of the stage within the kernel
    bool works;
};
template <ClaimMethod form, class... Kernels>
__host__ __device__ constexpr Part part_at(std::size_t stage) {
    const std::size_t stages[]{(Exclusive<Kernels> ? claims(form) : 0) + 1 ...};
    std::size_t kernel = 0;
    for (; stage >= stages[kernel]; ++kernel) stage -= stages[kernel];
    return {kernel, stage, stage + 1 == stages[kernel]};
}
template <std::size_t... stage>
auto order_of(std::index_sequence<stage...>) -> Stages<stage...>;

template <ClaimMethod form, class... Kernels>
struct Pipe {
    static constexpr gpu::Shape shape{.threads = 256, .blocks_per_sm = 4};
    static constexpr std::size_t stages = (((Exclusive<Kernels> ? claims(form) : 0) + 1) + ...);
    using Order = decltype(order_of(std::make_index_sequence<stages>()));
    struct State {
        std::uint32_t round;
        unsigned size;  ///< length of the current worklist
    };

    Lists lists;
    cuda::std::tuple<Kernels...> kernels;

    LOCKSTEP_HD static constexpr bool decides(std::size_t stage) {
        return part_at<form, Kernels...>(stage).place == 0;
    }
    template <std::size_t stage>
    __device__ auto run(State& s) const {
        constexpr Part part = part_at<form, Kernels...>(stage);
        if constexpr (part.place == 0) {
            ++s.round;
            s.size = lists.size[s.round % 3];
            if (s.size == 0 || s.size > lists.capacity) return NextStage::stop;
        }
        const auto& kernel = cuda::std::get<part.kernel>(kernels);
        const auto push = [&](Item item) { push_item(lists, s.round, item); };
        for (EdgeId i = gpu::thread_of_grid(); i < s.size; i += gpu::threads_of_grid()) {
            const Item item = lists.list[s.round % 2][i];
            if constexpr (Exclusive<std::decay_t<decltype(kernel)>>) {
                const Mark key = key_of(item, s.round);
                if constexpr (!part.works)
                    kernel.locks(item, Claim<form>{key});
                else if (kernel.locks(item, LockCheck{key}))
                    kernel(item, s.round, push);
                else
                    push(item);
            } else {
                kernel(item, s.round, push);
            }
        }
        if (part.works && gpu::thread_of_grid() == 0) lists.size[(s.round + 2) % 3] = 0;
        if constexpr (part.place == 0) return NextStage::on;
    }
};
/// The result of a run.

struct Totals {
    std::uint32_t rounds;  ///< number of kernels that were run, each over one worklist
    EdgeId launches;
};

/// Runs a Pipe on the current device. `capacity` is the maximum length of a worklist. The marks that the
/// kernels lock must initially be 0. Throws Error if a worklist becomes longer than `capacity`, and
/// CudaError.
template <ClaimMethod form = ClaimMethod::priority, class... Kernels>
Totals pipe_on_cuda(std::span<const Item> work, EdgeId capacity, Loop loop, const Kernels&... kernels) {
    using Program = Pipe<form, Kernels...>;
    const auto size = checked_cast<unsigned>(capacity, "the capacity of a worklist");
    gpu::Buffer<Item> lists(2 * capacity);
    gpu::Buffer<unsigned> sizes(3);
    Totals totals{};
    if (work.size() > capacity)
        throw Error("a worklist is full: it cannot hold " + std::to_string(work.size()) + " items");
    LOCKSTEP_CUDA(
        cudaMemcpy(lists.data() + capacity, work.data(), work.size_bytes(), cudaMemcpyHostToDevice));
    sizes.upload(std::vector<unsigned>{0, static_cast<unsigned>(work.size()), 0});
    typename Program::State state{};
    const Program program{{{lists.data(), lists.data() + capacity}, sizes.data(), size}, {kernels...}};
    totals.launches = LoopRunner<Program>().run(program, state, loop, [](const auto&) { return true; });
    if (state.size > size)
        throw Error("a worklist is full: it cannot hold " + std::to_string(state.size) + " items");
    totals.rounds = state.round - 1;
    return totals;
}
template <ClaimMethod form = ClaimMethod::priority, class Kernel>
Totals iterate_on_cuda(std::span<const Item> work, EdgeId capacity, Loop loop, const Kernel& kernel) {
    return pipe_on_cuda<form>(work, capacity, loop, kernel);
}

}  // namespace lockstep::worklist
