// Pulls along weighted arcs: what improves a vertex, over lists that ascend by weight.
#pragma once

#include <type_traits>

#include "lockstep/executor/frontier/hubs/quad.cuh"

namespace lockstep::gpu::hubs {

/// What a block has in shared memory for them.
template <int warps, int list_size>
struct DistanceLists {
    std::uint32_t changed[warps][32];
    std::uint16_t open[warps][list_size];
};

/// A list is read while `bound`, sent along the arc, would improve its vertex: a vertex of a better value has
/// been looked at before.
template <class Op, bool packed, int warps, int batch>
class DistancePull {
public:
    using Value = typename Op::Value;
    using Arc4 = Quad<packed>;
    static constexpr int words_at_once = 5, list_size = 64 * words_at_once;
    using Shared = DistanceLists<warps, list_size>;

    __device__ __forceinline__ DistancePull(const View& view, const Op& op, const Place& me,
                                            const Words& words, Shared& shared, Value* values)
        : view_(view), op_(op), me_(me), words_(words), shared_(shared), values_(values) {}

    __device__ __forceinline__ Value now(VertexId v) const {
        return value_of<Value>(near(reinterpret_cast<const std::uint32_t*>(values_ + v)));
    }
    /// What comes along four arcs, if it is better than `known`.
    __device__ __forceinline__ Value along(const Arc4& quad, Value known) const {
        Value from[4];
#pragma unroll
        for (int j = 0; j < 4; ++j) from[j] = now(quad.end(j));
        return best(quad, from, known);
    }

    /// Before the first round.
    __device__ __forceinline__ void clear() { shared_.changed[me_.warp][me_.lane] = 0; }
    /// Vertex v by the whole warp; whether it changed, and to what.
    __device__ __forceinline__ bool vertex(VertexId v, Value bound, Value* value) {
        const Value old = __shfl_sync(~0U, now(v), 0);
        if (!(bound < old)) return false;
        *value = together(__ldg(view_.in.first + v), __ldg(view_.in.first + v + 1), old, bound);
        if (!(*value < old)) return false;
        if (me_.lane == 0) values_[v] = *value;
        return true;
    }
    /// The words of one sheet; returns how many vertices changed, lowers `least` to the bits of what they
    /// changed to, and `*changed` has those of the lane's word.
    __device__ __forceinline__ unsigned sheet(std::uint32_t sheet, Value bound, std::uint32_t& least,
                                              std::uint32_t* changed) {
        const std::uint32_t words = words_.of(sheet);
        unsigned open = 0, count = 0;
        for (std::uint32_t k0 = 0; k0 < words; k0 += words_at_once) {
            Value old[words_at_once];
            float top[words_at_once];
#pragma unroll
            for (int j = 0; j < words_at_once; ++j) {
                old[j] = op_.start(), top[j] = 0;
                if (k0 + j < words) {
                    const VertexId v = words_.vertex(sheet, k0 + j, me_.lane);
                    old[j] = now(v);
                    top[j] = weight_of_top(v);
                }
            }
#pragma unroll
            for (int j = 0; j < words_at_once; ++j) {
                const bool opens = k0 + j < words && bound < old[j] && op_.offer(bound, top[j]) < old[j];
                const unsigned all = __ballot_sync(~0U, opens);
                if (opens)
                    shared_.open[me_.warp][open + __popc(all & ((1U << me_.lane) - 1))] =
                        static_cast<std::uint16_t>((k0 + j) << 5 | me_.lane);
                open += __popc(all);
            }
            if (open + 32 * words_at_once > list_size) count += look_on(sheet, open, bound, least), open = 0;
        }
        if (open) count += look_on(sheet, open, bound, least);
        __syncwarp();
        *changed = shared_.changed[me_.warp][me_.lane];
        __syncwarp();
        shared_.changed[me_.warp][me_.lane] = 0;
        return count;
    }

private:
    static constexpr int serial = 8;  // quads that a lane looks at before its warp helps

