#include "lockstep/executor/layout/random.hpp"

#include <Random123/philox.h>

#include <algorithm>
#include <numeric>

namespace lockstep::layout {

std::vector<std::uint32_t> draw_random(std::uint64_t seed, std::uint32_t what, VertexId count) {
    const r123::Philox4x32::key_type key{
        {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
    std::vector<std::uint32_t> words(count);
    for (VertexId i = 0; i < count; i += 4) {
        const auto four = r123::Philox4x32()({{i / 4, what, 0x6c61796f, 0}}, key);
        for (VertexId k = 0; k < std::min<VertexId>(4, count - i); ++k) words[i + k] = four[k];
    }
    return words;
}

std::vector<VertexId> permutation(std::uint64_t seed, std::uint32_t what, VertexId count) {
    const std::vector<std::uint32_t> key = draw_random(seed, what, count);
    std::vector<VertexId> order(count);
    std::iota(order.begin(), order.end(), VertexId{0});
    std::sort(order.begin(), order.end(),
              [&](VertexId a, VertexId b) { return key[a] != key[b] ? key[a] < key[b] : a < b; });
    return order;
}

}  // namespace lockstep::layout
