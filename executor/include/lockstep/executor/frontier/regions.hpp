// The plan of the walk `regions`, for graphs with locality. A schedule divides the graph into regions; a
// thread block processes one region at a time in shared memory, and values that cross between regions are
// sent through global memory. Here is the layout of the regions; the GPU code is in regions.cuh.
//
// Inside a region, a vertex is identified by a 16-bit slot. An arc that leaves the region ends in a ghost,
// which has a slot after those of the vertices. The ghost collects the best value that is sent along its arc.
// This value is later written to one word of the other region's inbox, which has no other writer.
#pragma once

#include "lockstep/executor/frontier/axes.hpp"
#include "lockstep/executor/frontier/expand.hpp"

namespace lockstep::frontier {

/// Storage type of the weights: the smallest type that represents all weights exactly.
enum class WeightKind : std::uint32_t { none, bytes, words, floats };
inline constexpr std::uint32_t bytes_of(WeightKind kind) {
    return kind == WeightKind::none ? 0 : 1U << (static_cast<std::uint32_t>(kind) - 1);
}

/// The counts of one region, at the beginning of its record.
struct RegionHead {
    /// number of vertices, ghosts, inbox words, and regions to which the region sends
    std::uint32_t vertices, ghosts, arrivals, neighbours;
    std::uint32_t inbox;  ///< index of the region's first word in the inbox, a multiple of 4
    std::uint32_t unused[3];
};

/// The byte offsets and sizes of the arrays in a region's record. All records have the shape of the largest
/// region. A record contains rows of up to four arcs per vertex, and further lists for vertices with more
/// arcs.
struct RegionShape {
    static constexpr std::uint32_t row_arcs = 4;  ///< number of arcs in a row
    /// Flag in the first element of a row. If it is set, the last element of the row is not an arc, but the
    /// index of the vertex's list of further arcs.
    static constexpr std::uint32_t has_more = 1U << 15;
    static constexpr std::uint32_t no_ghost = 0xFFFF;

    WeightKind weight = WeightKind::none;
    std::uint32_t slots = 0;       ///< number of slots for vertices, a power of two
    std::uint32_t ghosts = 0;      ///< maximum number of ghosts of a region
    std::uint32_t neighbours = 0;  ///< maximum number of regions to which one region sends
    /// offset of the rows: per vertex 4 x 16 bits, the slots of its neighbours, padded with its own slot
    std::uint32_t rows = 0;
    std::uint32_t weights = 0;  ///< offset of the weights of the arcs in the rows
    /// offset of one element per inbox word: receiving vertex | ghost of the opposite arc << 16
    std::uint32_t arrivals = 0;
    std::uint32_t targets = 0;  ///< offset of one element per ghost: inbox word to which its value is sent
    /// offset of 16 bits per ghost: index, in the list `neighbour`, of the region that receives its value
    std::uint32_t ghost_neighbour = 0;
    std::uint32_t neighbour = 0;   ///< offset of the list of the regions to which the region sends
    std::uint32_t more_first = 0;  ///< offset of the index of the first arc of each list of further arcs
    std::uint32_t more = 0;        ///< offset of the further arcs: 16-bit slots of their endpoints
    /// offset of the weights of the further arcs
    std::uint32_t more_weights = 0;
    std::uint32_t bytes = 0;  ///< size of a record in bytes, a multiple of 16

    /// Returns the bytes of shared memory that a thread block of `warps` warps needs in addition to the
    /// record.
    std::uint32_t working_bytes(std::uint32_t warps) const;
    /// Returns the capacity of each warp's part of the work queue.
    LOCKSTEP_HD std::uint32_t segment(std::uint32_t warps) const {
        const std::uint32_t half = slots / (2 * warps);
        return half > 64 ? half : 64;
    }
};

struct RegionLayout {
    /// number of regions; number of words in the inboxes of all regions
    std::uint32_t regions = 0, inbox = 0;
    RegionShape shape;
    Array<unsigned char> records;
    /// slot of each vertex of the graph: region * shape.slots + slot in the region
    Array<std::uint32_t> place;
    float mean_weight = 1, mean_degree = 0;
    EdgeId bytes() const { return records.size() + 4 * place.size() + 4 * EdgeId{inbox}; }
};

/// Builds the layout of a square graph from a schedule "regions". `weights` specifies whether the operator
/// uses the weights. Throws ScheduleError with the reason if a region does not fit in shared memory. Uses all
/// threads. O(arcs)
RegionLayout lay_out_regions(const Graph& graph, const Schedule& schedule, bool weights);

/// The plan of the walk. A CPU runs the generic walk, with the vertices in the order of the regions.
struct Regions : Expand {
    static constexpr Walk facts{.name = "regions", .family = Family::frontier, .form = forms::vertex_parts};
    RegionLayout layout;

    EdgeId bytes() const { return Expand::bytes() + layout.bytes(); }
    /// Builds the plan. Throws ScheduleError if a region does not fit in shared memory.
    static Regions make(const Graph& graph, const Schedule* schedule, const PlanRequirements& wanted) {
        return {Expand::make(graph, schedule, wanted), lay_out_regions(graph, *schedule, wanted.weights)};
    }
};

/// Returns a CPU runner of the generic walk, with priorities if the operator supports them.
template <class Op, class Axes>
auto cpu_runner_of(const Regions& plan, Axes axes, const Op& op, int threads) {
    if (Op::by_priority) axes.priority = Priority::delta;
    return cpu_runner_of(static_cast<const Expand&>(plan), axes, op, threads);
}

}  // namespace lockstep::frontier
