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

namespace lockstep {

/// Algorithm by which AGM-E and AGM-N find matchings. D is the maximum degree, a lower bound of the number of
/// matchings.
enum class Matching {
    /// Maximal matchings (Algorithm 1), the fastest: about D on skewed graphs, more if degrees are even.
    first_fit,
    euler,  ///< at most D + ceil(log2 D) matchings of equal size, not maximal; O(edges log D)
    /// D matchings of equal size, not maximal; Euler splitting, then exchanges of colours along paths.
    exact,
    /// First-fit; Euler splitting if the graph is near-regular and first-fit gives over 10 % too many.
    automatic,
};
/// Returns the name in options and files: "first-fit", "euler", "exact", "auto".
std::string_view to_string(Matching matching);
/// Returns the enumerator of that name. Throws Error (usage), which lists the known names.
Matching matching_of(std::string_view name);

/// The side whose vectors stay in shared memory, in blocks. The vectors of the other side move from block to
/// block.
enum class Resident { items, users, automatic };  ///< automatic: the side with the shorter predicted sweep
/// Returns the name in options and files: "items", "users", "auto".
std::string_view to_string(Resident resident);
/// Returns the enumerator of that name. Throws Error (usage), which lists the known names.
Resident resident_of(std::string_view name);

/// Options of the builders of matchings, and the size T of the blocks of items that they work on.
struct MatchingOptions {
    Matching matching = Matching::first_fit;  ///< algorithm of AGM-E and AGM-N
    /// T of AGM-N, SGM and EL+SGM: number of items per block, i.e. of hardware workers.
    VertexId workers = 16896;
    VertexId hub_items = 0;  ///< EL+SGM: number of items that run under locks; 0 = chosen from the degrees
};

/// Data that must fit in shared memory, and the shared memory of the device. The defaults describe an H200.
struct OnChipOptions {
    VertexId rank = 16;                        ///< maximum rank (number of factors) that must fit
    bool half_precision = false;               ///< whether vector components have 2 bytes (fp16) instead of 4
    VertexId multiprocessors = 132;            ///< number of multiprocessors of the device
    EdgeId on_chip_bytes = EdgeId{227} << 10;  ///< size of the shared memory of one multiprocessor
    DeviceCosts costs = {};                    ///< cost model by which the builders choose sizes
    VertexId regions_on_chip = 4;  ///< local: number of tiles that a multiprocessor holds concurrently
};

/// Options of the tiled schedule, whose tiles pair a block of items, kept in shared memory, with a block of
/// users.
struct TileOptions : OnChipOptions {
    /// Value of `item_blocks` that selects the number with the shortest predicted sweep (tile_cost.hpp).
    static constexpr VertexId by_cost = ~VertexId{0};
    /// P, the number of item blocks per group (tiled and blocked); 0 = one per multiprocessor.
    VertexId item_blocks = by_cost;
    /// R, the number of user blocks per group, at least 2 P; 0 = as few as fit in shared memory.
    VertexId user_blocks = 0;
    Resident resident = Resident::automatic;  ///< side whose vectors stay in shared memory
    VertexId groups = 0;                      ///< G, the number of user groups; 0 = one per device
    VertexId gpus = 1;        ///< number of devices that share the groups; G is a multiple of it
    double hub_weight = 1.5;  ///< weight of the most rated item of a block when work is balanced
};

/// Options of all builders. Each builder reads its own part and records the values that it used in
/// Schedule::parameters.
struct BuildOptions : MatchingOptions, TileOptions {
    std::uint64_t seed = 1;                   ///< seed of all random choices
    VertexId block_rows = 0, block_cols = 0;  ///< BlkDiag: size R x C of a block; 0 = chosen from the graph
    VertexId parts = 64;                      ///< metis: number of parts
    EdgeId star_edges = 0;  ///< stars: S, the maximum number of edges per star; 0 = by predicted cost
    /// regions: maximum number of vertices per region; 0 = 2,048, or 1,024 for weighted graphs.
    VertexId region_vertices = 0;
};

/// The matching of every edge, a number in [0, count). No matching is empty. 4 bytes per edge.
struct Matchings {
    Array<VertexId> of_edge;
    VertexId count = 0;
    bool operator==(const Matchings&) const = default;
};

/// Returns the maximal matchings M_0, M_1, … of Algorithm 1 (Kaleem et al., III-A), found by one pass of
/// first-fit edge colouring. O(edges) on skewed graphs; see first_fit.hpp.
Matchings maximal_matchings(const Graph& graph);
/// Returns the same matchings by Algorithm 1 as written (repeat: take a maximal matching and remove it).
/// Serves as test oracle and baseline of `maximal_matchings`. O(edges x matchings).
Matchings repeated_maximal_matchings(const Graph& graph);
/// Returns at most D + ceil(log2 D) matchings by Euler splitting. The largest exceeds the smallest by at most
/// 1/64 or by one edge. O(edges log D) time, 29 bytes per edge (33 from 2^32 edges on); see euler.hpp.
Matchings euler_matchings(const Graph& graph);
/// Returns exactly D matchings (König's theorem), with sizes as even as those of euler_matchings(). See
/// exact.cpp for time and memory.
Matchings exact_matchings(const Graph& graph);

// The builders. Each returns the schedule that its comment describes; without options it uses the defaults of
// BuildOptions. The Roman numbers are sections of the paper (Kaleem et al.).
Schedule build_agm_e(const Graph&, const MatchingOptions&);  ///< III-A.1: one matching per phase
/// III-A.2: blocks of T items, with matchings of the whole graph.
Schedule build_agm_n(const Graph&, const MatchingOptions&);
/// III-A.3: blocks of T items, with matchings of each block.
Schedule build_sgm(const Graph&, const MatchingOptions&);
/// Builds EL+SGM (V-B): the edges of hub items first, under locks, then SGM of the others.
Schedule build_el_sgm(const Graph&, const MatchingOptions&, std::uint64_t seed = 1);
Schedule build_diag(const Graph&);  ///< III-B.1: one phase per value of row - column
/// III-B.2: one phase per block-diagonal.
Schedule build_blkdiag(const Graph&, VertexId block_rows = 0, VertexId block_cols = 0);
/// Builds phases of stars; the endpoint of larger degree is the centre of an edge. `star_edges` = 0: by
/// predicted cost.
Schedule build_stars(const Graph&, EdgeId star_edges = 0, std::uint64_t seed = 1, const DeviceCosts& = {});
/// Builds tiles: the edges between a block of items and a block of users, in steps that are star forests.
Schedule build_tiled(const Graph&, const TileOptions&);
/// Builds tiles of regions that fit in shared memory. Throws NoLocality.
Schedule build_local(const Graph&, const OnChipOptions&);
/// Builds a vertex order by region. Throws NoLocality.
Schedule build_regions(const Graph&, VertexId region_vertices = 0);
/// Builds item blocks, each with its edges in random order. Updates of rows are unsynchronized.
Schedule build_blocked(const Graph&, const TileOptions&, std::uint64_t seed = 1);
Schedule build_shuffle(const Graph&, std::uint64_t seed = 1);  ///< IV-A: random edge order for EL
Schedule build_degree(const Graph&);                           ///< vertices by decreasing degree
Schedule build_metis(const Graph&, VertexId parts = 64, std::uint64_t seed = 1);  ///< vertices by METIS part
Schedule build_edge_tiled(const Graph&);   ///< tiles of targets, for iteration by edge
Schedule build_pull_binned(const Graph&);  ///< tiles of targets, grouped into degree bins
Schedule build_hubs(const Graph&);         ///< hub vertices first, arcs to hubs first; see hubs.cpp
Schedule build_hubs_weight(const Graph&);  ///< like hubs, but with light arcs first

/// Thrown by the local and regions builders: too few edges lie inside regions that fit in shared memory.
class NoLocality : public ScheduleError {
public:
    using ScheduleError::ScheduleError;
};

/// Returns the degree above which EL+SGM puts an item under locks if MatchingOptions::hub_items is 0. Only
/// degrees near a maximum that is far above the mean exceed it. Such items alone would make SGM many times
/// longer than usual.
EdgeId hub_limit(EdgeId largest_degree, EdgeId edges, VertexId cols);

/// Sizes that the stars builder chooses: the maximum number of edges of a star, the same for the first
/// `hub_stars` stars of a phase, and the minimum number of phases with these sizes.
struct StarSizes {
    EdgeId star_edges, hub_edges, least_phases;
};
inline constexpr EdgeId hub_stars = 128;
/// Returns the sizes that build_stars() chooses for the same arguments. O(edges).
StarSizes star_sizes_of(const Graph& graph, EdgeId star_edges, const DeviceCosts& = {});

/// An entry of the registry: a schedule builder and its properties.
struct Builder {
    const char* name;
    const char* summary;
    Schedule (*build)(const Graph&, const BuildOptions&);
    EdgeId bytes_per_edge;  ///< peak working memory of the builder in bytes per edge
    Form form;              ///< level structure of the built schedule
    enum Sets : std::uint8_t {
        any,    ///< graphs with two sides or with one set of vertices
        sides,  ///< only graphs with two sides
    } sets = sides;
    std::optional<Form> form_of_vertices = {};  ///< `form` for one set of vertices, if it differs
    /// Returns why `build` would throw NoLocality, found by the same steps, or an empty string if it would
    /// not throw. O(edges); the result of the steps is discarded.
    std::string (*refusal)(const Graph&, const BuildOptions&) = nullptr;
    EdgeId library_bytes_per_edge = 0;  ///< part of `bytes_per_edge` that a C library allocates

    const Form& form_for(Ends ends) const {
        return ends == Ends::vertices && form_of_vertices ? *form_of_vertices : form;
    }
};
std::span<const Builder> builders();
/// Returns why the builder does not support graphs with such endpoints, or an empty string if it does.
std::string why_not(const Builder& builder, Ends ends);
/// Returns why the named builder would refuse the graph, or an empty string if it would not. Runs the checks
/// of the builder itself.
std::string refusal(const std::string& name, const Graph& graph, const BuildOptions& options);
/// Properties of a graph that are available without reading its edges.
struct GraphSummary {
    EdgeId edges;
    VertexId cols;
    DegreeStatistics row_degrees, col_degrees;
    double col_reuse;  ///< result of column_reuse(); 0: unknown
};
/// Returns an estimate of refusal(): a reason if the first phase would keep fewer edges than the builder
/// requires, or an empty string.
std::string likely_refusal(const std::string& name, const GraphSummary& summary);
/// Returns the builder of that name. Throws Error (usage), which lists the known names.
const Builder& find_builder(const std::string& name);

}  // namespace lockstep
