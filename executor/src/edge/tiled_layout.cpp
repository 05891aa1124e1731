#include "lockstep/executor/edge/tiled/layout.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "lockstep/executor/edge/star/arithmetic.hpp"
#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep {

namespace {

constexpr EdgeId tiled_header_words = 4, max_pairs = (1 << 16) - 1, max_bytes = EdgeId{1} << 31;

/// Returns the index of each vertex in its block, for vertices that are in a block.
std::vector<VertexId> places(const std::vector<VertexId>& order, const std::vector<EdgeId>& parts,
                             VertexId vertices) {
    std::vector<VertexId> place(vertices);
    for (std::size_t b = 0; b + 1 < parts.size(); ++b) {
        for (EdgeId i = parts[b]; i < parts[b + 1]; ++i)
            place[order[i]] = static_cast<VertexId>(i - parts[b]);
    }
    return place;
}

}  // namespace

/// The tiles of a plan: computes the sizes of their streams, and writes the streams (layout.hpp).
class TiledLayout::Tiles {
public:
    Tiles(const EdgeView& edges, const TiledPlan& plan, EdgeId vector_bytes)
        : edges_(edges),
          plan_(plan),
          row_(places(plan.row_order, plan.row_parts, edges.rows)),
          col_(places(plan.col_order, plan.col_parts, edges.cols)),
          vector_(static_cast<std::uint32_t>(vector_bytes)) {}

    /// Returns the number of pairs of edges that the kernel reads for a tile. The first pair is empty.
    EdgeId pairs(EdgeId tile) const {
        EdgeId count = 1;
        for (EdgeId task = first_task(tile); task < first_task(tile + 1); ++task)
            count += (length(task) + 1) / 2;
        return count;
    }
    /// Returns the index of the word at which the stars begin, after the steps and their end.
    EdgeId first_star(EdgeId tile) const {
        const EdgeId steps = plan_.tile_steps[tile + 1] - plan_.tile_steps[tile];
        return (tiled_header_words + std::max<EdgeId>(steps, 1) + 1 + 3) / 4 * 4;
    }
    EdgeId first_pair(EdgeId tile) const {
        return first_star(tile) + (2 * (first_task(tile + 1) - first_task(tile)) + 3) / 4 * 4;
    }

    bool has_chain(EdgeId tile) const {
        const EdgeId step = plan_.tile_steps[tile];
        if (step == plan_.tile_steps[tile + 1]) return false;
        for (EdgeId task = plan_.step_tasks[step]; task < plan_.step_tasks[step + 1]; ++task) {
            if (is_chain(task)) return true;
        }
        return false;
    }

    EdgeId tasks(EdgeId tile) const { return first_task(tile + 1) - first_task(tile); }
    EdgeId first_edge(EdgeId tile) const { return plan_.task_offsets[first_task(tile)]; }

    /// Writes the stream of a tile. `chain_next` is true if the next tile of the block of columns has a
    /// chain. If `firsts` is not nullptr, stores the first edge of each star there, relative to the tile's
    /// first edge.
    void write(EdgeId tile, bool chain_next, std::uint32_t* words, std::uint32_t* firsts) const {
        // Whether the tile has a chain, and whether other stars contain the block's first column.
        bool chain = false, met = false;
        std::uint32_t *const steps = words + tiled_header_words, *const stars = words + first_star(tile),
                             *const pairs = words + first_pair(tile);
        EdgeId star = 0, pair = 1, count = 0;
        std::fill(words, pairs + 4, 0);  // zeros for the gaps between the parts, and for the null pair
        std::vector<EdgeId> order, waiting;
        for (EdgeId s = plan_.tile_steps[tile]; s < plan_.tile_steps[tile + 1]; ++s) {
            const bool first_step = s == plan_.tile_steps[tile];
            order.clear();
            for (EdgeId task = plan_.step_tasks[s]; task < plan_.step_tasks[s + 1]; ++task) {
                if (length(task)) order.push_back(task);
            }
            // Held-out edges have shortened the stars by different numbers of edges. Therefore the stars are
            // sorted again by descending length, after the chain.
            const auto before = [&](EdgeId a, EdgeId b) {
                const bool a_leads = first_step && is_chain(a), b_leads = first_step && is_chain(b);
                return a_leads != b_leads ? a_leads : length(a) > length(b);
            };
            if (!std::is_sorted(order.begin(), order.end(), before))
                std::stable_sort(order.begin(), order.end(), before);
            if (!order.empty()) spread_over_banks(order, first_step && is_chain(order.front()), waiting);
            auto task = order.cbegin();
            const auto write_star = [&] {
                if (firsts)
                    firsts[star] = static_cast<std::uint32_t>(plan_.task_offsets[*task] - first_edge(tile));
                stars[2 * star] = static_cast<std::uint32_t>(pair | length(*task) << 16);
                stars[2 * star++ + 1] = centre(*task);
                write_pairs(*task, pairs + 4 * pair);
                pair += (length(*task++) + 1) / 2;
            };
            if (first_step && !order.empty() && is_chain(*task)) {
                chain = true;
                write_star();
            }
            // A first step is always written, even without stars, because it runs concurrently with the
            // chain.
            if (task == order.cend() && !first_step) continue;
            steps[count++] = static_cast<std::uint32_t>(star);
            while (task != order.cend()) {
                met = met || (chain_next && meets_first_col(*task));
                write_star();
            }
        }
        steps[count] = static_cast<std::uint32_t>(star);
        words[0] = static_cast<std::uint32_t>((chain ? 1 : 0) | first_star(tile) << 16);
        words[1] = static_cast<std::uint32_t>(count);
        words[2] = static_cast<std::uint32_t>(first_pair(tile));
        words[3] = met ? 1 : 0;
    }

private:
    static constexpr EdgeId none = ~EdgeId{0};

