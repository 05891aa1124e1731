#include <array>

#include "lockstep/schedules/builders.hpp"
#include "regions.hpp"

namespace lockstep {

namespace {

/// Calls a builder that takes only a part of BuildOptions, or no options.
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
    return build_stars(graph, o.costs, o.star_edges, o.seed);
}
Schedule rows(const Graph& graph, const BuildOptions& o) { return build_rows(graph, o.row_phases); }
Schedule regions(const Graph& graph, const BuildOptions& o) {
    return build_regions(graph, o.region_vertices);
}
Schedule blocked(const Graph& graph, const BuildOptions& o) { return build_blocked(graph, o, o.seed); }
Schedule shuffled(const Graph& graph, const BuildOptions& o) { return build_shuffle(graph, o.seed); }
Schedule by_metis(const Graph& graph, const BuildOptions& o) { return build_metis(graph, o.parts, o.seed); }

// The builders. The numbers are the peak working memory in bytes per edge, including the schedule: the
// maximum that was measured on a graph with the shape of the Netflix ratings, on an R-MAT graph and on a
// road network. They hold for graphs of fewer than 2^32 edges (8 bytes per edge more for larger
// ones), and exclude 60 bytes per vertex. On a road network, tiled takes another 41 bytes per edge, since it
// has more tiles than edges; tiled is of no use for such graphs.
constexpr std::array registry{
    Builder{
        "agm-e",
        "all-graph matchings, edge-parallel: one matching of the whole graph per phase, by default maximal",
        by<build_agm_e>, 27, forms::phases, Builder::any},
    Builder{"agm-n", "all-graph matchings, node-parallel: blocks of T items, which stay in shared memory",
            by<build_agm_n>, 33, forms::resident},
    Builder{"sgm", "sub-graph matchings: blocks of T items by degree, with matchings of each block",
            by<build_sgm>, 40, forms::resident},
    Builder{"diag", "diagonals: one phase per value of row - column", by<build_diag>, 27, forms::phases,
            Builder::any},
    Builder{"blkdiag", "block-diagonals: blocks of R x C, one worker per block", blkdiag, 21, forms::tasks,
            Builder::any},
    Builder{
        "tiled",
        "tiles (item block x user block) of star forests: items stay in shared memory, users are streamed",
        by<build_tiled>, 48, forms::tiles, Builder::any, forms::regions},
    Builder{"stars", "matchings of stars: each worker processes a vertex with up to S of its neighbours",
            stars, 50, forms::tasks, Builder::any},
    Builder{"rows", "phases of rows that share no column, with one worker per row", rows, 29, forms::rows},
    Builder{
        "local",
        "regions of the graph that fit in shared memory, then the edges between regions, for road networks",
        by<build_local>,
        44,
        forms::regions,
        Builder::any,
        {},
        refusal_of_local},
    Builder{"regions",
            "vertex order by regions of similar shape and size that fit in shared memory, for traversals of "
            "road networks",
            regions,
            32,
            forms::vertex_parts,
            Builder::sides,
            {},
            refusal_of_regions},
    Builder{"blocked",
            "blocks of items that stay in shared memory, with edges in random order, for hogwild-blocked",
            blocked, 27, forms::item_blocks},
    Builder{"shuffle", "random edge order, for el-shuffled and hogwild", shuffled, 18, forms::edge_order,
            Builder::any},
    Builder{"el-sgm", "edges of hub items first (under locks), then sgm of the other items", el_sgm, 40,
            forms::resident_after_locks},
    Builder{"degree", "vertex order by decreasing degree", by<build_degree>, 0, forms::vertex_order,
            Builder::any},
    Builder{"metis",
            "vertex order by METIS part",
            by_metis,
            40,
            forms::vertex_parts,
            Builder::any,
            {},
            nullptr,
            48},
    Builder{"edge-tiled", "tiles of targets (columns), for neighbour iteration by edges",
            by<build_edge_tiled>, 32, forms::targets},
    Builder{"hubs",
            "vertices by decreasing degree, arcs to hubs first in every list, for breadth-first search",
            by<build_hubs>, 8, forms::adjacency},
    Builder{"hubs-weight",
            "vertices by decreasing degree, light arcs first in every list, for shortest paths",
            by<build_hubs_weight>, 8, forms::adjacency},
};
}  // namespace

void SharedMemoryOptions::require_device() const {
    if (multiprocessors > 0 && shared_memory_bytes > 0 && costs != DeviceCosts{}) return;
    throw ScheduleError(
        "the builder requires the figures of a device: multiprocessors, shared_memory_bytes and costs",
        Failure::usage);
}

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
           (keeps_items && builder.form.disjoint != Disjoint::none
                ? " keeps columns in shared memory while other edges may use the same vertices as rows: it "
                  "requires two sides (--ends sides)"
                : " consists of arcs, which require two sides (--ends sides)");
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
