// Quality of the lists: how well they find the held-out edges, as recall and NDCG, among items to which a
// user has no training edge.
#pragma once

#include <span>

#include "apps/als/solver.hpp"

namespace lockstep::als {

inline constexpr std::size_t list_length = 20;

struct Quality {
    double recall = 0,
           ndcg = 0;  ///< means over the users; recall is the share of a user's held-out items in its list
    std::size_t users = 0;
};

class Ranking {
public:
    /// Refers to `problem` and `test`, which must outlive the object. `test` must be sorted by row.
    Ranking(const Problem& problem, std::span<const Triple> test, int threads);
    /// Returns the quality over users with held-out edges: all of them, or `most` that are spread evenly over
    /// them. O(users x items x rank); 16 users are scored together.
    Quality measure(const Factors& factors, std::size_t most) const;

private:
    const Problem& problem_;
    std::span<const Triple> test_;
    /// First test edge of every user that has any, and the number of test edges.
    std::vector<std::size_t> first_;
    int threads_;
};

}  // namespace lockstep::als
