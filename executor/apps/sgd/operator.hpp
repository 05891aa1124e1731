// Stochastic gradient descent on one rating: the work of the SGD application on one edge.
//
//     e = r - dot(w_u, h_v)
//     w_u <- w_u + rate (e h_v - reg w_u)        h_v <- h_v + rate (e w_u - reg h_v)
//
// both from the old vectors (Kaleem et al., section II), written with keep = 1 - rate reg as
// x <- fma(rate e, y, keep x). NMF clips at `floor` = 0; otherwise floor is minus infinity.
//
// A vector of rank k lies in memory as ceil(k / 4) chunks of four floats, the last padded with zeros,
// which updates leave zero. Lane l holds the chunks l, l + L, …; the dot product sums the first and
// the second halves of a lane's chunks, then the two, then the lanes (HostLanes::sum).
#pragma once

#include <array>
#include <cstring>

#include "lockstep/executor/operator.hpp"
#if defined(__CUDACC__)
#include "lockstep/executor/cuda/shared.cuh"
#else
#include "apps/sgd/wide.hpp"
#endif

namespace lockstep::sgd {

/// `Clips` false leaves out the test against `floor`, which must be minus infinity then.
/// `Full` leaves out the test for chunks behind the last: every lane has all of its.
template <class LaneGroup, int ChunksPerLane, bool Clips = true, bool Full = false>
struct SgdOperator {
    using Lanes = LaneGroup;
    static constexpr int chunks_per_lane = ChunksPerLane;
    static constexpr bool clips = Clips;

    /// The components of one endpoint that this thread holds.
    struct Vector {
        float x[ChunksPerLane][Lanes::held][4];
    };
    using Row = Vector;
    using Col = Vector;

    float* row_factors;  ///< rows x chunks x 4
    float* col_factors;  ///< cols x chunks x 4
    int chunks;          ///< ceil(rank / 4), at most ChunksPerLane * Lanes::lanes
    float rate, keep, floor;

    /// `Near`: the vector may come from this multiprocessor's cache.
    template <bool Near = false>
    LOCKSTEP_HD Vector load(const float* factors, VertexId vertex) const {
        const float* base = factors + static_cast<std::size_t>(vertex) * static_cast<std::size_t>(chunks) * 4;
        Vector v;
        for (int c = 0; c < ChunksPerLane; ++c) {
            for (int i = 0; i < Lanes::held; ++i) {
                const int chunk = Lanes::lane(i) + c * Lanes::lanes;
                if (chunk >= chunks) {
                    for (int j = 0; j < 4; ++j) v.x[c][i][j] = 0;
                    continue;
                }
#if defined(__CUDA_ARCH__)
                const auto* const address = reinterpret_cast<const float4*>(base) + chunk;
                const float4 four = Near ? *address : load_shared(address);
                v.x[c][i][0] = four.x, v.x[c][i][1] = four.y, v.x[c][i][2] = four.z, v.x[c][i][3] = four.w;
#else
                for (int j = 0; j < 4; ++j) v.x[c][i][j] = base[4 * chunk + j];
#endif
            }
        }
        return v;
    }

    template <bool Near = false>
    LOCKSTEP_HD void store(float* factors, VertexId vertex, const Vector& v) const {
        float* base = factors + static_cast<std::size_t>(vertex) * static_cast<std::size_t>(chunks) * 4;
        for (int c = 0; c < ChunksPerLane; ++c) {
            for (int i = 0; i < Lanes::held; ++i) {
                const int chunk = Lanes::lane(i) + c * Lanes::lanes;
                if (chunk >= chunks) continue;
#if defined(__CUDA_ARCH__)
                auto* const address = reinterpret_cast<float4*>(base) + chunk;
                const float4 four = make_float4(v.x[c][i][0], v.x[c][i][1], v.x[c][i][2], v.x[c][i][3]);
                if (Near) {
                    *address = four;
                } else {
                    store_shared(address, four);
                }
#else
                for (int j = 0; j < 4; ++j) base[4 * chunk + j] = v.x[c][i][j];
#endif
            }
        }
    }

