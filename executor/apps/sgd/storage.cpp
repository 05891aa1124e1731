#include "apps/sgd/storage.hpp"

#include <algorithm>

#include "apps/sgd/chunk.hpp"

namespace lockstep::sgd {

template <class To, class From>
void convert(std::span<const From> from, std::uint32_t rank, To* to) {
    const std::size_t stride = stride_of<From>(rank), new_stride = stride_of<To>(rank);
    const std::size_t vectors = from.size() / stride, chunks = chunks_of(rank);
#pragma omp parallel for schedule(static)
    for (std::size_t v = 0; v < vectors; ++v) {
        To* const vector = to + v * new_stride;
        if constexpr (std::is_same_v<From, float>)
            narrow(from.data() + v * stride, chunks, vector);
        else
            widen(from.data() + v * stride, chunks, vector);
        std::fill(vector + 4 * chunks, vector + new_stride, To{});
    }
}

template void convert(std::span<const float>, std::uint32_t, float*);
template void convert(std::span<const float>, std::uint32_t, Half*);
template void convert(std::span<const Half>, std::uint32_t, float*);

std::vector<float> compact(std::span<const float> factors, std::uint32_t rank) {
    const std::size_t stride = stride_of(rank);
    if (stride == rank) return {factors.begin(), factors.end()};
    std::vector<float> dense(factors.size() / stride * rank);
#pragma omp parallel for schedule(static)
    for (std::size_t v = 0; v < factors.size() / stride; ++v)
        std::copy_n(factors.data() + v * stride, rank, dense.data() + v * rank);
    return dense;
}

Array<float> pad_vectors(std::span<const float> dense, std::uint32_t rank) {
    const std::size_t stride = stride_of(rank);
    Array<float> factors(dense.size() / rank * stride);
#pragma omp parallel for schedule(static)
    for (std::size_t v = 0; v < dense.size() / rank; ++v) {
        float* const vector = std::copy_n(dense.data() + v * rank, rank, factors.data() + v * stride);
        std::fill(vector, factors.data() + (v + 1) * stride, 0.0F);
    }
    return factors;
}

}  // namespace lockstep::sgd
