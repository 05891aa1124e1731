// Runs operators over active vertices on CPUs and GPUs. An application needs no code for a device. The
// functions that are declared here are defined in cpu.hpp and run.cuh. An application instantiates each
// function in a source file of its own, with one line per operator:
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

/// The report of one round.
struct Round {
    double seconds = 0;
    bool pull = false;
    Filter filter = Filter::none;  ///< filter that has made the list of the next round
    /// Number of vertices that sent offers or, in a pull round, that looked for offers.
    EdgeId active = 0;
    EdgeId arcs = 0;  ///< number of arcs that were visited
};

/// The resources that one traversal used.
struct Totals {
    EdgeId launches = 0;          ///< number of kernel launches
    EdgeId worklist_atomics = 0;  ///< number of atomic operations on the lengths of lists
    int registers = 0;            ///< registers per thread: the maximum over all kernels
};

/// The result: one value per vertex of the graph.
using Values = std::variant<std::vector<float>, std::vector<std::uint32_t>>;

struct Traversal {
    Values values;
    std::vector<Round> rounds;
    Totals totals;
    /// time from the source to the values in the graph's order, without copies between host and device
    double seconds = 0;
};

/// Runs one traversal from vertex `source` of the graph until no vertex is active. `interrupted` is called
/// now and then. If it returns true, the traversal ends with the values computed so far.
using Runner = Run<Traversal(VertexId source, const std::function<bool()>& interrupted)>;

/// Throws Error (usage) if the operator uses weights, the graph has weights, and the plan was built without
/// them.
template <FrontierOperator Op>
void require_weights(const FrontierPlan& plan) {
    if (Op::weighted && vertices_of(plan).weights_left_out)
        throw Error(Failure::usage,
                    "the operator uses weights, but its plan was made without the weights of the graph: make "
                    "the plan with PlanRequirements{.weights = true}");
}

/// Returns a runner on the CPU. Throws Error (usage) if the plan lacks weights that the operator uses.
template <FrontierOperator Op>
Runner on_cpu(const FrontierPlan& plan, const Axes& axes, const Op& op, int threads);
/// Returns a runner on the current device. Throws Error (usage) if the plan lacks weights that the operator
/// uses, and Error (no_device) with the required and the available memory if the device has too little
/// memory.
template <FrontierOperator Op>
Runner on_cuda(const FrontierPlan& plan, const Axes& axes, const Op& op);

/// Return runners that always use the generic walk, on a CPU and on a GPU, for operators without weights.
template <FrontierOperator Op>
Runner cpu_runner_of(const Expand& plan, const Axes& axes, const Op& op, int threads);
template <FrontierOperator Op>
Runner cuda_runner_of(const Expand& plan, const Axes& axes, const Op& op);

}  // namespace lockstep::frontier
