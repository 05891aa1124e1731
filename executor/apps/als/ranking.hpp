// How well lists find the held-out edges again: recall and NDCG, of items that a user has no training edge to.
#pragma once

#include <span>

#include "apps/als/engine.hpp"

namespace lockstep::als {

inline constexpr std::size_t list_length = 20;

struct Quality {
    double recall = 0,
           ndcg = 0;  ///< means over the users; recall is the share of a user's held-out items in its list
    std::size_t users = 0;
};

class Ranking {
public:
    /// `test` sorted by row; both must outlive it.
    Ranking(const Problem& problem, std::span<const Triple> test, int threads);
    /// Of users with held-out edges, all or `most`, spread evenly over them. O(users x items x rank), 16 users at a time.
    Quality measure(const Factors& factors, std::size_t most) const;

private:
    const Problem& problem_;
    std::span<const Triple> test_;
    std::vector<std::size_t> first_;  ///< test edge of every user that has some, and the end
    int threads_;
};

}  // namespace lockstep::als
