// Full stress: every pair of vertices is a term. A sweep processes each pair once, in the order of a
// round-robin tournament, which is computed, not stored.
//
// Vertices are distributed randomly over octets, once. A sweep draws a random order of the octets, of which
// four consecutive ones form a group of 32, and a random order of the phases. In a phase of the circle
// method, every group meets another one. In round x of such a meeting, vertex v of one group meets vertex v ^
// x of the other: 32 terms without a common vertex. In the first phase of a sweep, groups also meet
// themselves, v and v ^ x. A random order is essential: without it, the layout of a grid ends up twisted.
//
// So a warp, or the packs of a CPU, keep two groups in registers. The 8 x 8 inverse distances of two octets
// are contiguous and in order of use: entry [r][i] is that of vertex i of the lower octet and vertex i ^ r of
// the other.
#pragma once

#include <utility>
#include <vector>

#include "lockstep/executor/layout/paths.hpp"
#include "lockstep/executor/layout/stress.hpp"
#include "lockstep/executor/run.hpp"
#include "lockstep/schedules/array.hpp"

namespace lockstep::layout {

inline constexpr VertexId octet = 8, group_octets = 4, group = octet * group_octets;

/// Returns the index at which the tile of octets a <= b begins.
LOCKSTEP_HD EdgeId tile_of(VertexId a, VertexId b, VertexId octets) {
    return (EdgeId{a} * octets - EdgeId{a} * (a + EdgeId{1}) / 2 + b) * octet * octet;
}

/// The meetings of groups. The number of groups is even; the last ones may be empty.
struct Tournament {
    VertexId octets = 0;
    LOCKSTEP_HD VertexId groups() const {
        const VertexId found = (octets + group_octets - 1) / group_octets;
        return found < 2 ? 2 : found + found % 2;
    }
    LOCKSTEP_HD VertexId phases() const { return groups() - 1; }
    LOCKSTEP_HD VertexId meetings() const { return groups() / 2; }
    /// Returns the two groups of meeting i in a phase.
    LOCKSTEP_HD void meeting(VertexId phase, VertexId i, VertexId& one, VertexId& other) const {
        const VertexId turn = groups() - 1;
        one = i == 0 ? turn : (phase + i) % turn;
        other = (phase + turn - i) % turn;
    }
};

/// The random orders of a sweep.
struct SweepOrder {
    std::vector<VertexId> octets, phases;
};
SweepOrder draw_order(const Tournament& tournament, std::uint64_t seed, std::uint64_t sweep);

/// Inverse distances of all pairs of a component, indexed by position in the octets. 2 (vertices + 8)^2
/// bytes.
struct FullStress {
    VertexId vertices = 0;
    std::vector<VertexId> vertex;  ///< vertex at each position, {vertices}
    Array<float> tiles;
    float shortest = 0, longest = 0;  ///< range of the distances; 0 for one vertex

    Tournament tournament() const { return {(vertices + octet - 1) / octet}; }
    EdgeId terms() const { return EdgeId{vertices} * (vertices - EdgeId{1}) / 2; }
    static EdgeId bytes(VertexId vertices);
};

/// Computes all distances. O(vertices x edges) on all threads. Distances are rounded to single precision; the
/// caller checks the resulting positions for overflow.
FullStress full_stress(const Component& component, std::uint64_t seed, int threads);

/// Coordinates of the vertices by index in the octets: one coordinate after another, of `places` (whole
/// octets) each.
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

/// Runs one sweep; half_eta is half the step size. O(terms). `racing`: without barriers.
void sweep_on_cpu(const FullStress& full, const SweepOrder& order, float half_eta, Positions& positions,
                  int threads, bool racing = false);
/// Returns the stress. O(terms). The result does not depend on the number of threads.
double stress_of(const FullStress& full, const Positions& positions, int threads);

/// Terms and positions in the memory of a device. `run` runs sweeps with these orders and half step sizes,
/// from the positions `start`, or from those after the last call if it is null. It returns their seconds.
/// `result` copies the positions to the host.
using Runner = Run<double(const Positions* start, const std::vector<SweepOrder>& orders,
                          const std::vector<float>& half_etas),
                   void(Positions&)>;
/// Builds a runner for a GPU. Throws CudaError, and Error (no_device) if memory is insufficient.
Runner full_on_cuda(const FullStress& full, int dimensions, bool racing);

}  // namespace lockstep::layout