    EdgeId first_task(EdgeId tile) const { return plan_.first_task(tile); }
    EdgeId length(EdgeId task) const { return plan_.task_offsets[task + 1] - plan_.task_offsets[task]; }
    /// Returns whether the centre of a star is a row. For a star with one edge, either endpoint could be the
    /// centre.
    bool of_row(EdgeId task) const {
        return share_row(edges_, plan_.task_offsets[task], plan_.task_offsets[task + 1]);
    }
    /// Returns the index, in its block, of the column that is the star's centre, or `none` if the centre is a
    /// row.
    EdgeId own_col(EdgeId task) const {
        return length(task) == 0 || of_row(task) ? none : col_[edges_.col[plan_.task_offsets[task]]];
    }
    /// Returns whether a star, which must be in the first step, is the chain.
    bool is_chain(EdgeId task) const { return own_col(task) == 0 && length(task) > long_star; }
    bool meets_first_col(EdgeId task) const {
        for (EdgeId e = plan_.task_offsets[task]; e < plan_.task_offsets[task + 1]; ++e) {
            if (col_[edges_.col[e]] == 0) return true;
        }
        return false;
    }
    std::uint32_t centre(EdgeId task) const {
        const EdgeId begin = plan_.task_offsets[task];
        return of_row(task) ? row_[edges_.row[begin]] * vector_ | 1U << 31
                            : col_[edges_.col[begin]] * vector_;
    }
    /// Reorders the stars of a step to reduce bank conflicts. Neighbouring lane groups load vectors together.
    /// Two vectors of 64 bytes use the same banks if their indices are both even or both odd. Therefore,
    /// consecutive stars of equal length should differ in the parity of the centre and of the first leaf.
    /// `waiting` is a buffer.
    void spread_over_banks(std::vector<EdgeId>& order, bool has_chain, std::vector<EdgeId>& waiting) const {
        if (vector_ != 64) return;
        const auto kind = [&](EdgeId task) {
            const EdgeId edge = plan_.task_offsets[task];
            const VertexId row = row_[edges_.row[edge]] % 2, col = col_[edges_.col[edge]] % 2;
            return (of_row(task) ? 4U : 0U) + 2 * row + col;
        };
        waiting.resize(order.size());
        for (auto first = order.begin() + has_chain; first != order.end();) {
            const auto last =
                std::find_if(first, order.end(), [&](EdgeId t) { return length(t) != length(*first); });
            // Group the stars by kind, and keep their order within each kind.
            std::array<std::ptrdiff_t, 8> left{}, next{};
            for (auto t = first; t != last; ++t) ++left[kind(*t)];
            std::exclusive_scan(left.begin(), left.end(), next.begin(), std::ptrdiff_t{0});
            for (auto t = first; t != last; ++t) waiting[next[kind(*t)]++] = *t;
            unsigned wanted = 0;
            for (auto to = first; to != last; ++to) {
                // The first star of a pair is of the kind of which most stars are left, the second one of the
                // opposite kind.
                const bool second = (to - order.begin() - has_chain) % 2;
                if (!second || left[wanted] == 0)
                    wanted = static_cast<unsigned>(std::max_element(left.begin(), left.end()) - left.begin());
                *to = waiting[next[wanted] - left[wanted]--];
                wanted ^= 3;
            }
            first = last;
        }
    }
    void write_pairs(EdgeId task, std::uint32_t* to) const {
        const EdgeId begin = plan_.task_offsets[task], end = plan_.task_offsets[task + 1];
        const bool row_star = of_row(task);
        for (EdgeId e = begin; e < end; e += 2, to += 4) {
            for (EdgeId k = 0; k < 2; ++k) {
                const EdgeId edge = std::min(e + k, end - 1);
                to[k] = (row_star ? col_[edges_.col[edge]] : row_[edges_.row[edge]]) * vector_;
                to[2 + k] = std::bit_cast<std::uint32_t>(edges_.value[edge]);
            }
        }
    }

