#include "lockstep/schedules/tile_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep {

namespace {
double number(EdgeId n) { return static_cast<double>(n); }
}  // namespace

double TilesCost::seconds() const {
    return launches + std::cbrt(std::pow(tiles, 3) + std::pow(chain, 3)) + waiting;
}

TilesCost cost_of_tiles(const TileGrid& grid, EdgeId edges, SideOfTiles resident, EdgeId second,
                        SideOfTiles moving, EdgeId vector_bytes, const DeviceCosts& d) {
    TilesCost cost;
    cost.phases = grid.groups * grid.phases();
    const double blocks = number(grid.all_item_blocks()), bytes = number(vector_bytes),
                 rank_factor = std::max(1.0, std::pow(bytes / 64, 0.65));
    const double in_tile = number(edges) / number(grid.tiles()),
                 vertices = std::max(1.0, number(moving.vertices) / number(grid.all_user_blocks())),
                 of_vertex = std::min(4.0, in_tile / vertices);
    const double steps = std::max(1.0, std::log2(1 + in_tile) * (0.122 + 0.044 * std::sqrt(of_vertex)));
    const double longest = std::max(std::pow(in_tile, 0.54), number(second) / number(grid.all_user_blocks()));
    const double work =
        std::max(d.step * steps + d.star_edge * longest, d.block_edge * rank_factor * in_tile);
    const double copies = 2 * bytes * vertices / d.block_copy_bytes;
    cost.tiles = number(cost.phases) * std::max(d.phase + work, copies);
    cost.chain = number(cost.phases) * d.chain_phase + number(resident.largest) * d.chain_edge * rank_factor;
    cost.waiting = blocks * std::max(0.0, number(moving.largest) / blocks * d.own_star_edge - work);
    // The moving vectors to the order of their blocks and back.
    cost.launches = (2 + number(grid.groups) * number(grid.groups)) * d.launch +
                    4 * bytes * number(moving.vertices) / d.memory_bytes;
    return cost;
}

std::string in_words(const TilesCost& cost) {
    return fmt::format(
        ": {} phases, tiles {:.3f} ms, chain {:.3f} ms, waiting {:.3f} ms, launches and order {:.3f} ms",
        cost.phases, 1e3 * cost.tiles, 1e3 * cost.chain, 1e3 * cost.waiting, 1e3 * cost.launches);
}

double cost_of_rounds(double rounds, double size, bool far, const DeviceCosts& d) {
    if (size < 512) return rounds * d.small_round;
    return rounds * (d.round + size * (far ? d.far_edge : d.round_edge));
}

}  // namespace lockstep
