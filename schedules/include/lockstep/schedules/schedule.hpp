// The common representation of all offline schedules: an edge order and nested offset arrays.
//
//     block  ⊃  phase  ⊃  tile  ⊃  step  ⊃  task  ⊃  edge
//
//   block   its items (columns) stay in shared memory while its phases run    one after another
//           (tiled: a super-stratum of groups, tile_grid.hpp)
//   phase   a device-wide barrier (or a neighbour flag) separates phases      one after another
//   tile    one thread block runs it, with its vectors in shared memory       concurrent in a phase
//   step    a block-wide barrier separates steps                              one after another
//   task    one worker runs its edges in order                                concurrent in a phase/step
//
// A trivial level is absent (its offset array is empty): AGM-E is phase ⊃ edge, AGM-N and SGM are block ⊃
// phase ⊃ edge with residents, Diag is phase ⊃ edge, BlkDiag is phase ⊃ task ⊃ edge. A schedule without any
// level is an edge order (shuffle); one without an edge order is a vertex order (degree, metis).
//
// Contract, checked by `verify` (verify.hpp), which shares no code with the builders:
//   1. `order` contains each edge ID exactly once (or is empty, for vertex orders);
//   2. each present offset array is monotone from 0 to the size of the next present level;
//   3. concurrent tasks (single edges if there are no tasks) and concurrent tiles share no endpoint on
//      the sides named by `disjoint`, except the first `locked` edges, which have no guarantee and run
//      under locks;
//   4. if `maximal` is set, no edge could have run in an earlier phase of its block;
//   5. if there are residents, the column of every edge of block b is a resident of b, and no column is
//      resident in two blocks.
#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/schedules/graph.hpp"

namespace lockstep {

/// The kinds of endpoints that concurrent work never shares.
enum class Disjoint { none, row, col, both };

enum class Level { block, phase, tile, step, task };
inline constexpr std::array all_levels{Level::block, Level::phase, Level::tile, Level::step, Level::task};

/// Return the names that files and messages use: "block", "phase", …; "none", "row", "col", "both".
std::string_view to_string(Level level);
std::string_view to_string(Disjoint disjoint);

struct Schedule {
    std::string name;  ///< key in the registry and in the file, e.g. "agm-e"
    Disjoint disjoint = Disjoint::none;
    bool maximal = false;
    EdgeId locked = 0;    ///< number of leading edges of `order` that are outside every level
    Array<EdgeId> order;  ///< edge IDs; one entry per edge of the graph
    std::array<std::vector<EdgeId>, all_levels.size()> offsets;  ///< indexed by Level; see level()

    std::vector<VertexId> residents;       ///< resident columns, one block after another
    std::vector<EdgeId> resident_offsets;  ///< block -> position in `residents`

    std::vector<VertexId> row_order, col_order;  ///< vertex orders: position -> vertex
    std::vector<EdgeId> row_parts, col_parts;    ///< part -> position in row_order or col_order

    std::map<std::string, std::string> parameters;  ///< options of the builder, and the values that it chose

    std::vector<EdgeId>& level(Level l) { return offsets[static_cast<std::size_t>(l)]; }
    const std::vector<EdgeId>& level(Level l) const { return offsets[static_cast<std::size_t>(l)]; }
    bool has(Level l) const { return !level(l).empty(); }
    /// Returns the number of units of level `l`; 0 if the level is absent.
    EdgeId count(Level l) const { return has(l) ? level(l).size() - 1 : 0; }
};

/// Returns the ranges of `order` that the units of level `l` cover: count(l) + 1 offsets into `order`,
/// starting at `locked`. O(count(l)).
std::vector<EdgeId> edge_offsets(const Schedule& schedule, Level l);

/// Sizes of the rounds (phases) of a schedule, and derived quantities.
struct ScheduleStatistics {
    EdgeId rounds = 0;     ///< device-wide barriers per sweep: number of phases of all blocks
    EdgeId min_round = 0;  ///< number of edges of the smallest, median and largest round
    EdgeId median_round = 0;
    EdgeId max_round = 0;
    double mean_round = 0;
    std::vector<EdgeId> histogram;  ///< [i] = number of rounds with 2^i <= edges < 2^(i+1)
    /// Lengths of the critical path; `steps` and `fullest` are 0 except for tiles of steps of tasks.
    /// - Tasks without tiles: `chain` is the sum over phases of the number of edges of the longest task.
    /// - Tiles of steps of tasks: the tiles at one position of every phase run one after another. Summed over
    ///   them, `chain` counts the edges of the longest task of every step, `steps` the steps, and `fullest`
    ///   all edges. Each is the maximum over positions.
    /// - Tiles of steps without tasks: `chain` is the sum over phases of the steps of the longest tile.
    /// - Single edges: `chain` is `rounds`.
    EdgeId chain = 0, steps = 0, fullest = 0;
};
ScheduleStatistics statistics(const Schedule& schedule);

}  // namespace lockstep
