// The common representation of all schedules: an order of the edges, divided into levels by nested offset
// arrays. A unit of each level consists of consecutive units of the next level:
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
// A level that would have one unit per unit of a neighbouring level is absent: its offset array is empty.
// AGM-E and Diag are phase ⊃ edge, AGM-N and SGM are block ⊃ phase ⊃ edge with residents, BlkDiag is phase ⊃
// task ⊃ edge. A schedule without any level is an order of the edges (shuffle). A schedule without an order
// of the edges is an order of the vertices (degree, metis).
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

/// The sides (rows, columns) on which concurrent work never shares an endpoint.
enum class Disjoint { none, row, col, both };

/// The levels of a schedule, outermost first.
enum class Level { block, phase, tile, step, task };
inline constexpr std::array all_levels{Level::block, Level::phase, Level::tile, Level::step, Level::task};

/// Return the names of levels and sides in files and messages: "block", "phase", …; "none", "row", "col",
/// "both".
std::string_view to_string(Level level);
std::string_view to_string(Disjoint disjoint);

struct Schedule {
    std::string name;  ///< name of the builder, e.g. "agm-e"; key in the registry and in schedule files
    Disjoint disjoint = Disjoint::none;
    bool maximal = false;
    /// Number of edges at the beginning of `order` that run under locks, and are in no level.
    EdgeId locked = 0;
    Array<EdgeId> order;  ///< edge IDs in execution order; one entry per edge of the graph
    /// Offset array of each level, indexed by Level; see level().
    std::array<std::vector<EdgeId>, all_levels.size()> offsets;

    std::vector<VertexId> residents;       ///< resident columns of all blocks, one block after another
    std::vector<EdgeId> resident_offsets;  ///< block -> position of its first resident in `residents`

    std::vector<VertexId> row_order, col_order;  ///< vertex orders: position -> vertex
    /// part -> position of its first vertex in row_order or col_order.
    std::vector<EdgeId> row_parts, col_parts;

    std::map<std::string, std::string> parameters;  ///< options of the builder, and the values that it chose

    std::vector<EdgeId>& level(Level l) { return offsets[static_cast<std::size_t>(l)]; }
    const std::vector<EdgeId>& level(Level l) const { return offsets[static_cast<std::size_t>(l)]; }
    bool has(Level l) const { return !level(l).empty(); }
    /// Returns the number of units of level `l`, or 0 if the level is absent.
    EdgeId count(Level l) const { return has(l) ? level(l).size() - 1 : 0; }
};

/// Returns count(l) + 1 offsets into `order`, beginning with `locked`: the edges of unit i of level `l` are
/// at positions result[i] … result[i + 1] - 1. O(count(l)).
std::vector<EdgeId> edge_offsets(const Schedule& schedule, Level l);

/// Sizes of the rounds (phases) of a schedule, and the length of its critical path.
struct ScheduleStatistics {
    EdgeId rounds = 0;     ///< number of phases of all blocks, i.e. of device-wide barriers per sweep
    EdgeId min_round = 0;  ///< number of edges of the smallest, median and largest round
    EdgeId median_round = 0;
    EdgeId max_round = 0;
    double mean_round = 0;
    std::vector<EdgeId> histogram;  ///< [i] = number of rounds with 2^i <= edges < 2^(i+1)
    /// Lengths of the critical path. `steps` and `fullest` are 0 unless the schedule has tiles, steps and
    /// tasks.
    /// - Single edges: `chain` is the number of rounds.
    /// - Tasks without tiles: `chain` is the sum over all phases of the number of edges of the phase's
    ///   longest task.
    /// - Tiles of steps without tasks: `chain` is the sum over all phases of the maximum number of steps of a
    ///   tile.
    /// - Tiles of steps of tasks: the i-th tiles of all phases run one after another. For each i, `chain`
    ///   sums the edges of the longest task of every step, `steps` the steps, and `fullest` all edges of
    ///   these tiles. Each value is the maximum over i.
    EdgeId chain = 0, steps = 0, fullest = 0;
};
/// Returns the statistics of a schedule. O(units of all levels).
ScheduleStatistics statistics(const Schedule& schedule);

}  // namespace lockstep
