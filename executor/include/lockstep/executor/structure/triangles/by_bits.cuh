// Triangle counting by bits (triangles.hpp) on a GPU. A warp processes one vertex u. The kept neighbours of u
// that are hubs are stored as bits, which the warp holds in registers. The first vertices of the order, which
// are used most often, have such rows of bits in device memory, which therefore mostly stay in the L2 cache.
// For every kept neighbour v of u, the bits of the AND of both rows are the triangles with a hub. For
// triangles without a hub, the other neighbours of u are inserted into a hash table in shared memory, in
// which the kept neighbours of each v are looked up.
#pragma once

#include "lockstep/executor/structure/triangles/by_lists.cuh"

namespace lockstep::structure {

inline constexpr VertexId max_rows = 1 << 17;
static_assert(max_rows >= max_hubs);  // so every hub has a row of bits
/// size of each warp's hash table; at most half of it is filled
inline constexpr unsigned table_slots = 512;
inline constexpr VertexId empty_slot = ~VertexId{0};

struct BitsView {
    KeptView kept;  ///< lists of kept neighbours, with vertices renumbered by their rank in the order
    /// bit sets of the hubs in the lists of the first row_count vertices, hubs / 128 elements each
    uint4* rows;
    VertexId row_count;
    unsigned* drawn;
    CountsView counts;  ///< numbers of triangles, indexed by rank

    __device__ __forceinline__ unsigned row_words() const { return kept.hubs / 128; }
};

/// Returns the number of 32-bit words of shared memory that a warp needs.
__host__ __device__ constexpr unsigned words_of_warp(VertexId hubs) { return hubs / 32 + table_slots; }

/// Sets the bits of the hubs ends[list.x] … ends[list.y - 1], and clears all others. All lanes of a warp must
/// call it.
__device__ __forceinline__ void set_bits(const KeptView& kept, uint2 list, unsigned* bits) {
    for (unsigned i = lane_of_warp(); i < kept.hubs / 128; i += 32)
        reinterpret_cast<uint4*>(bits)[i] = make_uint4(0, 0, 0, 0);
    __syncwarp();
    for (unsigned i = list.x + lane_of_warp(); i < list.y; i += 32) {
        const VertexId hub = kept.ends[i];
        atomicOr(bits + hub / 32, 1U << hub % 32);
    }
    __syncwarp();
}

__global__ void __launch_bounds__(block_threads) make_rows(const __grid_constant__ BitsView g) {
    extern __shared__ __align__(16) unsigned shared_words[];
    unsigned* const bits = shared_words + threadIdx.x / 32 * (g.kept.hubs / 32);
    const EdgeId v = warp_number();
    if (v >= g.row_count) return;
    set_bits(g.kept, g.kept.heads[v], bits);
    for (unsigned i = lane_of_warp(); i < g.row_words(); i += 32)
        g.rows[v * g.row_words() + i] = reinterpret_cast<const uint4*>(bits)[i];
}

/// The state of a warp, which processes one vertex at a time.
template <bool ByVertex>
struct BitCounter {
    const BitsView& g;
    unsigned *bits, *table, *hub_counts;
    VertexId u = 0;
    unsigned own = 0;  ///< number of triangles at u that this lane has found

