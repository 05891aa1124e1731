#include "lockstep/schedules/batches.hpp"

#include <algorithm>

namespace lockstep {

namespace {

/// Returns the position of each edge in the input, indexed by edge ID.
Array<EdgeId> places_of(const Graph& graph) {
    const Array<EdgeId> given = given_order(graph);
    Array<EdgeId> places(given.size());
#pragma omp parallel for schedule(static)
    for (EdgeId i = 0; i < given.size(); ++i) places[given[i]] = i;
    return places;
}

/// Returns, for every position of `schedule.order`, the turn of its edge within the phase. Edges with equal
/// turns may run concurrently; smaller turns run first. A turn is the step within the tile (high 32 bits) and
/// the position within the task (low bits). Returns an empty array if phases have neither steps nor tasks,
/// i.e. if all edges of a phase have the same turn.
Array<EdgeId> turns_of(const Schedule& schedule) {
    const bool steps = schedule.has(Level::tile) && schedule.has(Level::step),
               tasks = schedule.has(Level::task);
    if (!steps && !tasks) return {};
    Array<EdgeId> turns(schedule.order.size());
    std::fill(turns.begin(), turns.end(), 0);
    if (steps) {
        const std::vector<EdgeId>& tiles = schedule.level(Level::tile);
        const std::vector<EdgeId> ends = edge_offsets(schedule, Level::step);
#pragma omp parallel for schedule(dynamic, 64)
        for (std::size_t tile = 0; tile < tiles.size() - 1; ++tile) {
            for (EdgeId step = tiles[tile]; step < tiles[tile + 1]; ++step)
                for (EdgeId i = ends[step]; i < ends[step + 1]; ++i) turns[i] = (step - tiles[tile]) << 32;
        }
    }
    if (tasks) {
        const std::vector<EdgeId> ends = edge_offsets(schedule, Level::task);
#pragma omp parallel for schedule(dynamic, 1024)
        for (std::size_t task = 0; task < ends.size() - 1; ++task)
            for (EdgeId i = ends[task]; i < ends[task + 1]; ++i) turns[i] += i - ends[task];
    }
    return turns;
}

/// Sorts the positions [begin, end) of a phase by turn, and returns the positions where a new turn begins.
std::vector<EdgeId> sort_phase(EdgeId begin, EdgeId end, const Array<EdgeId>& turns,
                               Array<EdgeId>& positions) {
    const auto first = positions.begin() + static_cast<std::ptrdiff_t>(begin);
    std::stable_sort(first, positions.begin() + static_cast<std::ptrdiff_t>(end),
                     [&](EdgeId a, EdgeId b) { return turns[a] < turns[b]; });
    std::vector<EdgeId> begins;
    for (EdgeId i = begin; i < end; ++i)
        if (i == begin || turns[positions[i]] != turns[positions[i - 1]]) begins.push_back(i);
    return begins;
}

}  // namespace

Batches batches_of(const Graph& graph, const Schedule& schedule) {
    if (!schedule.has(Level::phase))
        throw ScheduleError(schedule.name +
                            " is an order without sets of edges to update concurrently; use agm-e");
    const Array<EdgeId> places = places_of(graph), turns = turns_of(schedule);
    const std::vector<EdgeId> phases = edge_offsets(schedule, Level::phase);
    Array<EdgeId> positions(schedule.order.size());
#pragma omp parallel for schedule(static)
    for (EdgeId i = 0; i < positions.size(); ++i) positions[i] = i;

    std::vector<std::vector<EdgeId>> begins(phases.size() - 1);
#pragma omp parallel for schedule(dynamic)
    for (std::size_t p = 0; p < begins.size(); ++p) {
        if (phases[p] == phases[p + 1]) continue;
        if (turns.empty())
            begins[p] = {phases[p]};
        else
            begins[p] = sort_phase(phases[p], phases[p + 1], turns, positions);
    }

    Batches batches;
    batches.offsets.clear();
    for (const std::vector<EdgeId>& of_phase : begins)
        for (const EdgeId begin : of_phase) batches.offsets.push_back(begin - schedule.locked);
    batches.offsets.push_back(positions.size() - schedule.locked);
    batches.order.resize(positions.size() - schedule.locked);
#pragma omp parallel for schedule(static)
    for (EdgeId i = schedule.locked; i < positions.size(); ++i)
        batches.order[i - schedule.locked] = places[schedule.order[positions[i]]];
    return batches;
}

}  // namespace lockstep
