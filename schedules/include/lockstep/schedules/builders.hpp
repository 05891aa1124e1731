// All schedule builders and the registry of their names. A builder is a pure function of the graph and its
// options: the same input gives the same schedule for any number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/schedules/device_costs.hpp"
#include "lockstep/schedules/form.hpp"
#include "lockstep/schedules/rows.hpp"

namespace lockstep {

/// Algorithm by which the AGM-E and AGM-N builders find matchings. D is the maximum degree of the graph;
/// every algorithm needs at least D matchings.
enum class Matching {
    /// First-fit colouring, the fastest: maximal matchings (Algorithm 1 of Kaleem et al.). Their number is
    /// about D on skewed graphs, and larger if all degrees are similar.
    first_fit,
    /// Euler splitting: at most D + ceil(log2 D) matchings of equal size, not maximal; O(edges log D).
    euler,
    /// Exactly D matchings of equal size, not maximal: Euler splitting, then colour exchanges along paths.
    exact,
    /// First-fit, unless it gives more than 1.1 D matchings of a near-regular graph; then Euler splitting.
    automatic,
};
/// Returns the name of the algorithm in options and files: "first-fit", "euler", "exact" or "auto".
std::string_view to_string(Matching matching);
/// Returns the algorithm with the given name. Throws Error (usage) with the known names if there is none.
Matching matching_of(std::string_view name);

/// The side of the graph whose vectors stay in shared memory while a thread block processes its tiles. The
/// vectors of the other side move from thread block to thread block.
enum class Resident { items, users, automatic };  ///< automatic: the side with the shorter predicted sweep
/// Returns the name of the side in options and files: "items", "users" or "auto".
std::string_view to_string(Resident resident);

/// Options of the builders that use matchings: AGM-E, AGM-N, SGM and EL+SGM.
struct MatchingOptions {
    Matching matching = Matching::first_fit;  ///< algorithm of AGM-E and AGM-N
    /// T of AGM-N, SGM and EL+SGM: number of items per block, at least 1. Each item of a block occupies one
    /// worker of the device.
    VertexId workers = 0;
    /// EL+SGM: number of items whose edges run under locks; 0 = chosen from the degrees.
    VertexId hub_items = 0;
};

/// Sizes of the data that must fit in shared memory, and figures of the device, which have no defaults.
/// insight::default_build_options() returns those of an NVIDIA H200.
struct SharedMemoryOptions {
    VertexId rank = 16;              ///< maximum rank (number of factors) for which the vectors must fit
    bool half_precision = false;     ///< whether vector components have 2 bytes (fp16) instead of 4
    VertexId multiprocessors = 0;    ///< number of multiprocessors of the device
    EdgeId shared_memory_bytes = 0;  ///< size of the shared memory of one multiprocessor
    DeviceCosts costs = {};          ///< predicted costs by which the builders choose sizes
    VertexId regions_per_multiprocessor =
        4;  ///< local: number of tiles that a multiprocessor processes concurrently