    /// Counts one triangle for a hub in shared memory. Adds the count to device memory before it overflows.
    __device__ __forceinline__ void count_hub(VertexId hub) {
        constexpr unsigned most = 1U << 31;
        if (atomicAdd(hub_counts + hub, 1U) == most - 1) {
            atomicSub(hub_counts + hub, most);
            count_one(g.counts.by_vertex, hub, most);
        }
    }
    /// Returns the number of hubs whose bits are set in both of this lane's words. `first` is the hub of bit
    /// 0.
    __device__ __forceinline__ unsigned intersect(const uint4& a, const uint4& b, VertexId first) {
        const unsigned both[] = {a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w};
        unsigned met = 0;
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
            met += static_cast<unsigned>(__popc(both[i]));
            if (ByVertex) {
                for_each_bit(both[i],
                             [&](int bit) { count_hub(first + 32 * i + static_cast<unsigned>(bit)); });
            }
        }
        return met;
    }
    __device__ __forceinline__ void count_triangles(VertexId v, unsigned met) {
        own += met;
        if (ByVertex) {
            const unsigned all = sum_of_warp(met);
            if (lane_of_warp() == 0) count_one(g.counts.by_vertex, v, all);
        }
    }
    /// Counts the triangles that contain u, a hub of one chunk of 4,096 hubs, and a vertex of `list` that has
    /// a row of bits.
    __device__ __forceinline__ void with_rows(uint2 list, unsigned chunk) {
        const uint4 mine = reinterpret_cast<const uint4*>(bits)[chunk * 32 + lane_of_warp()];
        const VertexId first = (chunk * 32 + lane_of_warp()) * 128;
        const uint4* const rows = g.rows + chunk * 32 + lane_of_warp();
        for (unsigned base = list.x; base < list.y; base += 32) {
            const unsigned count = min(32U, list.y - base);
            const VertexId end = lane_of_warp() < count ? g.kept.ends[base + lane_of_warp()] : empty_slot;
            constexpr unsigned at_once = 4;
            for (unsigned j = 0; j < count; j += at_once) {
                uint4 row[at_once];
                VertexId v[at_once];
#pragma unroll
                for (unsigned k = 0; k < at_once; ++k) {
                    v[k] = __shfl_sync(~0U, end, static_cast<int>(j + k));
                    row[k] = v[k] < g.row_count && first < v[k] ? __ldg(rows + EdgeId{v[k]} * g.row_words())
                                                                : make_uint4(0, 0, 0, 0);
                }
#pragma unroll
                for (unsigned k = 0; k < at_once; ++k) {
                    if (v[k] < g.row_count) count_triangles(v[k], intersect(mine, row[k], first));
                }
            }
        }
    }

    __device__ __forceinline__ static unsigned slot_of(VertexId w, unsigned shift) {
        return w * 0x9e3779b1U >> shift;
    }
    __device__ __forceinline__ unsigned look_up(VertexId w, unsigned shift, unsigned mask) const {
        for (unsigned slot = slot_of(w, shift);; slot = (slot + 1) & mask) {
            const VertexId there = table[slot];
            if (there == w) return 1;
            if (there == empty_slot) return 0;
        }
    }
    /// Counts the triangles without a hub and, if `has_bits` (u has hubs), triangles with a neighbour that
    /// has no row of bits.
    __device__ __forceinline__ void without_hubs(uint2 tail, bool has_bits) {
        for (unsigned from = tail.x; from < tail.y; from += table_slots / 2) {
            const unsigned size = min(table_slots / 2, tail.y - from);
            const unsigned log = max(5, 33 - __clz(static_cast<int>(size - 1))), shift = 32 - log,
                           mask = (1U << log) - 1;
            for (unsigned i = lane_of_warp(); i <= mask; i += 32) table[i] = empty_slot;
            __syncwarp();
            for (unsigned i = lane_of_warp(); i < size; i += 32) {
                const VertexId w = g.kept.ends[from + i];
                unsigned slot = slot_of(w, shift);
                while (atomicCAS(table + slot, empty_slot, w) != empty_slot) slot = (slot + 1) & mask;
            }
            __syncwarp();
            for (unsigned base = tail.x; base < tail.y; base += 32) {
                const unsigned count = min(32U, tail.y - base);
                const bool has = lane_of_warp() < count;
                const VertexId end = has ? g.kept.ends[base + lane_of_warp()] : 0;
                const uint2 bounds = has ? g.kept.tails[end] : make_uint2(0, 0);
                for (unsigned j = 0; j < count; ++j) {
                    const VertexId v = __shfl_sync(~0U, end, static_cast<int>(j));
                    const uint2 list{__shfl_sync(~0U, bounds.x, static_cast<int>(j)),
                                     __shfl_sync(~0U, bounds.y, static_cast<int>(j))};
                    count_triangles(
                        v,
                        in_table(list, shift, mask) +
                            (has_bits && from == tail.x && v >= g.row_count ? in_bits(g.kept.heads[v]) : 0));
                }
            }
            __syncwarp();
        }
    }
    __device__ __forceinline__ unsigned in_table(uint2 list, unsigned shift, unsigned mask) {
        constexpr unsigned at_once = 4;
        unsigned met = 0;
        for (unsigned i = list.x + lane_of_warp(); i < list.y; i += 32 * at_once) {
            VertexId w[at_once];
#pragma unroll
            for (unsigned k = 0; k < at_once; ++k)
                w[k] = i + 32 * k < list.y ? __ldg(g.kept.ends + i + 32 * k) : empty_slot;
#pragma unroll
            for (unsigned k = 0; k < at_once; ++k) {
                if (w[k] == empty_slot || !look_up(w[k], shift, mask)) continue;
                ++met;
                if (ByVertex) count_one(g.counts.by_vertex, w[k], 1);
            }
        }
        return met;
    }
    __device__ __forceinline__ unsigned in_bits(uint2 list) {
        unsigned met = 0;
        for (unsigned i = list.x + lane_of_warp(); i < list.y; i += 32) {
            const VertexId hub = g.kept.ends[i];
            if (!(bits[hub / 32] >> hub % 32 & 1)) continue;
            ++met;
            if (ByVertex) count_hub(hub);
        }
        return met;
    }

