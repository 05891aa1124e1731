// Adds squared errors of edges that are distributed over several processes, with a total that is bitwise
// identical to that of one process: the errors of each chunk of `error_chunk` edges are added first, then the
// sums of the chunks. A process has runs of edges that are consecutive in the whole list of edges. If a chunk
// lies within one run, the process of this run sends only its sum to the first process. The errors of any
// other chunk are sent one by one, and the first process adds them in edge order.
#pragma once

#include <algorithm>
#include <vector>

#include "apps/sgd/backend.hpp"
#include "lockstep/executor/ranks.hpp"

namespace lockstep::sgd {

/// A run: edges of one process that are consecutive in the whole list of edges. Contains their number, and
/// the index of the first edge in that list.
struct ErrorRun {
    EdgeId edges, at;
};

class ErrorShare {
public:
    ErrorShare() = default;
    /// Divides the edges of this process into partial sums: whole chunks, or single edges. `runs` describes
    /// the edges in the order in which this process stores them, and `whole` is the number of edges of all
    /// processes. No partial sum contains edges on both sides of a multiple of `piece` in the order of this
    /// process.
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

    /// Returns the boundaries of the partial sums in the order of this process: sum i is over its edges
    /// [begins()[i], begins()[i + 1]).
    const std::vector<EdgeId>& begins() const { return begins_; }
    EdgeId sums() const { return at_.size(); }

    /// Returns the total of the errors of all processes. `sums` are the partial sums of this process. All
    /// processes must call this function.
    double total(const std::vector<double>& sums) const {
        struct Sum {
            EdgeId at;
            double value;
        };
        std::vector<std::vector<Sum>> out(static_cast<std::size_t>(ranks().count()));
        for (EdgeId i = 0; i < sums.size(); ++i) out[0].push_back({at_[i], sums[i]});
        std::vector<Sum> all;
        for (const auto& some : ranks().all_to_all(out)) all.insert(all.end(), some.begin(), some.end());
        std::ranges::sort(all, {}, &Sum::at);
        double total = 0, chunk = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            chunk += all[i].value;
            if (i + 1 < all.size() && all[i + 1].at / error_chunk == all[i].at / error_chunk) continue;
            total += std::exchange(chunk, 0);
        }
        return ranks().broadcast_value(total);
    }

private:
    // index of the first edge of each partial sum: in the order of this process, and in the whole list
    std::vector<EdgeId> begins_, at_;
};

/// plan_share() returns the training edges of a plan whose errors this process computes. slice_share()
/// returns the edges that this process takes from a list of `edges` edges, such as the test edges. It gives
/// each process consecutive edges. All processes must call these functions.
ErrorShare plan_share(const TiledPlan& plan, EdgeId piece = ~EdgeId{0});
ErrorShare slice_share(EdgeId edges);

}  // namespace lockstep::sgd
