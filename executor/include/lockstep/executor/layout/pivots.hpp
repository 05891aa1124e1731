// Sparse stress: the terms of neighbours, and of every vertex with some pivots, each of which stands for those around it
// (Ortmann, Klimenta, Brandes, "A sparse stress model", JGAA 2017).
//
// A pivot p has the vertices as its region that are nearer to it than to others. Vertex i and p are a term of weight
// s / d^2 with s = |{j in the region: d_jp <= d_ip / 2}|, which moves i alone. So the terms of one pivot have no common
// vertex: a sweep takes one pivot after another, in an order that it draws, and where each one is when its turn comes
// depends on pivots alone. That is found first; then every vertex goes its way by itself. The terms of neighbours, which
// move both ends, follow, in matchings of the graph.
#pragma once

#include <memory>

#include "lockstep/executor/layout/tournament.hpp"
#include "lockstep/executor/update/run.hpp"

namespace lockstep::layout {

/// A term of neighbours, as an update of one set of vertices. Two dimensions are three with a zero.
struct EdgeTerm {
    struct Vertex {
        float x[max_dimensions];
    };
    struct Edge {
        float q;
    };
    struct Parameters {
        float half_eta;
    };
    LOCKSTEP_HD static void update(Vertex& a, Vertex& b, const Edge& e, const Parameters& p) {
        Point<float, 3> of_a{{a.x[0], a.x[1], a.x[2]}}, of_b{{b.x[0], b.x[1], b.x[2]}};
        meet(of_a, of_b, e.q, p.half_eta);
        for (int k = 0; k < 3; ++k) a.x[k] = of_a.x[k], b.x[k] = of_b.x[k];
    }
};

struct PivotStress {
    VertexId vertices = 0;
    std::vector<VertexId> pivots;
    /// [octet of vertices][pivot]: eight inverse distances, 0 of no term, and eight weights.
    Array<float> terms;
    Graph edges;  ///< first end < second; the value is 1 / length
    Schedule matchings;
    float least = 0, largest = 0;  ///< weights

    VertexId octets() const { return (vertices + octet - 1) / octet; }
    EdgeId block(VertexId o, std::size_t pivot) const {
        return (EdgeId{o} * pivots.size() + pivot) * 2 * octet;
    }
    EdgeId count() const { return EdgeId{vertices} * pivots.size() + edges.edges(); }
};

/// With `pivots` pivots, or all vertices where there are fewer: each drawn with a chance of its distance from those before.
/// O(pivots x edges) on all threads, 8 bytes a vertex and pivot.
PivotStress pivot_stress(const Component& component, VertexId pivots, std::uint64_t seed, int threads);

/// Lengths and positions to a run of the terms of neighbours, and positions back.
void set_lengths(const PivotStress& stress, update::Run<EdgeTerm>& run);
void put(const Positions& positions, update::Run<EdgeTerm>& run);
void get(const update::Run<EdgeTerm>& run, Positions& positions);

/// Sweeps on a CPU.
class PivotRun {
public:
    PivotRun(const PivotStress& stress, int threads);
    /// `order` of the pivots. O(terms).
    void sweep(const std::vector<VertexId>& order, float half_eta, Positions& positions);

private:
    const PivotStress& stress_;
    int threads_;
    update::Run<EdgeTerm> edges_;
};

/// The same in the memory of a GPU; the orders are of pivots, as phases. Throws as full_on_cuda.
DeviceRunner pivots_on_cuda(const PivotStress& stress, int dimensions);

/// Where each pivot is when its turn comes: {pivots x dimensions}. `positions` are those before the sweep.
std::vector<float> ways_of_pivots(const PivotStress& stress, const std::vector<VertexId>& order,
                                  float half_eta, const Positions& positions);
/// Of the terms: those of a vertex and a pivot by half, since the other end has one, too.
double stress_of(const PivotStress& stress, const Positions& positions, int threads);

}  // namespace lockstep::layout
