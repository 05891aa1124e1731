#include "lockstep/schedules/tile_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep {

namespace {
double number(EdgeId n) { return static_cast<double>(n); }

/// Returns the expected number of edges of the longest star of one side in a tile. The vertices of the side
/// are in `blocks` blocks, and their edges are distributed over `others` blocks of the other side. If j
/// vertices per block have at least m edges per tile on average, the largest of these j numbers is about m +
/// √(2 m ln j) + ln j / 3. The first vertex of each block is excluded, because its edges count in the chain
/// or in the waiting time.
double longest_star(const SideOfTiles& side, double blocks, double others) {
    double longest = 1;
    for (double j = 1; j * blocks < number(side.vertices); j *= 2) {
        const double mean = side.degree(j * blocks) / others, of = std::log(j);
        longest = std::max(longest, mean + std::sqrt(2 * mean * of) + of / 3);
    }
    return longest;
}
}  // namespace

double TilesCost::seconds() const {
    return launches + std::cbrt(std::pow(tiles, 3) + std::pow(chain, 3)) + waiting;
}

TilesCost cost_of_tiles(const TileGrid& grid, EdgeId edges, const SideOfTiles& resident,
                        const SideOfTiles& moving, EdgeId vector_bytes, const DeviceCosts& d,
                        EdgeId devices) {
    TilesCost cost;
    cost.phases = grid.groups * grid.phases() / devices;
    const double blocks = number(grid.all_item_blocks()), moving_blocks = number(grid.all_user_blocks()),
                 bytes = number(vector_bytes), rank_factor = std::max(1.0, std::pow(bytes / 64, 0.65));
    const double longest =
        longest_star(resident, blocks, moving_blocks) + longest_star(moving, moving_blocks, blocks);
    const double stars = d.tile + d.star_edge * longest,
                 all = d.block_edge * rank_factor * number(edges) / number(grid.tiles()),
                 copies =
                     2 * bytes * std::max(1.0, number(moving.vertices) / moving_blocks) / d.block_copy_bytes;
    cost.tiles =
        number(cost.phases) * std::pow(std::pow(stars, 4) + std::pow(all, 4) + std::pow(copies, 4), 0.25);
    cost.chain = number(cost.phases) * d.chain_phase + resident.degree(0) * d.chain_edge * rank_factor;
    cost.waiting = blocks * std::max(0.0, moving.degree(0) / blocks * d.own_star_edge - stars);
    cost.launches = number(grid.groups) * number(grid.strata()) / number(devices) * d.group;
    return cost;
}

std::string in_words(const TilesCost& cost) {
    return fmt::format(": {} phases, tiles {:.3f} ms, chain {:.3f} ms, waiting {:.3f} ms, launches {:.3f} ms",
                       cost.phases, 1e3 * cost.tiles, 1e3 * cost.chain, 1e3 * cost.waiting,
                       1e3 * cost.launches);
}

}  // namespace lockstep