    __device__ __forceinline__ float weight_of_top(VertexId v) const {
        if constexpr (packed)
            return Arc4::weight_in(__ldg(reinterpret_cast<const std::uint8_t*>(view_.top) + v));
        else
            return __uint_as_float(__ldg(view_.top + v));
    }
    __device__ __forceinline__ Value best(const Arc4& quad, const Value (&from)[4], Value known) const {
#pragma unroll
        for (int j = 0; j < 4; ++j)
            if (from[j] < known) known = min(known, op_.offer(from[j], quad.weight(j)));
        return known;
    }
    /// Of the arcs along which `bound` would be better.
    __device__ __forceinline__ Value along(const Arc4& quad, Value known, Value bound) const {
        Value from[4];
#pragma unroll
        for (int j = 0; j < 4; ++j)
            from[j] = op_.offer(bound, quad.weight(j)) < known ? now(quad.end(j)) : op_.none();
        return best(quad, from, known);
    }

    /// A list from `quad` on, by the whole warp, which agrees on all arguments.
    __device__ __forceinline__ Value together(std::uint32_t quad, std::uint32_t last, Value known,
                                              Value bound) const {
        for (; quad < last; quad += 32) {
            const std::uint32_t mine = quad + me_.lane;
            Value better = known;
            bool more = false;
            if (mine < last) {
                const Arc4 arcs(view_.in, mine);
                better = along(arcs, known, bound);
                more = op_.offer(bound, arcs.weight(3)) < known;
            }
            known = value_of<Value>(least_of_warp(bits_of(better)));
            if (!(__ballot_sync(~0U, more) >> 31)) break;  // the last arc was too heavy, or there is none
        }
        return known;
    }

    /// Those whose lightest arc may improve them; returns how many changed.
    __device__ __forceinline__ unsigned look_on(std::uint32_t sheet, unsigned open, Value bound,
                                                std::uint32_t& least) {
        unsigned count = 0;
        __syncwarp();
        for (unsigned i0 = 0; i0 < open; i0 += 32 * batch) {
            Arc4 head[batch];
            Value old[batch];
            std::uint32_t entry[batch];
#pragma unroll
            for (int j = 0; j < batch; ++j) {
                const unsigned i = i0 + static_cast<unsigned>(j) * 32 + me_.lane;
                entry[j] = none, old[j] = op_.start();
                if (i < open) {
                    entry[j] = shared_.open[me_.warp][i];
                    const VertexId v = words_.vertex(sheet, entry[j] >> 5, entry[j] & 31);
                    head[j] = Arc4(view_.head, v);
                    old[j] = now(v);
                }
            }
#pragma unroll
            for (int j = 0; j < batch; ++j) {
                if (i0 + static_cast<unsigned>(j) * 32 >= open) break;
                const bool some = entry[j] != none;
                const VertexId v = words_.vertex(sheet, entry[j] >> 5, entry[j] & 31);
                Value value = old[j];
                std::uint32_t quad = 0, last = 0;
                bool more = false;
                if (some) {
                    value = along(head[j], value, bound);
                    if (op_.offer(bound, head[j].weight(3)) < value) {
                        quad = __ldg(view_.in.first + v) + 1, last = __ldg(view_.in.first + v + 1);
                        more = quad < last;
                        for (int s = 0; s < serial && more; ++s) {
                            const Arc4 arcs(view_.in, quad++);
                            value = along(arcs, value, bound);
                            more = quad < last && op_.offer(bound, arcs.weight(3)) < value;
                        }
                    }
                }
                for_each_bit(__ballot_sync(~0U, more), [&](int lane) {
                    const Value all = together(__shfl_sync(~0U, quad, lane), __shfl_sync(~0U, last, lane),
                                               __shfl_sync(~0U, value, lane), bound);
                    if (static_cast<std::uint32_t>(lane) == me_.lane) value = all;
                });
                const bool better = some && value < old[j];
                if (better) {
                    values_[v] = value;
                    least = min(least, bits_of(value));
                    atomicOr(&shared_.changed[me_.warp][entry[j] >> 5], 1U << (entry[j] & 31));
                }
                count += __popc(__ballot_sync(~0U, better));
            }
        }
        __syncwarp();
        return count;
    }

    static constexpr std::uint32_t none = ~0U;

    const View& view_;
    const Op& op_;
    const Place me_;
    const Words words_;
    Shared& shared_;
    Value* const values_;
};

}  // namespace lockstep::gpu::hubs
