// Regions: the layout of a graph with locality whose regions are walked on chip, each by one thread block
// that holds it in shared memory; what lies between regions is sent. regions.cuh has the walk.
//
// Inside a region a vertex is a slot of 16 bits. An arc to another region ends in a ghost, a slot behind
// those of the vertices: it collects what is to be sent along this arc, to a word of the inbox of the other
// region that nobody else writes.
#pragma once

#include "lockstep/executor/frontier/axes.hpp"
#include "lockstep/executor/frontier/expand.hpp"

namespace lockstep::frontier {

/// How weights are kept: as small as they allow.
enum class WeightKind : std::uint32_t { none, bytes, words, floats };
inline constexpr std::uint32_t bytes_of(WeightKind kind) {
    return kind == WeightKind::none ? 0 : 1U << (static_cast<std::uint32_t>(kind) - 1);
}

/// Of one region, at the front of its record.
struct RegionHead {
    std::uint32_t vertices, ghosts, arrivals, neighbours;
    std::uint32_t inbox;  ///< its first word of the inbox, a multiple of 4
    std::uint32_t unused[3];
};

/// Where the arrays of a record begin, in bytes. All records have the same shape, that of the largest.
struct RegionShape {
    static constexpr std::uint32_t row_arcs = 4;         ///< of a row
    static constexpr std::uint32_t has_more = 1U << 15;  ///< in the row's first arc: its last is no arc, but
                                                         ///< says which list of further arcs is its own
    static constexpr std::uint32_t no_ghost = 0xFFFF;

    WeightKind weight = WeightKind::none;
    std::uint32_t slots = 0;       ///< of vertices: a power of two
    std::uint32_t ghosts = 0;      ///< at most
    std::uint32_t neighbours = 0;  ///< at most: regions that a region sends to
    std::uint32_t rows = 0;        ///< 4 x 16 bits a vertex: slots; its own where it has fewer arcs
    std::uint32_t weights = 0;     ///< of these arcs
    std::uint32_t arrivals = 0;    ///< by word of the inbox: its vertex | ghost of the opposite arc << 16
    std::uint32_t targets = 0;     ///< by ghost: word of the inbox that it is sent to
    std::uint32_t ghost_neighbour = 0;  ///< by ghost, 16 bits: place in the list of neighbours
    std::uint32_t neighbour = 0;        ///< regions that are sent to
    std::uint32_t more_first = 0;       ///< list of further arcs -> its first arc
    std::uint32_t more = 0;             ///< further arcs, 16 bits: slots
    std::uint32_t more_weights = 0;
    std::uint32_t bytes = 0;  ///< of a record, a multiple of 16

    /// Bytes of shared memory beside the record, for `warps` warps.
    std::uint32_t working_bytes(std::uint32_t warps) const;
    LOCKSTEP_HD std::uint32_t segment(std::uint32_t warps) const {  ///< of a warp's part of the queue
        const std::uint32_t half = slots / (2 * warps);
        return half > 64 ? half : 64;
    }
};

struct RegionLayout {
    std::uint32_t regions = 0, inbox = 0;  ///< words of it
    RegionShape shape;
    Array<unsigned char> records;
    Array<std::uint32_t> place;  ///< vertex of the graph -> region * shape.slots + slot
    float mean_weight = 1, mean_degree = 0;
    EdgeId bytes() const { return records.size() + 4 * place.size() + 4 * EdgeId{inbox}; }
};

/// `schedule` is a regions schedule of the square graph; `weights`: the graph's are needed. Throws
/// ScheduleError with the reason where a region does not fit on chip. O(arcs), on all threads.
RegionLayout lay_out_regions(const Graph& graph, const Schedule& schedule, bool weights);

/// The plan: on a CPU the generic walk in the order of the regions.
struct Regions : Expand {
    static constexpr Walk facts{.name = "regions", .family = Family::frontier, .form = forms::vertex_parts};
    RegionLayout layout;

    EdgeId bytes() const { return Expand::bytes() + layout.bytes(); }
    /// Throws ScheduleError as lay_out_regions does.
    static Regions make(const Graph& graph, const Schedule* schedule, const Wanted& wanted) {
        return {Expand::make(graph, schedule, wanted), lay_out_regions(graph, *schedule, wanted.weights)};
    }
};

/// On a CPU by priorities, where the operator has them.
template <class Op, class Axes>
auto cpu_runner_of(const Regions& plan, Axes axes, const Op& op, int threads) {
    if (Op::by_priority) axes.priority = Priority::delta;
    return cpu_runner_of(static_cast<const Expand&>(plan), axes, op, threads);
}

}  // namespace lockstep::frontier
