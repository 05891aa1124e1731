#include "insight/measure/plans.hpp"

#include <algorithm>

namespace lockstep::insight {

namespace {

EdgePlan empty_plan(VertexId rows, VertexId cols) {
    EdgePlan plan;
    plan.rows = rows, plan.cols = cols;
    return plan;
}

void add_edge(EdgeList& edges, VertexId row, VertexId col) {
    edges.row.push_back(row), edges.col.push_back(col), edges.value.push_back(1.0F);
}

Graph graph_of(std::vector<Triple> triples, VertexId rows, VertexId cols) {
    GraphOptions options;
    options.weighted = false, options.input_order = false;
    options.repeats = RepeatPolicy::first;
    return build_graph(std::move(triples), rows, cols, options);
}

}  // namespace

VertexId scatter_position(EdgeId x, VertexId side) {
    return static_cast<VertexId>(x * 0x9e3779b1U & (side - 1));
}
std::uint32_t mix_bits(EdgeId x) {
    x ^= x >> 33, x *= 0xff51afd7ed558ccdULL, x ^= x >> 33, x *= 0xc4ceb9fe1a85ec53ULL;
    return static_cast<std::uint32_t>(x >> 32);
}

EdgePlan rounds_plan(EdgeId rounds, EdgeId size, VertexId rows, VertexId cols) {
    EdgePlan plan = empty_plan(rows, cols);
    PhasesPlan phases{{0}};
    const EdgeId stride = std::max<EdgeId>(1, rows / size);
    for (EdgeId r = 0; r < rounds; ++r) {
        for (EdgeId i = 0; i < size; ++i)
            add_edge(plan, static_cast<VertexId>((i * stride + r % stride) % rows),
                     scatter_position(r * size + i, cols));
        phases.phase_offsets.push_back(plan.edges());
    }
    plan.walk = std::move(phases);
    return plan;
}
EdgePlan resident_plan(EdgeId rounds, EdgeId size, VertexId rows, VertexId cols) {
    EdgePlan plan = rounds_plan(rounds, size, rows, cols);
    ResidentPlan resident{std::get<PhasesPlan>(plan.walk).phase_offsets, {0, rounds}, {}, {0, cols}};
    for (VertexId v = 0; v < cols; ++v) resident.residents.push_back(v);
    plan.walk = std::move(resident);
    return plan;
}

EdgePlan make_tasks_plan(EdgeId phases, EdgeId tasks, EdgeId edges) {
    const auto side = static_cast<VertexId>(std::max<EdgeId>(edges, 64));
    EdgePlan plan = empty_plan(static_cast<VertexId>(tasks * side), static_cast<VertexId>(tasks * side));
    TasksPlan blocks{{0}, {0}};
    for (EdgeId p = 0; p < phases; ++p) {
        for (EdgeId t = 0; t < tasks; ++t) {
            for (EdgeId e = 0; e < edges; ++e)
                add_edge(plan, static_cast<VertexId>(t * side + mix_bits(plan.edges()) % side),
                         static_cast<VertexId>(t * side + e / 8));
            blocks.task_offsets.push_back(plan.edges());
        }
        blocks.phase_tasks.push_back(blocks.task_offsets.size() - 1);
    }
    plan.walk = std::move(blocks);
    return plan;
}

EdgePlan online_plan(const Walk& walk, EdgeId edges, VertexId rows, VertexId cols,
                     const std::function<std::pair<VertexId, VertexId>(EdgeId)>& ends) {
    EdgePlan plan = empty_plan(rows, cols);
    for (EdgeId i = 0; i < edges; ++i) {
        const auto [row, col] = ends(i);
        add_edge(plan, row, col);
    }
    if (walk == EdgeLockedPlan::facts) {
        plan.walk = EdgeLockedPlan{edges};
        // this walk requires edges in ascending order of their columns
    } else if (walk == NodeLockedPlan::facts) {
        NodeLockedPlan columns;
        columns.column_edges.assign(std::size_t{cols} + 1, 0);
        for (const VertexId v : plan.col) ++columns.column_edges[v + 1];
        for (VertexId v = 0; v < cols; ++v)
            columns.column_edges[v + 1] += columns.column_edges[v], columns.columns.push_back(v);
        plan.walk = std::move(columns);
    } else {
        plan.walk = RacingPlan{};
    }
    return plan;
}

Graph road(VertexId vertices) {
    std::vector<Triple> triples;
    for (VertexId v = 0; v < vertices; ++v) {
        for (const VertexId to : {v + 1, v + 2}) triples.push_back({v, to % vertices, 1.0F});
    }
    return graph_of(std::move(triples), vertices, vertices);
}

Graph ratings(VertexId users, VertexId items, EdgeId edges, EdgeId hub) {
    std::vector<Triple> triples;
    for (EdgeId i = 0; i < edges; ++i) {
        const bool of_hub = i < hub;
        triples.push_back({of_hub ? scatter_position(i, users) : mix_bits(2 * i) % users,
                           of_hub ? 0 : 1 + mix_bits(2 * i + 1) % (items - 1), 1.0F});
    }
    return graph_of(std::move(triples), users, items);
}

EdgePlan chain_plan(bool locked, EdgeId edges, VertexId rows) {
    EdgePlan plan = empty_plan(rows, 1);
    for (EdgeId e = 0; e < edges; ++e) add_edge(plan, static_cast<VertexId>(e % rows), 0);
    if (locked)
        plan.walk = EdgeLockedPlan{edges};
    else
        plan.walk = TasksPlan{{0, edges}, {0, 1}};
    return plan;
}

}  // namespace lockstep::insight
