// Breadth-first search as an application of lockstep-execute: levels, and parents, by original id.
#include "apps/bfs/operator.hpp"
#include "apps/bfs/reference.hpp"
#include "apps/frame/distances.hpp"
#include "apps/frame/frontier_application.hpp"

namespace lockstep {

namespace {

using namespace bfs;

const std::vector<std::uint32_t>& levels_of(const frontier::Values& values) {
    return std::get<std::vector<std::uint32_t>>(values);
}

class Bfs final : public FrontierApplication {
public:
    using FrontierApplication::FrontierApplication;

    void list(Fields& basic, Fields& more) override {
        FrontierApplication::list(basic, more);
        basic.flag(
            "parents", parents_,
            "also output the smallest parent of each vertex; found in a separate pass, which is not timed");
    }

private:
    frontier::Runner runner(const Input&, Device device, const frontier::FrontierPlan& plan,
                            const frontier::Axes& axes, int threads) const override {
        return on_device(
            device, [&] { return frontier::on_cpu(plan, axes, Levels(), threads); },
            [&] { return frontier::on_cuda(plan, axes, Levels()); });
    }
    frontier::Values reference(const Graph& graph, VertexId source) const override {
        return reference_levels(graph, source);
    }
    std::string problem(const Graph& graph, VertexId source, const frontier::Values& values) const override {
        return problem_of_levels(graph, source, levels_of(values));
    }
    std::vector<VertexId> path(const Graph& graph, const frontier::Values& values, VertexId source,
                               VertexId target) const override {
        return path_of(graph, source, target, levels_of(values),
                       [](std::uint32_t level, EdgeId) { return level + 1; });
    }
    std::vector<ResultColumn> more_columns(const Graph& graph, VertexId source,
                                           const frontier::Values& values) const override {
        if (!parents_) return {};
        return {{"parents", smallest_parents(graph, source, levels_of(values)), "-", true}};
    }

    bool parents_ = false;
};

}  // namespace

const Spec& bfs_spec() {
    static const Spec spec{.name = "bfs",
                           .summary = "breadth-first search: levels and parents (square graphs)",
                           .example = "road.txt --app bfs --source 17 --path-to 42",
                           .strategies = "frontier",
                           .round = "source",
                           .result = "levels",
                           .value = "level",
                           .prepared = "hubs",
                           .make = make_application<Bfs>};
    return spec;
}

}  // namespace lockstep
