#include "apps/sgd/start.hpp"

#include <Random123/philox.h>

#include <algorithm>
#include <cmath>

namespace lockstep::sgd {

namespace {

/// Returns a float that is uniform in [0, 1), made of the upper 24 bits of `random`.
float uniform(std::uint32_t random) { return static_cast<float>(random >> 8) * 0x1p-24F; }

/// Returns factors scale (u + shift), where u is uniform in [0, 1) for each component. Each chunk is drawn by
/// Philox of (seed, side, vertex, index of the chunk).
Factors uniform_factors(VertexId rows, VertexId cols, std::uint32_t rank, float scale, float shift,
                        std::uint64_t seed) {
    const std::size_t stride = stride_of(rank);
    const r123::Philox4x32 philox;
    const r123::Philox4x32::key_type key{
        {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
    const auto fill = [&](VertexId vertices, std::uint32_t side) {
        Array<float> factors(vertices * stride);
#pragma omp parallel for schedule(static)
        for (std::int64_t v = 0; v < static_cast<std::int64_t>(vertices); ++v) {
            float* const vector = factors.data() + static_cast<std::size_t>(v) * stride;
            for (std::uint32_t j = 0; j < rank; j += 4) {
                const auto random = philox({{static_cast<std::uint32_t>(v), j / 4, side, 0x66616374}}, key);
                for (std::uint32_t i = 0; i < 4; ++i)
                    vector[j + i] = j + i < rank ? scale * (uniform(random[i]) + shift) : 0;
            }
        }
        return factors;
    };
    return {fill(rows, 0), fill(cols, 1)};
}

/// Returns held_out[e] for every edge e. number_of(e) returns the ID of the edge in the whole graph, from
/// which the random number is computed.
template <class NumberOf>
std::vector<bool> held_out(EdgeId edges, double fraction, std::uint64_t seed, NumberOf number_of) {
    if (fraction <= 0) return {};
    const auto limit = static_cast<std::uint64_t>(fraction * 0x1p64);
    const r123::Philox2x64 philox;
    std::vector<bool> held(edges);
    // a multiple of the word size of vector<bool>, so that no two threads write to one word
    constexpr EdgeId share = 1 << 16;
#pragma omp parallel for schedule(static)
    for (EdgeId first = 0; first < edges; first += share) {
        for (EdgeId e = first; e < std::min(edges, first + share); ++e)
            held[e] = philox({{number_of(e), 0x686f6c646f7574}}, {{seed}})[0] < limit;
    }
    return held;
}

}  // namespace

std::vector<bool> hold_out(EdgeId edges, double fraction, std::uint64_t seed, EdgeId first) {
    return held_out(edges, fraction, seed, [&](EdgeId e) { return first + e; });
}

std::vector<bool> hold_out(std::span<const EdgeId> numbers, double fraction, std::uint64_t seed) {
    return held_out(numbers.size(), fraction, seed, [&](EdgeId e) { return numbers[e]; });
}

Factors initial_factors(VertexId rows, VertexId cols, std::uint32_t rank, double mean, std::uint64_t seed) {
    // Components are uniform in [0, 2 s), so the expected dot product of two vectors is rank s^2.
    const float scale =
        mean > 0 ? static_cast<float>(2 * std::sqrt(mean / rank)) : static_cast<float>(1 / std::sqrt(rank));
    const float shift = mean > 0 ? 0.0F : -0.5F;
    return uniform_factors(rows, cols, rank, scale, shift, seed);
}

Factors small_factors(VertexId rows, VertexId cols, std::uint32_t rank, double spread, std::uint64_t seed) {
    // Components are uniform in [-a, a), so the dot product of two vectors has the standard deviation
    // sqrt(rank) a^2 / 3.
    const double product = initial_share * spread;
    const auto a = static_cast<float>(std::sqrt(3 * product / std::sqrt(rank)));
    Factors factors = uniform_factors(rows, cols, rank, 2 * a, -0.5F, seed);
    if (rank < 4) return factors;
    const auto correction = static_cast<float>(initial_correction * std::sqrt(spread));
    const std::size_t stride = stride_of(rank);
    const auto put = [&](Array<float>& side, std::uint32_t zero, std::uint32_t constant) {
#pragma omp parallel for schedule(static)
        for (std::size_t at = 0; at < side.size(); at += stride)
            side[at + zero] = 0, side[at + constant] = correction;
    };
    put(factors.row, 0, 1), put(factors.col, 1, 0);
    return factors;
}

}  // namespace lockstep::sgd