    /// Throws ScheduleError (usage) if the figures of the device are missing.
    void require_device() const;
};

/// Options of the tiled and blocked schedules. A tile of the tiled schedule contains the edges between one
/// block of items, which stays in shared memory, and one block of users.
struct TileOptions : SharedMemoryOptions {
    /// Value of `item_blocks` that selects the number of blocks with the shortest predicted sweep
    /// (tile_cost.hpp).
    static constexpr VertexId by_cost = ~VertexId{0};
    /// P, the number of item blocks per group (tiled) or in total (blocked); 0 = one per multiprocessor, or
    /// more for blocked if the items would not fit.
    VertexId item_blocks = by_cost;
    /// R, the number of user blocks per group: even, at least 2 P; 0 = the smallest number that fits in
    /// shared memory.
    VertexId user_blocks = 0;
    Resident resident = Resident::automatic;  ///< side whose vectors stay in shared memory
    VertexId groups = 0;                      ///< G, the number of user groups; 0 = one per device
    VertexId gpus = 1;  ///< number of devices that share the groups; G must be a multiple of it
    /// Weight of a block's most rated item when the items are distributed to blocks of equal work.
    double hub_weight = 1.5;
};

/// Options of all builders. A builder reads only the options that concern it, and records the values that it
/// used in Schedule::parameters.
struct BuildOptions : MatchingOptions, TileOptions {
    std::uint64_t seed = 1;  ///< seed of all random choices
    /// BlkDiag: R and C, the numbers of rows and columns per block; 0 = chosen from the graph.
    VertexId block_rows = 0, block_cols = 0;
    VertexId parts = 64;  ///< metis: number of parts into which the vertices are divided
    /// Stars: S, the maximum number of edges per star; 0 = the number with the shortest predicted sweep.
    EdgeId star_edges = 0;
    RowOptions row_phases = {};  ///< rows: order of first fit, and whether phases are balanced
    /// regions: maximum number of vertices per region; 0 = 2,048, or 1,024 for weighted graphs.
    VertexId region_vertices = 0;
};

/// A partition of the edges into `count` matchings. of_edge[e] is the matching of edge e, a number in [0,
/// count). No matching is empty. 4 bytes per edge.
struct Matchings {
    Array<VertexId> of_edge;
    VertexId count = 0;
    bool operator==(const Matchings&) const = default;
};

/// Returns the maximal matchings M_0, M_1, … of Algorithm 1 (Kaleem et al., III-A), found by one pass of
/// first-fit edge colouring. O(edges) on skewed graphs; see first_fit.hpp.
Matchings maximal_matchings(const Graph& graph);
/// Returns the same matchings as maximal_matchings(), found by Algorithm 1 as the paper gives it: find a
/// maximal matching, remove its edges, repeat. Tests use it as oracle. O(edges x
/// matchings).
Matchings repeated_maximal_matchings(const Graph& graph);
/// Returns at most D + ceil(log2 D) matchings by Euler splitting, where D is the maximum degree. The largest
/// matching exceeds the smallest by at most 1/64 of its size or by one edge. O(edges log D) time, 29 bytes
/// per edge (33 from 2^32 edges on); see euler.hpp.
Matchings euler_matchings(const Graph& graph);
/// Returns exactly D matchings, where D is the maximum degree (König's theorem). Their sizes are as even as
/// those of euler_matchings(). Time and memory are given in exact.cpp.
Matchings exact_matchings(const Graph& graph);

// The builders. Each function returns the schedule that its comment describes; arguments that are left out
// have the defaults of BuildOptions. The Roman numbers are sections of the paper by Kaleem et al.
/// III-A.1 (AGM-E): one matching of the whole graph per phase.
Schedule build_agm_e(const Graph&, const MatchingOptions&);
/// III-A.2 (AGM-N): blocks of T items; the phases of a block are its edges in each matching of the whole
/// graph.
Schedule build_agm_n(const Graph&, const MatchingOptions&);
/// III-A.3 (SGM): blocks of T items; the phases of a block are matchings of the block's own edges.
Schedule build_sgm(const Graph&, const MatchingOptions&);
/// Builds EL+SGM (V-B): first the edges of the items of largest degree (hubs), which run under locks, then
/// SGM of the other items.
Schedule build_el_sgm(const Graph&, const MatchingOptions&, std::uint64_t seed = 1);
Schedule build_diag(const Graph&);  ///< III-B.1 (Diag): one phase per value of row - column
/// III-B.2 (BlkDiag): blocks of R rows x C columns; the blocks on one block-diagonal form a phase.
Schedule build_blkdiag(const Graph&, VertexId block_rows = 0, VertexId block_cols = 0);
/// Builds phases of whole rows (rows.hpp): a task contains the edges of a row, and no two rows of a phase
/// share a column.
Schedule build_rows(const Graph&, const RowOptions& = {});
/// Builds phases of stars. The centre of an edge's star is its endpoint of larger degree. `star_edges` is the
/// maximum number of edges per star; 0 = the number with the shortest predicted sweep.
Schedule build_stars(const Graph&, const DeviceCosts&, EdgeId star_edges = 0, std::uint64_t seed = 1);
/// Builds phases of tiles. A tile contains the edges between a block of items and a block of users, and each
/// of its steps is a set of stars that share no vertex.
Schedule build_tiled(const Graph&, const TileOptions&);
/// Builds phases of tiles. A tile contains the edges inside a region of the graph that fits in shared memory.
/// Throws NoLocality if the graph has no such regions.
Schedule build_local(const Graph&, const SharedMemoryOptions&);
/// Builds an order of the vertices by region (a set of neighbouring vertices that fits in shared memory).
/// Throws NoLocality if too many arcs lie between regions.
Schedule build_regions(const Graph&, VertexId region_vertices = 0);
/// Builds blocks of items of equal work, each with its edges in random order. No two blocks share an item,
/// but concurrent blocks may update the same row without synchronization.
Schedule build_blocked(const Graph&, const TileOptions&, std::uint64_t seed = 1);
/// IV-A: random edge order, for EL (edge locks).
Schedule build_shuffle(const Graph&, std::uint64_t seed = 1);
Schedule build_degree(const Graph&);  ///< order of the vertices by decreasing degree
/// Order of the vertices by METIS part.
Schedule build_metis(const Graph&, VertexId parts = 64, std::uint64_t seed = 1);
/// Tiles of target vertices, for iteration over edges.
Schedule build_edge_tiled(const Graph&);
/// Vertices by decreasing degree; the arcs of a vertex are sorted by decreasing degree of their target
/// (hubs.cpp).
Schedule build_hubs(const Graph&);
/// Like hubs, but the arcs of a vertex are sorted by weight, lightest first.
Schedule build_hubs_weight(const Graph&);

/// Thrown by the local and regions builders: too few edges lie inside regions that fit in shared memory.
class NoLocality : public ScheduleError {
public:
    using ScheduleError::ScheduleError;
};

/// Returns the degree above which EL+SGM puts the edges of an item under locks, if MatchingOptions::hub_items
/// is 0. An item exceeds this limit only if its degree is near the maximum and the maximum is far above the
/// mean. With such items, the number of phases of SGM would be many times larger.
EdgeId hub_limit(EdgeId largest_degree, EdgeId edges, VertexId cols);

/// Sizes that the stars builder chooses: `star_edges`, the maximum number of edges of a star; `hub_edges`,
/// the maximum for the first `hub_stars` stars of a phase; and `min_phases`, the minimum number of phases
/// that any schedule with these sizes has.
struct StarSizes {
    EdgeId star_edges, hub_edges, min_phases;
};
/// Number of stars at the beginning of each phase that may have `hub_edges` edges.
inline constexpr EdgeId hub_stars = 128;
/// Returns the sizes that build_stars() chooses for the same arguments. O(edges).
StarSizes star_sizes_of(const Graph& graph, const DeviceCosts& costs, EdgeId star_edges = 0);

/// An entry of the registry: a schedule builder and its properties.
struct Builder {
    const char* name;
    const char* summary;
    Schedule (*build)(const Graph&, const BuildOptions&);
    EdgeId bytes_per_edge;  ///< peak working memory of the builder in bytes per edge
    Form form;              ///< level structure of the built schedule
    /// The kinds of endpoints that the builder supports.
    enum Sets : std::uint8_t {
        any,    ///< graphs with two sides or with one set of vertices
        sides,  ///< only graphs with two sides
    } sets = sides;
    std::optional<Form> form_of_vertices = {};  ///< `form` for one set of vertices, if it differs
    /// Returns the reason for which `build` would throw NoLocality, or an empty string if it would not throw.
    /// It runs the steps of the builder that can fail and discards their result. O(edges).
    std::string (*refusal)(const Graph&, const BuildOptions&) = nullptr;
    EdgeId library_bytes_per_edge = 0;  ///< part of `bytes_per_edge` that a C library allocates

    const Form& form_for(Ends ends) const {
        return ends == Ends::vertices && form_of_vertices ? *form_of_vertices : form;
    }
};
/// Returns all builders in the order of the registry.
std::span<const Builder> builders();
/// Returns the reason for which the builder does not support graphs with endpoints of kind `ends`, or an
/// empty string if it does.
std::string why_not(const Builder& builder, Ends ends);
/// Returns the reason for which the builder named `name` would refuse the graph, or an empty string if it
/// would accept the graph. Runs the same checks as the builder. O(edges).
std::string refusal(const std::string& name, const Graph& graph, const BuildOptions& options);
/// Properties of a graph that are available without reading its edges.
struct GraphSummary {
    EdgeId edges;
    VertexId cols;
    DegreeStatistics row_degrees, col_degrees;
    double col_reuse;  ///< result of column_reuse(); 0: unknown
};
/// Returns an estimate of refusal() from the summary alone. The reason is not empty if the first phase of the
/// named builder (only local can refuse) would probably contain too few edges.
std::string likely_refusal(const std::string& name, const GraphSummary& summary);
/// Returns the builder with the given name. Throws Error (usage) with the known names if there is none.
const Builder& find_builder(const std::string& name);

}  // namespace lockstep
