#include "lockstep/executor/structure/cores.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>

namespace lockstep::structure {

namespace {

constexpr std::uint32_t no_degree = std::numeric_limits<std::uint32_t>::max();

/// Peels level by level, where level k removes the vertices with core number k. Within a level, a thread
/// continues with the vertices whose degrees its own subtractions have reduced to the level, without waiting
/// for other threads (Kabir and Madduri, "Parallel k-core decomposition on multicore platforms", IPDPSW
/// 2017).
class CpuCores {
public:
    CpuCores(const Undirected& plan, std::optional<std::uint32_t> k, int threads)
        : plan_(plan),
          k_(k),
          threads_(threads),
          degrees_(plan.vertices),
          results_(static_cast<std::size_t>(threads)) {}

    Solution run() {
        Solution solution;
        const double start = omp_get_wtime();
#pragma omp parallel num_threads(threads_)
        {
            const std::uint64_t levels = peel(omp_get_thread_num(), omp_get_num_threads());
#pragma omp master
            solution.rounds = levels;
        }
        solution.values.resize(plan_.vertices);
#pragma omp parallel for schedule(static) num_threads(threads_)
        for (VertexId p = 0; p < plan_.vertices; ++p)
            solution.values[plan_.vertex(p)] = k_ ? degrees_[p] >= *k_ : degrees_[p];
        solution.seconds = omp_get_wtime() - start;
        return solution;
    }

private:
    /// The results of a level that a thread publishes for the other threads.
    struct alignas(64) LevelResult {
        std::uint32_t least = no_degree;
        bool peeled = false;
    };

    std::atomic_ref<std::uint32_t> degree(VertexId v) { return std::atomic_ref(degrees_[v]); }

    /// Removes the vertices level by level: first those whose degrees are in [from, level], then those whose
    /// degrees fall to the level. All threads must call it. Returns the number of levels.
    std::uint64_t peel(int me, int team) {
        const VertexId n = plan_.vertices;
        const auto share = [&](int i) {
            return static_cast<VertexId>(EdgeId{n} * static_cast<EdgeId>(i) / static_cast<EdgeId>(team));
        };
        std::vector<VertexId> mine, queue;
        LevelResult& result = results_[static_cast<std::size_t>(me)];
        result = {};
        for (VertexId v = share(me); v < share(me + 1); ++v) {
            const auto d = static_cast<std::uint32_t>(plan_.neighbours(v).size());
            degrees_[v] = d;
            result.least = std::min(result.least, d);
            mine.push_back(v);
        }
#pragma omp barrier
        std::uint64_t levels = 0;
        std::uint32_t from = 0, level = k_ ? *k_ - 1 : next_level(no_degree, team);
        if (k_ && *k_ == 0) return 0;
        while (level != no_degree) {
            ++levels;
            // Wait until all threads have read the published results of the previous level.
#pragma omp barrier
            result = {};
            queue.clear();
            std::size_t kept = 0;
            for (const VertexId v : mine) {
                const std::uint32_t d = degree(v).load(std::memory_order_relaxed);
                if (d > level) {
                    result.least = std::min(result.least, d);
                    mine[kept++] = v;
                } else if (d >= from) {
                    queue.push_back(v);
                }
            }
            mine.resize(kept);
            // No degree may change before all threads have filled their queues.
#pragma omp barrier
            for (std::size_t i = 0; i < queue.size(); ++i) {
                for (const VertexId u : plan_.neighbours(queue[i])) {
                    if (degree(u).load(std::memory_order_relaxed) <= level) continue;
                    const std::uint32_t before = degree(u).fetch_sub(1, std::memory_order_relaxed);
                    if (before == level + 1) queue.push_back(u);
                    if (before <= level) degree(u).fetch_add(1, std::memory_order_relaxed);
                }
            }
            result.peeled = !queue.empty();
#pragma omp barrier
            if (k_) break;
            from = level + 1;
            level = next_level(level, team);
        }
        return levels;
    }
    std::uint32_t next_level(std::uint32_t level, int team) const {
        std::uint32_t least = no_degree;
        for (int i = 0; i < team; ++i) {
            const LevelResult& t = results_[static_cast<std::size_t>(i)];
            if (t.peeled) return level + 1;
            least = std::min(least, t.least);
        }
        return least;
    }

    const Undirected& plan_;
    const std::optional<std::uint32_t> k_;
    const int threads_;
    std::vector<std::uint32_t> degrees_;
    std::vector<LevelResult> results_;
};

}  // namespace

Runner cores_on_cpu(const Undirected& plan, std::optional<std::uint32_t> k, int threads) {
    auto work = std::make_shared<CpuCores>(plan, k, threads);
    return {plan.bytes() + 8 * EdgeId{plan.vertices}, 0, [work] { return work->run(); }};
}

}  // namespace lockstep::structure
