// The walk `regions` (regions.hpp) on a GPU: one launch without a device-wide barrier.
//
// Each thread block except the last one is a worker. Region r belongs to worker r % workers. A worker has one
// region in shared memory. It improves the region's labels (values as bits, which have the same order) until
// no label changes. Every few rounds it sends the values that the ghosts have collected to other regions, and
// wakes these regions. Then it continues with another of its regions that was woken. The last thread block is
// the monitor. No offer is lost, and the end is detected correctly, for these reasons:
// 1. Each word of an inbox has one writer, and its values only improve. The writer stores the value
//    (relaxed), passes __syncthreads, and then wakes the receiving region: it lowers the region's wake word
//    by an atomic minimum (release). The receiving worker takes the wake word by an exchange (acquire and
//    release), passes __syncthreads, and then reads the inbox. Read-modify-write operations on one word
//    continue a release sequence. The receiving worker therefore sees every value for which it took a wake,
//    or a better value.
// 2. Before the exchange with which a worker begins a piece of work, it stores its state {epoch + 1, label};
//    the exchange releases this store. When the work is finished and all its wakes are done (__syncthreads),
//    the worker stores {epoch, nothing} (release).
// 3. The monitor reads all wake words (relaxed; fence, __syncthreads), then all states (acquire). It ends the
//    run when two consecutive scans, A and B, find no label in any word or state, and the same epochs. Proof:
//    assume that there is work of a later epoch than scan B has read. Consider the first such work, in the
//    order of program order and reads-from. The work that woke it is not such work, so scan A read that it
//    was finished, and its wake was done before B read the wake word (2). B found no label in this word, so
//    an exchange had taken the wake, for work whose epoch B then read (2). Therefore the wake word was empty
//    for the later work. This is a contradiction, because work begins only with a label.
// The floor is the minimum label that the monitor has read. It only determines which labels are deferred, so
// every value of it is correct.
#pragma once

#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/device/memory.cuh"
#include "lockstep/executor/frontier/regions/monitor.cuh"
#include "lockstep/executor/frontier/regions/queue.cuh"

namespace lockstep::frontier::regions_gpu {

/// A worker: a thread block that processes its regions until the monitor ends the run.
template <class Op, class Weight>
class RegionWorker : RegionQueue<Op, Weight> {
    using Base = RegionQueue<Op, Weight>;
    using Value = typename Op::Value;
    using Base::all, Base::view_, Base::none_, Base::record_, Base::labels_, Base::sent_, Base::best_,
        Base::deferred_;
    using Base::begin_pushes, Base::end_pushes, Base::rescan, Base::find_least;
    using Base::limit_, Base::parity_, Base::min_deferred_, Base::head, Base::count_waiting, Base::absorb,
        Base::work;
    template <class T>
    __device__ __forceinline__ T* in_record(std::uint32_t offset) const {
        return Base::template in_record<T>(offset);
    }

public:
    __device__ RegionWorker(const RegionView& view, const Op& op, unsigned char* memory)
        : Base(view, op, memory) {}

    __device__ __forceinline__ void run(RegionControl& c) {
        std::uint32_t* const line = view_.line_of(blockIdx.x);
        if (threadIdx.x < 2 * region_warps) c.count[0][threadIdx.x] = 0;
        __syncthreads();
        for (std::uint32_t epoch = 1;; ++epoch) {
            if (threadIdx.x < 32) choose(c, line);
            __syncthreads();
            const std::uint32_t owned = c.chosen, label = c.least;
            if (c.what != proceed) break;
            const std::uint32_t region = blockIdx.x + owned * view_.workers;
            std::uint32_t* const wake = line + RegionView::header + owned;
            const bool change = region != region_;
            if (threadIdx.x == 0) {
                state_of(line).store(state(epoch, label), memory_order_relaxed);
                take(wake);
            }
            if (change) {
                save();
                load(region);
                __syncthreads();
            }
            process_region(c, line, wake, epoch, change);
        }
        save();
    }

private:
    __device__ static Atomic<std::uint64_t> state_of(std::uint32_t* line) {
        return Atomic<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(line + 2));
    }
    __device__ static std::uint64_t state(std::uint32_t epoch, std::uint32_t label) {
        return std::uint64_t{epoch} << 32 | label;
    }
    __device__ static void take(std::uint32_t* wake) {
        Atomic<std::uint32_t>(*wake).exchange(nothing, memory_order_acq_rel);
    }
    __device__ static void lower(std::uint32_t* wake, std::uint32_t label) {
        Atomic<std::uint32_t>(*wake).fetch_min(label, memory_order_release);
    }

