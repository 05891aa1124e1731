// The walk of regions.hpp on a GPU: one launch, no device-wide barrier.
//
// Thread blocks are workers; region r belongs to worker r % workers for good. A worker holds one region in
// shared memory and corrects its labels (values as bits, which are in their order) until none changes, sends
// what ghosts collected every few rounds, and takes another region that was woken. A last block is the
// monitor.
//
// Why no offer is lost, and why the end is the end:
// 1. A word of an inbox has one writer, and its values only improve. The writer stores it (relaxed), then
// wakes
//    its region: __syncthreads, then min_release on its wake word. The owner takes a wake word by
//    exchange_acquire_release, and reads the inbox behind it (behind __syncthreads) before it finishes: a
//    chain of atomic operations keeps the release, so it sees every value whose wake it took, or better ones.
// 2. To work, on whatever ground, a worker first stores its state {epoch + 1, label} (release), before any
//    exchange; when it has finished, all its wakes are done (__syncthreads), it stores {epoch, none}
//    (release).
// 3. The monitor scans: all wake words (relaxed, then a fence, __syncthreads), then all states (acquire). It
//    ends the run when two scans in a row, A then B, find all wake words and states none and the same epochs.
//    Suppose work of a later epoch than B saw; take the first such, in program order and reads-from. What it
//    was given came from work that A saw finished, so its wake word was set before B read it (2, acquire). B
//    read none: an exchange had taken it, by work of an epoch that B then saw (the exchange releases the
//    state before it), that is, of no later one, which took all (1): the later work has nothing to do. The
//    floor, the least label that the monitor saw, only says who waits: any value of it is right.
#pragma once

#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/device/memory.cuh"
#include "lockstep/executor/device/ordered.cuh"
#include "lockstep/executor/frontier/regions.hpp"

namespace lockstep::frontier::regions_gpu {

using namespace lockstep::gpu;

inline constexpr int region_threads = 128, region_warps = 4;  // counts of the warps are read as four words
inline constexpr std::uint32_t nothing = ~0U;                 // no label
enum Verdict : std::uint32_t { go_on = 0, ended = 1, overdue = 2 };

struct RegionView {
    RegionShape shape;
    std::uint32_t regions, workers;
    std::uint32_t line;  ///< words of a worker's line: floor, verdict, state (2), wake words
    const unsigned char* records;
    std::uint32_t* labels;    ///< by place
    unsigned char* deferred;  ///< by place: its label has not been passed on
    std::uint32_t* inbox;
    std::uint32_t* lines;
    std::uint32_t* claims;   ///< by region, then by word of the inbox; nullptr: not checked
    std::uint32_t* verdict;  ///< how it ended, then violations that the claims found
    std::uint32_t window;    ///< labels this far above the floor wait; `nothing`: none does
    bool hints;  ///< neighbours are woken before it is certain that they see why, and again after it
    std::uint32_t rounds;  ///< between two looks at the neighbours
    std::uint64_t most_nanoseconds;

