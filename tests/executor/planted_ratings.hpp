// Ratings of planted biases and factors, and options of the biased form.
#pragma once

#include "sgd_support.hpp"

namespace lockstep::sgd {

/// Returns a pseudo-random number in [-1, 1) that depends on the arguments alone.
inline float noise(std::uint32_t a, std::uint32_t b = 0) {
    std::uint32_t x = a * 0x9e3779b9U ^ (b + 0x7f4a7c15U) * 0x85ebca6bU;
    x = (x ^ x >> 15) * 0x2c1b3c6dU;
    x = (x ^ x >> 12) * 0x297a2d39U;
    return static_cast<float>(x ^ x >> 15) * 0x1p-31F - 1;
}

/// Returns ratings of planted biases (standard deviation 0.58 by rows, 0.29 by columns), two planted factors
/// and some noise, all times `unit`.
inline Graph planted(VertexId rows, VertexId cols, float unit = 1, float factors = 1) {
    std::vector<Triple> triples;
    for (VertexId u = 0; u < rows; ++u) {
        for (VertexId v = 0; v < cols; ++v) {
            if (noise(u * 977 + v, 5) > -0.2F) continue;
            float w = 3 + noise(u, 1) + 0.5F * noise(v, 2) + 0.1F * noise(u * cols + v, 3);
            for (std::uint32_t f = 10; f < 12; ++f) w += factors * noise(u, f) * noise(v, f + 10);
            triples.push_back({u, v, unit * w});
        }
    }
    return build_graph(triples, rows, cols, {GraphShape::bipartite, true, true});
}

inline SgdOptions biased_on(Device device, std::uint32_t rank = 16, double test_fraction = 0.1) {
    SgdOptions options;
    options.device = device;
    options.rank = rank;
    options.form = ModelForm::biased;
    options.test_fraction = test_fraction;
    set_biased_defaults(options);
    return options;
}

}  // namespace lockstep::sgd
