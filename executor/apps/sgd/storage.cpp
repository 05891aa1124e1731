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

}  // namespace lockstep::sgd
