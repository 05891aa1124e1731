// Pulls for breadth-first search in the hub-first walk. An unreached vertex first checks its first in-arc
// only, whose source is its best-connected neighbour. The vertices for which this source was not reached are
// then collected, so that all lanes have work, and check their other in-arcs.
#pragma once

#include "lockstep/executor/frontier/hubs/device.cuh"

namespace lockstep::gpu::hubs {

/// The shared memory of a thread block for pulls.
template <int warps, int list_size>
struct LevelLists {
    std::uint32_t found[warps][32], few[warps][32];
    std::uint16_t missed[warps][list_size];
};

template <int warps, int batch>
class LevelPull {
public:
    static constexpr int list_size = batch <= 5 ? 64 * batch : 32 * batch;
    using Shared = LevelLists<warps, list_size>;

    __device__ __forceinline__ LevelPull(const View& view, const ThreadIndex& me, const Words& words,
                                         Shared& shared, std::uint32_t* values)
        : view_(view), me_(me), words_(words), shared_(shared), values_(values) {}
    /// Sets the bitmap of the reached vertices, and the value for vertices that this level reaches.
    __device__ __forceinline__ void look_in(const std::uint32_t* seen, std::uint32_t value) {
        seen_ = seen, value_ = value;
    }
    /// Clears the shared memory of this warp. Must be called before the first level.
    __device__ __forceinline__ void clear() { shared_.found[me_.warp][me_.lane] = 0; }

    /// Pulls one level into the vertices of one sheet. `own` is the lane's word of the bitmap of reached
    /// vertices, to which newly reached vertices are added. Returns the number of newly reached vertices.
    __device__ __forceinline__ unsigned sheet(std::uint32_t sheet, std::uint32_t& own) {
        const std::uint32_t words = words_.of(sheet);
        unsigned reached = 0, missed = 0;
        for (std::uint32_t k0 = 0; k0 < words; k0 += batch) {
            std::uint32_t top[batch], seen[batch], hit = 0;
#pragma unroll
            for (int j = 0; j < batch; ++j) {
                const std::uint32_t k = k0 + j;
                seen[j] = __shfl_sync(~0U, own, static_cast<int>(k & 31));
                if (k >= words) seen[j] = ~0U;
                top[j] = 0;
                if (!(seen[j] >> me_.lane & 1)) top[j] = __ldg(view_.top + words_.vertex(sheet, k, me_.lane));
            }
#pragma unroll
            for (int j = 0; j < batch; ++j)
                if (!(seen[j] >> me_.lane & 1)) hit |= static_cast<std::uint32_t>(probe(top[j])) << j;
#pragma unroll
            for (int j = 0; j < batch; ++j) {
                if (seen[j] == ~0U) continue;
                const std::uint32_t k = k0 + j;
                if (hit >> j & 1) values_[words_.vertex(sheet, k, me_.lane)] = value_;
                const unsigned hits = __ballot_sync(~0U, hit >> j & 1), rest = ~(seen[j] | hits);
                reached += __popc(hits);
                if (me_.lane == k) own |= hits;
                if (rest >> me_.lane & 1)
                    shared_.missed[me_.warp][missed + __popc(rest & ((1U << me_.lane) - 1))] =
                        static_cast<std::uint16_t>(k << 5 | me_.lane);
                missed += __popc(rest);
            }
            if (missed + 32 * batch > list_size) reached += check_remaining(sheet, missed, own), missed = 0;
        }
        return missed ? reached + check_remaining(sheet, missed, own) : reached;
    }

    /// The unreached vertices of a warp if at most 32 are left. They stay in registers, one per lane.
    struct LastVertices {
        bool on = false, some = false;
        std::uint32_t entry = 0;
        VertexId v = 0;
        uint4 head{};
    };
    /// Moves the unreached vertices of the warp to registers, if at most 32 are left.
    __device__ __forceinline__ void try_few(LastVertices& few, std::uint32_t own) {
        const auto mine = static_cast<std::uint32_t>(__popc(~own));
        const std::uint32_t sum = inclusive_sum(mine), all = __shfl_sync(~0U, sum, 31);
        if (all > 32) return;
        std::uint32_t at = sum - mine;
        for_each_bit(~own, [&](int bit) {
            shared_.few[me_.warp][at++] = me_.lane << 5 | static_cast<std::uint32_t>(bit);
        });
        __syncwarp();
        few.on = true;
        few.some = me_.lane < all;
        if (!few.some) return;
        few.entry = shared_.few[me_.warp][me_.lane];
        few.v = words_.vertex(0, few.entry >> 5, few.entry & 31);
        few.head = __ldg(view_.head.ends + few.v);
    }
    /// Pulls one level into the vertices in registers. Adds the reached vertices to `own`, and returns their
    /// number.
    __device__ __forceinline__ unsigned level_of(LastVertices& few, std::uint32_t& own) {
        bool hit = false, more = false;
        if (few.some) {
            hit = probe(few.head);
            if (!hit && few.head.w != few.v) hit = probe_some(few.v, &more);
        }
        probe_together(__ballot_sync(~0U, more), few.v, &hit);
        if (hit) values_[few.v] = value_, few.some = false;
        const unsigned hits = __ballot_sync(~0U, hit);
        for_each_bit(hits, [&](int lane) {
            const std::uint32_t entry = __shfl_sync(~0U, few.entry, lane);
            if (me_.lane == entry >> 5) own |= 1U << (entry & 31);
        });
        return __popc(hits);
    }

private:
    static constexpr int serial = 8;  // number of quads that a lane reads alone before the warp helps

