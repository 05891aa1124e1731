// Memory layout of factor vectors. A vector is an array of chunks of four components each, in single or half
// precision.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/executor/half.hpp"
#include "lockstep/schedules/array.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep::sgd {

inline constexpr std::uint32_t max_rank = 256;

enum class Storage { fp32, fp16 };
constexpr const char* to_string(Storage storage) { return storage == Storage::fp16 ? "fp16" : "fp32"; }

/// Returns the number of chunks of four components in a vector.
constexpr std::uint32_t chunks_of(std::uint32_t rank) { return (rank + 3) / 4; }

/// Returns the distance between consecutive vectors of `chunks` chunks, in elements. It is a multiple of 16
/// bytes, so that vector loads are aligned.
template <class Element>
LOCKSTEP_HD constexpr std::size_t stride_of_chunks(std::size_t chunks) {
    constexpr std::size_t aligned = 4 / sizeof(Element);  // number of chunks (of four components) in 16 bytes
    return (chunks + aligned - 1) / aligned * aligned * 4;
}
template <class Element = float>
constexpr std::size_t stride_of(std::uint32_t rank) {
    return stride_of_chunks<Element>(chunks_of(rank));
}

/// Calls f.template operator()<Element>(), where Element is the type of a component with this precision.
template <class F>
auto with_element(Storage storage, F&& f) {
    return storage == Storage::fp16 ? f.template operator()<Half>() : f.template operator()<float>();
}
/// Calls f.template operator()<lanes, chunks per lane>() with the number of lanes (threads on a GPU) that
/// hold a vector of this rank. Each lane holds one chunk of four components, or two chunks above rank 128.
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

/// Returns the distance between consecutive vectors with this precision, in bytes.
inline std::size_t vector_bytes(std::uint32_t rank, Storage storage) {
    return with_element(storage, [&]<class Element>() { return stride_of<Element>(rank) * sizeof(Element); });
}

/// Converts vectors of rank `rank` to another precision. The padding after the last chunk becomes zero.
template <class To, class From>
void convert(std::span<const From> from, std::uint32_t rank, To* to);

/// Converts factors from single precision (vectors stride_of(rank) apart) to the precision and layout of the
/// array type `Elements`.
template <class Elements>
Elements narrow_factors(std::span<const float> factors, std::uint32_t rank) {
    using Element = typename Elements::value_type;
    Elements result(factors.size() / stride_of(rank) * stride_of<Element>(rank));
    convert<Element, float>(factors, rank, result.data());
    return result;
}
/// Converts factors from storage precision back to single precision, with vectors stride_of(rank) apart.
template <class Elements>
void widen_factors(const Elements& factors, std::uint32_t rank, Array<float>& to) {
    using Element = typename Elements::value_type;
    to.resize(factors.size() / stride_of<Element>(rank) * stride_of(rank));
    convert<float, Element>(factors, rank, to.data());
}

}  // namespace lockstep::sgd
