#include "lockstep/executor/edge/local/layout.hpp"

#include <algorithm>
#include <bit>

#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep {

namespace {

constexpr EdgeId local_header_words = 8, max_places = 1 << 16;
constexpr std::uint32_t none = ~0U;

void sort_unique(std::vector<std::uint32_t>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// The vectors of one side: of the rows, of the columns, or of all vertices if there is one set.
struct Side {
    std::vector<VertexId>& order;   // vertex whose vector is at each position
    std::vector<std::uint32_t> at;  // position of each vertex's vector
    // index of each vector in the current tile, by vertex in the first phase, later by position
    std::vector<std::uint32_t> place;
    std::vector<std::uint32_t> last_tile;  // last tile that contains each vector, by position

    Side(VertexId vertices, std::vector<VertexId>& vertex_order)
        : order(vertex_order), at(vertices, none), place(vertices), last_tile(vertices, none) {
        order.reserve(vertices);
    }
    std::uint32_t name(VertexId v, bool first_phase) const { return first_phase ? v : at[v]; }
    /// Appends the vertices that are in no tile of the first phase to the order.
    void add_rest() {
        for (VertexId v = 0; v < at.size(); ++v) {
            if (at[v] == none) at[v] = static_cast<std::uint32_t>(order.size()), order.push_back(v);
        }
    }
};

class Layouter {
public:
    Layouter(const EdgeList& edges, const LocalPlan& plan)
        : edges_(edges),
          plan_(plan),
          one_set_(edges.ends == Ends::vertices),
          rows_(edges.rows, layout_.row_order),
          cols_(one_set_ ? 0 : edges.cols, layout_.col_order) {}

    LocalLayout run() {
        // Capacity for two words per edge, and some words per vertex of a tile. This is close to the final
        // size, so that later phases seldom reallocate the array.
        layout_.words.reserve(2 * edges_.edges() + edges_.edges() / 2);
        layout_.tiles.reserve(plan_.tile_steps.size() - 1);
        for (EdgeId p = 0; p < plan_.phases(); ++p) {
            add_phase(plan_.phase_tiles[p], plan_.phase_tiles[p + 1]);
            if (p == 0) rows_.add_rest(), cols_.add_rest();
        }
        return std::move(layout_);
    }

private:
    /// The vertices of a tile, as vertex indices in the first phase, later as positions of their vectors; and
    /// the tiles to wait for.
    struct Names {
        std::vector<std::uint32_t> rows, cols, waits;
        EdgeId count() const { return rows.size() + cols.size(); }
    };

    EdgeId first_edge(EdgeId tile) const { return plan_.first_edge(tile); }
    EdgeId steps(EdgeId tile) const { return plan_.tile_steps[tile + 1] - plan_.tile_steps[tile]; }

    /// Adds the tiles [first, last) of a phase, which share no vertex.
    void add_phase(EdgeId first, EdgeId last) {
        const bool first_phase = first == 0;
        std::vector<Names> names(last - first);
        ParallelErrors errors;
#pragma omp parallel for schedule(dynamic, 16)
        for (EdgeId i = 0; i < last - first; ++i) {
            errors.run([&] {
                const EdgeId begin = first_edge(first + i), end = first_edge(first + i + 1);
                Names& n = names[i];
                for (EdgeId e = begin; e < end; ++e) {
                    n.rows.push_back(rows_.name(edges_.row[e], first_phase));
                    (one_set_ ? n.rows : n.cols).push_back(of_cols().name(edges_.col[e], first_phase));
                }
                sort_unique(n.rows), sort_unique(n.cols);
                if (!first_phase) names[i].waits = waits_of(names[i]);
            });
        }
        errors.rethrow();
        for (EdgeId i = 0; i < last - first; ++i) add_tile(first + i, names[i], first_phase);
        if (first_phase) layout_.first_phase = last;
        if (!layout_.tiles.empty())
            layout_.words.resize(layout_.tiles.back().word + layout_.tiles.back().words);
#pragma omp parallel for schedule(dynamic, 16)
        for (EdgeId i = 0; i < last - first; ++i) write(first + i, names[i], first_phase);
    }

    std::vector<std::uint32_t> waits_of(const Names& names) const {
        std::vector<std::uint32_t> tiles;
        for (const std::uint32_t u : names.rows) tiles.push_back(rows_.last_tile[u]);
        for (const std::uint32_t v : names.cols) tiles.push_back(cols_.last_tile[v]);
        sort_unique(tiles);
        if (!tiles.empty() && tiles.back() == none) tiles.pop_back();
        return {tiles.begin(), tiles.end()};
    }

    EdgeId edges_at(EdgeId tile, const Names& names, bool first_phase) const {
        const EdgeId lists = first_phase ? 0 : names.waits.size() + names.count();
        return (local_header_words + steps(tile) + 1 + lists + 1) / 2 * 2;
    }

    void add_tile(EdgeId tile, const Names& names, bool first_phase) {
        const EdgeId edges = first_edge(tile + 1) - first_edge(tile);
        if (names.count() >= max_places) {
            throw ScheduleError("tile " + std::to_string(tile) + " has " + std::to_string(names.count()) +
                                    " vertices, too many for the shared memory of a multiprocessor; "
                                    "preprocess with a smaller --on-chip",
                                Failure::no_device);
        }
        const EdgeId words = (edges_at(tile, names, first_phase) + 2 * edges + 3) / 4 * 4;
        layout_.max_vectors = std::max(layout_.max_vectors, names.count());
        layout_.max_words = std::max(layout_.max_words, words);
        LocalTile placed{layout_.tiles.empty() ? 0 : layout_.tiles.back().word + layout_.tiles.back().words,
                         first_edge(tile),
                         checked_cast<std::uint32_t>(words, "words of a tile"),
                         0,
                         0,
                         0,
                         0};
        const auto lay = [&](Side& side, const std::vector<std::uint32_t>& vertices, std::uint32_t& at,
                             std::uint32_t& count) {
            at = static_cast<std::uint32_t>(side.order.size());
            count = static_cast<std::uint32_t>(vertices.size());
            side.order.insert(side.order.end(), vertices.begin(), vertices.end());
        };
        if (first_phase)
            lay(rows_, names.rows, placed.row, placed.rows), lay(cols_, names.cols, placed.col, placed.cols);
        layout_.tiles.push_back(placed);
    }

    void write(EdgeId tile, const Names& names, bool first_phase) {
        const EdgeId begin = first_edge(tile), end = first_edge(tile + 1),
                     edges = edges_at(tile, names, first_phase);
        const LocalTile& placed = layout_.tiles[tile];
        std::uint32_t *const words = layout_.words.data() + placed.word, *const behind = words + placed.words;
        std::fill_n(words, local_header_words, 0);
        words[0] = static_cast<std::uint32_t>(names.rows.size());
        words[1] = static_cast<std::uint32_t>(names.count());
        words[2] = static_cast<std::uint32_t>(steps(tile));
        words[3] = static_cast<std::uint32_t>(names.waits.size());
        words[4] = static_cast<std::uint32_t>(edges);
        std::uint32_t* to = words + local_header_words;
        for (EdgeId s = 0; s <= steps(tile); ++s)
            *to++ = static_cast<std::uint32_t>(plan_.step_edges[plan_.tile_steps[tile] + s] - begin);
        if (!first_phase) {
            for (const auto* list : {&names.waits, &names.rows, &names.cols})
                to = std::copy(list->begin(), list->end(), to);
        }
        std::fill(to, words + edges, 0);
        std::uint32_t place = 0;
        const auto take = [&](Side& side, const std::vector<std::uint32_t>& vertices, std::uint32_t at) {
            for (std::uint32_t i = 0; i < vertices.size(); ++i) {
                const std::uint32_t name = vertices[i];
                side.place[name] = place++;
                if (first_phase) side.at[name] = at + i;
                side.last_tile[first_phase ? at + i : name] = static_cast<std::uint32_t>(tile);
            }
        };
        take(rows_, names.rows, placed.row), take(cols_, names.cols, placed.col);
        to = words + edges;
        for (EdgeId e = begin; e < end; ++e) {
            *to++ = rows_.place[rows_.name(edges_.row[e], first_phase)] |
                    of_cols().place[of_cols().name(edges_.col[e], first_phase)] << 16;
            *to++ = std::bit_cast<std::uint32_t>(edges_.value[e]);
        }
        std::fill(to, behind, 0);
    }

    const Side& of_cols() const { return one_set_ ? rows_ : cols_; }

    const EdgeList& edges_;
    const LocalPlan& plan_;
    const bool one_set_;
    LocalLayout layout_;
    Side rows_, cols_;
};

}  // namespace

LocalLayout local_layout(const EdgeList& edges, const LocalPlan& plan) { return Layouter(edges, plan).run(); }

std::optional<std::string> why_not(const LocalLayout& layout, const OperatorSize& size,
                                   const gpu::Properties& device) {
    if (auto why = not_on_chip("local", size, device)) return why;
    const EdgeId bytes = local_bytes(layout, size);
    if (bytes <= device.shared_bytes) return {};
    return "a tile of the schedule needs " + std::to_string(bytes) + " of " +
           std::to_string(device.shared_bytes) +
           " bytes of shared memory at this rank; preprocess with the --rank and --storage of the run";
}

std::optional<std::string> LocalPlan::why_not(const EdgeList& edges, const OperatorSize& size,
                                              const gpu::Properties& device) const {
    try {
        return lockstep::why_not(local_layout(edges, *this), size, device);
    } catch (const ScheduleError& e) {  // a tile does not fit in shared memory
        return e.what();
    }
}

}  // namespace lockstep
