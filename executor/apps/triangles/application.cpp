// Triangles as an application of lockstep-execute: their total number, or the number of each vertex by
// original id.
#include <fmt/format.h>

#include <numeric>

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
    using StructureApplication::StructureApplication;

    void list(Fields& basic, Fields& more) override {
        basic.flag("per-vertex", per_vertex_,
                   "count the triangles of each vertex; --output and --top imply --per-vertex");
        more.number("hub-bits", hubs_, 0, structure::most_hubs,
                    "best, on a GPU: number of vertices of the largest degrees that neighbour lists store as "
                    "bits, a multiple of 4,096; default: 4,096, or 8,192 from 2^19 vertices on")
            .for_gpu();
        StructureApplication::list(basic, more);
    }
    void settle(const Fields& given, Request& request, int threads) override {
        StructureApplication::settle(given, request, threads);
        per_vertex_ = per_vertex_ || results().output || given.is_given("top");
        if (hubs_.value_or(0) % structure::hub_step) throw UsageError("--hub-bits takes a multiple of 4096");
    }

private:
    std::vector<std::string> axes() const override { return {"balance", "small", "large"}; }
    /// Returns how lists of neighbours are intersected. If no vertex has many neighbours, one thread per
    /// vertex is fastest.
    structure::Meeting meeting_of(const Strategy& strategy, const structure::Undirected& plan) const {
        using structure::Meet;
        const auto meet = std::get<Meet>(strategy.way);
        const bool few = plan.largest <= structure::few_neighbours;
        return {axes_of(strategy), meet == Meet::table || (meet == Meet::bits && !few),
                meet == Meet::table ? 0 : hubs_.value_or(structure::usual_hubs(plan))};
    }
    StructureRunner runner(const Input& input, const Strategy& strategy, Device device,
                           int threads) const override {
        const auto plan = plan_of(input, false);
        const structure::Meeting meeting = meeting_of(strategy, *plan);
        return keeping(
            plan, device, [&] { return structure::triangles_on_cpu(*plan, per_vertex_, threads); },
            [&] { return structure::triangles_on_cuda(*plan, meeting, per_vertex_); });
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
    std::pair<nlohmann::ordered_json, std::string> summary(const Columns& columns) const override {
        const Counts& counts = counts_of(columns);
        const std::uint64_t sum = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
        const std::uint64_t all = per_vertex_ ? sum / 3 : sum;
        return {{{"triangles", all}}, fmt::format("{} triangles", text::grouped(all))};
    }
    Rule rule(const ScheduleFileSummary& file, bool) const override {
        return {"best", file.max_degree.both() <= structure::few_neighbours
                            ? "few edges at every vertex: a thread merges"
                            : "hubs are bits, the others are looked up on chip"};
    }
    std::map<std::string, std::string> parameters() const override {
        return {{"per_vertex", per_vertex_ ? "yes" : "no"}};
    }

    bool per_vertex_ = false;
    std::optional<VertexId> hubs_;
};

}  // namespace

}  // namespace triangles

const Spec& triangles_spec() {
    static const Spec spec{.name = "triangles",
                           .summary = "triangle counting in the undirected graph (square graphs)",
                           .example = "web.txt.gz --app triangles --per-vertex --top 10",
                           .strategies = "triangles",
                           .round = "run",
                           .result = "triangles",
                           .value = "triangles",
                           .make = make_application<triangles::Triangles>};
    return spec;
}

}  // namespace lockstep