    static constexpr std::uint32_t header = 4;
    __device__ std::uint32_t* line_of(std::uint32_t worker) const {
        return lines + std::size_t{worker} * line;
    }
    __device__ std::uint32_t* wake_word(std::uint32_t region) const {
        return line_of(region % workers) + header + region / workers;
    }
    __device__ __forceinline__ const RegionHead& head(std::uint32_t region) const {
        return *reinterpret_cast<const RegionHead*>(records + std::size_t{region} * shape.bytes);
    }
};

template <class Value>
__device__ __forceinline__ Value label_value(std::uint32_t bits) {
    if constexpr (std::is_same_v<Value, float>)
        return __uint_as_float(bits);
    else
        return bits;
}
__device__ __forceinline__ std::uint32_t label_bits(float v) { return __float_as_uint(v); }
__device__ __forceinline__ std::uint32_t label_bits(std::uint32_t v) { return v; }
/// A label `window` above: of floats in their values.
template <class Value>
__device__ __forceinline__ std::uint32_t limit_of(std::uint32_t floor, std::uint32_t window,
                                                  std::uint32_t none) {
    if (window == nothing || floor >= none) return none - 1;
    if constexpr (std::is_same_v<Value, float>) {
        return min(label_bits(label_value<float>(floor) + label_value<float>(window)), none - 1);
    } else {
        return floor < none - 1 - min(window, none - 1) ? floor + window : none - 1;
    }
}

/// What the warps of a worker tell each other.
struct alignas(16) RegionControl {
    std::uint32_t count[2][region_warps];                                     // of the parts of the queue
    std::uint32_t chosen, what, least, limit;                                 // by choose()
    std::uint32_t next_limit, deferred_least, working_least, woken, verdict;  // while a region is worked on
};

/// The weights of a row as they are kept.
template <class Weight>
struct Four {
    using Packed = uint4;
    __device__ static float at(const uint4& w, int k) {
        return __uint_as_float(k == 0 ? w.x : k == 1 ? w.y : k == 2 ? w.z : w.w);
    }
};
template <>
struct Four<std::uint8_t> {
    using Packed = std::uint32_t;
    __device__ static float at(std::uint32_t w, int k) { return static_cast<float>(w >> (8 * k) & 0xFF); }
};
template <>
struct Four<std::uint16_t> {
    using Packed = uint2;
    __device__ static float at(uint2 w, int k) {
        return static_cast<float>((k < 2 ? w.x : w.y) >> (16 * (k % 2)) & 0xFFFF);
    }
};

/// Weight: void, where the operator has none.
template <class Op, class Weight>
class RegionWorker {
    static constexpr bool weighted = !std::is_void_v<Weight>;
    static constexpr unsigned all = ~0U;
    using Value = typename Op::Value;

public:
    __device__ RegionWorker(const RegionView& view, const Op& op, unsigned char* memory)
        : view_(view), op_(op), none_(label_bits(op.none())) {
        const RegionShape& s = view.shape;
        record_ = memory;
        labels_ = reinterpret_cast<std::uint32_t*>(memory + s.bytes);
        sent_ = labels_ + s.slots + s.ghosts;
        best_ = sent_ + s.ghosts;
        owed_ = best_ + s.neighbours;
        deferred_ = reinterpret_cast<unsigned char*>(owed_ + s.neighbours);
        queue_ = reinterpret_cast<std::uint16_t*>(deferred_ + s.slots + 16);
        room_ = s.segment(region_warps);
        pitch_ = room_ + 8;
        for (unsigned i = threadIdx.x; i < 2 * region_warps * pitch_; i += region_threads) queue_[i] = 0;
    }

    __device__ __forceinline__ void run(RegionControl& c) {
        std::uint32_t* const line = view_.line_of(blockIdx.x);
        if (threadIdx.x < 2 * region_warps) c.count[0][threadIdx.x] = 0;
        __syncthreads();
        for (std::uint32_t epoch = 1;; ++epoch) {
            if (threadIdx.x < 32) choose(c, line);
            __syncthreads();
            const std::uint32_t owned = c.chosen, label = c.least;
            if (c.what != go_on) break;
            const std::uint32_t region = blockIdx.x + owned * view_.workers;
            std::uint32_t* const wake = line + RegionView::header + owned;
            const bool change = region != region_;
            if (threadIdx.x == 0) {
                store_relaxed(state_of(line), state(epoch, label));
                static_cast<void>(exchange_acquire_release(wake, nothing));
            }
            if (change) {
                save();
                load(region);
                __syncthreads();
            }
            serve(c, line, wake, epoch, change);
        }
        save();
    }

private:
    __device__ static std::uint64_t* state_of(std::uint32_t* line) {
        return reinterpret_cast<std::uint64_t*>(line + 2);
    }
    __device__ static std::uint64_t state(std::uint32_t epoch, std::uint32_t label) {
        return std::uint64_t{epoch} << 32 | label;
    }

