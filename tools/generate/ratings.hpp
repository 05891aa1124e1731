// Bipartite graphs of lockstep-generate: which users rated which items, and the values of the ratings.
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

/// Numbers of users, items and ratings, and the degree of the most rated item (the maximum degree).
struct RatingsShape {
    VertexId users = 0, items = 0;
    EdgeId edges = 0;
    EdgeId max_degree = 0;
};

/// Returns item degrees by rank, in descending order. They follow a Zipf-Mandelbrot law max_degree * c /
/// (rank + c), at least 1, with c such that the sum is `edges`; the first degree is exactly max_degree.
/// Throws UsageError if no such degrees exist. O(items).
std::vector<EdgeId> item_degrees(const RatingsShape& shape);

/// Returns distinct (user, item) pairs in random order, with the item degrees above and a skewed distribution
/// of users; every user and item occurs. Calls `step` periodically with the number of pairs chosen so far.
/// O(edges) time, 8 bytes per edge.
///
/// Method: the user of rank r has weight (r + 1)^(-1/3). The users of an item are drawn one after another by
/// weight, and drawn again if the item already has them (weighted sampling without replacement). For an item
/// that more than half of the users rated, the users that did not rate it are drawn, low weights first, so
/// that at least a quarter of the draws is always new. Ranks are mapped to IDs by a random permutation.
std::vector<Pair> skewed_pairs(const RatingsShape& shape, std::uint64_t seed,
                               const std::function<void(EdgeId)>& step);

/// The model of the ratings: mean + <p_u, q_i> + noise, clipped to `scale` if it is set.
struct RatingsModel {
    std::uint32_t rank = 8;
    double mean = 3, deviation = 1;  ///< deviation: standard deviation of <p_u, q_i> over all pairs
    double noise = 0.5;              ///< standard deviation of the noise
    std::optional<std::pair<double, double>> scale;
};

/// Ratings of a planted low-rank model; a rating is a function of seed, user and item only.
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
