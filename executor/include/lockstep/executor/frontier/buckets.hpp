// Delta-stepping on a CPU (Meyer, Sanders, J. Algorithms 49, 2003): vertices are put into buckets by value,
// and the bucket with the best values is processed first. Each thread has its own buckets. While its current
// bucket is small, a thread processes it again and again without synchronization (Zhang et al., "Optimizing
// ordered graph algorithms with GraphIt", CGO 2020).
#pragma once

#include <omp.h>

#include <algorithm>
#include <bit>

#include "lockstep/executor/frontier/run.hpp"

namespace lockstep::frontier {

/// Runs traversals of a graph by delta-stepping (Meyer, Sanders, 2003). An object keeps its memory for its
/// later traversals.
template <FrontierOperator Op>
class CpuBuckets {
public:
    using Value = typename Op::Value;

    CpuBuckets(const Expand& plan, const Op& op, float delta, int threads)
        : plan_(plan), op_(op), threads_(threads), delta_(delta), values_(plan.vertices) {
        float largest = 1;
        for (const float w : plan.out.weights) largest = std::max(largest, w);
        ring_ = std::bit_ceil(static_cast<std::size_t>(std::min(largest / delta, 65531.0F)) + 5);
        mine_.resize(static_cast<std::size_t>(threads));
        for (ThreadBuckets& mine : mine_) mine.buckets.resize(ring_);
    }

    /// Runs a traversal from the vertex at position `source`, and returns the value of each position.
    const Value* run(VertexId source, const std::function<bool()>& interrupted, std::vector<Round>& rounds) {
        list_.assign(1, source);
        now_ = 0;
        more_ = true;
#pragma omp parallel num_threads(threads_)
        {
            const int team = omp_get_num_threads(), me = omp_get_thread_num();
            ThreadBuckets& mine = mine_[static_cast<std::size_t>(me)];
            for (auto& bucket : mine.buckets) bucket.clear();
            mine.looked = mine.relaxed = 0;
#pragma omp for schedule(static)
            for (VertexId v = 0; v < plan_.vertices; ++v) values_[v] = op_.none();
            if (me == 0) values_[source] = op_.start(), started_ = omp_get_wtime();
#pragma omp barrier
            while (more_) {
                constexpr std::size_t chunk = 64, few = 1000;
                for (std::size_t at;
                     (at = drawn_.fetch_add(chunk, std::memory_order_relaxed)) < list_.size();)
                    relax(list_.data() + at, std::min(chunk, list_.size() - at), mine);
                for (auto& bucket = mine.buckets[now_ & (ring_ - 1)];
                     !bucket.empty() && bucket.size() < few;) {
                    mine.copy.swap(bucket);
                    bucket.clear();
                    relax(mine.copy.data(), mine.copy.size(), mine);
                }
                std::size_t ahead = 0;
                while (ahead < ring_ && mine.buckets[(now_ + ahead) & (ring_ - 1)].empty()) ++ahead;
                mine.ahead = ahead;
#pragma omp barrier
                if (me == 0) next_round(rounds, team, interrupted);
#pragma omp barrier
                auto& bucket = mine.buckets[now_ & (ring_ - 1)];
                std::copy(bucket.begin(), bucket.end(), list_.begin() + static_cast<std::ptrdiff_t>(mine.at));
                bucket.clear();
#pragma omp barrier
            }
        }
        return values_.data();
    }

private:
    /// The buckets and the counters of one thread.
    struct alignas(128) ThreadBuckets {
        /// A ring of buckets. A value with step s (the number of its bucket) is in element s modulo the
        /// ring's size, which is a power of two.
        std::vector<std::vector<VertexId>> buckets;
        std::vector<VertexId> copy;
        /// Distance from the current bucket to this thread's next non-empty one, and offset of this thread's
        /// vertices in `list_`.
        std::size_t ahead = 0, at = 0;
        EdgeId looked = 0, relaxed = 0;
    };

    /// Sends offers from vertices of the current bucket. A vertex whose value has moved to an earlier bucket
    /// is skipped, because it was processed there. If the ring wraps around, vertices of a much later bucket
    /// may be processed early. This only costs time.
    void relax(const VertexId* vertices, std::size_t count, ThreadBuckets& mine) {
        const CsrView out = plan_.out.view();
        for (std::size_t i = 0; i < count; ++i) {
            const VertexId u = vertices[i];
            const Value value = peek(&values_[u]);
            if (op_.step(value, delta_) < now_) continue;
            const EdgeRange edges = out.edges_of(u);
            ++mine.relaxed, mine.looked += edges.size();
            for (const EdgeId e : edges) {
                const Value offered = op_.offer(value, out.weight(e));
                if (improve(&values_[out.ends[e]], offered))
                    mine.buckets[op_.step(offered, delta_) & (ring_ - 1)].push_back(out.ends[e]);
            }
        }
    }

    /// Ends a round and selects the next non-empty bucket. Only one thread calls it, between barriers.
    void next_round(std::vector<Round>& rounds, int team, const std::function<bool()>& interrupted) {
        const double now = omp_get_wtime();
        Round& round = rounds.emplace_back(Round{now - started_, false, Filter::none, 0, 0});
        started_ = now;
        std::size_t ahead = ring_, size = 0;
        for (int t = 0; t < team; ++t) {
            ThreadBuckets& mine = mine_[static_cast<std::size_t>(t)];
            ahead = std::min(ahead, mine.ahead);
            round.active += mine.relaxed, round.arcs += mine.looked;
            mine.relaxed = mine.looked = 0;
        }
        more_ = ahead < ring_ && !(interrupted && interrupted());
        now_ += more_ ? static_cast<std::uint32_t>(ahead) : 0;
        for (int t = 0; t < team; ++t) {
            ThreadBuckets& mine = mine_[static_cast<std::size_t>(t)];
            mine.at = size;
            size += mine.buckets[now_ & (ring_ - 1)].size();
        }
        list_.resize(size);
        drawn_ = 0;
    }

    const Expand& plan_;
    const Op op_;
    const int threads_;
    const float delta_;
    std::size_t ring_;
    Array<Value> values_;
    std::vector<ThreadBuckets> mine_;
    std::atomic<std::size_t> drawn_{0};
    // The following members are changed by one thread only, between barriers.
    Array<VertexId> list_;   ///< vertices of the current bucket
    std::uint32_t now_ = 0;  ///< step (number) of the current bucket
    bool more_ = false;
    double started_ = 0;
};

}  // namespace lockstep::frontier