    LOCKSTEP_HD std::size_t on_chip_offset(std::size_t place) const {
        return place * 4 *
               (Full ? static_cast<std::size_t>(Lanes::lanes * ChunksPerLane)
                     : static_cast<std::size_t>(chunks));
    }
    /// Vector number `place` of an array on chip: plain loads and stores.
    LOCKSTEP_HD Vector take(const float* vectors, std::size_t place) const {
        const float* base = vectors + on_chip_offset(place);
        Vector v;
        for (int c = 0; c < ChunksPerLane; ++c) {
            for (int i = 0; i < Lanes::held; ++i) {
                const int chunk = Lanes::lane(i) + c * Lanes::lanes;
                if (!Full && chunk >= chunks) {
                    for (int j = 0; j < 4; ++j) v.x[c][i][j] = 0;
                    continue;
                }
#if defined(__CUDA_ARCH__)
                const float4 four = reinterpret_cast<const float4*>(base)[chunk];
                v.x[c][i][0] = four.x, v.x[c][i][1] = four.y, v.x[c][i][2] = four.z, v.x[c][i][3] = four.w;
#else
                for (int j = 0; j < 4; ++j) v.x[c][i][j] = base[4 * chunk + j];
#endif
            }
        }
        return v;
    }
    LOCKSTEP_HD void put(float* vectors, std::size_t place, const Vector& v) const {
        float* base = vectors + on_chip_offset(place);
        for (int c = 0; c < ChunksPerLane; ++c) {
            for (int i = 0; i < Lanes::held; ++i) {
                const int chunk = Lanes::lane(i) + c * Lanes::lanes;
                if (!Full && chunk >= chunks) continue;
#if defined(__CUDA_ARCH__)
                reinterpret_cast<float4*>(base)[chunk] =
                    make_float4(v.x[c][i][0], v.x[c][i][1], v.x[c][i][2], v.x[c][i][3]);
#else
                for (int j = 0; j < 4; ++j) base[4 * chunk + j] = v.x[c][i][j];
#endif
            }
        }
    }

#if defined(__CUDACC__)
    /// A component of the vector at an address in shared memory.
    __device__ __forceinline__ static float component(std::uint32_t vector, int i) {
        return __uint_as_float(gpu::load_word(vector + 4 * static_cast<std::uint32_t>(i)));
    }
    __device__ __forceinline__ static void set_component(std::uint32_t vector, int i, float x) {
        gpu::store_word(vector + 4 * static_cast<std::uint32_t>(i), __float_as_uint(x));
    }
    /// Vectors by address in shared memory, of this lane's first chunk.
    __device__ __forceinline__ Vector take_lane(std::uint32_t address) const {
        Vector v;
        for (int c = 0; c < ChunksPerLane; ++c) {
            float4 four = make_float4(0, 0, 0, 0);
            if (Full || Lanes::lane(0) + c * Lanes::lanes < chunks)
                four = gpu::load_float4(address + 16 * Lanes::lanes * c);
            v.x[c][0][0] = four.x, v.x[c][0][1] = four.y, v.x[c][0][2] = four.z, v.x[c][0][3] = four.w;
        }
        return v;
    }
    __device__ __forceinline__ void put_lane(std::uint32_t address, const Vector& v, bool really) const {
        for (int c = 0; c < ChunksPerLane; ++c) {
            gpu::store_float4_if(really && (Full || Lanes::lane(0) + c * Lanes::lanes < chunks),
                                 address + 16 * Lanes::lanes * c,
                                 make_float4(v.x[c][0][0], v.x[c][0][1], v.x[c][0][2], v.x[c][0][3]));
        }
    }
#endif

