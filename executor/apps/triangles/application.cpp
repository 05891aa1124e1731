// Triangles as an application of lockstep-execute: how many there are, or those of each vertex by original
// id.
#include <fmt/format.h>

#include <numeric>

#include "apps/frame/axis_options.hpp"
#include "apps/frame/structure_application.hpp"
#include "apps/triangles/reference.hpp"
#include "lockstep/executor/structure/triangles.hpp"

namespace lockstep {

namespace triangles {

namespace {

using Counts = std::vector<std::uint64_t>;

const Counts& counts_of(const std::vector<ResultColumn>& columns) {
    return std::get<Counts>(columns.front().values);
}

class Triangles final : public StructureApplication {
public:
    Triangles()
        : StructureApplication({.name = "triangles",
                                .summary = "triangles of the undirected graph (square graphs)",
                                .strategies = "triangles",
                                .round = "run",
                                .result = "triangles",
                                .value = "triangles"}) {}

    void declare(cli::Options& basic, cli::Options& tuning) const override {
        basic.add_options()(
            "per-vertex",
            "the triangles of each vertex, not only of all; --output and --top ask for them, too");
        for (const auto& [name, text] : frontier::axis_options()) {
            if (is_axis(name))
                tuning.add_options()(name, boost::program_options::value<std::string>()->value_name("WORD"),
                                     text);
        }
        tuning.add_options()("hub-bits", cli::number<VertexId>(0, structure::most_hubs),
                             "best, on a GPU: so many vertices of the largest degree are bits, a multiple of "
                             "4,096; without it 4,096, of large graphs twice as many");
        StructureApplication::declare(basic, tuning);
    }
    void read(const cli::Values& values, Device device, int threads) override {
        StructureApplication::read(values, device, threads);
        per_vertex_ = values.count("per-vertex") || values.count("output") || !values["top"].defaulted();
        hubs_.reset();
        if (values.count("hub-bits")) hubs_ = values["hub-bits"].as<VertexId>();
        if (hubs_.value_or(0) % structure::hub_step)
            throw cli::UsageError("--hub-bits takes a multiple of 4096");
        axes_.clear();
        frontier::Axes axes;  // so that a wrong word is refused before anything is read
        for (const auto& [name, text] : frontier::axis_options()) {
            if (!is_axis(name) || !values.count(name)) continue;
            axes_.emplace_back(name, values[name].as<std::string>());
            frontier::set_axis(axes, name, axes_.back().second);
        }
    }
    std::vector<std::string> gpu_options() const override {
        return {"balance", "small", "large", "hub-bits"};
    }

private:
    static bool is_axis(const std::string_view name) {
        return name == "balance" || name == "small" || name == "large";
    }
    structure::Runner runner(const Input& input, const Strategy& strategy, Device device,
                             int threads) const override {
        const auto plan = plan_of(input, false);
        structure::Meeting meeting;
        meeting.bits = !strategy.axes;
        meeting.hubs =
            strategy.name == std::string_view("table") ? 0 : hubs_.value_or(structure::usual_hubs(*plan));
        frontier::Axes axes;
        if (strategy.axes) frontier::set_axes(axes, strategy.axes);
        if (!axes_.empty() && !strategy.axes)
            throw cli::UsageError(fmt::format("--{} does not apply to {}, which has a way of its own",
                                              axes_.front().first, strategy.name));
        for (const auto& [name, value] : axes_) frontier::set_axis(axes, name, value);
        meeting.shares = axes;
        if (strategy.name == std::string_view("best") && plan->largest <= structure::few_neighbours)
            meeting.bits = false;  // a thread a vertex
#if defined(LOCKSTEP_HAS_CUDA)
        if (device == Device::cuda)
            return keeping(plan, structure::triangles_on_cuda(*plan, meeting, per_vertex_));
#endif
        static_cast<void>(device);
        return keeping(plan, structure::triangles_on_cpu(*plan, per_vertex_, threads));
    }
    std::vector<std::uint32_t> reference(const Graph& graph) const override {
        Counts counts = reference_counts(graph);
        if (!per_vertex_) counts = {std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) / 3};
        return structure::as_words(counts);
    }
    Columns by_vertex(const Graph&, std::vector<std::uint32_t> values) const override {
        return {{"triangles", structure::from_words(values)}};
    }
    std::string problem(const Graph& graph, const Columns& columns) const override {
        return problem_of_counts(graph, counts_of(columns), per_vertex_);
    }
    std::string proof() const override {
        return "the triangles at every edge, counted from its end of more neighbours";
    }
    std::pair<nlohmann::ordered_json, std::string> summary(const Graph&,
                                                           const Columns& columns) const override {
        const Counts& counts = counts_of(columns);
        const std::uint64_t sum = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
        const std::uint64_t all = per_vertex_ ? sum / 3 : sum;
        return {{{"triangles", all}}, fmt::format("{} triangles", cli::grouped(all))};
    }
    std::pair<std::string, std::string> rule(const ScheduleFileSummary& file, bool) const override {
        return {"best", file.max_degree.both() <= structure::few_neighbours
                            ? "few edges at every vertex: a thread merges"
                            : "hubs are bits, the others are looked up on chip"};
    }
    std::map<std::string, std::string> parameters(const Strategy& strategy) const override {
        return {{"per_vertex", per_vertex_ ? "yes" : "no"}, {"axes", axes_text(strategy, axes_)}};
    }

    bool per_vertex_ = false;
    std::optional<VertexId> hubs_;
    std::vector<std::pair<std::string, std::string>> axes_;
};

}  // namespace

}  // namespace triangles

Application& triangles_application() {
    static triangles::Triangles application;
    return application;
}

}  // namespace lockstep
