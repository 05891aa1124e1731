// The diagonal schedule (Kaleem et al., III-B.1): edges with the same value of row - column share no
// endpoint, so each diagonal of the matrix is a phase.
#include <algorithm>
#include <utility>
#include <vector>

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/grouping.hpp"
#include "one_set.hpp"

namespace lockstep {

namespace {

/// Distributes the edges of one diagonal to several phases if it contains repeated pairs, which conflict: the
/// n-th occurrence of a pair goes to the n-th phase. Sorts order[begin … end - 1] accordingly, and appends
/// the ends of the phases to `phases`. repeats(i): whether the i-th edge has the same pair as the edge before
/// it.
template <class Repeats>
void split_into_layers(EdgeId* order, EdgeId begin, EdgeId end, std::vector<EdgeId>& phases,
                       Repeats repeats) {
    EdgeId first_repeat = begin + 1;
    while (first_repeat < end && !repeats(first_repeat)) ++first_repeat;
    if (first_repeat < end) {
        std::vector<std::pair<EdgeId, EdgeId>> layered;  // (phase within the diagonal, edge)
        for (EdgeId i = begin; i < end; ++i)
            layered.emplace_back(i > begin && repeats(i) ? layered.back().first + 1 : 0, order[i]);
        std::sort(layered.begin(), layered.end());
        for (EdgeId i = begin; i < end; ++i) {
            order[i] = layered[i - begin].second;
            if (i > begin && layered[i - begin].first != layered[i - begin - 1].first) phases.push_back(i);
        }
    }
    phases.push_back(end);
}

}  // namespace

Schedule build_diag(const Graph& graph) {
    if (graph.ends == Ends::vertices) return one_set::build_diag(graph);
    Schedule schedule;
    schedule.name = "diag";
    schedule.disjoint = Disjoint::both;

    const Array<VertexId> row = edge_rows(graph);
    const EdgeId diagonals = EdgeId{graph.rows} + graph.cols;
    const std::vector<EdgeId> diagonal = group_edges(schedule.order, graph.edges(), diagonals, [&](EdgeId e) {
        return EdgeId{row[e]} + graph.cols - 1 - graph.col[e];
    });

    std::vector<EdgeId>& phases = schedule.level(Level::phase);
    phases.assign(1, 0);
    Array<EdgeId>& order = schedule.order;
    // Repeated pairs have consecutive IDs, since edge IDs are sorted by row, then by column.
    const auto repeats = [&](EdgeId i) {
        return order[i] == order[i - 1] + 1 && row[order[i]] == row[order[i - 1]];
    };
    for (EdgeId d = 0; d < diagonals; ++d) {
        if (diagonal[d] < diagonal[d + 1])
            split_into_layers(order.data(), diagonal[d], diagonal[d + 1], phases, repeats);
    }
    return schedule;
}

}  // namespace lockstep