    /// Waits until a region of this worker has been woken by a label below the limit, or until the run ends.
    /// Only the first warp calls it.
    __device__ __forceinline__ void choose(RegionControl& c, const std::uint32_t* line) const {
        const unsigned lane = threadIdx.x;
        const std::uint32_t words =
            RegionView::header + (view_.regions - blockIdx.x + view_.workers - 1) / view_.workers;
        for (;;) {
            std::uint32_t least = nothing, at = 0, floor = 0, verdict = proceed;
            for (std::uint32_t i = lane; i < words; i += 32) {
                const std::uint32_t word = peek(line + i);
                if (i == 0) floor = word;
                if (i == 1) verdict = word;
                if (i >= RegionView::header && word < least) least = word, at = i - RegionView::header;
            }
            floor = __shfl_sync(all, floor, 0), verdict = __shfl_sync(all, verdict, 1);
            const std::uint32_t best = min_of_warp(least);
            const unsigned who = __ballot_sync(all, least == best);
            const std::uint32_t limit = limit_of<Value>(floor, view_.window, none_);
            if (verdict == proceed && (best == nothing || best > limit)) continue;
            at = __shfl_sync(all, at, __ffs(static_cast<int>(who)) - 1);
            if (lane == 0) {
                c.chosen = at, c.least = best, c.limit = limit, c.what = verdict;
                c.deferred_least = c.working_least = nothing, c.woken = 0;
            }
            return;
        }
    }

    __device__ __forceinline__ static void copy(void* to, const void* from, std::uint32_t bytes) {
#pragma unroll 8
        for (std::uint32_t i = threadIdx.x; i < bytes / 16; i += region_threads)
            static_cast<uint4*>(to)[i] = static_cast<const uint4*>(from)[i];
    }
    __device__ __forceinline__ void save() {
        if (region_ == nothing) return;
        const std::size_t place = std::size_t{region_} * view_.shape.slots;
        __syncthreads();
        copy(view_.labels + place, labels_, 4 * view_.shape.slots);
        copy(view_.deferred + place, deferred_, view_.shape.slots);
        if (view_.claims && threadIdx.x == 0 && atomicExch(view_.claims + region_, 0) != blockIdx.x + 1)
            atomicAdd(view_.verdict + 1, 1);
        __syncthreads();
    }
    __device__ __forceinline__ void load(std::uint32_t region) {
        const RegionShape& s = view_.shape;
        const std::size_t place = std::size_t{region} * s.slots;
        copy(record_, view_.records + std::size_t{region} * s.bytes, s.bytes);
        copy(labels_, view_.labels + place, 4 * s.slots);
        copy(deferred_, view_.deferred + place, s.slots);
        for (unsigned j = threadIdx.x; j < s.ghosts; j += region_threads)
            labels_[s.slots + j] = sent_[j] = none_;
        for (unsigned k = threadIdx.x; k < s.neighbours; k += region_threads) best_[k] = nothing;
        region_ = region;
        if (view_.claims && threadIdx.x == 0 && atomicExch(view_.claims + region, blockIdx.x + 1) != 0)
            atomicAdd(view_.verdict + 1, 1);
    }

    // number of inbox words that each thread loads in advance, while it works
    static constexpr unsigned ahead = 3;

