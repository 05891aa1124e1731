// A region in shared memory, and the queue of its vertices with improved labels (label-correcting algorithm).
#pragma once

#include "lockstep/executor/frontier/regions/view.cuh"

namespace lockstep::frontier::regions_gpu {

/// The label-correcting algorithm in one region. `Weight` is void if the operator does not use weights.
///
/// A vertex whose label has improved is put into the queue. If its label is above `limit_` or the queue is
/// full, it is deferred instead, i.e. marked in `deferred_`. The offers of a queued vertex are sent in a
/// later round, so a label may be read while another thread improves it. Rounds only set marks, by atomics;
/// only rescan() clears them. Two lanes that improve one vertex in the same round therefore cannot write
/// different marks. If a vertex is processed after it was deferred, its mark remains, and the next rescan()
/// examines it unnecessarily.
template <class Op, class Weight>
class RegionQueue {
protected:
    static constexpr bool weighted = !std::is_void_v<Weight>;
    static constexpr unsigned all = ~0U;
    using Value = typename Op::Value;

    __device__ RegionQueue(const RegionView& view, const Op& op, unsigned char* memory)
        : view_(view), op_(op), none_(bits_of(op.none())) {
        const RegionShape& s = view.shape;
        record_ = memory;
        labels_ = reinterpret_cast<std::uint32_t*>(memory + s.bytes);
        sent_ = labels_ + s.slots + s.ghosts;
        best_ = sent_ + s.ghosts;
        deferred_ = reinterpret_cast<unsigned char*>(best_ + s.neighbours);
        queue_ = reinterpret_cast<std::uint16_t*>(deferred_ + s.slots);
        capacity_ = s.segment(region_warps);
        pitch_ = capacity_ + 32;
        for (unsigned i = threadIdx.x; i < 2 * region_warps * pitch_; i += region_threads) queue_[i] = 0;
    }

    template <class T>
    __device__ __forceinline__ T* in_record(std::uint32_t offset) const {
        return reinterpret_cast<T*>(record_ + offset);
    }
    __device__ __forceinline__ const RegionHead& head() const { return *in_record<RegionHead>(0); }

    /// Returns the number of vertices in the queue.
    __device__ __forceinline__ std::uint32_t count_waiting(const RegionControl& c) const {
        std::uint32_t sum = 0;
#pragma unroll
        for (int w = 0; w < region_warps; ++w) sum += c.count[parity_][w];
        return sum;
    }

    /// Lowers c.working_least to the minimum label of the vertices in the queue.
    __device__ __forceinline__ void find_least(RegionControl& c) const {
        const unsigned warp = threadIdx.x / 32;
        const std::uint16_t* const mine = queue_ + (parity_ * region_warps + warp) * pitch_;
        std::uint32_t least = nothing;
        for (unsigned i = threadIdx.x % 32; i < c.count[parity_][warp]; i += 32)
            least = min(least, labels_[mine[i]]);
        least = min_of_warp(least);
        if (threadIdx.x % 32 == 0) atomicMin(&c.working_least, least);
    }

    /// Prepares calls of push(), which append to this warp's part of the queue.
    __device__ __forceinline__ void begin_pushes(const RegionControl& c) {
        size_ = c.count[parity_][threadIdx.x / 32];
        into_ = parity_;
    }
    __device__ __forceinline__ void end_pushes(RegionControl& c) {
        __syncwarp();
        if (threadIdx.x % 32 == 0) c.count[into_][threadIdx.x / 32] = size_;
        if (min_deferred_ != nothing) atomicMin(&c.deferred_least, min_deferred_);
    }
    /// Marks the vertex in `slot` as deferred. Several lanes may mark the same vertex concurrently.
    __device__ __forceinline__ void defer(std::uint32_t slot) const {
        atomicOr(reinterpret_cast<std::uint32_t*>(deferred_) + slot / 4, 1U << (8 * (slot % 4)));
    }
    /// In each lane with `ok`: queues or defers vertex `v`, whose new label is `label`. All lanes of a warp
    /// must call it together.
    __device__ __forceinline__ void push(bool ok, std::uint32_t v, std::uint32_t label) {
        const bool now = ok && label <= limit_;
        const unsigned who = __ballot_sync(all, now);
        const unsigned at = size_ + static_cast<unsigned>(__popc(who & ((1U << (threadIdx.x % 32)) - 1)));
        const bool fits = now && at < capacity_;
        if (fits) {
            queue_[(into_ * region_warps + threadIdx.x / 32) * pitch_ + at] = static_cast<std::uint16_t>(v);
        } else if (ok) {
            defer(v);
            min_deferred_ = min(min_deferred_, label);
        }
        size_ = min(size_ + static_cast<unsigned>(__popc(who)), capacity_);
    }

