// Sums of squared errors over several processes, bitwise identical to those of one process: `error_chunk`
// errors are added one after another, then the chunks. Each process has runs of edges that are consecutive in
// the whole list. If a chunk lies in one run, its process sums it. Of other chunks, each error is sent to the
// first process, which adds the errors in order.
#pragma once

#include <algorithm>
#include <vector>

#include "apps/sgd/backend.hpp"
#include "lockstep/executor/ranks.hpp"

namespace lockstep::sgd {

/// Edges of a process that are consecutive in the whole list: their number, and the index of the first one in
/// that list.
struct ErrorRun {
    EdgeId edges, at;
};

class ErrorShare {
public:
    ErrorShare() = default;
    /// Divides the edges of this process into sums. `runs` are in the order of this process. No sum crosses a
    /// multiple of `piece` of its edges. `whole` is the number of edges of all processes; the last chunk may
    /// be shorter.
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

    /// Returns the boundaries of this process's sums: sum i is over its edges [begins()[i], begins()[i + 1]).
    const std::vector<EdgeId>& begins() const { return begins_; }
    EdgeId sums() const { return at_.size(); }

    /// Returns the total over all processes, each of which passes its own sums. Called by all processes.
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
    std::vector<EdgeId> begins_, at_;  // first edge of each sum: its index here, and in the whole list
};

/// Returns this process's share of the sums over the plan's edges; `neighbours_share` does so for edges that
/// are consecutive in the whole list. Called by all processes.
ErrorShare plan_share(const TiledPlan& plan, EdgeId piece = ~EdgeId{0});
ErrorShare neighbours_share(EdgeId edges);

}  // namespace lockstep::sgd
