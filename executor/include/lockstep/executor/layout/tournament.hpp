// Full stress, for layouts of small components: every pair of vertices is a term. A sweep processes each pair
// once, in the order of a round-robin tournament. This order is computed, not stored.
//
// At the beginning, vertices are assigned at random to octets of eight. Each sweep uses a random order of the
// octets, of which four consecutive ones form a group of 32 vertices, and a random order of the phases. In a
// phase of the circle method, every group meets one other group. In round x of such a meeting, vertex v of
// one group is paired with vertex (v xor x) of the other: 32 terms without a common vertex. In the first
// phase of a sweep, each group also meets itself, with pairs v and (v xor x). The random order is essential:
// without it, the layout of a grid ends up twisted.
//
// A warp, or the packs of a CPU, can therefore keep the positions of two groups in registers. The 8 x 8
// inverse distances of two octets are contiguous, in the order of their use: element [r][i] is that of vertex
// i of the octet with the lower index and vertex (i xor r) of the other.
#pragma once

#include <utility>
#include <vector>

#include "lockstep/executor/layout/paths.hpp"
#include "lockstep/executor/layout/stress.hpp"
#include "lockstep/executor/run.hpp"
#include "lockstep/schedules/array.hpp"

namespace lockstep::layout {

inline constexpr VertexId octet = 8, group_octets = 4, group = octet * group_octets;

/// Returns the index of the first inverse distance of the octets a ≤ b.
LOCKSTEP_HD EdgeId tile_of(VertexId a, VertexId b, VertexId octets) {
    return (EdgeId{a} * octets - EdgeId{a} * (a + EdgeId{1}) / 2 + b) * octet * octet;
}

/// The schedule of meetings between groups. The number of groups is even; the last groups may be empty.
struct Tournament {
    VertexId octets = 0;
    LOCKSTEP_HD VertexId groups() const {
        const VertexId found = (octets + group_octets - 1) / group_octets;
        return found < 2 ? 2 : found + found % 2;
    }
    LOCKSTEP_HD VertexId phases() const { return groups() - 1; }
    LOCKSTEP_HD VertexId pairings() const { return groups() / 2; }
    /// Returns the two groups of the i-th meeting of a phase.
    LOCKSTEP_HD void pairing(VertexId phase, VertexId i, VertexId& one, VertexId& other) const {
        const VertexId turn = groups() - 1;
        one = i == 0 ? turn : (phase + i) % turn;
        other = (phase + turn - i) % turn;
    }
};

/// The random orders of octets and of phases in one sweep.
struct SweepOrder {
    std::vector<VertexId> octets, phases;
};
SweepOrder draw_sweep_order(const Tournament& tournament, std::uint64_t seed, std::uint64_t sweep);

/// The inverse distances of all pairs of vertices of a component, indexed by the positions of the vertices in
/// the octets. Needs 2 (vertices + 8)^2 bytes.
struct FullStress {
    VertexId vertices = 0;
    std::vector<VertexId> vertex;  ///< vertex at each position in the octets
    Array<float> tiles;
    float shortest = 0, longest = 0;  ///< minimum and maximum distance; 0 for a single vertex

    Tournament tournament() const { return {(vertices + octet - 1) / octet}; }
    EdgeId terms() const { return EdgeId{vertices} * (vertices - EdgeId{1}) / 2; }
    static EdgeId bytes(VertexId vertices);
};

/// Computes the distances of all pairs. Uses all threads. O(vertices x edges). Distances are rounded to
/// single precision; the caller must check the resulting positions for overflow.
FullStress full_stress(const Component& component, std::uint64_t seed, int threads);

/// The coordinates of all vertices: for each dimension `places` numbers, one per position in the octets.
/// `places` is a multiple of eight.
struct Positions {
    int dimensions = 2;
    VertexId places = 0;
    std::vector<float> x;

    Positions() = default;
    Positions(int d, VertexId vertices)
        : dimensions(d), places((vertices + octet - 1) / octet * octet), x(std::size_t{places} * d) {}
    float& at(int k, VertexId place) { return x[std::size_t{places} * k + place]; }
    float at(int k, VertexId place) const { return x[std::size_t{places} * k + place]; }
};

/// Runs one sweep with step size 2 half_eta. If `racing`, there is no barrier between phases. O(terms)
void sweep_on_cpu(const FullStress& full, const SweepOrder& order, float half_eta, Positions& positions,
                  int threads, bool racing = false);
/// Returns the stress of the positions. It does not depend on the number of threads. O(terms)
double stress_of(const FullStress& full, const Positions& positions, int threads);

/// A layout in the memory of a device. `run` runs sweeps with these orders and half step sizes, from the
/// positions `start` or, if it is null, from the positions after the previous call; it returns the time in
/// seconds. `result` copies the positions to the host.
using Runner = Run<double(const Positions* start, const std::vector<SweepOrder>& orders,
                          const std::vector<float>& half_etas),
                   void(Positions&)>;
/// Returns a runner for a GPU. Throws CudaError, and Error (no_device) if the device has too little memory.
Runner full_on_cuda(const FullStress& full, int dimensions, bool racing);

}  // namespace lockstep::layout
