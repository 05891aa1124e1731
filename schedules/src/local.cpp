// The local schedule, for graphs with locality such as road networks. The vertices are divided into regions
// that fit in shared memory. A tile contains the edges with both endpoints in one region, so the tiles of a
// phase share no vertex. The remaining edges, between regions, form the graph of the next phase, whose
// vertices are divided into other regions, and so on until no edge remains.
//
// If most edges join vertices that are near each other, the first phase contains nearly all edges. Then each
// vector is copied to shared memory little more than once per sweep, whereas phases of matchings (agm-e) read
// a vector once for each of its edges. Within a tile, the steps are first-fit matchings: the edges of a step
// share no vertex, and run in parallel on the vectors in shared memory.
#include <fmt/format.h>

#include <bit>
#include <numeric>

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/grouping.hpp"
#include "lockstep/schedules/parallel_errors.hpp"
#include "regions.hpp"
#include "tile_matchings.hpp"

namespace lockstep {

namespace {

/// Numbers the endpoints of edges, rows and columns together, such that vertices with nearby IDs have nearby
/// numbers.
class Names {
public:
    explicit Names(const Graph& graph)
        : rows_(graph.rows), cols_(graph.cols), one_set_(graph.ends == Ends::vertices) {}

    bool one_set() const { return one_set_; }
    /// Numbers the endpoints of all edges of the graph. If there are as many rows as columns, row i and
    /// column i get consecutive numbers, because they are likely to be the same vertex. With one set of
    /// vertices, they are one vertex and get one number.
    EdgeEnds of_all(const Array<VertexId>& row, const Array<VertexId>& col) const {
        EdgeEnds ends;
        if (one_set_) return {rows_, row, col};
        ends.vertices = checked_cast<VertexId>(EdgeId{rows_} + cols_, "rows and columns together");
        ends.row.resize(row.size()), ends.col.resize(row.size());
        const bool square = rows_ == cols_;
#pragma omp parallel for schedule(static)
        for (EdgeId e = 0; e < row.size(); ++e) {
            ends.row[e] = square ? 2 * row[e] : row[e];
            ends.col[e] = square ? 2 * col[e] + 1 : rows_ + col[e];
        }
        return ends;
    }
    /// Numbers the endpoints of the given edges only, in the order of their first occurrence. Vertices
    /// without an edge get no number.
    EdgeEnds of_some(const Array<VertexId>& row, const Array<VertexId>& col) {
        row_.resize(rows_, none), col_.resize(one_set_ ? 0 : cols_, none);
        std::vector<VertexId>& of_col = one_set_ ? row_ : col_;
        EdgeEnds ends;
        ends.row.resize(row.size()), ends.col.resize(row.size());
        const auto name = [&](VertexId& known) { return known == none ? known = ends.vertices++ : known; };
        for (EdgeId e = 0; e < row.size(); ++e)
            ends.row[e] = name(row_[row[e]]), ends.col[e] = name(of_col[col[e]]);
        for (EdgeId e = 0; e < row.size(); ++e) row_[row[e]] = none, of_col[col[e]] = none;
        return ends;
    }

private:
    static constexpr VertexId none = ~VertexId{0};
    VertexId rows_, cols_;
    bool one_set_;
    // vertex -> number; row_ serves all endpoints if there is one set of vertices.
    std::vector<VertexId> row_, col_;
};

// The builder refuses a graph if a phase contains less than 1/8 of the edges that remain: it would need too
// many phases. The first phase contains 94 % of the edges of a road network, and 2-4 % of a power-law graph.
constexpr EdgeId min_share = 8;
// maximum number of remaining edges for which any number of phases is acceptable.
constexpr EdgeId few_edges = 1 << 16;

/// Builds the phases of the local schedule, one after another.
class LocalBuilder {
public:
    /// If `tiles` is false, the edges of a tile are not divided into steps. This suffices to find out whether
    /// the builder refuses the graph.
    LocalBuilder(const Graph& graph, const SharedMemoryOptions& options, Schedule& schedule,
                 bool tiles = true)
        : size_(region_size(options)),
          workers_(options.multiprocessors * EdgeId{options.regions_per_multiprocessor}),
          tiles_(tiles),
          schedule_(schedule),
          names_(graph) {
        row_ = edge_rows(graph), col_ = graph.col;
        schedule.order = identity_order(graph.edges());
        for (const Level level : {Level::phase, Level::tile, Level::step}) schedule.level(level) = {0};
    }

