#include "lockstep/executor/edge/stars.hpp"

#include <algorithm>
#include <utility>

#include "lockstep/executor/edge/fits.hpp"
#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep {

namespace {

bool all_alike(std::span<const VertexId> ends) {
    return std::all_of(ends.begin(), ends.end(), [&](VertexId v) { return v == ends[0]; });
}
bool all_different(std::span<const VertexId> ends, std::vector<VertexId>& sorted) {
    if (std::adjacent_find(ends.begin(), ends.end(), std::greater_equal<>()) == ends.end())
        return true;  // they are in ascending order
    sorted.assign(ends.begin(), ends.end());
    std::sort(sorted.begin(), sorted.end());
    return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

}  // namespace

StarsPlan StarsPlan::make(const PlanParts& parts) {
    const EdgeList& edges = parts.edges;
    const std::vector<EdgeId> offsets = parts.offsets(Level::task);
    StarsPlan plan{offsets, parts.level(Level::phase)};
    for (EdgeId p = 0; p < plan.phases(); ++p) {
        const EdgeId first = plan.phase_stars[p], last = std::min(first + hub_stars, plan.phase_stars[p + 1]);
        for (EdgeId s = first; s < last; ++s) {
            if (offsets[s + 1] - offsets[s] > EdgeId{long_star}) plan.stars[s] |= long_bit;
        }
    }
    ParallelErrors errors;
#pragma omp parallel
    {
        std::vector<VertexId> sorted;
#pragma omp for schedule(static)
        for (EdgeId s = 0; s < offsets.size() - 1; ++s) {
            const EdgeId begin = offsets[s], size = offsets[s + 1] - begin;
            if (size < 2) continue;
            const std::span rows(edges.row.data() + begin, size), cols(edges.col.data() + begin, size);
            const bool around_row = rows[0] == rows[1];
            if (around_row) plan.stars[s] |= row_bit;
            errors.run([&] {
                const auto [centres, leaves] = around_row ? std::pair(rows, cols) : std::pair(cols, rows);
                const bool loop = edges.ends == Ends::vertices &&
                                  std::find(leaves.begin(), leaves.end(), centres[0]) != leaves.end();
                if (loop || !all_alike(centres) || !all_different(leaves, sorted))
                    throw ScheduleError("task " + std::to_string(s) +
                                        " is not a star: its edges must share one endpoint, and their other "
                                        "endpoints must differ");
            });
        }
    }
    errors.rethrow();
    return plan;
}

std::optional<std::string> StarsPlan::why_not(const EdgeList&, const OperatorSize& size,
                                              const gpu::Properties& device) const {
    const bool runs_them = size.star_place_words > 0 && long_stars() > 0;
    if (!runs_them || device.copies_in_bulk()) return {};
    return *not_on_chip("stars", size, device) + ", or preprocess with --star-edges 32";
}

}  // namespace lockstep
