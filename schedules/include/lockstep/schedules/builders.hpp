// Every schedule builder and the registry that names them. A builder is a pure function of the graph
// and its options: same input, same schedule, for any number of threads.
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

/// How AGM-E and AGM-N find their matchings. D is the largest degree, the least number there can be.
enum class Matching {
    first_fit,  ///< maximal matchings (Algorithm 1), the fastest; D of them on skewed graphs, more on even
                ///< ones
    euler,      ///< at most D + ceil(log2 D), of equal size, not maximal; O(edges log D)
    exact,      ///< D of them, of equal size, not maximal; Euler splitting and exchanges along paths
    automatic,  ///< first-fit, or Euler splitting where that saves more than a tenth on a near-regular graph
};
/// "first-fit", "euler", "exact", "auto".
std::string_view to_string(Matching matching);
/// Throws Error (usage) listing the known names.
Matching matching_of(std::string_view name);

/// Whose vectors stay on chip, in blocks, while those of the other side move from block to block.
enum class Resident { items, users, automatic };  ///< automatic: with whom a sweep is predicted to be faster
/// "items", "users", "auto".
std::string_view to_string(Resident resident);
/// Throws Error (usage) listing the known names.
Resident resident_of(std::string_view name);

/// Matchings, and the blocks of T items that they are made for.
struct MatchingOptions {
    Matching matching = Matching::first_fit;  ///< AGM-E and AGM-N
    VertexId workers = 16896;  ///< T of AGM-N, SGM and EL+SGM: items of one block, i.e. hardware workers
    VertexId hub_items = 0;    ///< EL+SGM: items under locks; 0 = chosen from the degrees
};

/// What is to fit on chip, and the device that has the room: an H200.
struct OnChipOptions {
    VertexId rank = 16;                        ///< largest rank that shall fit
    bool half_precision = false;               ///< components of two bytes instead of four
    VertexId multiprocessors = 132;            ///< of the device
    EdgeId on_chip_bytes = EdgeId{227} << 10;  ///< shared memory of a multiprocessor
    DeviceCosts costs = {};                    ///< by which sizes are chosen
    VertexId regions_on_chip = 4;              ///< local: tiles that a multiprocessor holds at a time
};

/// Tiles of blocks of items, which stay on chip, and of users.
struct TileOptions : OnChipOptions {
    /// As many item blocks as a sweep is predicted to be fastest with (tile_cost.hpp).
    static constexpr VertexId by_cost = ~VertexId{0};
    VertexId item_blocks = by_cost;           ///< P (of a group), also of blocked; 0 = one a multiprocessor
    VertexId user_blocks = 0;                 ///< R of a group, at least 2 P; 0 = as few as fit on chip
    Resident resident = Resident::automatic;  ///< who stays on chip
    VertexId groups = 0;                      ///< G, of users; 0 = one a device
    VertexId gpus = 1;                        ///< devices that share the groups; G is a multiple of it
    double hub_weight = 1.5;                  ///< how often the most rated item of a block counts
};

/// Options of all builders; each takes its part, and records in Schedule::parameters what it used.
struct BuildOptions : MatchingOptions, TileOptions {
    std::uint64_t seed = 1;                   ///< of all that is drawn
    VertexId block_rows = 0, block_cols = 0;  ///< BlkDiag: a block, R x C; 0 = chosen from the graph
    VertexId parts = 64;                      ///< METIS
    EdgeId star_edges = 0;                    ///< stars: edges of a star at most (S); 0 = by predicted cost
    VertexId region_vertices = 0;  ///< regions: vertices of one at most; 0 = 2,048, with weights 1,024
};

/// The matching of every edge, 0 … count - 1; none of them is empty. 4 bytes an edge.
struct Matchings {
    Array<VertexId> of_edge;
    VertexId count = 0;
    bool operator==(const Matchings&) const = default;
};

/// Maximal matchings M_0, M_1, … of Algorithm 1 (Kaleem et al., III-A) by one pass of first-fit edge
/// colouring. O(edges) for skewed graphs; see first_fit.hpp.
Matchings maximal_matchings(const Graph& graph);
/// Algorithm 1 read literally (repeat: take a maximal matching, remove it): the same classes, in
/// O(edges x matchings). The oracle and the yardstick of `maximal_matchings`.
Matchings repeated_maximal_matchings(const Graph& graph);
/// At most D + ceil(log2 D) matchings, of which the largest exceeds the smallest by 1/64 or one edge:
/// Euler splitting, O(edges log D), 29 bytes an edge (33 from 2^32 edges up); see euler.hpp.
Matchings euler_matchings(const Graph& graph);
/// Exactly D matchings (König's theorem), as even as those; see exact.cpp for time and memory.
Matchings exact_matchings(const Graph& graph);

