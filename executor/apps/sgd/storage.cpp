#include "apps/sgd/storage.hpp"

#include "apps/sgd/chunk.hpp"

namespace lockstep::sgd {

namespace {

/// convert(from, chunks, to) for every vector.
template <class To, class From, class Convert>
std::vector<To> converted(const std::vector<From>& factors, std::uint32_t rank, Convert convert) {
    const std::size_t stride = stride_of<From>(rank), new_stride = stride_of<To>(rank);
    const std::size_t vectors = factors.size() / stride;
    std::vector<To> result(vectors * new_stride);
#pragma omp parallel for schedule(static)
    for (std::size_t v = 0; v < vectors; ++v)
        convert(factors.data() + v * stride, chunks_of(rank), result.data() + v * new_stride);
    return result;
}

}  // namespace

template <class Element>
std::vector<Element> stored(const std::vector<float>& factors, std::uint32_t rank) {
    return converted<Element>(factors, rank,
                              [](const float* from, std::size_t n, Element* to) { narrow(from, n, to); });
}
template <class Element>
std::vector<float> widened(const std::vector<Element>& factors, std::uint32_t rank) {
    return converted<float>(factors, rank,
                            [](const Element* from, std::size_t n, float* to) { widen(from, n, to); });
}

template std::vector<float> stored(const std::vector<float>&, std::uint32_t);
template std::vector<Half> stored(const std::vector<float>&, std::uint32_t);
template std::vector<float> widened(const std::vector<float>&, std::uint32_t);
template std::vector<float> widened(const std::vector<Half>&, std::uint32_t);

}  // namespace lockstep::sgd
