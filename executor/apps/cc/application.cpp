// Connected components as an application of lockstep-execute: labels by original id.
#include <fmt/format.h>

#include <algorithm>

#include "apps/cc/operator.hpp"
#include "apps/cc/reference.hpp"
#include "apps/frame/structure_application.hpp"
#include "lockstep/executor/structure/components.hpp"

namespace lockstep {

namespace cc {

namespace {

class Components final : public StructureApplication {
public:
    using StructureApplication::StructureApplication;

private:
    std::vector<std::string> axes() const override { return all_axes(); }
    /// Returns the axes of a strategy. Soman's rounds go over all arcs, without a worklist.
    std::vector<std::string> axes_of_way(const Strategy& strategy) const override {
        if (is_soman(strategy)) return {"balance", "small", "large", "loop"};
        return StructureApplication::axes_of_way(strategy);
    }
    static bool is_soman(const Strategy& strategy) {
        return strategy.way == AnyWay(structure::Joining::soman);
    }
    StructureRunner runner(const Input& input, const Strategy& strategy, Device device,
                           int threads) const override {
        const frontier::Axes axes = axes_of(strategy);
        const auto plan = plan_of(input, false);
        if (is_soman(strategy)) {
            const structure::RoundAxes of_rounds = round_axes(strategy);
            return keeping(
                plan, device, [&] { return structure::components_on_cpu(*plan, threads); },
                [&] { return structure::components_on_cuda(*plan, structure::Joining::soman, of_rounds); });
        }
        if (strategy.axes)  // rounds over active vertices, at first all of them
            return by_rounds(*plan, [&](const frontier::Expand& of) {
                return on_device(
                    device, [&] { return frontier::cpu_runner_of(of, axes, Labels(), threads); },
                    [&] { return frontier::cuda_runner_of(of, axes, Labels()); });
            });
        return keeping(
            plan, device, [&] { return structure::components_on_cpu(*plan, threads); },
            [&] { return structure::components_on_cuda(*plan, std::get<structure::Joining>(strategy.way)); });
    }
    std::vector<std::uint32_t> reference(const Graph& graph) const override {
        return reference_labels(graph);
    }
    Columns by_vertex(const Graph&, std::vector<std::uint32_t> values) const override {
        return {{"labels", std::move(values), "", true}};
    }
    std::string problem(const Graph& graph, const Columns& columns) const override {
        return problem_of_labels(graph, first_of(columns));
    }
    std::string proof() const override {
        return "the ends of every arc have one label, the smallest vertex that has it, and there are as many "
               "as components";
    }
    std::pair<nlohmann::ordered_json, std::string> summary(const Columns& columns) const override {
        const auto& labels = first_of(columns);
        std::vector<VertexId> sizes(labels.size(), 0);
        for (const VertexId label : labels) ++sizes[label];
        const auto components = static_cast<EdgeId>(sizes.size()) -
                                static_cast<EdgeId>(std::count(sizes.begin(), sizes.end(), 0U));
        const VertexId largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
        return {{{"components", components}, {"largest", largest}},
                fmt::format("{} components, the largest of {} vertices", text::grouped(components),
                            text::grouped(largest))};
    }
    Rule rule(const ScheduleFileSummary& file, bool gpu) const override {
        if (gpu && schedule_in(file, "hubs"))
            return {"hubs",
                    "the file has the schedule hubs, whose first vertices are nearly always connected"};
        return {"best", "nearly all vertices are connected after a few arcs of each"};
    }
};

}  // namespace

}  // namespace cc

const Spec& cc_spec() {
    static const Spec spec{
        .name = "cc",
        .summary = "connected components, each labelled with its smallest ID (square graphs)",
        .example = "web.txt.gz --app cc --output labels.txt",
        .strategies = "cc",
        .round = "run",
        .result = "labels",
        .value = "label",
        .prepared = "hubs",
        .make = make_application<cc::Components>};
    return spec;
}

}  // namespace lockstep
