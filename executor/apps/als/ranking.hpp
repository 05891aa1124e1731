// Measures the quality of recommendations. Each user gets a list of the items with the highest scores, among
// the items to which the user has no training edge. Recall and NDCG measure how well these lists contain the
// held-out items.
#pragma once

#include <span>

#include "apps/als/solver.hpp"

namespace lockstep::als {

inline constexpr std::size_t list_length = 20;

struct Quality {
    /// Means over the users. The recall of a user is the share of its held-out items that are in its list.
    double recall = 0, ndcg = 0;
    std::size_t users = 0;
};

class Ranking {
public:
    /// `problem` and `test` (held-out edges, sorted by row) must outlive the object.
    Ranking(const Problem& problem, std::span<const Triple> test, int threads);
    /// Returns the mean quality over `most` users with held-out edges at equal distances, or over all such
    /// users if there are fewer. 16 users are scored together. O(users x items x rank).
    Quality measure(const Factors& factors, std::size_t most) const;

private:
    const Problem& problem_;
    std::span<const Triple> test_;
    /// Index of the first test edge of each user with test edges; the last entry is the number of test edges.
    std::vector<std::size_t> first_;
    int threads_;
};

}  // namespace lockstep::als
