#include "lockstep/formats/feedback.hpp"

#include <Random123/philox.h>
#include <fmt/format.h>

#include "lockstep/formats/error.hpp"
#include "lockstep/formats/memory.hpp"

namespace lockstep {

VertexId drawn_column(const ImplicitFeedback& feedback, EdgeId edge, std::uint32_t draw, VertexId cols) {
    constexpr std::uint64_t stream = 0x647261776e;
    const r123::Philox2x64::ctr_type counter{{edge, stream << 24 | draw}};
    return static_cast<VertexId>(r123::Philox2x64()(counter, {{feedback.seed}})[0] % cols);
}

void make_implicit(Dataset& dataset, const ImplicitFeedback& feedback, std::uint64_t memory_limit) {
    const Graph& graph = dataset.graph;
    const std::string& path = dataset.source.path;
    if (!graph.directed)
        throw Error(Failure::usage,
                    path + ": implicit feedback requires directed edges; leave out --undirected");
    EdgeId taken = 0;
    for (EdgeId e = 0; e < graph.edges(); ++e) taken += graph.weight(e) >= feedback.least;
    if (taken == 0)
        throw FormatError(path, fmt::format("has no weight of {:g} or more; give a smaller --positive-from",
                                            static_cast<double>(feedback.least)));
    const double bytes = 60.0 * static_cast<double>(taken) * (1.0 + feedback.drawn);
    if (bytes > static_cast<double>(memory_limit ? memory_limit : physical_memory()))
        throw Error(
            fmt::format("{} sampled pairs for each of {} edges need about {:.1f} GB; sample fewer pairs "
                        "(--negatives), or raise --memory",
                        feedback.drawn, taken, bytes / 1e9));

    const Array<VertexId> row = edge_rows(graph);
    std::vector<Triple> edges;
    std::vector<std::int64_t> times;
    edges.reserve(taken * (EdgeId{1} + feedback.drawn));
    if (!dataset.times.empty()) times.reserve(edges.capacity());
    for (const EdgeId e : given_order(graph)) {
        if (graph.weight(e) < feedback.least) continue;
        edges.push_back({row[e], graph.col[e], 1});
        for (std::uint32_t i = 0; i < feedback.drawn; ++i)
            edges.push_back({row[e], drawn_column(feedback, e, i, graph.cols), 0});
        if (!dataset.times.empty())
            times.insert(times.end(), std::size_t{1} + feedback.drawn, dataset.times[e]);
    }
    dataset.source.drawn = taken * feedback.drawn;
    dataset.source.least = feedback.least;
    dataset.graph =
        build_graph(std::move(edges), graph.rows, graph.cols,
                    {.shape = graph.shape, .input_order = !graph.input_order.empty() || !times.empty()});
    if (times.empty()) return;
    const Array<EdgeId> order = given_order(dataset.graph);
    dataset.times.resize(times.size());
    for (EdgeId i = 0; i < times.size(); ++i) dataset.times[order[i]] = times[i];
}

std::optional<ImplicitFeedback> feedback_of(const Dataset& dataset) {
    const EdgeId drawn = dataset.source.drawn, edges = dataset.graph.edges();
    if (drawn == 0) return {};
    return ImplicitFeedback{dataset.source.least, static_cast<std::uint32_t>(drawn / (edges - drawn)), 1};
}

Dataset remove_drawn_pairs(Dataset dataset) {
    if (dataset.source.drawn == 0) return dataset;
    const Graph& graph = dataset.graph;
    const Array<VertexId> row = edge_rows(graph);
    std::vector<Triple> edges;
    for (EdgeId e = 0; e < graph.edges(); ++e) {
        if (graph.weight(e) > 0) edges.push_back({row[e], graph.col[e], 1});
    }
    dataset.graph =
        build_graph(std::move(edges), graph.rows, graph.cols, {.shape = graph.shape, .input_order = false});
    dataset.times.clear();
    dataset.source.drawn = 0;
    return dataset;
}

}  // namespace lockstep
