// Sparse stress: the terms of neighbours, and the terms of every vertex with some pivots, each of which
// represents the vertices around it (Ortmann, Klimenta, Brandes, "A sparse stress model", JGAA 2017).
//
// The region of a pivot p consists of the vertices that are nearer to p than to any other pivot. Vertex i and
// p form a term of weight s / d^2 with s = |{j in the region: d_jp <= d_ip / 2}|, which moves only i. So the
// terms of one pivot have no common vertex. A sweep processes one pivot after another, in a random order. The
// position of each pivot at its turn depends only on pivots, so these positions are computed first; then
// every vertex moves independently. The terms of neighbours, which move both endpoints, follow in matchings
// of the graph.
#pragma once

#include <memory>

#include "lockstep/executor/layout/tournament.hpp"
#include "lockstep/executor/update/run.hpp"

namespace lockstep::layout {

/// A term of neighbours, as an update of one set of vertices. In two dimensions, the third coordinate is
/// zero.
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
    /// [octet of vertices][pivot]: eight inverse distances (0: no term) and eight weights.
    Array<float> terms;
    Graph edges;  ///< first endpoint < second endpoint; the value is 1 / length
    Schedule matchings;
    float least = 0, largest = 0;  ///< range of the weights

    VertexId octets() const { return (vertices + octet - 1) / octet; }
    EdgeId block(VertexId o, std::size_t pivot) const {
        return (EdgeId{o} * pivots.size() + pivot) * 2 * octet;
    }
    EdgeId count() const { return EdgeId{vertices} * pivots.size() + edges.edges(); }
};

/// Builds the terms with `pivots` pivots, or with all vertices if there are fewer. Each pivot is drawn with a
/// probability proportional to its distance from the previous pivots. O(pivots x edges) on all threads, 8
/// bytes per vertex and pivot.
PivotStress pivot_stress(const Component& component, VertexId pivots, std::uint64_t seed, int threads);

/// Copies lengths and positions to a run of the terms of neighbours, and positions back.
void set_lengths(const PivotStress& stress, update::Run<EdgeTerm>& run);
void put(const Positions& positions, update::Run<EdgeTerm>& run);
void get(const update::Run<EdgeTerm>& run, Positions& positions);

/// Sweeps on a CPU.
class PivotRun {
public:
    PivotRun(const PivotStress& stress, int threads);
    /// Runs one sweep over the pivots in this order. O(terms).
    void sweep(const std::vector<VertexId>& order, float half_eta, Positions& positions);

private:
    const PivotStress& stress_;
    int threads_;
    update::Run<EdgeTerm> edges_;
};

/// Builds a runner for a GPU, for which the `phases` of an order are pivots. Throws like full_on_cuda.
Runner pivots_on_cuda(const PivotStress& stress, int dimensions);

/// Returns the position of each pivot at its turn, {pivots x dimensions}. `positions` are those before the
/// sweep.
std::vector<float> ways_of_pivots(const PivotStress& stress, const std::vector<VertexId>& order,
                                  float half_eta, const Positions& positions);
/// Returns the stress of the terms. Those of a vertex and a pivot count half, since the pivot has such a
/// term, too.
double stress_of(const PivotStress& stress, const Positions& positions, int threads);

}  // namespace lockstep::layout
