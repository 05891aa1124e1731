// The one form of every offline schedule: an edge order and nested offset arrays.
//
//     block  ⊃  phase  ⊃  tile  ⊃  step  ⊃  task  ⊃  edge
//
//   block   its items (columns) stay on chip while its phases run          one after another
//           (tiled: a super-stratum of groups, tile_grid.hpp)
//   phase   a device-wide barrier (or neighbour flag) lies between two     one after another
//   tile    one thread block works on it, its vectors resident on chip     concurrent in a phase
//   step    a block-wide barrier lies between two                          one after another
//   task    one worker runs its edges in order                             concurrent in a phase/step
//
// A level that is trivial is absent (its offset array is empty): AGM-E is phase ⊃ edge, AGM-N and
// SGM are block ⊃ phase ⊃ edge with residents, Diag is phase ⊃ edge, BlkDiag is phase ⊃ task ⊃ edge.
// A schedule without any level is a mere edge order (shuffle); one without an edge order is a vertex
// order (degree, metis).
//
// Contract, proved by `verify` (verify.hpp), which shares no code with the builders:
//   1. `order` holds each edge id exactly once (or is empty, for vertex orders);
//   2. each present offset array is monotone from 0 to the size of the next present level;
//   3. concurrent tasks (single edges where there are no tasks) and concurrent tiles share no
//      endpoint on the sides named by `disjoint`, save the first `locked` edges, which have no
//      guarantee and run under locks;
//   4. where `maximal` is set, no edge could have run in an earlier phase of its block;
//   5. where residents are given, every edge of block b is of a column in residents of b, and no
//      column is resident in two blocks.
#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/schedules/graph.hpp"

namespace lockstep {

/// Endpoints that concurrent work shares under no circumstances.
enum class Disjoint { none, row, col, both };

enum class Level { block, phase, tile, step, task };
inline constexpr std::array all_levels{Level::block, Level::phase, Level::tile, Level::step, Level::task};

/// "block", "phase", …: the names used in files and messages.
std::string_view to_string(Level level);
std::string_view to_string(Disjoint disjoint);

struct Schedule {
    std::string name;  ///< key in the registry and in the file, e.g. "agm-e"
    Disjoint disjoint = Disjoint::none;
    bool maximal = false;
    EdgeId locked = 0;    ///< leading edges of `order` outside every level
    Array<EdgeId> order;  ///< edge ids, m entries
    std::array<std::vector<EdgeId>, all_levels.size()> offsets;  ///< by Level; see level()

    std::vector<VertexId> residents;       ///< columns, block after block
    std::vector<EdgeId> resident_offsets;  ///< block -> residents

    std::vector<VertexId> row_order, col_order;  ///< vertex orders: position -> vertex
    std::vector<EdgeId> row_parts, col_parts;    ///< part -> positions in row_order / col_order

    std::map<std::string, std::string> parameters;  ///< what the builder was told, and what it chose

    std::vector<EdgeId>& level(Level l) { return offsets[static_cast<std::size_t>(l)]; }
    const std::vector<EdgeId>& level(Level l) const { return offsets[static_cast<std::size_t>(l)]; }
    bool has(Level l) const { return !level(l).empty(); }
    /// Number of entries of a present level.
    EdgeId count(Level l) const { return has(l) ? level(l).size() - 1 : 0; }
};

/// The edges [first, last) of `order` that each unit of level `l` covers: count(l) + 1 offsets into
/// `order`, starting at `locked`. O(count(l)).
std::vector<EdgeId> edge_offsets(const Schedule& schedule, Level l);

/// Sizes of the rounds (phases) of a schedule, and what follows from them.
struct ScheduleStatistics {
    EdgeId rounds = 0;     ///< device-wide barriers a sweep: phases over all blocks
    EdgeId min_round = 0;  ///< edges of the smallest / median / largest round
    EdgeId median_round = 0;
    EdgeId max_round = 0;
    double mean_round = 0;
    std::vector<EdgeId> histogram;  ///< [i] = number of rounds with 2^i <= edges < 2^(i+1)
    /// Along the worker, or the tiles of one place in their phases, for which each is largest: edges that run
    /// one after another (the longest task of every phase or step), steps, and all edges. Without tasks the
    /// first is `rounds` and the others are 0, without tiles the others are. Tiles of steps without tasks:
    /// the first is the steps of each phase's longest tile, the others are 0.
    EdgeId chain = 0, steps = 0, fullest = 0;
};
ScheduleStatistics statistics(const Schedule& schedule);

}  // namespace lockstep
