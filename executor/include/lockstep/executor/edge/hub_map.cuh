// Maps of a hub's edges (hub_map.hpp) in a thread block's shared memory: composed, applied, passed on to
// other blocks.
#pragma once

#include "lockstep/executor/device/copies.cuh"
#include "lockstep/executor/device/shared.cuh"
#include "lockstep/executor/edge/hub_map.hpp"

namespace lockstep::gpu {

/// Where an operator's hubs are run so.
template <class Op, class Chip>
inline constexpr bool has_hub_part = [] {
    if constexpr (CanBeTurned<Op>)
        return has_hub_map<Chip>;
    else
        return false;
}();

/// What the first `threads` threads of a block do with maps, which lie by columns, the constant last, at
/// addresses in shared memory. Each function ends where all of them are through, but for `store_column`,
/// `ask`, `publish`, `apply` and `apply_all`.
template <class Map>
struct BlockMaps {
    using Address = std::uint32_t;
    static constexpr int K = Map::K, columns = K + 1, stride = K + 4, floats = columns * stride;
    static constexpr int threads = (Map::segments * columns + 31) / 32 * 32;
    static constexpr Address column_bytes = 4 * stride, bytes = 4 * floats;

    __device__ __forceinline__ static int thread() { return static_cast<int>(threadIdx.x); }
    __device__ __forceinline__ static void sync() {
        asm volatile("bar.sync 1, %0;" ::"n"(threads) : "memory");
    }

    __device__ __forceinline__ static void store_column(Address map, int column, const float (&a)[K]) {
        map += static_cast<Address>(column) * column_bytes;
#pragma unroll
        for (int i = 0; i < K; i += 4)
            store_float4(map + 4 * static_cast<Address>(i), make_float4(a[i], a[i + 1], a[i + 2], a[i + 3]));
    }
    /// As cpu::compose_up: four rows of a column a thread at a time.
    __device__ __forceinline__ static void compose_up(Address node, int size, int used) {
        constexpr int rounds = (Map::tree / 2 * per_pair + threads - 1) / threads;
#pragma unroll 1
        for (int d = 1; d < size; d *= 2) {
            const int last = (used + 2 * d - 1) / (2 * d) * per_pair;  // of the pairs that have a left one
            float4 both[rounds];
#pragma unroll
            for (int r = 0; r < rounds; ++r) {
                const int x = thread() + r * threads;
                if (x < last) both[r] = composed(node, d, used, x);
            }
            sync();
#pragma unroll
            for (int r = 0; r < rounds; ++r) {
                const int x = thread() + r * threads;
                if (x < last)
                    store_float4(left_of(node, d, x) + static_cast<Address>(d) * bytes + place_of(x),
                                 both[r]);
            }
            sync();
        }
    }
    /// As cpu::apply_down, a warp a node; vectors K floats apart.
    __device__ __forceinline__ static void apply_down(Address node, int size, int used, Address h) {
#pragma unroll 1
        for (int d = size / 2; d > 0; d /= 2) {
            const int first = 2 * d * (thread() / 32);
            if (first + d < used) {
                const Address from = h + 4 * K * static_cast<Address>(first);
                apply(node + static_cast<Address>(first + d - 1) * bytes, from,
                      from + 4 * K * static_cast<Address>(d));
            }
            sync();
        }
    }
    /// A map of a vector, which may become itself. One warp.
    __device__ __forceinline__ static void apply(Address map, Address h, Address to) {
        Rows(map).apply(h, to);
    }
    /// Neighbouring maps one after another, of a vector that changes. One warp.
    __device__ __forceinline__ static void apply_all(Address map, int count, Address h) {
        Rows rows(map);
#pragma unroll 2
        for (int n = 1; n < count; ++n) {
            const Rows next(map += bytes);
            rows.apply(h, h);
            rows = next;
        }
        rows.apply(h, h);
    }