    /// Builds all phases. Returns the number of vectors that all tiles of a sweep copy to shared memory.
    EdgeId build() {
        while (done_ < schedule_.order.size()) add_phase();
        return vectors_;
    }

private:
    std::span<EdgeId> order() { return std::span(schedule_.order).subspan(done_); }

    void add_phase() {
        const EdgeEnds ends = done_ == 0 ? names_.of_all(row_, col_) : names_.of_some(row_, col_);
        const Regions regions = grow_regions(ends, size_of_phase(ends));
        const auto& region = regions.of_vertex;
        const EdgeId edges = row_.size();
        // The edges between regions come last, as if they formed an additional region.
        Array<EdgeId> by_region;
        const std::vector<EdgeId> tiles =
            group_edges(by_region, edges, EdgeId{regions.count} + 1, [&](EdgeId e) {
                return region[ends.row[e]] == region[ends.col[e]] ? region[ends.row[e]] : regions.count;
            });
        check(edges, tiles[regions.count], regions.count);
        if (tiles_) add_tiles(ends, by_region, tiles);
        ++phases_;
        // The edges between regions become the graph of the next phase. They keep their row-major order.
        permute_rest(by_region, tiles[regions.count]);
    }

    /// Returns the capacity of the regions of a phase. With one set of vertices, later phases have so few
    /// edges that regions of full size would be fewer than the multiprocessors can process concurrently.
    /// Their regions get a smaller capacity, such that there is about one per concurrent tile, but at least 8
    /// KiB.
    RegionSize size_of_phase(const EdgeEnds& ends) const {
        constexpr EdgeId least = 1 << 13;
        RegionSize size = size_;
        if (done_ == 0 || !names_.one_set()) return size;
        const EdgeId all = ends.vertices * size.vertex_bytes + ends.row.size() * size.edge_bytes;
        size.capacity = std::min(size.capacity, std::max(least, all / workers_));
        return size;
    }

    /// Throws NoLocality if the regions of a phase contain so few edges that there would be too many phases.
    void check(EdgeId edges, EdgeId kept, VertexId regions) const {
        if (kept > 0 && (edges <= few_edges || kept >= edges / min_share)) return;
        throw NoLocality("local: phase " + std::to_string(phases_) + " keeps " + std::to_string(kept) +
                         " of " + std::to_string(edges) + " edges inside its " + std::to_string(regions) +
                         " regions of " + std::to_string(size_.capacity) +
                         " bytes, too few: the graph has no locality; use agm-e if all degrees are small, "
                         "otherwise tiled");
    }

    /// Divides the edges of each region into steps, and appends one tile per region to the schedule.
    void add_tiles(const EdgeEnds& ends, Array<EdgeId>& by_region, const std::vector<EdgeId>& tiles) {
        const EdgeId regions = tiles.size() - 2;
        std::vector<std::vector<EdgeId>> sizes(regions);
        std::vector<std::uint32_t> taken(ends.vertices);
        EdgeId vectors = 0;
        ParallelErrors errors;
#pragma omp parallel
        {
            TileMatchings matchings(ends, taken);
#pragma omp for schedule(dynamic, 16)
            for (EdgeId r = 0; r < regions; ++r) {
                errors.run([&] {
                    matchings.sort(std::span(by_region).subspan(tiles[r], tiles[r + 1] - tiles[r]), sizes[r]);
                });
            }
#pragma omp for schedule(static) reduction(+ : vectors)
            for (EdgeId v = 0; v < taken.size(); ++v) vectors += taken[v] != 0;
        }
        errors.rethrow();
        vectors_ += vectors;
        std::vector<EdgeId>&steps = schedule_.level(Level::step), &tile_steps = schedule_.level(Level::tile);
        for (const auto& tile : sizes) {
            if (tile.empty()) continue;
            for (const EdgeId size : tile) steps.push_back(steps.back() + size);
            tile_steps.push_back(steps.size() - 1);
        }
        schedule_.level(Level::phase).push_back(tile_steps.size() - 1);
    }