    /// The first warp waits until a region of its own may go on, or all is over.
    __device__ __forceinline__ void choose(RegionControl& c, const std::uint32_t* line) const {
        const unsigned lane = threadIdx.x;
        const std::uint32_t words =
            RegionView::header + (view_.regions - blockIdx.x + view_.workers - 1) / view_.workers;
        for (;;) {
            std::uint32_t least = nothing, at = 0, floor = 0, verdict = go_on;
            for (std::uint32_t i = lane; i < words; i += 32) {
                const std::uint32_t word = load_relaxed(line + i);
                if (i == 0) floor = word;
                if (i == 1) verdict = word;
                if (i >= RegionView::header && word < least) least = word, at = i - RegionView::header;
            }
            floor = __shfl_sync(all, floor, 0), verdict = __shfl_sync(all, verdict, 1);
            const std::uint32_t best = __reduce_min_sync(all, least);
            const unsigned who = __ballot_sync(all, least == best);
            const std::uint32_t limit = limit_of<Value>(floor, view_.window, none_);
            if (verdict == go_on && (best == nothing || best > limit)) continue;
            at = __shfl_sync(all, at, __ffs(static_cast<int>(who)) - 1);
            if (lane == 0) {
                c.chosen = at, c.least = best, c.limit = limit, c.what = verdict;
                c.deferred_least = c.working_least = nothing, c.woken = 0;
            }
            return;
        }
    }

    // -- a region into shared memory and back --------------------------------------------------------------
    template <class T>
    __device__ __forceinline__ T* in_record(std::uint32_t offset) const {
        return reinterpret_cast<T*>(record_ + offset);
    }
    __device__ __forceinline__ const RegionHead& head() const { return *in_record<RegionHead>(0); }

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
        for (unsigned k = threadIdx.x; k < s.neighbours; k += region_threads) best_[k] = owed_[k] = nothing;
        region_ = region;
        if (view_.claims && threadIdx.x == 0 && atomicExch(view_.claims + region, blockIdx.x + 1) != 0)
            atomicAdd(view_.verdict + 1, 1);
    }

    // -- the work on a region ------------------------------------------------------------------------------
    static constexpr unsigned ahead = 3;  // words of the inbox a thread fetches while it works

    __device__ __forceinline__ void serve(RegionControl& c, std::uint32_t* line, std::uint32_t* wake,
                                          std::uint32_t epoch, bool behind) {
        bool first = true;
        bool look = true;  // for vertices that were deferred before
        limit_ = c.limit;
        for (;;) {
            const RegionHead& h = head();
            std::uint32_t early[ahead];
            const std::uint32_t* const inbox = view_.inbox + h.inbox;
#pragma unroll
            for (unsigned k = 0; k < ahead; ++k) {
                const unsigned i = threadIdx.x + k * region_threads;
                early[k] = i < h.arrivals ? load_relaxed(inbox + i) : none_;
            }
            std::uint32_t woken = nothing, floor = 0, verdict = go_on;
            if (threadIdx.x == 0)
                woken = load_relaxed(wake), floor = load_relaxed(line), verdict = load_relaxed(line + 1);
            if (!first) {
                work(c);
                send(c);
            }
            least_deferred_ = nothing;
            // All of a warp, in step: absorbing pushes.
            begin_pushes(c);
#pragma unroll
            for (unsigned k = 0; k < ahead; ++k) absorb(threadIdx.x + k * region_threads, early[k]);
            for (unsigned i = threadIdx.x + ahead * region_threads; i - threadIdx.x < h.arrivals;
                 i += region_threads)
                absorb(i, i < h.arrivals ? load_relaxed(inbox + i) : none_);
            end_pushes(c);
            if (threadIdx.x == 0) {
                c.woken = woken != nothing;
                c.next_limit = limit_of<Value>(floor, view_.window, none_);
                c.verdict = verdict;
                if (c.working_least != nothing) {
                    store_relaxed(state_of(line), state(epoch, min(c.working_least, none_ - 1)));
                    c.working_least = nothing;
                }
            }
            __syncthreads();
            limit_ = c.next_limit;
            if (c.verdict == overdue) return;
            bool more = waiting(c) > 0;
            if (!more && (look || c.deferred_least <= limit_)) {
                rescan(c);
                look = false, more = waiting(c) > 0;
            }
            if (!more) {
                // Who was woken meanwhile takes what came before, and looks into the inbox behind it.
                const bool woken_again = c.woken;
                if (behind && !woken_again) break;
                if (woken_again && threadIdx.x == 0)
                    static_cast<void>(exchange_acquire_release(wake, nothing));
                __syncthreads();
            } else if (view_.window != nothing) {
                find_progress(c);
            }
            first = false, behind = true;
        }
        __syncthreads();
        if (view_.hints) {
            wake_neighbours(owed_, min_release);
            __syncthreads();
        }
        if (threadIdx.x == 0) {
            if (c.deferred_least != nothing) min_release(wake, c.deferred_least);
            store_release(state_of(line), state(epoch, nothing));
        }
    }

