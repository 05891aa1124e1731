// The base of applications over active vertices, such as breadth-first search. An application provides its
// operator, its serial reference and its check in a struct TraversalParts. make_traversal() adds the choice
// of sources, paths, the run record and the JSON.
#pragma once

#include "apps/frame/application.hpp"
#include "lockstep/executor/frontier/run.hpp"

namespace lockstep {

/// The functions and properties that are specific to one application. Members with a default need not be set.
struct TraversalParts {
    /// Makes the runner of the application's operator for a device. An application with one operator uses the
    /// function template make_runner() below; others select the operator that fits the graph. Throws
    /// FormatError if the application cannot run on the graph.
    std::function<frontier::Runner(const Input&, Device, const frontier::FrontierPlan&, const frontier::Axes&,
                                   int threads)>
        make_runner;
    /// Computes the values of all vertices for the source `source` with a serial reference.
    std::function<frontier::Values(const Graph&, VertexId source)> compute_reference;
    /// Verifies the values of all vertices for the source `source`. Returns a description of the first error,
    /// or an empty string.
    std::function<std::string(const Graph&, VertexId source, const frontier::Values&)> find_problem;
    /// Returns the vertices of a path from `source` to `target` that has the value of the target. Of several
    /// such paths, the path has the fewest arcs. Empty if there is no path.
    std::function<std::vector<VertexId>(const Graph&, VertexId source, VertexId target,
                                        const frontier::Values&)>
        find_path;
    /// Adds the application's own options to the list of options.
    std::function<void(Fields& basic)> list_options = {};
    /// Computes further columns of the result from the values, such as the parent of each vertex.
    std::function<std::vector<ResultColumn>(const Graph&, VertexId source, const frontier::Values&)>
        compute_columns = {};
    bool weighted = false;  ///< whether the operator uses the weights of arcs
    /// Whether the operator supports processing vertices in the order of their values.
    bool by_priority = false;
};

/// Makes the application that `spec` and `parts` describe, for one run.
std::unique_ptr<Application> make_traversal(const Spec& spec, TraversalParts parts);

/// Makes a runner of `Operator` on a device.
template <class Operator>
frontier::Runner make_runner(const Input&, Device device, const frontier::FrontierPlan& plan,
                             const frontier::Axes& axes, int threads) {
    return on_device(
        device, [&] { return frontier::on_cpu(plan, axes, Operator(), threads); },
        [&] { return frontier::on_cuda(plan, axes, Operator()); });
}

}  // namespace lockstep
