// Runs operators over active vertices on any device. An application needs no backend of its own. cpu.hpp and
// run.cuh define the functions that are declared here. An application instantiates each function in a source
// file of its own, with one line per operator:
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

/// Report of one round.
struct Round {
    double seconds = 0;
    bool pull = false;
    Filter filter = Filter::none;  ///< filter that made the list of the next round
    /// Number of vertices that were expanded; in a pull, number of vertices that searched.
    EdgeId active = 0;
    EdgeId arcs = 0;  ///< number of arcs that were visited
};

/// Resources that a traversal used.
struct Totals {
    EdgeId launches = 0;          ///< number of kernel launches
    EdgeId worklist_atomics = 0;  ///< number of atomic operations on the sizes of lists
    int registers = 0;            ///< registers per thread, maximum over the kernels
};

/// One value per vertex of the graph.
using Values = std::variant<std::vector<float>, std::vector<std::uint32_t>>;

struct Traversal {
    Values values;
    std::vector<Round> rounds;
    Totals totals;
    double seconds = 0;  ///< time from the source to the values by vertex of the graph, without transfers
};

/// Runs rounds from vertex `source` of the graph until no vertex is active. `interrupted` is called from time
/// to time; when it returns true, the run ends with the values of that moment.
using Runner = Run<Traversal(VertexId source, const std::function<bool()>& interrupted)>;

/// Throws Error (usage) if the operator requires weights and the plan was made without those of the graph.
template <FrontierOperator Op>
void require_weights(const FrontierPlan& plan) {
    if (Op::weighted && vertices_of(plan).weights_left_out)
        throw Error(Failure::usage,
                    "the operator is weighted, and its plan was made without the weights of the graph: "
                    "make it with Wanted{.weights = true}");
}

/// Returns a runner on a CPU. Throws the same Error as require_weights.
template <FrontierOperator Op>
Runner on_cpu(const FrontierPlan& plan, const Axes& axes, const Op& op, int threads);
/// Returns a runner on the present device. Throws the same Error as require_weights, and Error (no_device)
/// with the required and the available memory if the device has too little memory.
template <FrontierOperator Op>
Runner on_cuda(const FrontierPlan& plan, const Axes& axes, const Op& op);

/// Returns a runner of the generic walk alone, for an operator without weights: on a CPU, and below on a GPU.
template <FrontierOperator Op>
Runner cpu_runner_of(const Expand& plan, const Axes& axes, const Op& op, int threads);
template <FrontierOperator Op>
Runner cuda_runner_of(const Expand& plan, const Axes& axes, const Op& op);

}  // namespace lockstep::frontier