    LOCKSTEP_HD Row load_row(VertexId u) const { return load(row_factors, u); }
    LOCKSTEP_HD Col load_col(VertexId v) const { return load(col_factors, v); }
    LOCKSTEP_HD void store_row(VertexId u, const Row& row) const { store(row_factors, u, row); }
    LOCKSTEP_HD void store_col(VertexId v, const Col& col) const { store(col_factors, v, col); }

#if defined(__CUDACC__)
    __device__ __forceinline__ Row near_row(VertexId u) const { return load<true>(row_factors, u); }
    __device__ __forceinline__ Col near_col(VertexId v) const { return load<true>(col_factors, v); }
    __device__ __forceinline__ void put_row(VertexId u, const Row& w) const {
        store<true>(row_factors, u, w);
    }
    __device__ __forceinline__ void put_col(VertexId v, const Col& h) const {
        store<true>(col_factors, v, h);
    }
    __device__ __forceinline__ void touch_row(VertexId u, float* sink) const { touch(row_factors, u, sink); }
    __device__ __forceinline__ void touch_col(VertexId v, float* sink) const { touch(col_factors, v, sink); }
    /// Added to, a vector may fall below the floor.
    __host__ __device__ bool adds() const { return !(floor >= 0); }
    __device__ __forceinline__ void add_row(VertexId u, const Row& was, const Row& w) const {
        add_difference(row_factors, u, was, w);
    }
    __device__ __forceinline__ void add_col(VertexId v, const Col& was, const Col& h) const {
        add_difference(col_factors, v, was, h);
    }
    /// The same for a vector in shared memory, not atomically: what it holds is read at the last moment.
    __device__ __forceinline__ static void add_to(Vector& shared, const Vector& was, const Vector& v) {
        for (int c = 0; c < ChunksPerLane; ++c) {
            for (int j = 0; j < 4; ++j) shared.x[c][0][j] += v.x[c][0][j] - was.x[c][0][j];
        }
    }

private:
    /// One word of each 32-byte sector, copied to `sink` without waiting for it, brings the vector near.
    __device__ __forceinline__ void touch(const float* factors, VertexId vertex, float* sink) const {
        const float* base = factors + static_cast<std::size_t>(vertex) * static_cast<std::size_t>(chunks) * 4;
        for (int c = 0; c < ChunksPerLane; ++c) {
            const int chunk = Lanes::lane(0) + c * Lanes::lanes;
            if (chunk >= chunks || (Lanes::lanes > 1 && chunk % 2)) continue;
            copy_word(sink, base + 4 * chunk);
        }
    }
    /// Adds what an update changed: two workers that race for a vector lose neither's part.
    __device__ __forceinline__ void add_difference(float* factors, VertexId vertex, const Vector& was,
                                                   const Vector& v) const {
        float* base = factors + static_cast<std::size_t>(vertex) * static_cast<std::size_t>(chunks) * 4;
        for (int c = 0; c < ChunksPerLane; ++c) {
            const int chunk = Lanes::lane(0) + c * Lanes::lanes;
            if (chunk >= chunks) continue;
            const auto& a = v.x[c][0];
            const auto& b = was.x[c][0];
            add_four(base + 4 * chunk, a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]);
        }
    }

public:
#endif

    /// Each held lane's part of the dot product.
    LOCKSTEP_HD static void partial_dot(const Vector& a, const Vector& b, float (&partial)[Lanes::held]) {
        for (int i = 0; i < Lanes::held; ++i) {
            float sum[2];
            for (int j = 0; j < 2; ++j) {
                sum[j] = multiply(a.x[0][i][2 * j], b.x[0][i][2 * j]);
                sum[j] = fused_multiply_add(a.x[0][i][2 * j + 1], b.x[0][i][2 * j + 1], sum[j]);
            }
            for (int c = 1; c < ChunksPerLane; ++c) {
                for (int j = 0; j < 4; ++j)
                    sum[j / 2] = fused_multiply_add(a.x[c][i][j], b.x[c][i][j], sum[j / 2]);
            }
            partial[i] = add(sum[0], sum[1]);
        }
    }
    LOCKSTEP_HD static float dot(const Vector& a, const Vector& b) {
        float partial[Lanes::held];
        partial_dot(a, b, partial);
        return Lanes::sum(partial);
    }

