// How factor vectors lie in memory: chunks of four components, single or half precision; with adaptive rates
// on a CPU an OwnRate behind them, so that a vector's rate goes wherever the vector goes.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "lockstep/executor/half.hpp"
#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep::sgd {

inline constexpr std::uint32_t max_rank = 256;

enum class Storage { fp32, fp16 };
constexpr const char* to_string(Storage storage) { return storage == Storage::fp16 ? "fp16" : "fp32"; }

/// Chunks of four components of a vector.
constexpr std::uint32_t chunks_of(std::uint32_t rank) { return (rank + 3) / 4; }

/// Elements from one vector of so many chunks to the next: a multiple of 16 bytes.
template <class Element>
LOCKSTEP_HD constexpr std::size_t stride_of_chunks(std::size_t chunks) {
    constexpr std::size_t aligned = 4 / sizeof(Element);  // chunks
    return (chunks + aligned - 1) / aligned * aligned * 4;
}
template <class Element = float>
constexpr std::size_t stride_of(std::uint32_t rank) {
    return stride_of_chunks<Element>(chunks_of(rank));
}

/// What a vector has of the rate: a share that is less the more edges it has.
struct alignas(16) OwnRate {
    float share;
    double edges;
};
/// 1 / sqrt(1 + growth edges); the bits of every device.
LOCKSTEP_HD float share_of_rate(double growth, double edges) {
#if defined(__CUDA_ARCH__)
    return static_cast<float>(__ddiv_rn(1, __dsqrt_rn(__dadd_rn(1, __dmul_rn(growth, edges)))));
#else
    return static_cast<float>(1 / std::sqrt(1 + growth * edges));
#endif
}
/// Of a vector whose OwnRate lies at `at`, for a sweep.
template <class Element>
LOCKSTEP_HD void set_share(Element* at, double growth) {
    OwnRate rate;
    std::memcpy(&rate, at, sizeof rate);
    rate.share = share_of_rate(growth, rate.edges);
    std::memcpy(at, &rate, sizeof rate);
}
/// How many edges each of the vertices 0 … vertices - 1 has.
std::vector<double> edges_of(const Array<VertexId>& ends, std::size_t vertices);

/// Vectors of one side in memory.
template <class Element>
struct VectorShape {
    std::uint32_t rank;
    bool own_rates = false;

    /// From the beginning of a vector to its OwnRate, and to the next vector.
    std::size_t rate_at() const { return stride_of<Element>(rank); }
    std::size_t stride() const { return rate_at() + (own_rates ? sizeof(OwnRate) / sizeof(Element) : 0); }
};

/// Calls f.template operator()<Element>() with the type of a component in memory.
template <class F>
auto with_element(Storage storage, F&& f) {
    return storage == Storage::fp16 ? f.template operator()<Half>() : f.template operator()<float>();
}
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

/// Bytes from one vector to the next.
inline std::size_t vector_bytes(std::uint32_t rank, Storage storage, bool own_rates = false) {
    return with_element(storage, [&]<class Element>() {
        return VectorShape<Element>{rank, own_rates}.stride() * sizeof(Element);
    });
}

/// Vectors of one shape in another one of that rank; what is behind the last chunk is zero.
template <class To, class From>
void convert(std::span<const From> from, const VectorShape<From>& shape, To* to,
             const VectorShape<To>& new_shape);

/// Factors stride_of(rank) apart as they lie in memory. `edges`: of each vector, where rates are their own.
template <class Elements>
Elements stored(const std::vector<float>& factors, const VectorShape<typename Elements::value_type>& shape,
                const std::vector<double>& edges = {}) {
    using Element = typename Elements::value_type;
    Elements result(factors.size() / stride_of(shape.rank) * shape.stride());
    convert<Element, float>(factors, {shape.rank}, result.data(), shape);
    if (shape.own_rates) {
        for (std::size_t v = 0; v < edges.size(); ++v) {
            const OwnRate rate{1, edges[v]};
            std::memcpy(result.data() + v * shape.stride() + shape.rate_at(), &rate, sizeof rate);
        }
    }
    return result;
}
/// The way back.
template <class Elements>
std::vector<float> widened(const Elements& factors, const VectorShape<typename Elements::value_type>& shape) {
    using Element = typename Elements::value_type;
    std::vector<float> result(factors.size() / shape.stride() * stride_of(shape.rank));
    convert<float, Element>(factors, shape, result.data(), {shape.rank});
    return result;
}

}  // namespace lockstep::sgd
