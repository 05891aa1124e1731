// Refinement in rounds on a CPU, with all threads: the same steps as on a GPU (steps.cuh), and the same
// resulting mesh.
#include "lockstep/executor/mesh/rounds.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>

#include "lockstep/executor/mesh/cavity.hpp"

namespace lockstep::mesh {

namespace {

using Clock = std::chrono::steady_clock;

/// Stores the indices i < size with takes(i) in `list`, in ascending order. Uses all threads.
template <class Takes>
void collect(EdgeId size, std::vector<std::int32_t>& list, int threads, Takes takes) {
    const int parts = size > 1 << 14 ? threads : 1;
    const auto part = [&](int p) { return size * static_cast<EdgeId>(p) / static_cast<EdgeId>(parts); };
    std::vector<EdgeId> begin(static_cast<std::size_t>(parts) + 1);
#pragma omp parallel for num_threads(parts)
    for (int p = 0; p < parts; ++p) {
        EdgeId count = 0;
        for (EdgeId i = part(p); i < part(p + 1); ++i) count += takes(static_cast<std::int32_t>(i));
        begin[static_cast<std::size_t>(p) + 1] = count;
    }
    for (std::size_t p = 0; p + 1 < begin.size(); ++p) begin[p + 1] += begin[p];
    list.resize(begin.back());
#pragma omp parallel for num_threads(parts)
    for (int p = 0; p < parts; ++p) {
        EdgeId at = begin[static_cast<std::size_t>(p)];
        for (EdgeId i = part(p); i < part(p + 1); ++i) {
            if (takes(static_cast<std::int32_t>(i))) list[at++] = static_cast<std::int32_t>(i);
        }
    }
}

}  // namespace

Totals refine_on_cpu(Mesh& mesh, const Rules& rules, int threads, const OnRound& on_round) {
    std::vector<State> states(mesh.triangles.size());
    std::vector<std::int32_t> tried;
    std::vector<PointInsertion> insertions;
    std::vector<EdgeId> fresh, spoke;
    std::vector<std::uint8_t> won;
    std::vector<Spoke> spokes, kept;
    Totals totals;
    const auto view = [&] {
        return View{mesh.points.data(), mesh.triangles.data(), states.data(), rules.rule};
    };
    const auto list = [&](EdgeId i) { return kept.data() + std::min(i, max_kept) * kept_list_capacity; };
    const auto of_all = [&](EdgeId size, auto work) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 64) if (size > 256)
        for (EdgeId i = 0; i < size; ++i) work(i);
    };
    const auto count = [&](State state) {
        EdgeId found = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : found) if (states.size() > 1 << 16)
        for (EdgeId t = 0; t < states.size(); ++t) found += states[t] == state;
        return found;
    };
    of_all(states.size(), [&](EdgeId t) { states[t] = judge(view(), static_cast<std::int32_t>(t)); });
    EdgeId bad = count(State::bad), before = bad, changes = 0;
    for (std::uint32_t round = 1;; before = bad, bad = count(State::bad)) {
        const auto began = Clock::now();
        if (bad == 0) {
            totals.left = count(State::left);
            if (totals.left == 0 || changes == 0) return totals;
            // bad triangles for which no point could be inserted may now be refinable
            for (State& state : states) {
                if (state == State::left) state = State::bad;
            }
            changes = 0;
            continue;
        }
        const std::uint32_t least = min_priority(before, rules.full, rules.part);
        collect(states.size(), tried, threads, [&](std::int32_t t) {
            return states[static_cast<std::size_t>(t)] == State::bad && priority(t, round) >= least;
        });
        const EdgeId size = tried.size();
        insertions.resize(size), won.resize(size);
        kept.resize(std::max<std::size_t>(kept.size(), std::min(size, max_kept) * kept_list_capacity));
        of_all(size, [&](EdgeId i) {
            CavityRecorder note{list(i), i < max_kept ? kept_list_capacity : 0};
            insertions[i] = decide(view(), tried[i], note);
            if (insertions[i].border == 0) states[static_cast<std::size_t>(tried[i])] = State::left;
            if (insertions[i].border)
                visit_locks(view(), insertions[i], list(i),
                            worklist::Claim<worklist::ClaimMethod::priority>{reservation(tried[i], round)});
        });
        of_all(size, [&](EdgeId i) {
            won[i] = insertions[i].border && visit_locks(view(), insertions[i], list(i),
                                                         worklist::LockCheck{reservation(tried[i], round)});
        });
        std::vector<std::int32_t> winners;
        collect(size, winners, threads,
                [&](std::int32_t i) { return won[static_cast<std::size_t>(i)] != 0; });
        const EdgeId points = mesh.points.size();
        EdgeId triangles = mesh.triangles.size(), borders = 0;
        fresh.resize(winners.size()), spoke.resize(winners.size());
        for (std::size_t w = 0; w < winners.size(); ++w) {
            const PointInsertion& insertion = insertions[static_cast<std::size_t>(winners[w])];
            fresh[w] = triangles, spoke[w] = borders;
            triangles += insertion.segment ? 1 : 2,
                borders += insertion.kept ? 0 : static_cast<EdgeId>(insertion.border);
        }
        if (triangles > max_triangles)
            throw Error(
                "the mesh grows beyond 2^29 triangles; give a smaller --min-angle or a larger --min-edge");
        mesh.points.resize(points + winners.size());
        mesh.triangles.resize(triangles), states.resize(triangles);
        if (spokes.size() < borders) spokes.resize(borders);
        of_all(winners.size(), [&](EdgeId w) {
            const auto i = static_cast<std::size_t>(winners[w]);
            Spoke* const fan = insertions[i].kept ? list(i) : spokes.data() + spoke[w];
            if (!insertions[i].kept) list_cavity(view(), insertions[i], reservation(tried[i], round), fan);
            refine(view(), insertions[i], static_cast<std::int32_t>(points + w),
                   static_cast<std::int32_t>(fresh[w]), fan);
            judge_fan(view(), insertions[i], fan);
        });
        changes += winners.size();
        ++round;
        const std::chrono::duration<double> seconds = Clock::now() - began;
        totals.seconds += seconds.count();
        if (!on_round({bad, size, winners.size(), seconds.count()})) {
            totals.stopped = true;
            return totals;
        }
    }
}

}  // namespace lockstep::mesh
