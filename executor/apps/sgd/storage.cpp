#include "apps/sgd/storage.hpp"

#include <algorithm>

#include "apps/sgd/chunk.hpp"

namespace lockstep::sgd {

template <class To, class From>
void convert(std::span<const From> from, const VectorShape<From>& shape, To* to,
             const VectorShape<To>& new_shape) {
    const std::size_t stride = shape.stride(), new_stride = new_shape.stride();
    const std::size_t vectors = from.size() / stride, chunks = chunks_of(shape.rank);
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

template void convert(std::span<const float>, const VectorShape<float>&, float*, const VectorShape<float>&);
template void convert(std::span<const float>, const VectorShape<float>&, Half*, const VectorShape<Half>&);
template void convert(std::span<const Half>, const VectorShape<Half>&, float*, const VectorShape<float>&);

std::vector<double> edges_of(const Array<VertexId>& ends, std::size_t vertices) {
    std::vector<double> edges(vertices);
    for (const VertexId v : ends) ++edges[v];
    return edges;
}

}  // namespace lockstep::sgd