    /// To device memory, where other blocks see it behind a barrier.
    __device__ __forceinline__ static void publish(Address map, float* to) {
        for (int i = 4 * thread(); i < floats; i += 4 * threads)
            store_shared(reinterpret_cast<float4*>(to + i), load_float4(map + 4 * static_cast<Address>(i)));
    }
    /// So many neighbouring ones from there, without waiting.
    __device__ __forceinline__ static void ask(const float* maps, int count, Address to) {
        for (int i = 4 * thread(); i < count * floats; i += 4 * threads)
            copy_piece(to + 4 * static_cast<Address>(i), maps + i);
    }

private:
    /// A lane's rows of a map: held, so that those of the next come while one is applied, or read when they
    /// are wanted where they are many.
    struct Rows {
        static constexpr int count = (K + 31) / 32;
        static constexpr bool held = K <= 16;
        Address at;
        float own[held ? columns : 1];

        __device__ __forceinline__ explicit Rows(Address map)
            : at(map + 4 * static_cast<Address>(thread() % 32 % K)) {
            if constexpr (held) {
#pragma unroll
                for (int c = 0; c < columns; ++c) own[c] = load(0, c);
            }
        }
        __device__ __forceinline__ float load(int n, int c) const {
            return load_float(at + static_cast<Address>(c) * column_bytes + 128 * static_cast<Address>(n));
        }
        __device__ __forceinline__ float of(int n, int c) const {
            if constexpr (held)
                return own[c];
            else
                return load(n, c);
        }
        __device__ __forceinline__ void apply(Address h, Address to) const {
            float sum[count][2][4];
#pragma unroll
            for (int c = 0; c < K; c += 4) {
                const float4 x = load_float4(h + 4 * static_cast<Address>(c));
                const float xs[4] = {x.x, x.y, x.z, x.w};
#pragma unroll
                for (int n = 0; n < count; ++n) {
                    float(&s)[4] = sum[n][c / 4 % 2];
#pragma unroll
                    for (int d = 0; d < 4; ++d)
                        s[d] = c < 8 ? multiply(of(n, c + d), xs[d])
                                     : fused_multiply_add(of(n, c + d), xs[d], s[d]);
                }
            }
            float result[count];
#pragma unroll
            for (int n = 0; n < count; ++n)
                result[n] = add(add(Map::total(sum[n][0]), Map::total(sum[n][1])), of(n, K));
            __syncwarp();
            const int row = thread() % 32;
#pragma unroll
            for (int n = 0; n < count; ++n) {
                if (row < K) store_float(to + 4 * static_cast<Address>(row + 32 * n), result[n]);
            }
            __syncwarp();
        }
    };

    // Of the pairs of nodes at a distance d item x is of number x / per_pair: four rows of a column, the rows
    // of neighbouring items alike.
    static constexpr int per_pair = columns * (K / 4);
    __device__ __forceinline__ static Address left_of(Address node, int d, int x) {
        return node + static_cast<Address>(2 * d * (x / per_pair) + d - 1) * bytes;
    }
    __device__ __forceinline__ static Address place_of(int x) {
        const int within = x % per_pair;
        return static_cast<Address>(within % columns) * column_bytes +
               16 * static_cast<Address>(within / columns);
    }
    __device__ __forceinline__ static float4 composed(Address node, int d, int used, int x) {
        const Address left = left_of(node, d, x), right = left + static_cast<Address>(d) * bytes;
        if (2 * d * (x / per_pair) + d >= used) return load_float4(left + place_of(x));
        const int within = x % per_pair, column = within % columns;
        const Address of = left + static_cast<Address>(column) * column_bytes,
                      rows_of = right + 16 * static_cast<Address>(within / columns);
        float sum[4];
#pragma unroll
        for (int k = 0; k < K; k += 4) {
            const float4 four = load_float4(of + 4 * static_cast<Address>(k));
            const float xs[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const float4 a = load_float4(rows_of + static_cast<Address>(k + i) * column_bytes);
                const float rows[4] = {a.x, a.y, a.z, a.w};
#pragma unroll
                for (int r = 0; r < 4; ++r)
                    sum[r] =
                        k + i == 0 ? multiply(rows[r], xs[i]) : fused_multiply_add(rows[r], xs[i], sum[r]);
            }
        }
        if (column == K) {
            const float4 constant = load_float4(rows_of + K * column_bytes);
            const float rows[4] = {constant.x, constant.y, constant.z, constant.w};
#pragma unroll
            for (int r = 0; r < 4; ++r) sum[r] = add(sum[r], rows[r]);
        }
        return make_float4(sum[0], sum[1], sum[2], sum[3]);
    }
};

}  // namespace lockstep::gpu
