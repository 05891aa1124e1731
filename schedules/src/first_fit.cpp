#include "first_fit.hpp"

#include <omp.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>
#include <thread>

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/grouping.hpp"
#include "lockstep/schedules/parallel_errors.hpp"
#include "taken_colours.hpp"

namespace lockstep {

namespace {

/// Colours the edges with one bit mask of taken colours per vertex. Returns false if the mask is too small
/// for the degrees of the graph.
template <class Mask>
bool colour_by_masks(std::span<const EdgeId> runs, std::span<const VertexId> col, std::size_t cols,
                     Matchings& found) {
    std::vector<Mask> taken(cols, 0);
    Mask used = 0;
    for (std::size_t r = 0; r + 1 < runs.size(); ++r) {
        Mask row_taken = 0;
        for (EdgeId i = runs[r]; i < runs[r + 1]; ++i) {
            Mask& other = taken[col[i]];
            const auto busy = static_cast<Mask>(row_taken | other);
            const auto free = static_cast<Mask>(~busy & (busy + 1));
            if (free == 0) return false;
            row_taken = static_cast<Mask>(row_taken | free);
            other = static_cast<Mask>(other | free);
            found.of_edge[i] = static_cast<VertexId>(std::countr_zero(free));
        }
        used = static_cast<Mask>(used | row_taken);
    }
    found.count = static_cast<VertexId>(std::bit_width(used));
    return true;
}

/// Returns the maximum number of edges of a run.
EdgeId longest_run(std::span<const EdgeId> runs) {
    EdgeId longest = 0;
    for (std::size_t r = 0; r + 1 < runs.size(); ++r) longest = std::max(longest, runs[r + 1] - runs[r]);
    return longest;
}

/// One stage of the pipeline: colours the edges of the columns first_col … last_col - 1, one row after
/// another.
class Stage {
public:
    Stage(std::span<const VertexId> col, VertexId first_col, VertexId last_col, EdgeId colours,
          TakenColours& taken, VertexId* colour)
        : col_(col),
          first_(first_col),
          last_(last_col),
          taken_(taken),
          colour_(colour),
          row_taken_(colours / 64 + 2, 0) {}

    /// Colours the edges [begin, end) of one row in the columns of this stage. Earlier stages must have
    /// coloured the row's edges in earlier columns.
    void run(EdgeId begin, EdgeId end) {
        const VertexId* const col = col_.data();
        VertexId* const colour = colour_;
        std::uint64_t* const row = row_taken_.data();
        TakenColours::Record* const records = taken_.records();
        std::uint64_t* const more = taken_.more();
        const VertexId first = first_, last = last_;
        VertexId largest = largest_;
        EdgeId i = begin;
        for (; i < end && col[i] < first; ++i) row[colour[i] / 64] |= std::uint64_t{1} << (colour[i] % 64);
        std::uint32_t row_first = 0;
        for (; i < end && col[i] < last; ++i) {
            while (row[row_first] == full_word) ++row_first;
            // Columns of the next stage are not prefetched: a prefetch for writing would remove their records
            // from the cache of the thread that runs that stage.
            if (i + far < end && col[i + far] < last) __builtin_prefetch(&records[col[i + far]], 1);
            if (row_first > 0 && i + near < end && col[i + near] < last) {
                const TakenColours::Record& next = records[col[i + near]];
                if (row_first > next.first_word)
                    __builtin_prefetch(&more[next.more + std::min(row_first - 1, next.dense)], 1);
            }
            TakenColours::Record& record = records[col[i]];
            const std::uint32_t held = record.first_word;
            std::uint32_t w = std::max(row_first, held);
            std::uint64_t busy =
                row[w] | (w == held ? record.word : TakenColours::later_word(record, more, w));
            while (busy == full_word) {
                ++w;
                busy = row[w] | TakenColours::later_word(record, more, w);
            }
            const std::uint64_t bit = ~busy & (busy + 1);
            row[w] |= bit;
            if (w == held) {
                record.word |= bit;
                const std::uint64_t free = ~record.word;
                if ((free & (free - 1)) == 0) {  // the word has at most one free colour
                    if (free == 0)
                        TakenColours::next_word(record, more);
                    else
                        __builtin_prefetch(&more[record.more + record.first_word], 1);
                }
            } else {
                TakenColours::take_later(record, more, w, bit);
            }
            const VertexId c = w * 64 + static_cast<VertexId>(std::countr_zero(bit));
            colour[i] = c;
            largest = std::max(largest, c);
        }
        while (i-- > begin) row[colour[i] / 64] = 0;
        largest_ = largest;
    }

    VertexId largest() const { return largest_; }

private:
    static constexpr EdgeId near = 8, far = 24;

