// Pulls for shortest paths in the hub-first walk: looks for improvements of a vertex along its in-arcs, which
// are sorted by ascending weight.
#pragma once

#include <type_traits>

#include "lockstep/executor/frontier/hubs/quad.cuh"

namespace lockstep::gpu::hubs {

/// The shared memory of a thread block for pulls.
template <int warps, int list_size>
struct DistanceLists {
    std::uint32_t changed[warps][32];
    std::uint16_t open[warps][list_size];
};

/// Pulls values into vertices. `bound` is a lower bound of the values that have changed since the vertex was
/// last pulled. A vertex's list of in-arcs is read only as long as an offer from the value `bound` would
/// improve the vertex. Later arcs are heavier and cannot improve it.
template <class Op, bool packed, int warps, int batch>
class DistancePull {
public:
    using Value = typename Op::Value;
    using Arc4 = Quad<packed>;
    static constexpr int words_at_once = 5, list_size = 64 * words_at_once;
    using Shared = DistanceLists<warps, list_size>;

    __device__ __forceinline__ DistancePull(const View& view, const Op& op, const ThreadIndex& me,
                                            const Words& words, Shared& shared, Value* values)
        : view_(view), op_(op), me_(me), words_(words), shared_(shared), values_(values) {}

    __device__ __forceinline__ Value now(VertexId v) const {
        return value_of<Value>(near(reinterpret_cast<const std::uint32_t*>(values_ + v)));
    }
    /// Returns the best of `known` and the offers along the four arcs of a quad.
    __device__ __forceinline__ Value extend_path(const Arc4& quad, Value known) const {
        Value from[4];
#pragma unroll
        for (int j = 0; j < 4; ++j) from[j] = now(quad.end(j));
        return best(quad, from, known);
    }

    /// Clears the shared memory of this warp. Must be called before the first round.
    __device__ __forceinline__ void clear() { shared_.changed[me_.warp][me_.lane] = 0; }
    /// Pulls into vertex `v` with the whole warp. Returns true if the vertex's value has changed, and stores
    /// the new value in `*value`.
    __device__ __forceinline__ bool vertex(VertexId v, Value bound, Value* value) {
        const Value old = __shfl_sync(~0U, now(v), 0);
        if (!(bound < old)) return false;
        *value = combine_values(__ldg(view_.in.first + v), __ldg(view_.in.first + v + 1), old, bound);
        if (!(*value < old)) return false;
        if (me_.lane == 0) values_[v] = *value;
        return true;
    }
    /// Pulls into the vertices of one sheet, and returns the number of changed vertices. Lowers `least` to
    /// the bits of the minimum new value. Stores the bits of the changed vertices of the lane's word in
    /// `*changed`.
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
            if (open + 32 * words_at_once > list_size)
                count += check_remaining(sheet, open, bound, least), open = 0;
        }
        if (open) count += check_remaining(sheet, open, bound, least);
        __syncwarp();
        *changed = shared_.changed[me_.warp][me_.lane];
        __syncwarp();
        shared_.changed[me_.warp][me_.lane] = 0;
        return count;
    }

private:
    static constexpr int serial = 8;  // number of quads that a lane reads alone before the warp helps

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
    /// Returns the best of `known` and the offers along the quad's arcs. Skips each arc along which even the
    /// value `bound` would not improve `known`.
    __device__ __forceinline__ Value extend_path(const Arc4& quad, Value known, Value bound) const {
        Value from[4];
#pragma unroll
        for (int j = 0; j < 4; ++j)
            from[j] = op_.offer(bound, quad.weight(j)) < known ? now(quad.end(j)) : op_.none();
        return best(quad, from, known);
    }

    /// Reads a list of in-arcs from `quad` on with the whole warp, and returns the best value. All arguments
    /// must be equal in all lanes.
    __device__ __forceinline__ Value combine_values(std::uint32_t quad, std::uint32_t last, Value known,
                                                    Value bound) const {
        for (; quad < last; quad += 32) {
            const std::uint32_t mine = quad + me_.lane;
            Value better = known;
            bool more = false;
            if (mine < last) {
                const Arc4 arcs(view_.in, mine);
                better = extend_path(arcs, known, bound);
                more = op_.offer(bound, arcs.weight(3)) < known;
            }
            known = value_of<Value>(min_of_warp(bits_of(better)));
            // stop if the last arc was too heavy, or if the list has ended
            if (!(__ballot_sync(~0U, more) >> 31)) break;
        }
        return known;
    }

    /// Reads the in-arcs of the vertices that might be improved by their lightest arc. Returns the number of
    /// changed vertices.
    __device__ __forceinline__ unsigned check_remaining(std::uint32_t sheet, unsigned open, Value bound,
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
                    value = extend_path(head[j], value, bound);
                    if (op_.offer(bound, head[j].weight(3)) < value) {
                        quad = __ldg(view_.in.first + v) + 1, last = __ldg(view_.in.first + v + 1);
                        more = quad < last;
                        for (int s = 0; s < serial && more; ++s) {
                            const Arc4 arcs(view_.in, quad++);
                            value = extend_path(arcs, value, bound);
                            more = quad < last && op_.offer(bound, arcs.weight(3)) < value;
                        }
                    }
                }
                for_each_bit(__ballot_sync(~0U, more), [&](int lane) {
                    const Value all =
                        combine_values(__shfl_sync(~0U, quad, lane), __shfl_sync(~0U, last, lane),
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
    const ThreadIndex me_;
    const Words words_;
    Shared& shared_;
    Value* const values_;
};

}  // namespace lockstep::gpu::hubs