    const EdgeView edges_;
    const TiledPlan& plan_;
    std::vector<VertexId> row_, col_;
    std::uint32_t vector_;  ///< size of a vector in bytes
};

namespace {

/// Returns the index in the plan of the i-th tile in the order of the layout (TileGrid::super_tile), in which
/// all tiles of one share and super-stratum are consecutive.
EdgeId tile_at(const TileGrid& grid, EdgeId i) {
    const EdgeId blocks = grid.item_blocks, phases = grid.user_blocks;
    const EdgeId p = i % blocks, t = i / blocks % phases, super_tile = i / (blocks * phases);
    const EdgeId a = super_tile % grid.groups, s = super_tile / grid.groups;
    return (s * phases + t) * grid.side_by_side() + a * blocks + p;
}

}  // namespace

TiledLayout::TiledLayout(const EdgeList& edges, const TiledPlan& plan, EdgeId vector_bytes)
    : tiles_(std::make_unique<Tiles>(plan.walked(edges), plan, vector_bytes)), chains_(plan.grid.tiles()) {
    sizes_.grid = plan.grid;
    sizes_.max_cols = largest_part(plan.col_parts), sizes_.max_rows = largest_part(plan.row_parts);
    const EdgeId count = plan.grid.tiles();
    sizes_.tile_words.assign(count + 1, 0);
    EdgeId max_words = 0, largest = 0;
    bool chains = false;
#pragma omp parallel for schedule(dynamic, 64) reduction(max : max_words, largest) reduction(|| : chains)
    for (EdgeId i = 0; i < count; ++i) {
        const EdgeId tile = tile_at(plan.grid, i), pairs = tiles_->pairs(tile),
                     first_pair = tiles_->first_pair(tile);
        const EdgeId words = sizes_.tile_words[i + 1] = first_pair + 4 * pairs;
        largest = std::max({largest, pairs, first_pair}), max_words = std::max(max_words, words);
        const bool chain = tiles_->has_chain(tile);
        chains_[i] = chain, chains = chains || chain;
    }
    sizes_.max_words = max_words, sizes_.has_chains = chains;
    sizes_.too_large =
        largest >= max_pairs || std::max(sizes_.max_cols, sizes_.max_rows) * vector_bytes >= max_bytes;
    std::partial_sum(sizes_.tile_words.begin(), sizes_.tile_words.end(), sizes_.tile_words.begin());
}
TiledLayout::TiledLayout(TiledLayout&&) noexcept = default;
TiledLayout::~TiledLayout() = default;

TiledEdges TiledLayout::edges() const {
    const EdgeId tiles = sizes_.grid.tiles();
    TiledEdges edges{std::vector<EdgeId>(tiles), std::vector<EdgeId>(tiles + 1), {}};
    for (EdgeId i = 0; i < tiles; ++i) {
        const EdgeId tile = tile_at(sizes_.grid, i);
        edges.tile_edges[i] = tiles_->first_edge(tile);
        edges.tile_stars[i + 1] = edges.tile_stars[i] + tiles_->tasks(tile);
    }
    edges.star_edges.resize(edges.tile_stars.back());
    return edges;
}

void TiledLayout::write(EdgeId first, EdgeId last, std::uint32_t* to, TiledEdges* edges) const {
    const TileGrid& grid = sizes_.grid;
    const EdgeId blocks = grid.item_blocks, phases = grid.user_blocks;
    const std::vector<EdgeId>& begin = sizes_.tile_words;
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic, 4)
    for (EdgeId i = first; i < last; ++i) {
        std::uint32_t* const words = to + (begin[i] - begin[first]);
        std::fill(words, words + (begin[i + 1] - begin[i]), 0);  // zeros for the gaps between the parts
        const bool last_phase = i / blocks % phases + 1 == phases;
        std::uint32_t* const firsts = edges ? edges->star_edges.data() + edges->tile_stars[i] : nullptr;
        errors.run(
            [&] { tiles_->write(tile_at(grid, i), !last_phase && chains_[i + blocks], words, firsts); });
    }
    errors.rethrow();
}

}  // namespace lockstep