    __device__ __forceinline__ std::uint32_t waiting(const RegionControl& c) const {
        std::uint32_t sum = 0;
#pragma unroll
        for (int w = 0; w < region_warps; ++w) sum += c.count[parity_][w];
        return sum;
    }

    /// The least label that waits, for the monitor. It is told a turn later: it lags, as the floor does.
    __device__ __forceinline__ void find_progress(RegionControl& c) const {
        const unsigned warp = threadIdx.x / 32;
        const std::uint16_t* const mine = queue_ + (parity_ * region_warps + warp) * pitch_;
        std::uint32_t least = nothing;
        for (unsigned i = threadIdx.x % 32; i < c.count[parity_][warp]; i += 32)
            least = min(least, labels_[mine[i]]);
        least = __reduce_min_sync(all, least);
        if (threadIdx.x % 32 == 0) atomicMin(&c.working_least, least);
    }

    // -- the queue: a part a warp, twice; who finds no room is deferred
    // ----------------------------------------
    __device__ __forceinline__ void begin_pushes(const RegionControl& c) {
        size_ = c.count[parity_][threadIdx.x / 32];
        into_ = parity_;
    }
    __device__ __forceinline__ void end_pushes(RegionControl& c) {
        __syncwarp();
        if (threadIdx.x % 32 == 0) c.count[into_][threadIdx.x / 32] = size_;
        if (least_deferred_ != nothing) atomicMin(&c.deferred_least, least_deferred_);
    }
    /// All lanes of a warp. `ok`: vertex v, of this label, is to be passed on.
    __device__ __forceinline__ void push(bool ok, std::uint32_t v, std::uint32_t label) {
        const bool now = ok && label <= limit_;
        const unsigned who = __ballot_sync(all, now);
        const unsigned at = size_ + static_cast<unsigned>(__popc(who & ((1U << (threadIdx.x % 32)) - 1)));
        const bool fits = now && at < room_;
        if (fits) {
            queue_[(into_ * region_warps + threadIdx.x / 32) * pitch_ + at] = static_cast<std::uint16_t>(v);
            // Where another lane defers v at the same time, v is still in the queue, with the better label.
            deferred_[v] = 0;
        } else if (ok) {
            deferred_[v] = 1;
            least_deferred_ = min(least_deferred_, label);
        }
        size_ = min(size_ + static_cast<unsigned>(__popc(who)), room_);
    }