    /// Applies the order by region to schedule_.order, and keeps only the edges between regions in row_ and
    /// col_.
    void permute_rest(const Array<EdgeId>& by_region, EdgeId kept) {
        const std::span<EdgeId> ids = order();
        Array<EdgeId> sorted(ids.size());
#pragma omp parallel for schedule(static)
        for (EdgeId i = 0; i < ids.size(); ++i) sorted[i] = ids[by_region[i]];
        std::copy(sorted.begin(), sorted.end(), ids.begin());
        const EdgeId rest = ids.size() - kept;
        Array<VertexId> row(rest), col(rest);
#pragma omp parallel for schedule(static)
        for (EdgeId i = 0; i < rest; ++i)
            row[i] = row_[by_region[kept + i]], col[i] = col_[by_region[kept + i]];
        row_.swap(row), col_.swap(col);
        done_ += kept;
    }

    RegionSize size_;
    EdgeId workers_;  // number of tiles that the device processes concurrently
    bool tiles_;
    EdgeId phases_ = 0;
    Schedule& schedule_;
    Names names_;
    Array<VertexId> row_, col_;  // endpoints of the edges that are not in a phase yet
    /// Number of edges that are in phases, and number of vectors that the tiles of these phases copy.
    EdgeId done_ = 0, vectors_ = 0;
};

}  // namespace

std::string refusal_of_local(const Graph& graph, const BuildOptions& options) try {
    Schedule unused;
    LocalBuilder(graph, options, unused, false).build();
    return {};
} catch (const NoLocality& e) {
    return e.what();
}

std::string likely_refusal_of_local(const GraphSummary& s) {
    if (s.edges <= few_edges) return {};
    const auto edges = static_cast<double>(s.edges);
    // If vertices with nearby IDs are near each other in the graph, consecutive rows and the columns of their
    // edges form a region. `outside` estimates the number of all edges of these columns per edge inside the
    // region.
    const double outside = s.col_reuse > 0 ? (1 - s.col_reuse) * edges / std::max(s.cols, VertexId{1}) : 1;
    // Limit of the mean degree at the endpoint of a random edge. With larger degrees, a region is full of
    // edges that lead to vertices outside of it.
    constexpr double hub = 64;
    const double neighbours = std::max(s.row_degrees.squares, s.col_degrees.squares) / edges;
    if (outside <= min_share && neighbours <= hub) return {};
    return fmt::format(
        "local: the estimated number of edges inside regions is too small: {}; lockstep-preprocess "
        "--schedule local builds the schedule nevertheless",
        neighbours > hub ? fmt::format("an endpoint of an edge has {:.0f} neighbours on average", neighbours)
                         : fmt::format("consecutive rows share the column of one in {:.0f} edges", outside));
}

Schedule build_local(const Graph& graph, const SharedMemoryOptions& options) {
    Schedule schedule;
    schedule.name = "local";
    schedule.disjoint = Disjoint::both;
    schedule.parameters["rank"] = std::to_string(options.rank);
    schedule.parameters["storage"] = options.half_precision ? "fp16" : "fp32";
    schedule.parameters["vectors"] = std::to_string(LocalBuilder(graph, options, schedule).build());
    return schedule;
}

}  // namespace lockstep