    const std::span<const VertexId> col_;
    const VertexId first_, last_;
    TakenColours& taken_;
    VertexId* const colour_;
    VertexId largest_ = 0;
    // Bit set of the colours taken at the current row; its last word always has a free colour.
    std::vector<std::uint64_t> row_taken_;
};

/// The number of rows that a stage has finished, on a cache line of its own.
struct alignas(64) Progress {
    std::atomic<std::size_t> runs{0};
    void wait_for(std::size_t run) const {
        while (runs.load(std::memory_order_acquire) <= run) std::this_thread::yield();
    }
};

/// Returns the bounds of the columns of each stage, such that all stages have equal work. A stage also reads
/// the colours of the row's edges in all earlier stages, which costs a quarter as much per edge as colouring.
/// Therefore the numbers of edges of the stages form a geometric sequence.
std::vector<VertexId> stage_bounds(const std::vector<EdgeId>& degree, int stages) {
    constexpr double ratio = 0.75;
    std::vector<VertexId> bounds(1, 0);
    const EdgeId edges = std::accumulate(degree.begin(), degree.end(), EdgeId{0});
    const double scale = static_cast<double>(edges) / (1 - std::pow(ratio, stages));
    EdgeId before = 0;
    for (VertexId v = 0; v < degree.size(); ++v) {
        if (static_cast<double>(before) >= scale * (1 - std::pow(ratio, static_cast<double>(bounds.size()))))
            bounds.push_back(v);
        before += degree[v];
    }
    bounds.resize(static_cast<std::size_t>(stages), static_cast<VertexId>(degree.size()));
    bounds.push_back(static_cast<VertexId>(degree.size()));
    return bounds;
}

/// Colours the edges in a pipeline with one stage per thread. Returns the largest colour.
VertexId colour_in_stages(std::span<const EdgeId> runs, std::span<const VertexId> col,
                          const std::vector<EdgeId>& degree, EdgeId colours, VertexId* colour) {
    constexpr EdgeId worth_a_stage = 1 << 16, published_every = 1 << 13;
    const EdgeId wanted =
        std::clamp<EdgeId>(col.size() / worth_a_stage, 1, static_cast<EdgeId>(omp_get_max_threads()));
    TakenColours taken(degree);
    std::vector<VertexId> bounds;
    std::vector<Progress> progress(wanted);
    VertexId largest = 0;
    ParallelErrors errors;
#pragma omp parallel num_threads(static_cast <int>(wanted)) reduction(max : largest)
    {
        // Stages wait for each other, so each stage needs a thread. No stage begins before all threads have
        // allocated their memory, since a thread that fails would block the others.
#pragma omp single
        errors.run([&] { bounds = stage_bounds(degree, omp_get_num_threads()); });
        const auto s = static_cast<std::size_t>(omp_get_thread_num());
        std::optional<Stage> stage;
        errors.run([&] { stage.emplace(col, bounds[s], bounds[s + 1], colours, taken, colour); });
#pragma omp barrier
        if (!errors.failed()) {
            EdgeId published = 0;
            for (std::size_t r = 0; r + 1 < runs.size(); ++r) {
                if (s > 0) progress[s - 1].wait_for(r);
                stage->run(runs[r], runs[r + 1]);
                if (runs[r + 1] - published < published_every) continue;
                progress[s].runs.store(r + 1, std::memory_order_release);
                published = runs[r + 1];
            }
            progress[s].runs.store(runs.size(), std::memory_order_release);
            largest = stage->largest();
        }
    }
    errors.rethrow();
    return largest;
}

}  // namespace

Matchings first_fit(std::span<const EdgeId> runs, std::span<const VertexId> col, VertexId cols,
                    const std::function<std::vector<EdgeId>()>& degrees) {
    Matchings found{Array<VertexId>(col.size()), 0};
    if (col.empty()) return found;
    // One bit mask per vertex is tried first. If it turns out to be too small, little time is lost: counting
    // the degrees to find out in advance would take longer.
    const EdgeId longest = longest_run(runs);
    if (longest <= 16 && colour_by_masks<std::uint16_t>(runs, col, cols, found)) return found;
    if (longest <= 64 && colour_by_masks<std::uint64_t>(runs, col, cols, found)) return found;

    const std::vector<EdgeId> degree = degrees();
    // The edge itself is an edge of its row and of its column, so its colour is below the sum of both degrees
    // minus 1.
    const EdgeId colours = longest + *std::max_element(degree.begin(), degree.end()) - 1;
    if (colours > max_vertices)
        throw Error(Failure::bad_input, "the degrees of the graph require up to " + std::to_string(colours) +
                                            " matchings; at most 2^32 - 2 are supported");
    found.count = colour_in_stages(runs, col, degree, colours, found.of_edge.data()) + 1;
    return found;
}

Matchings maximal_matchings(const Graph& graph) {
    std::vector<EdgeId> col_degree;
    const auto degree = [&] { return col_degree.empty() ? col_degrees(graph) : std::move(col_degree); };
    const EdgeId row_largest = longest_run(graph.row_offsets);
    // The adjacency matrix of an undirected graph is symmetric, so both sides have equal degrees.
    bool rows = row_largest <= 64 || !graph.directed;
    if (!rows) {
        col_degree = col_degrees(graph);
        rows = row_largest <= *std::max_element(col_degree.begin(), col_degree.end());
    }
    if (rows) return first_fit(graph.row_offsets, graph.col, graph.cols, degree);

    const Array<VertexId> row = edge_rows(graph);
    Array<EdgeId> edge;  // edge IDs in column-major order
    const std::vector<EdgeId> columns =
        group_edges(edge, graph.edges(), graph.cols, [&](EdgeId e) { return graph.col[e]; });
    Array<VertexId> row_of(graph.edges());
#pragma omp parallel for schedule(static)
    for (EdgeId i = 0; i < edge.size(); ++i) row_of[i] = row[edge[i]];
    const Matchings by_column = first_fit(columns, row_of, graph.rows, [&] { return row_degrees(graph); });
    Matchings found{Array<VertexId>(edge.size()), by_column.count};
#pragma omp parallel for schedule(static)
    for (EdgeId i = 0; i < edge.size(); ++i) found.of_edge[edge[i]] = by_column.of_edge[i];
    return found;
}

}  // namespace lockstep
