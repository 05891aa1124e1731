// Widest paths as an application: the inverse of each vertex's width, by original ID.
#include <queue>

#include "apps/frame/distances.hpp"
#include "apps/frame/frontier_application.hpp"
#include "apps/widest/operator.hpp"

namespace lockstep {

namespace {

using Values = std::vector<float>;

/// Returns a function that extends a path by an edge. It shares no code with the operator.
auto extend_in(const Graph& graph) {
    return [&graph](float value, EdgeId e) {
        return std::min(std::max(value, 1 / graph.weight(e)), std::numeric_limits<float>::max());
    };
}

class Widest final : public FrontierApplication {
public:
    using FrontierApplication::FrontierApplication;

private:
    bool weighted() const override { return true; }

    /// Copies the operator to a device.
    frontier::Runner runner(const Input&, Device device, const frontier::FrontierPlan& plan,
                            const frontier::Axes& axes, int threads) const override {
        return on_device(
            device, [&] { return frontier::on_cpu(plan, axes, widest::InverseWidths(), threads); },
            [&] { return frontier::on_cuda(plan, axes, widest::InverseWidths()); });
    }

    /// Computes the values serially, with a heap: --device reference.
    frontier::Values reference(const Graph& graph, VertexId source) const override {
        Values values(graph.rows, widest::InverseWidths::none());
        std::priority_queue<std::pair<float, VertexId>> queue;  // the smallest value first
        queue.emplace(-(values[source] = 0), source);
        while (!queue.empty()) {
            const auto [negative, u] = queue.top();
            queue.pop();
            if (-negative > values[u]) continue;
            for (const EdgeId e : graph.edges_of(u)) {
                const float value = extend_in(graph)(values[u], e);
                if (value < values[graph.col[e]])
                    queue.emplace(-(values[graph.col[e]] = value), graph.col[e]);
            }
        }
        return values;
    }

    /// Returns why these are not the values from the source, or an empty text: --verify.
    std::string problem(const Graph& graph, VertexId source, const frontier::Values& values) const override {
        return problem_of(graph, source, std::get<Values>(values), 0.0F, widest::InverseWidths::none(),
                          extend_in(graph));
    }

    /// Returns the vertices of a widest path: --path-to.
    std::vector<VertexId> path(const Graph& graph, const frontier::Values& values, VertexId source,
                               VertexId target) const override {
        return path_of(graph, source, target, std::get<Values>(values), extend_in(graph));
    }
};

}  // namespace

const Spec& widest_spec() {
    static const Spec spec{.name = "widest",
                           .summary = "widest paths by weight (square graphs)",
                           .example = "road.gr --app widest --source 17 --output widths.txt",
                           .strategies = "frontier",
                           .round = "source",
                           .result = "inverse widths",
                           .value = "inverse width",
                           .prepared = "hubs-weight",
                           .make = make_application<Widest>};
    return spec;
}

}  // namespace lockstep