// Without options they take the defaults of BuildOptions.
Schedule build_agm_e(const Graph&, const MatchingOptions&);  ///< III-A.1: matching after matching
Schedule build_agm_n(const Graph&, const MatchingOptions&);  ///< III-A.2: blocks of T items, matchings of all
Schedule build_sgm(const Graph&, const MatchingOptions&);    ///< III-A.3: matchings of each block of T items
/// V-B: hubs first under locks, the rest SGM.
Schedule build_el_sgm(const Graph&, const MatchingOptions&, std::uint64_t seed = 1);
Schedule build_diag(const Graph&);  ///< III-B.1: row - column constant
Schedule build_blkdiag(const Graph&, VertexId block_rows = 0, VertexId block_cols = 0);  ///< III-B.2
/// Around larger ends; star_edges: 0 = by predicted cost.
Schedule build_stars(const Graph&, EdgeId star_edges = 0, std::uint64_t seed = 1, const DeviceCosts& = {});
Schedule build_tiled(const Graph&, const TileOptions&);    ///< item x user blocks, star forests inside
Schedule build_local(const Graph&, const OnChipOptions&);  ///< regions on chip; throws NoLocality
Schedule build_regions(const Graph&, VertexId region_vertices = 0);  ///< vertices; throws NoLocality
/// Item blocks, their edges at random; rows race.
Schedule build_blocked(const Graph&, const TileOptions&, std::uint64_t seed = 1);
Schedule build_shuffle(const Graph&, std::uint64_t seed = 1);  ///< IV-A: random edge order for EL
Schedule build_degree(const Graph&);                           ///< vertices by decreasing degree
Schedule build_metis(const Graph&, VertexId parts = 64, std::uint64_t seed = 1);  ///< vertices by METIS part
Schedule build_edge_tiled(const Graph&);   ///< tiles of targets, edge by edge
Schedule build_pull_binned(const Graph&);  ///< tiles of targets of one degree bin
Schedule build_hubs(const Graph&);         ///< hubs first, arcs to hubs first; see hubs.cpp
Schedule build_hubs_weight(const Graph&);  ///< the same, light arcs first

/// Local, regions: regions that fit on chip keep too few of the graph's edges.
class NoLocality : public ScheduleError {
public:
    using ScheduleError::ScheduleError;
};

/// EL+SGM: items of more edges than this go under locks, where MatchingOptions::hub_items leaves it open:
/// those near the largest degree, where that is far above the mean, which alone would stretch SGM to many
/// times its typical length.
EdgeId hub_limit(EdgeId largest_degree, EdgeId edges, VertexId cols);

/// As the stars builder chooses: edges of a star at most; of the first `hub_stars` of a phase; the least
/// number of phases with them.
struct StarSizes {
    EdgeId star_edges, hub_edges, least_phases;
};
inline constexpr EdgeId hub_stars = 128;
/// O(edges)
StarSizes star_sizes_of(const Graph& graph, EdgeId star_edges, const DeviceCosts& = {});

/// A schedule that can be asked for by name.
struct Builder {
    const char* name;
    const char* summary;
    Schedule (*build)(const Graph&, const BuildOptions&);
    EdgeId bytes_per_edge;  ///< peak working memory of the builder, an edge
    Form form;              ///< of what it builds
    enum Sets : std::uint8_t {
        any,    ///< for two sides and for one set of vertices
        sides,  ///< for two sides alone
    } sets = sides;
    std::optional<Form> form_of_vertices = {};  ///< of one set, where it is another
    /// Why `build` would throw NoLocality, by its own steps; empty where it would not. O(edges), nothing is
    /// kept.
    std::string (*refusal)(const Graph&, const BuildOptions&) = nullptr;
    EdgeId library_bytes_per_edge = 0;  ///< of these, what a C library takes by itself

    const Form& form_for(Ends ends) const {
        return ends == Ends::vertices && form_of_vertices ? *form_of_vertices : form;
    }
};
std::span<const Builder> builders();
/// Why a schedule of that name is of no use to graphs with such ends; empty where it is.
std::string why_not(const Builder& builder, Ends ends);
/// Why no schedule of that name can be made of the graph; empty where it can. As the builder decides.
std::string refusal(const std::string& name, const Graph& graph, const BuildOptions& options);
/// What is known of a graph without its edges.
struct GraphSummary {
    EdgeId edges;
    VertexId cols;
    DegreeStatistics row_degrees, col_degrees;
    double col_reuse;  ///< column_reuse(); 0: not known
};
/// The same, estimated: the first phase keeps, by the same measure, fewer edges than the builder asks for.
std::string likely_refusal(const std::string& name, const GraphSummary& summary);
/// Throws Error (usage) listing the known names.
const Builder& find_builder(const std::string& name);

}  // namespace lockstep