    /// Processes the region in shared memory until its labels no longer change and its inbox contains no new
    /// label.
    __device__ __forceinline__ void process_region(RegionControl& c, std::uint32_t* line, std::uint32_t* wake,
                                                   std::uint32_t epoch, bool behind) {
        bool first = true;
        bool look = true;  // whether to look for vertices that were deferred earlier
        limit_ = c.limit;
        for (;;) {
            const RegionHead& h = head();
            std::uint32_t early[ahead];
            const std::uint32_t* const inbox = view_.inbox + h.inbox;
#pragma unroll
            for (unsigned k = 0; k < ahead; ++k) {
                const unsigned i = threadIdx.x + k * region_threads;
                early[k] = i < h.arrivals ? peek(inbox + i) : none_;
            }
            std::uint32_t woken = nothing, floor = 0, verdict = proceed;
            if (threadIdx.x == 0) woken = peek(wake), floor = peek(line), verdict = peek(line + 1);
            if (!first) {
                work(c);
                send(c);
            }
            min_deferred_ = nothing;
            // All lanes of a warp must execute this part together, because absorb() calls push().
            begin_pushes(c);
#pragma unroll
            for (unsigned k = 0; k < ahead; ++k) absorb(threadIdx.x + k * region_threads, early[k]);
            for (unsigned i = threadIdx.x + ahead * region_threads; i - threadIdx.x < h.arrivals;
                 i += region_threads)
                absorb(i, i < h.arrivals ? peek(inbox + i) : none_);
            end_pushes(c);
            if (threadIdx.x == 0) {
                // If the region was woken meanwhile, take the wake word now, and read the inbox in another
                // iteration.
                c.woken = woken != nothing;
                if (woken != nothing) take(wake);
                c.next_limit = limit_of<Value>(floor, view_.window, none_);
                c.verdict = verdict;
                c.working_least = nothing;
            }
            __syncthreads();
            limit_ = c.next_limit;
            if (c.verdict == overdue) return;
            bool more = count_waiting(c) > 0;
            const bool again = !behind || c.woken;
            if (!more && (look || c.deferred_least <= limit_)) {
                rescan(c);
                look = false, more = count_waiting(c) > 0;
            }
            if (!more && !again) break;
            first = false, behind = true;  // from here on, the inbox is read after every exchange
            if (view_.window != nothing && more) publish_progress(c, line, epoch);
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            if (c.deferred_least != nothing) lower(wake, c.deferred_least);
            state_of(line).store(state(epoch, nothing), memory_order_release);
        }
    }

    /// Publishes the minimum label of this worker for the monitor. The published label may be outdated, and
    /// so may the floor.
    __device__ __forceinline__ void publish_progress(RegionControl& c, std::uint32_t* line,
                                                     std::uint32_t epoch) {
        find_least(c);
        __syncthreads();
        if (threadIdx.x == 0)
            state_of(line).store(state(epoch, min(min(c.working_least, c.deferred_least), none_ - 1)),
                                 memory_order_relaxed);
    }

    /// Sends the labels that the ghosts have collected to the inboxes of other regions, then wakes these
    /// regions.
    __device__ __forceinline__ void send(RegionControl&) {
        const RegionShape& s = view_.shape;
        const RegionHead& h = head();
        for (unsigned j = threadIdx.x; j < h.ghosts; j += region_threads) {
            const std::uint32_t label = labels_[s.slots + j];
            if (label >= sent_[j]) continue;
            sent_[j] = label;
            const std::uint32_t word = in_record<std::uint32_t>(s.targets)[j];
            put(view_.inbox + word, label);
            atomicMin(best_ + in_record<std::uint16_t>(s.ghost_neighbour)[j], label);
            if (view_.claims) {
                const std::uint32_t writer = atomicExch(view_.claims + view_.regions + word, region_ + 1);
                if (writer != 0 && writer != region_ + 1) atomicAdd(view_.verdict + 1, 1);
            }
        }
        __syncthreads();
        for (unsigned k = threadIdx.x; k < h.neighbours; k += region_threads) {
            if (best_[k] == nothing) continue;
            lower(view_.wake_word(in_record<std::uint32_t>(s.neighbour)[k]), best_[k]);
            best_[k] = nothing;
        }
    }

    std::uint32_t region_ = nothing;
};

template <class Op, class Weight>
__global__ void __launch_bounds__(region_threads, 4) regions_kernel(const RegionView view, const Op op) {
    extern __shared__ __align__(16) unsigned char region_memory[];
    __shared__ RegionControl control;
    if (blockIdx.x == view.workers) {
        monitor_regions(view, reinterpret_cast<std::uint32_t*>(region_memory));
    } else {
        RegionWorker<Op, Weight>(view, op, region_memory).run(control);
    }
}

}  // namespace lockstep::frontier::regions_gpu