    __device__ __forceinline__ void absorb(unsigned i, std::uint32_t label) {
        std::uint32_t v = 0;
        bool better = false;
        if (label < none_) {
            const std::uint32_t arrival = in_record<std::uint32_t>(view_.shape.arrivals)[i],
                                ghost = arrival >> 16;
            v = arrival & 0xFFFF;
            better = label < labels_[v] && label < atomicMin(labels_ + v, label);
            // The sender's label is no worse than what it sent: nothing worse need go back.
            if (better && ghost != RegionShape::no_ghost) sent_[ghost] = min(sent_[ghost], label);
        }
        push(better, v, label);
    }

    /// Deferred vertices within the window are pushed, as far as there is room.
    __device__ __forceinline__ void rescan(RegionControl& c) {
        __syncthreads();
        if (threadIdx.x == 0) c.deferred_least = nothing;
        least_deferred_ = nothing;
        begin_pushes(c);
        __syncthreads();
        for (unsigned i = threadIdx.x; i < view_.shape.slots / 4; i += region_threads) {
            const std::uint32_t four = reinterpret_cast<const std::uint32_t*>(deferred_)[i];
            if (!__any_sync(all, four != 0)) continue;
            for (unsigned k = 0; k < 4; ++k) {
                const bool here = (four >> (8 * k) & 1) != 0;
                push(here, 4 * i + k, here ? labels_[4 * i + k] : nothing);
            }
        }
        end_pushes(c);
        __syncthreads();
    }

    /// Rounds of label correcting.
    __device__ __forceinline__ void work(RegionControl& c) {
        const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        least_deferred_ = nothing;
        for (std::uint32_t round = 0; round < view_.rounds; ++round) {
            const std::uint16_t* const from = queue_ + parity_ * region_warps * pitch_;
            // Fetched before it is known how many there are: entries behind them are of earlier rounds.
            const std::uint32_t v = from[warp * pitch_ + lane], own = c.count[parity_][warp];
            const uint4 count = *reinterpret_cast<const uint4*>(c.count[parity_]);
            const std::uint32_t second = count.x + count.y, third = second + count.z, sum = third + count.w;
            if (sum == 0) break;
            size_ = 0, into_ = parity_ ^ 1;
            if (max(max(count.x, count.y), max(count.z, count.w)) <= 32) {
                relax(lane < own, v);
            } else {
                for (std::uint32_t i = threadIdx.x; i - lane < sum; i += region_threads) {
                    const std::uint32_t at = i < count.x  ? i
                                             : i < second ? i - count.x + pitch_
                                             : i < third  ? i - second + 2 * pitch_
                                                          : i - third + 3 * pitch_;
                    relax(i < sum, i < sum ? from[at] : 0);
                }
            }
            if (lane == 0) c.count[into_][warp] = size_;
            parity_ = into_;
            __syncthreads();
        }
        if (least_deferred_ != nothing) atomicMin(&c.deferred_least, least_deferred_);
    }

    __device__ __forceinline__ std::uint32_t offer(std::uint32_t label, float weight) const {
        return label_bits(op_.offer(label_value<Value>(label), weight));
    }
    __device__ __forceinline__ void improve(bool active, std::uint32_t v, std::uint32_t label) {
        const bool better = active && label < atomicMin(labels_ + v, label) && v < view_.shape.slots;
        push(better, v, label);
    }