    /// Combines `label`, which was read from word `i` of the inbox, into the label of the receiving vertex.
    /// All lanes of a warp must call it together.
    __device__ __forceinline__ void absorb(unsigned i, std::uint32_t label) {
        std::uint32_t v = 0;
        bool better = false;
        if (label < none_) {
            const std::uint32_t arrival = in_record<std::uint32_t>(view_.shape.arrivals)[i],
                                ghost = arrival >> 16;
            v = arrival & 0xFFFF;
            better = label < labels_[v] && label < atomicMin(labels_ + v, label);
            // The sender has a label at least as good as the one that it sent. Sending a worse label back
            // would not improve it.
            if (better && ghost != RegionShape::no_ghost) sent_[ghost] = min(sent_[ghost], label);
        }
        push(better, v, label);
    }

    /// Moves the deferred vertices whose labels are at most `limit_` to the queue, until the queue is full.
    __device__ __forceinline__ void rescan(RegionControl& c) {
        __syncthreads();
        if (threadIdx.x == 0) c.deferred_least = nothing;
        min_deferred_ = nothing;
        begin_pushes(c);
        __syncthreads();
        for (unsigned i = threadIdx.x; i < view_.shape.slots / 4; i += region_threads) {
            std::uint32_t& marks = reinterpret_cast<std::uint32_t*>(deferred_)[i];
            const std::uint32_t four = marks;
            marks = 0;
            if (!__any_sync(all, four != 0)) continue;
            for (unsigned k = 0; k < 4; ++k) {
                const bool here = (four >> (8 * k) & 1) != 0;
                push(here, 4 * i + k, here ? labels_[4 * i + k] : nothing);
            }
        }
        end_pushes(c);
        __syncthreads();
    }

    /// Runs rounds of the label-correcting algorithm until the queue is empty, but at most view_.rounds
    /// rounds.
    __device__ __forceinline__ void work(RegionControl& c) {
        const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        min_deferred_ = nothing;
        for (std::uint32_t round = 0; round < view_.rounds; ++round) {
            const std::uint16_t* const from = queue_ + parity_ * region_warps * pitch_;
            // This element is loaded before the length of the queue is known. If it is past the end, it is an
            // old vertex and is not used.
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
        if (min_deferred_ != nothing) atomicMin(&c.deferred_least, min_deferred_);
    }

    __device__ __forceinline__ std::uint32_t offer(std::uint32_t label, float weight) const {
        return bits_of(op_.offer(value_of<Value>(label), weight));
    }
    __device__ __forceinline__ void improve(bool active, std::uint32_t v, std::uint32_t label) {
        const bool better = active && label < atomicMin(labels_ + v, label) && v < view_.shape.slots;
        push(better, v, label);
    }

    /// In each active lane: sends offers from vertex `v` along its arcs. All lanes of a warp must call it
    /// together.
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
    /// Calls push() for each endpoint of a row whose old label `old` was greater than `made`. The queue is
    /// written without branches: a lane that has nothing to append writes to an element of its own after the
    /// queue.
    __device__ __forceinline__ void push_row(const std::uint32_t (&end)[4], const std::uint32_t (&made)[4],
                                             const std::uint32_t (&old)[4]) {
        const std::uint32_t slots = view_.shape.slots, below = (1U << (threadIdx.x % 32)) - 1,
                            nowhere = capacity_ + threadIdx.x % 32;
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
            into[now[k] && next < capacity_ ? next : nowhere] = static_cast<std::uint16_t>(end[k]);
            next += now[k];
        }
        if (view_.window != nothing) {
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                const bool later = better[k] && !now[k];
                if (later) defer(end[k]);
                min_deferred_ = min(min_deferred_, later ? made[k] : nothing);
            }
        }
        if (size > capacity_) {
            for (int k = 0; k < 4; ++k) {
                if (now[k] && at >= capacity_) {
                    defer(end[k]);
                    min_deferred_ = min(min_deferred_, made[k]);
                }
                at += now[k];
            }
        }
        size_ = min(size, capacity_);
    }

    /// Sends offers along the arcs that do not fit in the row of a vertex, in each active lane.
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

    const RegionView& view_;
    const Op& op_;
    std::uint32_t none_;
    unsigned char* record_;
    std::uint32_t *labels_, *sent_, *best_;
    unsigned char* deferred_;
    std::uint16_t* queue_;
    std::uint32_t capacity_, pitch_;
    std::uint32_t parity_ = 0, into_ = 0, size_ = 0, limit_ = 0;
    std::uint32_t min_deferred_ = nothing;
};

}  // namespace lockstep::frontier::regions_gpu
