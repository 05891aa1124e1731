// What the walk of stars asks of a schedule beyond its form. That it runs each edge once, to the bits of one
// worker, is among the tests of all walks.
#include "catch.hpp"
#include "executor_support.hpp"
#include "lockstep/executor/edge/plan.hpp"
#include "lockstep/schedules/builders.hpp"
#include "support.hpp"

using namespace lockstep;
using Catch::Contains;

namespace {

/// All edges of a graph as one task.
Schedule one_task(const Graph& graph) {
    Schedule schedule;
    schedule.name = "stars";
    schedule.disjoint = Disjoint::both;
    for (EdgeId e = 0; e < graph.edges(); ++e) schedule.order.push_back(e);
    schedule.level(Level::task) = {0, graph.edges()};
    schedule.level(Level::phase) = {0, 1};
    return schedule;
}

void make(const Graph& graph) {
    const Schedule schedule = one_task(graph);
    make_plan(graph, find_strategy("stars"), &schedule);
}

}  // namespace

TEST_CASE("a task that is no star is refused") {
    CHECK_NOTHROW(make(test::graph_of(4, 4, {{0, 1}, {0, 2}, {0, 3}})));
    CHECK_NOTHROW(make(test::graph_of(4, 4, {{1, 0}, {2, 0}, {3, 0}})));
    CHECK_NOTHROW(make(test::graph_of(4, 4, {{2, 3}})));
    for (const auto& edges : {std::vector<std::pair<VertexId, VertexId>>{{0, 0}, {1, 1}},
                              {{0, 1}, {0, 2}, {1, 2}},
                              {{0, 0}, {1, 0}, {1, 1}},
                              {{0, 0}, {0, 0}}}) {
        CHECK_THROWS_WITH(make(test::graph_of(4, 4, edges)), Contains("task 0 is no star"));
    }
}
