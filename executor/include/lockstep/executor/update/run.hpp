// An update on a graph, from states in the user's order to states in the user's order:
//
//     const ScheduleFile file = read_schedule_file("cloth.h5", {"local"});
//     update::Run<Spring> run(file.dataset.graph, find_strategy("local"), &file.schedules[0].schedule);
//     run.vertices = positions, run.edges = rest_lengths;
//     for (int i = 0; i < 20; ++i) run.sweep({.compliance = 1e-6F});
#pragma once

#include <omp.h>

#include <vector>

#include "lockstep/executor/edge/execute.hpp"
#include "lockstep/executor/update/operator.hpp"

namespace lockstep::update {

/// One sweep on the CPU: arrays.edges in the order of the plan.
template <Update U>
SweepCounts sweep(const EdgePlan& plan, const Arrays<U>& arrays, const ParametersOf<U>& parameters,
                  cpu::Locks& locks, int threads) {
    return cpu::execute(plan, Operator<U>{arrays, parameters}, locks, threads);
}
/// The same in a loop: edge after edge, in the order that offline strategies are equivalent to.
template <Update U>
void loop(const EdgePlan& plan, const Arrays<U>& arrays, const ParametersOf<U>& parameters) {
    const Operator<U> op{arrays, parameters};
    for (EdgeId e = 0; e < plan.edges(); ++e) cpu::update_edge(plan, op, e, Place{e, 0, e});
}

/// Place in the plan -> edge of the input, counted from 0.
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
    /// Throws ScheduleError as make_plan, among others where graph and update differ in whose state an end is.
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

    std::vector<RowOf<U>> vertices;  ///< by number; of two sides those of the rows
    std::vector<ColOf<U>> cols;      ///< of two sides

    /// The payload of the i-th edge of the input is edges[i].
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
    /// What a sweep of an offline strategy comes to.
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
    Array<EdgeId> input_;  // place in the plan -> edge of the input
    std::vector<EdgeOf<U>> edges_;
    cpu::Locks locks_;
    int threads_;
};

}  // namespace lockstep::update
