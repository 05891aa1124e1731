// Shortest paths as an application of lockstep-execute: distances by original id.
#include <fmt/format.h>

#include "apps/frame/frontier_application.hpp"
#include "apps/sssp/operator.hpp"
#include "apps/sssp/reference.hpp"
#include "lockstep/formats/error.hpp"

namespace lockstep {

namespace {

using namespace sssp;

class Sssp final : public FrontierApplication {
public:
    using FrontierApplication::FrontierApplication;

private:
    bool weighted() const override { return true; }
    bool by_priority() const override { return true; }

    template <class T>
    static frontier::Runner run_with(Device device, const frontier::FrontierPlan& plan,
                                     const frontier::Axes& axes, int threads) {
        frontier::Runner runner = on_device(
            device, [&] { return frontier::on_cpu(plan, axes, Distances<T>(), threads); },
            [&] { return frontier::on_cuda(plan, axes, Distances<T>()); });
        const auto unchecked = runner.run;
        runner.run = [unchecked](VertexId source, const std::function<bool()>& interrupted) {
            frontier::Traversal traversal = unchecked(source, interrupted);
            for (const T distance : std::get<std::vector<T>>(traversal.values)) {
                if (distance == Distances<T>::most)
                    throw Error("a distance does not fit: it is " + std::to_string(distance) + " or more");
            }
            return traversal;
        };
        return runner;
    }
    frontier::Runner runner(const Input& input, Device device, const frontier::FrontierPlan& plan,
                            const frontier::Axes& axes, int threads) const override {
        const Weights weights = weights_of(input.graph());
        if (const auto& arc = weights.refused) {
            const IdMap& ids = input.file.dataset.row_ids;
            throw FormatError(
                input.file.summary.source.path,
                fmt::format("the edge from {} to {} has the weight {:g}; shortest paths need weights of "
                            "0 or more",
                            ids.name(arc->row), ids.name(arc->col), arc->value));
        }
        return weights.whole ? run_with<std::uint32_t>(device, plan, axes, threads)
                             : run_with<float>(device, plan, axes, threads);
    }
    frontier::Values reference(const Graph& graph, VertexId source) const override {
        return reference_distances(graph, source);
    }
    std::string problem(const Graph& graph, VertexId source, const frontier::Values& values) const override {
        return problem_of_distances(graph, source, values);
    }
    std::vector<VertexId> path(const Graph& graph, const frontier::Values& values, VertexId source,
                               VertexId target) const override {
        return shortest_path(graph, values, source, target);
    }
};

}  // namespace

const Spec& sssp_spec() {
    static const Spec spec{.name = "sssp",
                           .summary = "shortest paths, with weights as lengths (square graphs)",
                           .example = "road.gr --app sssp --source 17 --output distances.txt",
                           .strategies = "frontier",
                           .round = "source",
                           .result = "distances",
                           .value = "distance",
                           .prepared = "hubs-weight",
                           .make = make_application<Sssp>};
    return spec;
}

}  // namespace lockstep
