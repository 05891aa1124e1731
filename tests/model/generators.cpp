#include <fmt/format.h>

#include <ostream>

#include "insight/build_options.hpp"
#include "model.hpp"

namespace lockstep {
namespace model {

rc::Gen<Graph> graphs() {
    return rc::gen::exec([] {
        const auto rows = *rc::gen::inRange<VertexId>(1, 40), cols = *rc::gen::inRange<VertexId>(1, 40);
        const bool square = *rc::gen::arbitrary<bool>();
        const VertexId count = std::max(rows, cols);
        // The minimum of two random numbers favours low ids, which become hubs.
        const auto vertex = [](VertexId size) {
            return rc::gen::apply([](VertexId a, VertexId b) { return std::min(a, b); },
                                  rc::gen::inRange<VertexId>(0, size), rc::gen::inRange<VertexId>(0, size));
        };
        const auto pairs = *rc::gen::container<std::vector<std::pair<VertexId, VertexId>>>(
            rc::gen::pair(vertex(square ? count : rows), vertex(square ? count : cols)));
        std::vector<Triple> triples;
        for (const auto& [row, col] : pairs)
            triples.push_back({row, col, 1.0F + static_cast<float>(triples.size() % 5)});
        const GraphShape shape = square ? GraphShape::square : GraphShape::bipartite;
        return build_graph(std::move(triples), square ? count : rows, square ? count : cols,
                           {shape, true, true});
    });
}

rc::Gen<BuildOptions> build_options() {
    return rc::gen::exec([] {
        const auto some = [](VertexId least) {
            return *rc::gen::elementOf(std::vector<VertexId>{least, 1, 2, 3, 7, 16, 1000, max_vertices});
        };
        BuildOptions options = insight::default_build_options();
        options.workers = some(1);
        options.block_rows = some(0);
        options.block_cols = options.block_rows == 0 ? 0 : some(1);
        options.parts = some(1);
        options.hub_items = some(0);
        options.seed = *rc::gen::arbitrary<std::uint64_t>();
        options.matching =
            *rc::gen::element(Matching::first_fit, Matching::euler, Matching::exact, Matching::automatic);
        options.item_blocks = *rc::gen::element<VertexId>(0, 1, 2, 3, 8);
        options.user_blocks = *rc::gen::element<VertexId>(0, 0, 2, 6, 16);
        options.groups = *rc::gen::element<VertexId>(0, 1, 2, 3);
        options.gpus = *rc::gen::element<VertexId>(1, 2);
        options.rank = *rc::gen::element<VertexId>(1, 16, 256);
        options.half_precision = *rc::gen::arbitrary<bool>();
        options.multiprocessors = *rc::gen::element<VertexId>(1, 2, 132);
        options.shared_memory_bytes =
            *rc::gen::element<EdgeId>(EdgeId{1} << 10, EdgeId{16} << 10, EdgeId{227} << 10);
        options.region_vertices = some(1);
        options.hub_weight = *rc::gen::element(0.0, 1.5, 100.0);
        return options;
    });
}

}  // namespace model

void showValue(const Graph& graph, std::ostream& out) {
    const auto rows = edge_rows(graph);
    out << fmt::format("{} graph_of({}, {}, {{", graph.shape == GraphShape::square ? "square" : "bipartite",
                       graph.rows, graph.cols);
    for (const EdgeId e : given_order(graph)) out << fmt::format("{{{}, {}}}, ", rows[e], graph.col[e]);
    out << "})";
}

void showValue(const BuildOptions& o, std::ostream& out) {
    out << fmt::format(
        "{{.workers = {}, .block_rows = {}, .block_cols = {}, .parts = {}, .hub_items = {}, .seed = {}, "
        ".matching = {}, "
        ".item_blocks = {}, .user_blocks = {}, .groups = {}, .gpus = {}, .rank = {}, .half_precision = {}, "
        ".multiprocessors = {}, .shared_memory_bytes = {}, .region_vertices = {}, .hub_weight = {}}}",
        o.workers, o.block_rows, o.block_cols, o.parts, o.hub_items, o.seed, to_string(o.matching),
        o.item_blocks, o.user_blocks, o.groups, o.gpus, o.rank, o.half_precision, o.multiprocessors,
        o.shared_memory_bytes, o.region_vertices, o.hub_weight);
}

}  // namespace lockstep
