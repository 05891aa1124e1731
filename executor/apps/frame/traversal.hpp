// Makes applications over active vertices, such as breadth-first search: sources, paths, run record and JSON
// are the same for all. An application adds its operator, its reference and its check.
#pragma once

#include "apps/frame/application.hpp"
#include "lockstep/executor/frontier/run.hpp"

namespace lockstep {

/// The parts of an application over active vertices that are its own.
struct TraversalParts {
    /// Returns the runner on a device of the operator that fits the graph; make_runner() if there is only one
    /// operator. Throws FormatError if the application cannot run on this graph.
    std::function<frontier::Runner(const Input&, Device, const frontier::FrontierPlan&, const frontier::Axes&,
                                   int threads)>
        make_runner;
    /// Computes the values from `source` with a serial reference.
    std::function<frontier::Values(const Graph&, VertexId source)> compute_reference;
    /// Returns the reason why these are not the values from `source`; empty if they are right.
    std::function<std::string(const Graph&, VertexId source, const frontier::Values&)> find_problem;
    /// Returns the vertices of a path with the fewest arcs among those with these values; empty if there is
    /// none.
    std::function<std::vector<VertexId>(const Graph&, VertexId source, VertexId target,
                                        const frontier::Values&)>
        find_path;
    /// Lists the application's own options.
    std::function<void(Fields& basic)> list_options = {};
    /// Returns additional columns of the result, computed from the values.
    std::function<std::vector<ResultColumn>(const Graph&, VertexId source, const frontier::Values&)>
        compute_columns = {};
    bool weighted = false;     ///< whether the operator uses weights, so that the plan must have them
    bool by_priority = false;  ///< whether the operator has priorities
};

/// Makes the application of `spec` for one run.
std::unique_ptr<Application> make_traversal(const Spec& spec, TraversalParts parts);

/// Returns the runner of an operator on a device.
template <class Operator>
frontier::Runner make_runner(const Input&, Device device, const frontier::FrontierPlan& plan,
                             const frontier::Axes& axes, int threads) {
    return on_device(
        device, [&] { return frontier::on_cpu(plan, axes, Operator(), threads); },
        [&] { return frontier::on_cuda(plan, axes, Operator()); });
}

}  // namespace lockstep
