// Runs a user-defined update (update.hpp) on a graph on a CPU. States and payloads are in the order of the
// input:
//
//     const ScheduleFile file = read_schedule_file("cloth.h5", {"local"});
//     update::Run<Spring> run(file.dataset.graph, find_strategy("local"), &file.schedules[0].schedule);
//     run.vertices = positions, run.set_edges(rest_lengths);
//     for (int i = 0; i < 20; ++i) run.sweep({.compliance = 1e-6F});
#pragma once

#include <omp.h>

#include <vector>

#include "lockstep/executor/edge/execute.hpp"
#include "lockstep/executor/update/operator.hpp"

namespace lockstep::update {

/// Runs one sweep on the CPU. arrays.edges must have the order of the plan.
template <Update U>
SweepCounts sweep(const EdgePlan& plan, const Arrays<U>& arrays, const ParametersOf<U>& parameters,
                  cpu::Locks& locks, int threads) {
    return cpu::execute(plan, Operator<U>{arrays, parameters}, locks, threads);
}
/// Runs one sweep sequentially. A sweep with an offline strategy gives the same result.
template <Update U>
void loop(const EdgePlan& plan, const Arrays<U>& arrays, const ParametersOf<U>& parameters) {
    const Operator<U> op{arrays, parameters};
    for (EdgeId e = 0; e < plan.edges(); ++e) cpu::update_edge(plan, op, e, EdgePosition{e, 0, e});
}

/// Returns, for each edge of the plan, the index of this edge in the input.
inline Array<EdgeId> input_edges(const Graph& graph, const EdgePlan& plan) {
    const Array<EdgeId> order = given_order(graph);
    Array<EdgeId> place(graph.edges()), edges(plan.edges());
#pragma omp parallel for schedule(static)
    for (EdgeId i = 0; i < order.size(); ++i) place[order[i]] = i;
#pragma omp parallel for schedule(static)
    for (EdgeId i = 0; i < edges.size(); ++i) edges[i] = place[plan.id[i]];
    return edges;
}

template <Update U>
class Run {
public:
    /// Builds the plan. Throws ScheduleError as make_plan does, in particular if the update is for one set of
    /// vertices and the graph has two, or vice versa.
    Run(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
        int threads = omp_get_max_threads())
        : vertices(graph.rows),
          cols(ends_of<U> == Ends::sides ? graph.cols : 0),
          plan_(
              make_plan(graph, strategy, schedule, Endpoints::both, {}, PhaseOrder::given, ends_of<U>, true)),
          input_(input_edges(graph, plan_)),
          edges_(plan_.edges()),
          locks_(plan_),
          threads_(threads) {}

    /// states of the vertices or, if there are two sets of vertices, of the rows
    std::vector<RowOf<U>> vertices;
    std::vector<ColOf<U>> cols;  ///< states of the columns if there are two sets of vertices

    /// Sets the payload of the i-th edge of the input to edges[i].
    void set_edges(std::span<const EdgeOf<U>> edges) {
        for (EdgeId i = 0; i < edges_.size(); ++i) edges_[i] = edges[input_[i]];
    }
    std::vector<EdgeOf<U>> edges() const {
        std::vector<EdgeOf<U>> edges(edges_.size());
        for (EdgeId i = 0; i < edges_.size(); ++i) edges[input_[i]] = edges_[i];
        return edges;
    }

    SweepCounts sweep(const ParametersOf<U>& parameters = {}) {
        return update::sweep<U>(plan_, arrays(), parameters, locks_, threads_);
    }
    /// Runs one sweep sequentially. A sweep with an offline strategy gives the same result.
    void loop(const ParametersOf<U>& parameters = {}) { update::loop<U>(plan_, arrays(), parameters); }
    const EdgePlan& plan() const { return plan_; }

protected:
    Arrays<U> arrays() {
        if constexpr (ends_of<U> == Ends::vertices)
            return {vertices.data(), vertices.data(), edges_.data()};
        else
            return {vertices.data(), cols.data(), edges_.data()};
    }

private:
    EdgePlan plan_;
    Array<EdgeId> input_;  // index in the input of each edge of the plan
    std::vector<EdgeOf<U>> edges_;
    cpu::Locks locks_;
    int threads_;
};

}  // namespace lockstep::update
