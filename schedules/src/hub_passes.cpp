#include "lockstep/schedules/hub_passes.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>

#include "sub_graph.hpp"

namespace lockstep {

namespace {

constexpr VertexId most_passes = 1024;  ///< by predicted cost
/// Below, a hub's edges have no map (hub_map.hpp); above, a pass takes longer than what it saves of the
/// chain.
constexpr VertexId least_rank = 9, most_rank = 32;
constexpr VertexId multiprocessors = 64;  ///< that a pass wants

struct Hub {
    EdgeId degree;
    bool is_row;
    VertexId vertex;
};

/// Those of most edges, `most` at most; equal ones by side and number.
std::vector<Hub> largest_hubs(const Graph& graph, VertexId most) {
    std::vector<Hub> hubs;
    const auto add = [&](const std::vector<EdgeId>& degree, bool is_row) {
        for (VertexId v = 0; v < degree.size(); ++v) {
            if (degree[v] > 0) hubs.push_back({degree[v], is_row, v});
        }
    };
    add(col_degrees(graph), false), add(row_degrees(graph), true);
    const auto before = [](const Hub& a, const Hub& b) {
        return std::tuple(b.degree, a.is_row, a.vertex) < std::tuple(a.degree, b.is_row, b.vertex);
    };
    const auto end = hubs.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(most, hubs.size()));
    std::partial_sort(hubs.begin(), end, hubs.end(), before);
    hubs.erase(end, hubs.end());
    return hubs;
}

HubPasses passes_of(const Graph& graph, std::span<const Hub> hubs, const DeviceCosts& device,
                    double rank_factor) {
    HubPasses passes;
    if (hubs.empty()) return passes;
    passes.of_row.assign(graph.rows, HubPasses::none), passes.of_col.assign(graph.cols, HubPasses::none);
    passes.seconds = device.launch;
    for (const bool rows : {false, true}) {
        for (const Hub& hub : hubs) {
            if (hub.is_row != rows) continue;
            (rows ? passes.of_row : passes.of_col)[hub.vertex] = passes.count++;
            passes.seconds +=
                rank_factor * (device.hub_pass + device.hub_pass_edge * static_cast<double>(hub.degree));
        }
    }
    return passes;
}

/// As many as save more of the chain of the largest hub that is left than they take. The steps of the tiles,
/// which go on beside the chain, are taken for those without passes.
std::size_t worthwhile(std::span<const Hub> hubs, const HubCut& without, const DeviceCosts& device,
                       double pass_factor, double chain_factor) {
    const double steps = std::max(without.users_core.steps, without.items_core.steps);
    std::size_t best = 0;
    double shortest = INFINITY, passes = 0;
    for (std::size_t n = 0; n < hubs.size(); ++n) {
        const auto degree = static_cast<double>(hubs[n].degree);
        const double seconds = passes + std::hypot(steps, chain_factor * device.chain_edge * degree);
        if (seconds < shortest) shortest = seconds, best = n;
        passes += pass_factor * (device.hub_pass + device.hub_pass_edge * degree);
    }
    return best;
}

}  // namespace

Array<VertexId> HubPasses::of_edges(const Graph& graph) const {
    Array<VertexId> pass(graph.edges(), none);
    if (count == 0) return pass;
    std::vector<VertexId> row_of(count, none),
        row_of_col(graph.cols, none);  // that a pass, a column was met in
    for (VertexId u = 0; u < graph.rows; ++u) {
        for (EdgeId e = graph.row_offsets[u]; e < graph.row_offsets[u + std::size_t{1}]; ++e) {
            const VertexId v = graph.col[e], first = std::min(of_row[u], of_col[v]);
            if (first == none) continue;
            VertexId& met = first == of_col[v] ? row_of[first] : row_of_col[v];
            if (met != u) pass[e] = first;
            met = u;
        }
    }
    return pass;
}

CoreTailChoice choose_core_tail(const Graph& graph, const BuildOptions& options) {
    const DeviceCosts device;
    const bool asked = options.hub_passes != BuildOptions::automatic_passes;
    // Maps of vectors of twice the length are four times as large, and half as many fit on chip.
    const double of_rank = std::max(1.0, options.rank / 16.0), pass_factor = of_rank * std::sqrt(of_rank),
                 chain_factor = std::pow(of_rank, 0.65);
    CoreTailChoice without{{}, {}};
    if (!asked || options.hub_passes == 0) without.rest = choose_hubs(graph, options);
    const bool may_have = options.hub_degree == 0 && options.rank >= least_rank &&
                          options.rank <= most_rank && options.multiprocessors >= multiprocessors;
    if (options.hub_passes == 0 || (!asked && !may_have)) return without;

    std::vector<Hub> hubs = largest_hubs(graph, asked ? options.hub_passes : most_passes + 1);
    if (!asked) hubs.resize(worthwhile(hubs, without.rest, device, pass_factor, chain_factor));
    if (hubs.empty()) return asked ? CoreTailChoice{{}, choose_hubs(graph, options)} : without;
    CoreTailChoice with{passes_of(graph, hubs, device, pass_factor), {}};
    const Array<VertexId> pass = with.passes.of_edges(graph);
    Array<EdgeId> left;
    for (EdgeId e = 0; e < graph.edges(); ++e) {
        if (pass[e] == HubPasses::none) left.push_back(e);
    }
    with.passes.edges = graph.edges() - left.size();
    with.rest = choose_hubs(sub_graph(graph, edge_rows(graph), std::move(left), false, false).graph, options);
    return asked || with.seconds() < clearly_faster * without.seconds() ? with : without;
}

}  // namespace lockstep
