// Connected components as an application of lockstep-execute: labels by original id.
#include <fmt/format.h>

#include <algorithm>

#include "apps/cc/operator.hpp"
#include "apps/cc/reference.hpp"
#include "apps/frame/axis_options.hpp"
#include "apps/frame/structure_application.hpp"
#include "apps/frame/trials.hpp"
#include "lockstep/executor/structure/components.hpp"

namespace lockstep {

namespace cc {

namespace {

class Components final : public StructureApplication {
public:
    Components()
        : StructureApplication({.name = "cc",
                                .summary = "connected components: the smallest id of each (square graphs)",
                                .strategies = "cc",
                                .round = "run",
                                .result = "labels",
                                .value = "label",
                                .prepared = "hubs"}) {}

    void declare(cli::Options& basic, cli::Options& tuning) const override {
        StructureApplication::declare(basic, tuning);
        declare_axes(tuning);
    }
    void read(const cli::Values& values, Device device, int threads) override {
        StructureApplication::read(values, device, threads);
        axes_ = given_axes(values);
    }
    std::vector<std::string> gpu_options() const override { return gpu_axes(); }
    std::string cpu_program(const Strategy& strategy) const override {
        return strategy.axes ? cpu_program_of(strategy, axes_, false)
                             : StructureApplication::cpu_program(strategy);
    }

private:
    /// Rounds over active vertices, at first all of them.
    static structure::Runner spread(const structure::Undirected& undirected, const frontier::Axes& axes,
                                    Device device, int threads) {
        return by_rounds(undirected, [&](const frontier::Expand& plan) {
#if defined(LOCKSTEP_HAS_CUDA)
            if (device == Device::cuda) return spread_on_cuda(plan, axes);
#endif
            static_cast<void>(device);
            return spread_on_cpu(plan, axes, threads);
        });
    }

    structure::Runner runner(const Input& input, const Strategy& strategy, Device device,
                             int threads) const override {
        const frontier::Axes axes = axes_of(strategy, axes_, false);
        const auto plan = plan_of(input, false);
        if (strategy.axes) return spread(*plan, axes, device, threads);
#if defined(LOCKSTEP_HAS_CUDA)
        const auto joining =
            strategy.name == std::string("soman") ? structure::Joining::soman : structure::Joining::sampled;
        if (device == Device::cuda) return keeping(plan, structure::components_on_cuda(*plan, joining));
#endif
        static_cast<void>(device);
        return keeping(plan, structure::components_on_cpu(*plan, threads));
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
               "as "
               "components";
    }
    std::pair<nlohmann::ordered_json, std::string> summary(const Graph&,
                                                           const Columns& columns) const override {
        const auto& labels = first_of(columns);
        std::vector<VertexId> sizes(labels.size(), 0);
        for (const VertexId label : labels) ++sizes[label];
        const auto components = static_cast<EdgeId>(sizes.size()) -
                                static_cast<EdgeId>(std::count(sizes.begin(), sizes.end(), 0U));
        const VertexId largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
        return {{{"components", components}, {"largest", largest}},
                fmt::format("{} components, the largest of {} vertices", cli::grouped(components),
                            cli::grouped(largest))};
    }
    std::pair<std::string, std::string> rule(const ScheduleFileSummary& file, bool gpu) const override {
        if (gpu && has_schedule(file, "hubs"))
            return {"hubs",
                    "the file has the schedule hubs, whose first vertices are nearly always connected"};
        return {"best", "nearly all vertices are connected after a few arcs of each"};
    }

    std::map<std::string, std::string> parameters(const Strategy& strategy) const override {
        return {{"axes", axes_text(strategy, axes_)}};
    }

    GivenAxes axes_;
};

}  // namespace

}  // namespace cc

Application& cc_application() {
    static cc::Components application;
    return application;
}

}  // namespace lockstep