    LOCKSTEP_HD void apply(Row& w, Col& h, float rating, const Place&) const {
        update(w, h, multiply(rate, add(rating, -dot(w, h))));
    }

    /// The update with step = rate x error. It treats both ends alike, bit for bit.
    LOCKSTEP_HD void update(Vector& w, Vector& h, float step) const {
        for (int c = 0; c < ChunksPerLane; ++c) {
            for (int i = 0; i < Lanes::held; ++i) {
                for (int j = 0; j < 4; ++j) {
                    const float old_w = w.x[c][i][j], old_h = h.x[c][i][j];
                    w.x[c][i][j] = at_least(fused_multiply_add(step, old_h, multiply(keep, old_w)));
                    h.x[c][i][j] = at_least(fused_multiply_add(step, old_w, multiply(keep, old_h)));
                }
            }
        }
    }

    float dot_of(VertexId u, VertexId v) const { return dot(load_row(u), load_col(v)); }
#if defined(LOCKSTEP_WIDE)
    /// What a CPU with wide registers does on the vectors in memory, to the same bits.
    static constexpr bool wide = Lanes::held > 1 && Lanes::held == Lanes::lanes && !Clips;
    using Memory = Wide<wide ? Lanes::lanes : 2, ChunksPerLane>;

    float dot_of(VertexId u, VertexId v) const requires(wide) {
        return padded([](float* w, float* h) { return Memory::dot(w, h); }, row_at(u), col_at(v));
    }
    void run_edge(float* w, float* h, float rating) const requires(wide) {
        padded([&](float* x, float* y) { Memory::update(x, y, rating, rate, keep); }, w, h);
    }
    void run_pair(float* centre, float* first, float* second, float first_rating, float second_rating) const
        requires(wide) {
        padded([&](float* h, float* w,
                   float* x) { Memory::update_pair(h, w, x, first_rating, second_rating, rate, keep); },
               centre, first, second);
    }
    float* row_at(VertexId u) const { return row_factors + on_chip_offset(u); }
    float* col_at(VertexId v) const { return col_factors + on_chip_offset(v); }

private:
    /// run(vectors…) on the vectors themselves, or on copies filled up with zeros where they have fewer
    /// chunks.
    template <class Run, class... Vectors>
    auto padded(Run run, Vectors*... vectors) const {
        if constexpr (Full) {
            return run(vectors...);
        } else {
            const auto bytes = static_cast<std::size_t>(chunks) * 16;
            const auto filled = [&](const float* from) {
                std::array<float, Memory::floats> copy{};
                std::memcpy(copy.data(), from, bytes);
                return copy;
            };
            const auto call = [&](auto... copies) {
                if constexpr (std::is_void_v<decltype(run(copies.data()...))>) {
                    run(copies.data()...);
                    (std::memcpy(vectors, copies.data(), bytes), ...);
                } else {
                    return run(copies.data()...);
                }
            };
            return call(filled(vectors)...);
        }
    }

public:
#endif

    /// The same on other lanes.
    template <class OtherLanes, bool OtherClips, bool OtherFull>
    SgdOperator<OtherLanes, ChunksPerLane, OtherClips, OtherFull> on() const {
        return {row_factors, col_factors, chunks, rate, keep, floor};
    }

    /// A NaN stays a NaN, so that divergence is seen.
    LOCKSTEP_HD float at_least(float x) const { return Clips && x < floor ? floor : x; }
};

/// Calls f.template operator()<lanes, chunks per lane>() with the lane group that serves rank k: one
/// chunk of four components a lane, two above rank 128.
template <class F>
auto with_lanes(std::uint32_t rank, F&& f) {
    if (rank <= 4) return f.template operator()<1, 1>();
    if (rank <= 8) return f.template operator()<2, 1>();
    if (rank <= 16) return f.template operator()<4, 1>();
    if (rank <= 32) return f.template operator()<8, 1>();
    if (rank <= 64) return f.template operator()<16, 1>();
    if (rank <= 128) return f.template operator()<32, 1>();
    return f.template operator()<32, 2>();
}

}  // namespace lockstep::sgd
