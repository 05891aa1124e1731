#include "lockstep/executor/structure/independent.hpp"

#include <omp.h>

#include <algorithm>
#include <memory>
#include <thread>

namespace lockstep::structure {

namespace {

class CpuIndependent {
public:
    CpuIndependent(const Undirected& plan, const Priority& priority, int threads)
        : plan_(plan), priority_(priority), threads_(threads), words_(plan.vertices) {}

    Solution run() {
        const VertexId n = plan_.vertices;
        Solution solution{.values = std::vector<std::uint32_t>(n)};
        const double start = omp_get_wtime();
        std::uint64_t passes = 0;
#pragma omp parallel num_threads(threads_) reduction(max : passes)
        {
#pragma omp for schedule(static)
            for (VertexId p = 0; p < n; ++p)
                words_[p] = priority_.key(plan_.vertex(p), plan_.neighbours(p).size());
            passes = decide_mine(omp_get_thread_num(), omp_get_num_threads());
#pragma omp barrier
#pragma omp for schedule(static)
            for (VertexId p = 0; p < n; ++p)
                solution.values[plan_.vertex(p)] = words_[p] == Priority::in ? 1 : 0;
        }
        solution.rounds = passes;
        solution.seconds = omp_get_wtime() - start;
        return solution;
    }

private:
    struct WaitingVertex {
        VertexId vertex;
        std::uint32_t at;
    };

    /// Decides the vertices of this thread, until all of them are decided. The vertices are assigned to
    /// threads in pieces, round-robin. The first undecided vertex of the order can always be decided, so some
    /// thread always makes progress. Returns the number of passes over the waiting vertices.
    std::uint64_t decide_mine(int me, int team) {
        constexpr EdgeId piece = 1024;
        std::vector<WaitingVertex> waiting;
        const EdgeId n = plan_.vertices;
        for (EdgeId first = static_cast<EdgeId>(me) * piece; first < n;
             first += static_cast<EdgeId>(team) * piece) {
            for (EdgeId p = first; p < std::min(first + piece, n); ++p) {
                const auto v = static_cast<VertexId>(p);
                if (const std::uint32_t at = decide(plan_, words_.data(), v, 0); at != decided)
                    waiting.push_back({v, at});
            }
        }
        std::uint64_t passes = 1;
        for (; !waiting.empty(); ++passes) {
            std::size_t left = 0;
            for (const WaitingVertex& w : waiting) {
                if (const std::uint32_t at = decide(plan_, words_.data(), w.vertex, w.at); at != decided)
                    waiting[left++] = {w.vertex, at};
            }
            if (left == waiting.size()) std::this_thread::yield();
            waiting.resize(left);
        }
        return passes;
    }

    const Undirected& plan_;
    const Priority priority_;
    const int threads_;
    Array<std::uint32_t> words_;
};

}  // namespace

Runner independent_on_cpu(const Undirected& plan, const Priority& priority, int threads) {
    auto work = std::make_shared<CpuIndependent>(plan, priority, threads);
    return {plan.bytes() + 8 * EdgeId{plan.vertices}, 0, [work] { return work->run(); }};
}

}  // namespace lockstep::structure
