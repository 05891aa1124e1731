#include <array>

#include "lockstep/schedules/builders.hpp"
#include "regions.hpp"

namespace lockstep {

namespace {

/// Calls a builder that takes a part of all options, or none.
template <auto build>
Schedule by(const Graph& graph, const BuildOptions& options) {
    if constexpr (requires { build(graph); })
        return build(graph);
    else
        return build(graph, options);
}
Schedule blkdiag(const Graph& graph, const BuildOptions& o) {
    return build_blkdiag(graph, o.block_rows, o.block_cols);
}
Schedule el_sgm(const Graph& graph, const BuildOptions& o) { return build_el_sgm(graph, o, o.seed); }
Schedule stars(const Graph& graph, const BuildOptions& o) {
    return build_stars(graph, o.star_edges, o.seed, o.costs);
}
Schedule regions(const Graph& graph, const BuildOptions& o) {
    return build_regions(graph, o.region_vertices);
}
Schedule blocked(const Graph& graph, const BuildOptions& o) { return build_blocked(graph, o, o.seed); }
Schedule shuffled(const Graph& graph, const BuildOptions& o) { return build_shuffle(graph, o.seed); }
Schedule by_metis(const Graph& graph, const BuildOptions& o) { return build_metis(graph, o.parts, o.seed); }

// Working memory of the builders, including the schedule: the maximum that lockstep-bench measured on a graph
// with the shape of Netflix, on R-MAT and on a road network. It is for graphs of fewer than 2^32 edges (add 8
// bytes per edge from there on), and excludes 60 bytes per vertex. For a road network, which has more tiles
// than edges, the tiled builder uses another 41 bytes per edge; tiled is of no use there.
constexpr std::array registry{
    Builder{"agm-e", "all-graph matchings, edge-parallel: one maximal matching after another",
            by<build_agm_e>, 27, forms::phases, Builder::any},
    Builder{"agm-n", "all-graph matchings, node-parallel: blocks of T items kept on chip", by<build_agm_n>,
            33, forms::resident},
    Builder{"sgm", "sub-graph matchings: blocks of T items by degree, matchings of each block", by<build_sgm>,
            40, forms::resident},
    Builder{"diag", "diagonals: edges of equal row - column", by<build_diag>, 27, forms::phases,
            Builder::any},
    Builder{"blkdiag", "block-diagonals: R x C blocks, one worker a block", blkdiag, 21, forms::tasks,
            Builder::any},
    Builder{"tiled", "tiles of item x user blocks, star forests inside: items on chip, users on their way",
            by<build_tiled>, 48, forms::tiles, Builder::any, forms::regions},
    Builder{"stars", "matchings of stars: a vertex and up to S of its neighbours a worker", stars, 50,
            forms::tasks, Builder::any},
    Builder{"local",
            "regions of the graph that fit on chip, then what lies between them, for roads",
            by<build_local>,
            44,
            forms::regions,
            Builder::any,
            {},
            refusal_of_local},
    Builder{"regions",
            "vertices by regions of like shape and size that fit on chip, for traversals of roads",
            regions,
            32,
            forms::vertex_parts,
            Builder::sides,
            {},
            refusal_of_regions},
    Builder{"blocked", "blocks of items that stay on chip, their edges in random order, for racing", blocked,
            27, forms::item_blocks},
    Builder{"shuffle", "random edge order, for EL", shuffled, 18, forms::edge_order, Builder::any},
    Builder{"el-sgm", "hub items first (to run under locks), the rest as SGM", el_sgm, 40,
            forms::resident_after_locks},
    Builder{"degree", "vertices by decreasing degree", by<build_degree>, 0, forms::vertex_order,
            Builder::any},
    Builder{
        "metis", "vertices by METIS part", by_metis, 40, forms::vertex_parts, Builder::any, {}, nullptr, 48},
    Builder{"edge-tiled", "tiles of targets (columns), for neighbour iteration by edges",
            by<build_edge_tiled>, 32, forms::targets},
    Builder{"pull-binned", "tiles of targets by degree bin, for neighbour iteration by vertices",
            by<build_pull_binned>, 32, forms::binned_targets},
    Builder{"hubs", "hubs first, and first in every list of arcs: for breadth-first search", by<build_hubs>,
            8, forms::adjacency},
    Builder{"hubs-weight", "hubs first, light arcs first in every list: for shortest paths",
            by<build_hubs_weight>, 8, forms::adjacency},
};
}  // namespace

std::span<const Builder> builders() { return registry; }

const Builder& find_builder(const std::string& name) {
    std::string known;
    for (const Builder& builder : registry) {
        if (name == builder.name) return builder;
        known += std::string(known.empty() ? "" : ", ") + builder.name;
    }
    throw ScheduleError("there is no schedule \"" + name + "\"; known are " + known + ", and all",
                        Failure::usage);
}

std::string why_not(const Builder& builder, Ends ends) {
    if (ends == Ends::sides || builder.sets == Builder::any) return {};
    const bool keeps_items = builder.form.has & (Form::residents | Form::col_parts);
    return std::string(builder.name) +
           (keeps_items && builder.form.disjoint != Disjoint::none && builder.form != forms::binned_targets
                ? " keeps columns on chip while other edges may have them as rows: it is for two sides"
                : " is of arcs, whose ends are two sides");
}

std::string refusal(const std::string& name, const Graph& graph, const BuildOptions& options) {
    const Builder& builder = find_builder(name);
    if (std::string why = why_not(builder, graph.ends); !why.empty()) return why;
    return builder.refusal ? builder.refusal(graph, options) : std::string();
}

std::string likely_refusal(const std::string& name, const GraphSummary& summary) {
    return name == "local" ? likely_refusal_of_local(summary) : (find_builder(name), std::string());
}

}  // namespace lockstep
