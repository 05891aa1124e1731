// Sums of squared errors over several processes, to the bits of one: `error_chunk` errors after one another,
// then the chunks. A process has runs of edges that lie anywhere among all; a chunk that is whole in a run is
// summed there, of one that is not every error goes to the first process, which adds up in order.
#pragma once

#include <algorithm>
#include <vector>

#include "apps/sgd/backend.hpp"
#include "lockstep/executor/ranks.hpp"

namespace lockstep::sgd {

/// Edges of a process that follow one another among all: how many, and where the first one is there.
struct ErrorRun {
    EdgeId edges, at;
};

class ErrorShare {
public:
    ErrorShare() = default;
    /// Runs in the order of this process. No sum crosses a multiple of `piece` of its edges. The last chunk
    /// of `whole` edges may be shorter.
    ErrorShare(const std::vector<ErrorRun>& runs, EdgeId whole, EdgeId piece = ~EdgeId{0}) {
        EdgeId begin = 0;
        for (const ErrorRun& run : runs) {
            const EdgeId end = run.at + run.edges;
            for (EdgeId at = run.at; at < end;) {
                const EdgeId chunk_end = std::min((at / error_chunk + 1) * error_chunk, whole);
                const EdgeId size = chunk_end - at;
                const bool alone =
                    at % error_chunk == 0 && chunk_end <= end && begin / piece == (begin + size - 1) / piece;
                for (EdgeId step = alone ? size : 1, last = alone ? chunk_end : std::min(chunk_end, end);
                     at < last; at += step, begin += step)
                    begins_.push_back(begin), at_.push_back(at);
            }
        }
        begins_.push_back(begin);
    }

    /// The sums that this process makes: the i-th is of its edges [begins()[i], begins()[i + 1]).
    const std::vector<EdgeId>& begins() const { return begins_; }
    EdgeId sums() const { return at_.size(); }

    /// Of all processes, once each has made its own.
    double total(const std::vector<double>& sums) const {
        struct Sum {
            EdgeId at;
            double value;
        };
        std::vector<std::vector<Sum>> out(static_cast<std::size_t>(ranks().count()));
        for (EdgeId i = 0; i < sums.size(); ++i) out[0].push_back({at_[i], sums[i]});
        std::vector<Sum> all;
        for (const auto& some : ranks().deal(out)) all.insert(all.end(), some.begin(), some.end());
        std::ranges::sort(all, {}, &Sum::at);
        double total = 0, chunk = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            chunk += all[i].value;
            if (i + 1 < all.size() && all[i + 1].at / error_chunk == all[i].at / error_chunk) continue;
            total += std::exchange(chunk, 0);
        }
        return ranks().told(total);
    }

private:
    std::vector<EdgeId> begins_, at_;  // sum -> its first edge, here and among all
};

/// Of the plan's edges that a process has, and of edges that are neighbours among all. Called by all.
ErrorShare plan_share(const TiledPlan& plan, EdgeId piece = ~EdgeId{0});
ErrorShare neighbours_share(EdgeId edges);

}  // namespace lockstep::sgd
