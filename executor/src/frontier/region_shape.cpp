#include "region_shape.hpp"

#include <fmt/format.h>

#include <utility>

#include "lockstep/schedules/error.hpp"

namespace lockstep::frontier {

namespace {
// bytes of shared memory for a region; the maximum per thread block is 227 KB
constexpr std::uint32_t shared_memory = 220 << 10;
constexpr EdgeId in_fours(EdgeId n) { return (n + 3) / 4 * 4; }
}  // namespace

void place_arrays(RegionShape& s, const RegionCounts& most) {
    const EdgeId w = bytes_of(s.weight), ghosts = in_fours(most.ghosts),
                 neighbours = in_fours(most.neighbours),
                 needed = 12 * EdgeId{s.slots} + (w * 4) * s.slots + 4 * most.arrivals + 14 * ghosts +
                          8 * neighbours + 4 * most.more_lists + (2 + w) * most.more_arcs + 4 * ghosts;
    if (needed > shared_memory || s.slots + ghosts >= RegionShape::has_more)
        throw ScheduleError(fmt::format(
            "regions: a region needs {} KB of shared memory, but a multiprocessor has {} KB: its {} vertices "
            "have up to {} arcs to other regions, {} arcs from other regions, and {} arcs beyond four per "
            "vertex; the graph has too little locality, or --region-vertices must be smaller",
            needed >> 10, shared_memory >> 10, s.slots, most.ghosts, most.arrivals, most.more_arcs));
    s.ghosts = static_cast<std::uint32_t>(ghosts);
    s.neighbours = static_cast<std::uint32_t>(neighbours);
    std::uint32_t at = sizeof(RegionHead);
    const auto next = [&](EdgeId bytes) {
        return std::exchange(at, at + static_cast<std::uint32_t>((bytes + 15) / 16 * 16));
    };
    s.rows = next(8 * EdgeId{s.slots});
    s.weights = next(4 * w * s.slots);
    s.arrivals = next(4 * most.arrivals);
    s.targets = next(4 * ghosts);
    s.ghost_neighbour = next(2 * ghosts);
    s.neighbour = next(4 * neighbours);
    s.more_first = next(4 * (most.more_lists + 1));
    s.more = next(2 * most.more_arcs);
    s.more_weights = next(w * most.more_arcs);
    s.bytes = at;
}

std::uint32_t RegionShape::working_bytes(std::uint32_t warps) const {
    const std::uint32_t queue = 2 * 2 * warps * (segment(warps) + 32);
    return (4 * (slots + ghosts) + 4 * ghosts + 4 * neighbours + slots + queue + 15) / 16 * 16;
}

}  // namespace lockstep::frontier