    __device__ __forceinline__ bool probe(std::uint32_t end) const {
        return near(seen_ + end / 32) >> end % 32 & 1;
    }
    /// Returns true if any of four vertices has been reached. There are no branches, so that the four loads
    /// overlap.
    __device__ __forceinline__ bool probe(const uint4& q) const {
        const bool x = probe(q.x), y = probe(q.y), z = probe(q.z), w = probe(q.w);
        return x || y || z || w;
    }

    /// Checks some further quads of in-arcs of `v`, after the first quad. Sets `*more` if unchecked quads are
    /// left.
    __device__ __forceinline__ bool probe_some(VertexId v, bool* more) const {
        const std::uint32_t last = __ldg(view_.in.first + v + 1);
        std::uint32_t quad = __ldg(view_.in.first + v) + 1;
        bool hit = false;
        for (int i = 0; i < serial && quad < last && !hit; ++i, ++quad)
            hit = probe(__ldg(view_.in.ends + quad));
        *more = !hit && quad < last;
        return hit;
    }
    /// Checks the remaining quads of the vertices of the lanes in `these`, one vertex after another, each
    /// with the whole warp.
    __device__ __forceinline__ void probe_together(unsigned these, VertexId v, bool* hit) const {
        for_each_bit(these, [&](int lane) {
            const VertexId u = __shfl_sync(~0U, v, lane);
            const std::uint32_t last = __ldg(view_.in.first + u + 1);
            bool found = false;
            for (std::uint32_t quad = __ldg(view_.in.first + u) + 1 + serial; quad < last && !found;
                 quad += 32) {
                const std::uint32_t mine = quad + me_.lane;
                found = __any_sync(~0U, mine < last && probe(__ldg(view_.in.ends + mine)));
            }
            if (static_cast<std::uint32_t>(lane) == me_.lane) *hit = found;
        });
    }

    /// Checks the other in-arcs of the collected vertices, one vertex per lane. Adds the reached vertices to
    /// `own`, and returns their number.
    __device__ __forceinline__ unsigned check_remaining(std::uint32_t sheet, unsigned missed,
                                                        std::uint32_t& own) {
        unsigned reached = 0;
        __syncwarp();
        for (unsigned i = 0; i < missed; i += 32) {
            const bool some = i + me_.lane < missed;
            const std::uint32_t entry = some ? shared_.missed[me_.warp][i + me_.lane] : 0;
            const VertexId v = words_.vertex(sheet, entry >> 5, entry & 31);
            bool hit = false, more = false;
            if (some) {
                const uint4 q = __ldg(view_.head.ends + v);
                const bool y = probe(q.y), z = probe(q.z), w = probe(q.w);
                hit = y || z || w;
                if (!hit && q.w != v) hit = probe_some(v, &more);
            }
            probe_together(__ballot_sync(~0U, more), v, &hit);
            if (hit) {
                values_[v] = value_;
                atomicOr(&shared_.found[me_.warp][entry >> 5], 1U << (entry & 31));
            }
            reached += __popc(__ballot_sync(~0U, hit));
        }
        __syncwarp();
        own |= shared_.found[me_.warp][me_.lane];
        __syncwarp();
        shared_.found[me_.warp][me_.lane] = 0;
        return reached;
    }

    const View& view_;
    const ThreadIndex me_;
    const Words words_;
    Shared& shared_;
    std::uint32_t* const values_;
    const std::uint32_t* seen_ = nullptr;
    std::uint32_t value_ = 0;
};

}  // namespace lockstep::gpu::hubs
