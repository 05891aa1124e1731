// A spanning forest of minimum weight as an application of lockstep-execute: a parent and a weight by
// original id.
#include <fmt/format.h>

#include <algorithm>

#include "apps/frame/structure_application.hpp"
#include "apps/mst/reference.hpp"
#include "lockstep/executor/structure/exact_sum.hpp"
#include "lockstep/executor/structure/forest.hpp"

namespace lockstep {

namespace mst {

namespace {

Forest forest_of(const std::vector<ResultColumn>& columns) {
    return {std::get<std::vector<std::uint32_t>>(columns[0].values),
            std::get<std::vector<float>>(columns[1].values)};
}

class SpanningForest final : public StructureApplication {
public:
    using StructureApplication::StructureApplication;

private:
    /// Returns the axes. Rounds go over a list of edges, so there is no inner loop to balance.
    std::vector<std::string> axes() const override { return {"append", "loop"}; }
    StructureRunner runner(const Input& input, const Strategy& strategy, Device device,
                           int threads) const override {
        if (input.schedule())
            throw UsageError(
                "--order does not apply to mst: edges of one weight go by the numbers of their vertices");
        const structure::RoundAxes axes = round_axes(strategy);
        const auto plan = plan_of(input, true);
        return keeping(
            plan, device, [&] { return structure::forest_on_cpu(*plan, threads); },
            [&] {
                const auto picking = std::get<structure::Picking>(strategy.way);
                return strategy.axes ? structure::forest_on_cuda(*plan, picking, axes)
                                     : structure::forest_on_cuda(*plan, picking);
            });
    }
    std::vector<std::uint32_t> reference(const Graph& graph) const override { return reference_edges(graph); }
    Columns by_vertex(const Graph& graph, std::vector<std::uint32_t> values) const override {
        Forest forest = mst::forest_of(graph, values);
        return {{"parents", std::move(forest.parents), "-", true}, {"weights", std::move(forest.weights)}};
    }
    std::string problem(const Graph& graph, const Columns& columns) const override {
        return problem_of_forest(graph, forest_of(columns));
    }
    std::string proof() const override {
        return "parents lead to the smallest vertex of each component, and every other edge comes after "
               "all edges of the path between its endpoints";
    }
    std::pair<nlohmann::ordered_json, std::string> summary(const Columns& columns) const override {
        const Forest forest = forest_of(columns);
        const auto trees =
            static_cast<EdgeId>(std::count(forest.parents.begin(), forest.parents.end(), root));
        const double total = structure::exact_sum(forest.weights);
        return {{{"total_weight", total}, {"forest_edges", forest.parents.size() - trees}, {"trees", trees}},
                fmt::format("weight {} in {} trees", total, text::grouped(trees))};
    }
    Rule rule(const ScheduleFileSummary&, bool gpu) const override {
        return {"best", gpu ? "the lightest edges join nearly all, most of the others need not be looked at"
                            : "vertices pick first, and trees in rounds"};
    }
};

}  // namespace

}  // namespace mst

const Spec& mst_spec() {
    static const Spec spec{.name = "mst",
                           .summary = "minimum spanning forest (square graphs)",
                           .example = "road.gr --app mst --output forest.txt",
                           .strategies = "mst",
                           .round = "run",
                           .result = "forest",
                           .value = "parent",
                           .make = make_application<mst::SpanningForest>};
    return spec;
}

}  // namespace lockstep