    /// All lanes of a warp: those that are active pass the label of their vertex on.
    __device__ __forceinline__ void relax(bool active, std::uint32_t v) {
        const uint2 row = in_record<uint2>(view_.shape.rows)[v];
        const std::uint32_t label = labels_[v];
        float w[4] = {1, 1, 1, 1};
        if constexpr (weighted) {
            const auto packed = in_record<typename Four<Weight>::Packed>(view_.shape.weights)[v];
#pragma unroll
            for (int k = 0; k < 4; ++k) w[k] = Four<Weight>::at(packed, k);
        }
        const bool has_more = (row.x & RegionShape::has_more) != 0;
        const std::uint32_t end[4] = {row.x & (RegionShape::has_more - 1), row.x >> 16, row.y & 0xFFFF,
                                      has_more ? v : row.y >> 16};
        std::uint32_t made[4], old[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) made[k] = offer(label, w[k]), old[k] = 0;
        if (active) {
#pragma unroll
            for (int k = 0; k < 4; ++k) old[k] = atomicMin(labels_ + end[k], made[k]);
        }
        push_row(end, made, old);
        if (__any_sync(all, active && has_more)) relax_more(active && has_more, row.y >> 16, label);
    }
    /// push() for the ends of a row, those that `made` improves on `old`, without branches.
    __device__ __forceinline__ void push_row(const std::uint32_t (&end)[4], const std::uint32_t (&made)[4],
                                             const std::uint32_t (&old)[4]) {
        const std::uint32_t slots = view_.shape.slots, below = (1U << (threadIdx.x % 32)) - 1;
        std::uint16_t* const into = queue_ + (into_ * region_warps + threadIdx.x / 32) * pitch_;
        bool better[4], now[4];
        unsigned who[4], at = size_, size = size_;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            better[k] = made[k] < old[k] && end[k] < slots;
            now[k] = better[k] && made[k] <= limit_;
            who[k] = __ballot_sync(all, now[k]);
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            at += static_cast<unsigned>(__popc(who[k] & below));
            size += static_cast<unsigned>(__popc(who[k]));
        }
        unsigned next = at;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (now[k] && next < room_) into[next] = static_cast<std::uint16_t>(end[k]);
            next += now[k];
        }
        if (view_.window != nothing) {
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                if (better[k]) deferred_[end[k]] = !now[k];
                least_deferred_ = min(least_deferred_, better[k] && !now[k] ? made[k] : nothing);
            }
        }
        if (size > room_) {
            for (int k = 0; k < 4; ++k) {
                if (now[k] && at >= room_) {
                    deferred_[end[k]] = 1;
                    least_deferred_ = min(least_deferred_, made[k]);
                }
                at += now[k];
            }
        }
        size_ = min(size, room_);
    }

    /// The arcs behind those of the row.
    __device__ __forceinline__ void relax_more(bool active, std::uint32_t list, std::uint32_t label) {
        const std::uint32_t* const first = in_record<std::uint32_t>(view_.shape.more_first);
        std::uint32_t i = active ? first[list] : 0;
        const std::uint32_t end = active ? first[list + 1] : 0;
        while (__any_sync(all, i < end)) {
            const bool here = i < end;
            float w = 1;
            if constexpr (weighted) {
                if (here) w = static_cast<float>(in_record<Weight>(view_.shape.more_weights)[i]);
            }
            improve(here, here ? in_record<std::uint16_t>(view_.shape.more)[i] : 0, offer(label, w));
            ++i;
        }
    }

    /// Sends what ghosts collected, then wakes whom it was sent to.
    __device__ __forceinline__ void send(RegionControl&) {
        const RegionShape& s = view_.shape;
        const RegionHead& h = head();
        for (unsigned j = threadIdx.x; j < h.ghosts; j += region_threads) {
            const std::uint32_t label = labels_[s.slots + j];
            if (label >= sent_[j]) continue;
            sent_[j] = label;
            const std::uint32_t word = in_record<std::uint32_t>(s.targets)[j];
            store_relaxed(view_.inbox + word, label);
            atomicMin(best_ + in_record<std::uint16_t>(s.ghost_neighbour)[j], label);
            if (view_.claims) {
                const std::uint32_t writer = atomicExch(view_.claims + view_.regions + word, region_ + 1);
                if (writer != 0 && writer != region_ + 1) atomicAdd(view_.verdict + 1, 1);
            }
        }
        __syncthreads();
        if (view_.hints) {
            for (unsigned k = threadIdx.x; k < h.neighbours; k += region_threads)
                owed_[k] = min(owed_[k], best_[k]);
            wake_neighbours(best_, min_relaxed);
        } else {
            wake_neighbours(best_, min_release);
        }
    }
    template <class Wake>
    __device__ __forceinline__ void wake_neighbours(std::uint32_t* least, Wake wake) {
        for (unsigned k = threadIdx.x; k < head().neighbours; k += region_threads) {
            if (least[k] == nothing) continue;
            wake(view_.wake_word(in_record<std::uint32_t>(view_.shape.neighbour)[k]), least[k]);
            least[k] = nothing;
        }
    }

    const RegionView& view_;
    const Op& op_;
    std::uint32_t none_;
    unsigned char* record_;
    std::uint32_t *labels_, *sent_, *best_, *owed_;
    unsigned char* deferred_;
    std::uint16_t* queue_;
    std::uint32_t room_, pitch_;
    std::uint32_t region_ = nothing;
    std::uint32_t parity_ = 0, into_ = 0, size_ = 0, limit_ = 0;
    std::uint32_t least_deferred_ = nothing;
};

