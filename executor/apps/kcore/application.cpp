// k-cores as an application of lockstep-execute: core numbers, or membership in one core, by original id.
#include <fmt/format.h>

#include <algorithm>

#include "apps/frame/structure_application.hpp"
#include "apps/kcore/operator.hpp"
#include "apps/kcore/reference.hpp"
#include "lockstep/executor/structure/cores.hpp"

namespace lockstep {

namespace kcore {

namespace {

class Cores final : public StructureApplication {
public:
    using StructureApplication::StructureApplication;

    void list(Fields& basic, Fields& more) override {
        basic.number(
            "k", k_, 0, max_vertices,
            "find only the N-core: 1 for vertices in it, 0 for others; without --k: all core numbers");
        StructureApplication::list(basic, more);
    }

private:
    std::vector<std::string> axes() const override { return all_axes(); }
    bool pulls_on_cpu() const override { return false; }
    /// Returns a runner that finds one core by rounds over active vertices.
    StructureRunner fall(const structure::Undirected& undirected, const frontier::Axes& axes, Device device,
                         int threads) const {
        if (!k_) throw UsageError("rounds over active vertices find one core: give --k");
        const auto of = [&](const frontier::Expand& plan) {
            return on_device(
                device, [&] { return frontier::cpu_runner_of(plan, axes, Degrees{*k_}, threads); },
                [&] { return frontier::cuda_runner_of(plan, axes, Degrees{*k_}); });
        };
        return by_rounds(undirected, of, [k = *k_](std::uint32_t degree) { return degree >= k; });
    }
    StructureRunner runner(const Input& input, const Strategy& strategy, Device device,
                           int threads) const override {
        const frontier::Axes axes = axes_of(strategy);
        const auto plan = plan_of(input, false);
        if (strategy.axes) return fall(*plan, axes, device, threads);
        return keeping(
            plan, device, [&] { return structure::cores_on_cpu(*plan, k_, threads); },
            [&] { return structure::cores_on_cuda(*plan, std::get<structure::Peeling>(strategy.way), k_); });
    }
    std::vector<std::uint32_t> reference(const Graph& graph) const override {
        return reference_cores(graph, k_);
    }
    std::string problem(const Graph& graph, const Columns& columns) const override {
        return problem_of_cores(graph, k_, first_of(columns));
    }
    std::string proof() const override {
        return "every vertex has the neighbours that its core needs, and the vertices can be taken away in "
               "the order of their cores";
    }
    std::pair<nlohmann::ordered_json, std::string> summary(const Columns& columns) const override {
        const auto& cores = first_of(columns);
        const std::uint32_t most = cores.empty() ? 0 : *std::max_element(cores.begin(), cores.end());
        if (k_) {
            const auto inside = std::count(cores.begin(), cores.end(), 1U);
            return {
                {{"k", *k_}, {"vertices", inside}},
                fmt::format("{} vertices in the {}-core", text::grouped(static_cast<EdgeId>(inside)), *k_)};
        }
        return {{{"largest_core", most}, {"vertices", std::count(cores.begin(), cores.end(), most)}},
                fmt::format("the largest core number is {}", most)};
    }
    Rule rule(const ScheduleFileSummary&, bool gpu) const override {
        return {"best", gpu ? "a block goes on with what it finds, without a launch a round"
                            : "a thread goes on with what it finds"};
    }
    std::map<std::string, std::string> parameters() const override {
        return {{"k", k_ ? std::to_string(*k_) : "all"}};
    }

    std::optional<std::uint32_t> k_;
};

}  // namespace

}  // namespace kcore

const Spec& kcore_spec() {
    static const Spec spec{.name = "kcore",
                           .summary = "k-cores: the core number of each vertex, or one core (square graphs)",
                           .example = "web.txt.gz --app kcore --top 10",
                           .strategies = "kcore",
                           .round = "run",
                           .result = "cores",
                           .value = "core",
                           .make = make_application<kcore::Cores>};
    return spec;
}

}  // namespace lockstep
