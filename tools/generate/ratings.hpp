// Bipartite graphs of lockstep-generate: which users rated which items, and how.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "lockstep/schedules/types.hpp"

namespace lockstep::generate {

struct Pair {
    VertexId row, col;
};

/// Numbers of users, items and ratings, and the degree of the most rated item.
struct RatingsShape {
    VertexId users = 0, items = 0;
    EdgeId edges = 0;
    EdgeId max_degree = 0;
};

/// Item degrees by rank: a Zipf-Mandelbrot law max_degree * c / (rank + c), at least 1, whose c is
/// found so that the sum is `edges`. Descending; the first is exactly max_degree. Throws UsageError
/// where no such degrees exist. O(items).
std::vector<EdgeId> item_degrees(const RatingsShape& shape);

/// Distinct (user, item) pairs in random order, with the item degrees above and skewed users; every
/// user and item occurs. `step` is called with the number of pairs chosen so far, now and then.
/// O(edges) time, 8 bytes an edge.
///
/// Method: the user of rank r has weight (r + 1)^(-1/3). Users of an item are drawn one after another
/// by weight, and drawn again when the item has them already: weighted sampling without replacement.
/// An item that more than half of the users rated draws those that did not, low weights first, so that
/// at least a quarter of the draws is always new. Ranks are mapped to ids by a random permutation.
std::vector<Pair> skewed_pairs(const RatingsShape& shape, std::uint64_t seed,
                               const std::function<void(EdgeId)>& step);

/// What the ratings are made of: mean + <p_u, q_i> + noise, clipped where a scale is given.
struct RatingsModel {
    std::uint32_t rank = 8;
    double mean = 3, deviation = 1;  ///< deviation: of <p_u, q_i> over all pairs
    double noise = 0.5;              ///< standard deviation of the noise
    std::optional<std::pair<double, double>> scale;
};

/// The planted model; a rating is a function of seed, user and item alone.
class PlantedRatings {
public:
    PlantedRatings(VertexId users, VertexId items, const RatingsModel& model, std::uint64_t seed);
    float operator()(VertexId user, VertexId item) const;

private:
    RatingsModel model_;
    std::uint64_t seed_;
    std::vector<float> row_factors_, col_factors_;
};

}  // namespace lockstep::generate
