// k-cores as an application of lockstep-execute: core numbers, or who is in one core, by original id.
#include <fmt/format.h>

#include <algorithm>

#include "apps/frame/axis_options.hpp"
#include "apps/frame/structure_application.hpp"
#include "apps/kcore/operator.hpp"
#include "apps/kcore/reference.hpp"
#include "lockstep/executor/structure/cores.hpp"

namespace lockstep {

namespace kcore {

namespace {

class Cores final : public StructureApplication {
public:
    Cores()
        : StructureApplication({.name = "kcore",
                                .summary = "k-cores: all core numbers, or one core (square graphs)",
                                .strategies = "kcore",
                                .round = "run",
                                .result = "cores",
                                .value = "core"}) {}

    void declare(cli::Options& basic, cli::Options& tuning) const override {
        basic.add_options()(
            "k", cli::number<std::uint64_t>(0, max_vertices),
            "one core: 1 for the vertices in it, 0 for the others; without, all core numbers");
        StructureApplication::declare(basic, tuning);
        declare_axes(tuning);
    }
    void read(const cli::Values& values, Device device, int threads) override {
        StructureApplication::read(values, device, threads);
        axes_ = given_axes(values);
        k_.reset();
        if (values.count("k")) k_ = static_cast<std::uint32_t>(values["k"].as<std::uint64_t>());
    }
    std::vector<std::string> gpu_options() const override { return gpu_axes(); }
    std::string cpu_program(const Strategy& strategy) const override {
        return strategy.axes ? cpu_program_of(strategy, axes_, false)
                             : StructureApplication::cpu_program(strategy);
    }

private:
    /// One core by rounds over active vertices.
    structure::Runner fall(const structure::Undirected& undirected, const frontier::Axes& axes, Device device,
                           int threads) const {
        if (!k_) throw cli::UsageError("rounds over active vertices find one core: give --k");
        if (axes.pulls()) throw cli::UsageError("these rounds push, as every neighbour that goes counts");
        const auto of = [&](const frontier::Expand& plan) {
#if defined(LOCKSTEP_HAS_CUDA)
            if (device == Device::cuda) return fall_on_cuda(plan, axes, *k_);
#endif
            static_cast<void>(device);
            return fall_on_cpu(plan, axes, *k_, threads);
        };
        return by_rounds(undirected, of, [k = *k_](std::uint32_t degree) { return degree >= k; });
    }

    structure::Runner runner(const Input& input, const Strategy& strategy, Device device,
                             int threads) const override {
        const frontier::Axes axes = axes_of(strategy, axes_, false);
        const auto plan = plan_of(input, false);
        if (strategy.axes) return fall(*plan, axes, device, threads);
        const std::string name = strategy.name;
        const structure::Peeling peeling = name == "push"   ? structure::Peeling::push
                                           : name == "pull" ? structure::Peeling::pull
                                                            : structure::Peeling::local;
#if defined(LOCKSTEP_HAS_CUDA)
        if (device == Device::cuda) return keeping(plan, structure::cores_on_cuda(*plan, peeling, k_));
#endif
        return keeping(plan, structure::cores_on_cpu(*plan, peeling, k_, threads));
    }
    std::vector<std::uint32_t> reference(const Graph& graph) const override {
        return reference_cores(graph, k_);
    }
    Columns by_vertex(const Graph&, std::vector<std::uint32_t> values) const override {
        return {{"cores", std::move(values)}};
    }
    std::string problem(const Graph& graph, const Columns& columns) const override {
        return problem_of_cores(graph, k_, first_of(columns));
    }
    std::string proof() const override {
        return "every vertex has the neighbours that its core needs, and the vertices can be taken away in "
               "the order of "
               "their cores";
    }
    std::pair<nlohmann::ordered_json, std::string> summary(const Graph&,
                                                           const Columns& columns) const override {
        const auto& cores = first_of(columns);
        const std::uint32_t most = cores.empty() ? 0 : *std::max_element(cores.begin(), cores.end());
        if (k_) {
            const auto inside = std::count(cores.begin(), cores.end(), 1U);
            return {
                {{"k", *k_}, {"vertices", inside}},
                fmt::format("{} vertices in the {}-core", cli::grouped(static_cast<EdgeId>(inside)), *k_)};
        }
        return {{{"largest_core", most}, {"vertices", std::count(cores.begin(), cores.end(), most)}},
                fmt::format("the largest core number is {}", most)};
    }
    std::pair<std::string, std::string> rule(const ScheduleFileSummary&, bool gpu) const override {
        return {"best", gpu ? "a block goes on with what it finds, without a launch a round"
                            : "a thread goes on with what it finds"};
    }
    std::map<std::string, std::string> parameters(const Strategy& strategy) const override {
        return {{"k", k_ ? std::to_string(*k_) : "all"}, {"axes", axes_text(strategy, axes_)}};
    }

    std::optional<std::uint32_t> k_;
    GivenAxes axes_;
};

}  // namespace

}  // namespace kcore

Application& kcore_application() {
    static kcore::Cores application;
    return application;
}

}  // namespace lockstep
