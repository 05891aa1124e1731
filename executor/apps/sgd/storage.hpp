// How factor vectors lie in memory: chunks of four components, single or half precision.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/executor/half.hpp"
#include "lockstep/schedules/array.hpp"

namespace lockstep::sgd {

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
inline std::size_t vector_bytes(std::uint32_t rank, Storage storage) {
    return with_element(storage, [&]<class Element>() { return stride_of<Element>(rank) * sizeof(Element); });
}

/// Vectors stride_of(rank) apart, as floats or as they lie in memory, in the other form; what is behind the
/// last chunk is zero. `to` is as large as stored_size says, or as `from` was.
template <class To, class From>
void convert(std::span<const From> from, std::uint32_t rank, To* to);
/// Elements that so many floats become.
template <class Element>
std::size_t stored_size(std::size_t floats, std::uint32_t rank) {
    return floats / stride_of(rank) * stride_of<Element>(rank);
}

template <class Element>
Array<Element> stored(const std::vector<float>& factors, std::uint32_t rank) {
    Array<Element> result(stored_size<Element>(factors.size(), rank));
    convert<Element, float>(factors, rank, result.data());
    return result;
}
/// The way back.
template <class Elements>
std::vector<float> widened(const Elements& factors, std::uint32_t rank) {
    using Element = typename Elements::value_type;
    std::vector<float> result(factors.size() / stride_of<Element>(rank) * stride_of(rank));
    convert<float, Element>(factors, rank, result.data());
    return result;
}

}  // namespace lockstep::sgd
