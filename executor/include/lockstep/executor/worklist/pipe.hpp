// Pipe and Iterate of IrGL, which run kernels over worklists, and their loop on a CPU. A Pipe is a cyclic
// sequence of kernels: the items that one kernel pushes are the worklist of the next kernel, until a worklist
// is empty. Iterate is a Pipe of one kernel.
//
// A kernel does the work on one item; the items of a worklist run concurrently:
//     template <class Push> void operator()(Item item, std::uint32_t round, Push push) const;
// push(item) appends an item to the next worklist; `round` is the number of the kernel run, from 1 on. A
// kernel with locks is an Exclusive:
//     template <class LockVisitor> bool locks(Item item, LockVisitor visitor) const;  // exclusive.hpp
// The work is done on the items that hold all of their locks, and must not change the marks. All other items
// are pushed unchanged.
#pragma once

#include <omp.h>

#include <span>
#include <vector>

#include "lockstep/executor/worklist/exclusive.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep::worklist {

template <class Kernel>
concept Exclusive = requires(const Kernel& kernel, LockCheck visitor) {
    kernel.locks(Item{}, visitor);
};

/// A push function that appends items to the list of the calling thread.
struct ListAppender {
    std::vector<std::vector<Item>>* lists;
    LOCKSTEP_HD void operator()([[maybe_unused]] Item item) const {
#if !defined(__CUDA_ARCH__)
        (*lists)[static_cast<std::size_t>(omp_get_thread_num())].push_back(item);
#endif
    }
};

/// Runs one kernel over its worklist on `threads` threads, and returns the items that it has pushed. O(items
/// and their work)
template <class Kernel>
std::vector<Item> run_on_cpu(const Kernel& kernel, std::span<const Item> work, std::uint32_t round,
                             int threads) {
    std::vector<std::vector<Item>> pushed(static_cast<std::size_t>(threads));
    const auto of_all = [&](auto use) {
#pragma omp parallel for num_threads(threads) schedule(static) if (work.size() > 256)
        for (std::size_t i = 0; i < work.size(); ++i) use(work[i]);
    };
    const ListAppender push{&pushed};
    if constexpr (Exclusive<Kernel>) {
        of_all([&](Item item) { kernel.locks(item, Claim<ClaimMethod::priority>{key_of(item, round)}); });
        of_all([&](Item item) {
            if (kernel.locks(item, LockCheck{key_of(item, round)}))
                kernel(item, round, push);
            else
                push(item);
        });
    } else {
        of_all([&](Item item) { kernel(item, round, push); });
    }
    std::vector<Item> next;
    for (const auto& items : pushed) next.insert(next.end(), items.begin(), items.end());
    return next;
}

/// Runs a Pipe until a kernel pushes no item. Returns the number of kernels that were run.
template <class... Kernels>
std::uint32_t pipe_on_cpu(std::vector<Item> work, int threads, const Kernels&... kernels) {
    std::uint32_t round = 0;
    const auto step = [&](const auto& kernel) {
        if (!work.empty()) work = run_on_cpu(kernel, work, ++round, threads);
    };
    while (!work.empty()) (step(kernels), ...);
    return round;
}
template <class Kernel>
std::uint32_t iterate_on_cpu(std::vector<Item> work, int threads, const Kernel& kernel) {
    return pipe_on_cpu(std::move(work), threads, kernel);
}

}  // namespace lockstep::worklist