/// The last block: says how far all are, and when nobody has anything to do.
__device__ inline void monitor_regions(const RegionView& view, std::uint32_t* shared) {
    const std::uint64_t deadline = nanoseconds() + view.most_nanoseconds;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const std::uint32_t quads = view.line / 4;
    bool quiet = false;
    std::uint32_t epochs = 0, told = nothing;
    for (;;) {
        std::uint32_t least = nothing, sum = 0;
#pragma unroll 8
        for (std::uint32_t i = threadIdx.x; i < view.workers * quads; i += region_threads) {
            if (i % quads == 0) continue;
            const uint4 four = load_relaxed(reinterpret_cast<const uint4*>(view.lines) + i);
            least = min(min(least, min(four.x, four.y)), min(four.z, four.w));
        }
        fence_acquire_release();
        __syncthreads();
#pragma unroll 4
        for (std::uint32_t w = threadIdx.x; w < view.workers; w += region_threads) {
            const std::uint64_t state =
                load_acquire(reinterpret_cast<const std::uint64_t*>(view.line_of(w) + 2));
            least = min(least, static_cast<std::uint32_t>(state));
            sum += static_cast<std::uint32_t>(state >> 32);
        }
        least = __reduce_min_sync(~0U, least), sum = __reduce_add_sync(~0U, sum);
        if (lane == 0) shared[warp] = least, shared[region_warps + warp] = sum;
        if (threadIdx.x == 0) shared[2 * region_warps] = nanoseconds() > deadline;
        __syncthreads();
        least = nothing, sum = 0;
        for (int w = 0; w < region_warps; ++w) least = min(least, shared[w]), sum += shared[region_warps + w];
        const bool late = shared[2 * region_warps] != 0, end = least == nothing && quiet && sum == epochs;
        quiet = least == nothing, epochs = sum;
        if (end || late) {
            for (std::uint32_t w = threadIdx.x; w < view.workers; w += region_threads)
                store_relaxed(view.line_of(w) + 1, late ? overdue : ended);
            if (threadIdx.x == 0) view.verdict[0] = late ? overdue : ended;
            return;
        }
        if (least != nothing && least != told && view.window != nothing) {
            told = least;
            for (std::uint32_t w = threadIdx.x; w < view.workers; w += region_threads)
                store_relaxed(view.line_of(w), least);
        }
        __syncthreads();
    }
}

template <class Op, class Weight>
__global__ void __launch_bounds__(region_threads, 6) regions_kernel(const RegionView view, const Op op) {
    extern __shared__ __align__(16) unsigned char region_memory[];
    __shared__ RegionControl control;
    if (blockIdx.x == view.workers) {
        monitor_regions(view, reinterpret_cast<std::uint32_t*>(region_memory));
    } else {
        RegionWorker<Op, Weight>(view, op, region_memory).run(control);
    }
}

}  // namespace lockstep::frontier::regions_gpu
