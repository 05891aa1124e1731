// Regions: layout of a graph with locality for a walk that processes each region in the shared memory of one
// thread block. Values that cross between regions are sent through global memory. The walk is in regions.cuh.
//
// Inside a region, a vertex has a 16-bit slot. An arc to another region ends in a ghost, a slot after those
// of the vertices. The ghost collects the value to be sent along this arc, to a word of the other region's
// inbox that has no other writer.
#pragma once

#include "lockstep/executor/frontier/axes.hpp"
#include "lockstep/executor/frontier/expand.hpp"

namespace lockstep::frontier {

/// Storage type of the weights: the smallest type that represents all of them.
enum class WeightKind : std::uint32_t { none, bytes, words, floats };
inline constexpr std::uint32_t bytes_of(WeightKind kind) {
    return kind == WeightKind::none ? 0 : 1U << (static_cast<std::uint32_t>(kind) - 1);
}

/// Counts of one region, at the beginning of its record.
struct RegionHead {
    std::uint32_t vertices, ghosts, arrivals, neighbours;
    std::uint32_t inbox;  ///< index of its first word in the inbox, a multiple of 4
    std::uint32_t unused[3];
};

/// Sizes and byte offsets of the arrays in a record. All records have the same shape, that of the largest
/// region.
struct RegionShape {
    static constexpr std::uint32_t row_arcs = 4;  ///< number of arcs in a row
    /// Flag in the first element of a row: the last element is not an arc, but the index of the vertex's list
    /// of further arcs.
    static constexpr std::uint32_t has_more = 1U << 15;
    static constexpr std::uint32_t no_ghost = 0xFFFF;

    WeightKind weight = WeightKind::none;
    std::uint32_t slots = 0;       ///< number of slots for vertices, a power of two
    std::uint32_t ghosts = 0;      ///< maximum number of ghosts of a region
    std::uint32_t neighbours = 0;  ///< maximum number of regions that one region sends to
    std::uint32_t rows = 0;     ///< 4 x 16 bits per vertex: slots of its neighbours, padded with its own slot
    std::uint32_t weights = 0;  ///< weights of the arcs in the rows
    std::uint32_t arrivals = 0;  ///< for each word of the inbox: its vertex | ghost of the opposite arc << 16
    std::uint32_t targets = 0;   ///< for each ghost: word of the inbox to which its value is sent
    std::uint32_t ghost_neighbour = 0;  ///< for each ghost, 16 bits: index in the list of neighbours
    std::uint32_t neighbour = 0;        ///< list of the regions to which the region sends
    std::uint32_t more_first = 0;       ///< index of a list of further arcs -> its first arc
    std::uint32_t more = 0;             ///< further arcs, 16 bits: slots of the endpoints
    std::uint32_t more_weights = 0;
    std::uint32_t bytes = 0;  ///< bytes of a record, a multiple of 16

    /// Returns the bytes of shared memory that are needed in addition to the record, for `warps` warps.
    std::uint32_t working_bytes(std::uint32_t warps) const;
    /// Returns the capacity of one warp's part of the queue.
    LOCKSTEP_HD std::uint32_t segment(std::uint32_t warps) const {
        const std::uint32_t half = slots / (2 * warps);
        return half > 64 ? half : 64;
    }
};

struct RegionLayout {
    std::uint32_t regions = 0, inbox = 0;  ///< number of regions; number of words of the inbox
    RegionShape shape;
    Array<unsigned char> records;
    Array<std::uint32_t> place;  ///< vertex of the graph -> region * shape.slots + slot
    float mean_weight = 1, mean_degree = 0;
    EdgeId bytes() const { return records.size() + 4 * place.size() + 4 * EdgeId{inbox}; }
};

/// Lays out a square graph by a regions schedule. `weights`: the operator needs the graph's weights. Throws
/// ScheduleError with the reason if a region does not fit into shared memory. Runs on all threads in O(arcs)
/// time.
RegionLayout lay_out_regions(const Graph& graph, const Schedule& schedule, bool weights);

/// Plan of the walk. A CPU runs the generic walk in the order of the regions.
struct Regions : Expand {
    static constexpr Walk facts{.name = "regions", .family = Family::frontier, .form = forms::vertex_parts};
    RegionLayout layout;

    EdgeId bytes() const { return Expand::bytes() + layout.bytes(); }
    /// Throws the same ScheduleError as lay_out_regions.
    static Regions make(const Graph& graph, const Schedule* schedule, const Wanted& wanted) {
        return {Expand::make(graph, schedule, wanted), lay_out_regions(graph, *schedule, wanted.weights)};
    }
};

/// Returns a CPU runner of the generic walk, with priorities if the operator has them.
template <class Op, class Axes>
auto cpu_runner_of(const Regions& plan, Axes axes, const Op& op, int threads) {
    if (Op::by_priority) axes.priority = Priority::delta;
    return cpu_runner_of(static_cast<const Expand&>(plan), axes, op, threads);
}

}  // namespace lockstep::frontier