    /// Returns the number of triangles, found by this lane, in which `vertex` is the last one in the order.
    __device__ __forceinline__ unsigned count(VertexId vertex) {
        u = vertex, own = 0;
        const uint2 head = g.kept.heads[u], tail = g.kept.tails[u];
        const unsigned hubs = head.y - head.x, others = tail.y - tail.x;
        if (hubs + others < 2) return 0;
        if (hubs) {
            __syncwarp();
            set_bits(g.kept, head, bits);
            for (unsigned chunk = 0; chunk < g.kept.hubs / hub_step; ++chunk)
                with_rows(head, chunk), with_rows(tail, chunk);
        }
        if (others > 1 || (others && hubs && g.row_count < g.kept.vertices)) without_hubs(tail, hubs > 0);
        if (ByVertex) {
            const unsigned all = sum_of_warp(own);
            if (lane_of_warp() == 0) count_one(g.counts.by_vertex, u, all);
        }
        return own;
    }
};

template <bool ByVertex>
__global__ void __launch_bounds__(block_threads) count_by_bits(const __grid_constant__ BitsView g) {
    extern __shared__ __align__(16) unsigned shared_words[];
    unsigned* const mine =
        shared_words + (ByVertex ? g.kept.hubs : 0) + threadIdx.x / 32 * words_of_warp(g.kept.hubs);
    BitCounter<ByVertex> counter{g, mine, mine + g.kept.hubs / 32, shared_words};
    if (ByVertex) {
        for (VertexId hub = threadIdx.x; hub < g.kept.hubs; hub += block_threads) shared_words[hub] = 0;
        __syncthreads();
    }
    constexpr unsigned draw = 8;
    unsigned long long found = 0;
    for (;;) {
        unsigned first = 0;
        if (lane_of_warp() == 0) first = atomicAdd(g.drawn, draw);
        first = __shfl_sync(~0U, first, 0);
        if (first >= g.kept.vertices) break;
        const VertexId last = min(first + draw, g.kept.vertices);
        for (VertexId u = first; u < last; ++u) found += counter.count(u);
    }
    add_of_warp(g.counts.all, found);
    if (ByVertex) {
        __syncthreads();
        for (VertexId hub = threadIdx.x; hub < g.kept.hubs; hub += block_threads)
            count_one(g.counts.by_vertex, hub, shared_words[hub]);
    }
}

}  // namespace lockstep::structure
