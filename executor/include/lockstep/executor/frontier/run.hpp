// Operators over active vertices run on any device: an application needs no backend of its own. cpu.hpp and
// run.cuh define what is declared here; an application instantiates each in a source file of its own, a line
// an operator:
//
//     template Runner frontier::on_cpu(const FrontierPlan&, const Axes&, const Op&, int);
#pragma once

#include <functional>
#include <variant>
#include <vector>

#include "lockstep/executor/frontier/axes.hpp"
#include "lockstep/executor/frontier/operator.hpp"
#include "lockstep/executor/frontier/plan.hpp"
#include "lockstep/executor/run.hpp"

namespace lockstep::frontier {

/// What a round did.
struct Round {
    double seconds = 0;
    bool pull = false;
    Filter filter = Filter::none;  ///< that made the list of the next round
    EdgeId active = 0;             ///< vertices that were expanded; pulls: that looked for something
    EdgeId arcs = 0;               ///< that were looked at
};

/// What a traversal took.
struct Totals {
    EdgeId launches = 0;          ///< of kernels
    EdgeId worklist_atomics = 0;  ///< atomic operations on the sizes of lists
    int registers = 0;            ///< a thread, of the kernel with the most
};

/// A value a vertex of the graph.
using Values = std::variant<std::vector<float>, std::vector<std::uint32_t>>;

struct Traversal {
    Values values;
    std::vector<Round> rounds;
    Totals totals;
    double seconds = 0;  ///< time from the source to the values by vertex of the graph, without transfers
};

/// Runs rounds from vertex `source` of the graph until no vertex is active. `interrupted` is asked now and then; if it
/// says so, the values are as far as they are.
using Runner = Run<Traversal(VertexId source, const std::function<bool()>& interrupted)>;

/// Throws Error (usage) where the operator asks for weights that the plan was made without.
template <FrontierOperator Op>
void require_weights(const FrontierPlan& plan) {
    if (Op::weighted && vertices_of(plan).weights_left_out)
        throw Error(Failure::usage,
                    "the operator is weighted, and its plan was made without the weights of the graph: "
                    "make it with Wanted{.weights = true}");
}

/// Both throw as require_weights does.
template <FrontierOperator Op>
Runner on_cpu(const FrontierPlan& plan, const Axes& axes, const Op& op, int threads);
/// Throws Error (no_device) with both numbers where the device has too little memory.
template <FrontierOperator Op>
Runner on_cuda(const FrontierPlan& plan, const Axes& axes, const Op& op);

/// The same on the generic walk alone, of an operator without weights.
template <FrontierOperator Op>
Runner cpu_runner_of(const Expand& plan, const Axes& axes, const Op& op, int threads);
template <FrontierOperator Op>
Runner cuda_runner_of(const Expand& plan, const Axes& axes, const Op& op);

}  // namespace lockstep::frontier
