// Sparse stress, for layouts of large components: the terms of neighbours, and the terms of every vertex with
// a few pivots. Each pivot represents the vertices around it (Ortmann, Klimenta, Brandes, "A sparse stress
// model", JGAA 2017).
//
// The region of a pivot p consists of the vertices that are nearer to p than to any other pivot. Vertex i and
// pivot p form a term of weight s / d^2, where d is their distance, and s is the number of vertices j of the
// region with d_jp ≤ d / 2. The term moves only i, so the terms of one pivot can be applied concurrently. A
// sweep processes one pivot after another, in a random order. The position of each pivot at its turn depends
// only on the pivots, so these positions are computed first. Then every vertex is moved independently by its
// terms with all pivots. The terms of neighbours, which move both endpoints, follow; they run in matchings of
// the graph.
#pragma once

#include <memory>

#include "lockstep/executor/layout/tournament.hpp"
#include "lockstep/executor/update/run.hpp"

namespace lockstep::layout {

/// A term of two neighbours, as a user-defined update (update/update.hpp). In two dimensions, the third
/// coordinate is 0.
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
        move_pair(of_a, of_b, e.q, p.half_eta);
        for (int k = 0; k < 3; ++k) a.x[k] = of_a.x[k], b.x[k] = of_b.x[k];
    }
};

struct PivotStress {
    VertexId vertices = 0;
    std::vector<VertexId> pivots;
    /// For each octet of vertices and each pivot: eight inverse distances (0: no term), and eight weights.
    Array<float> terms;
    Graph edges;  ///< edges with first endpoint < second endpoint; the value of an edge is 1 / length
    Schedule matchings;
    float least = 0, largest = 0;  ///< minimum and maximum of the nonzero weights

    VertexId octets() const { return (vertices + octet - 1) / octet; }
    EdgeId block(VertexId o, std::size_t pivot) const {
        return (EdgeId{o} * pivots.size() + pivot) * 2 * octet;
    }
    EdgeId count() const { return EdgeId{vertices} * pivots.size() + edges.edges(); }
};

/// Builds the terms with `pivots` pivots, or with all vertices if there are fewer. Each pivot is drawn at
/// random with a probability proportional to the distance from the previous pivots. Uses all threads.
/// O(pivots x edges) time, and 8 bytes per vertex and pivot
PivotStress pivot_stress(const Component& component, VertexId pivots, std::uint64_t seed, int threads);

/// Copy edge lengths and positions to a run of the terms of neighbours, and positions back from it.
void set_lengths(const PivotStress& stress, update::Run<EdgeTerm>& run);
void put(const Positions& positions, update::Run<EdgeTerm>& run);
void get(const update::Run<EdgeTerm>& run, Positions& positions);

/// Runs sweeps on a CPU.
class PivotRun {
public:
    PivotRun(const PivotStress& stress, int threads);
    /// Runs one sweep with this order of the pivots. O(terms)
    void sweep(const std::vector<VertexId>& order, float half_eta, Positions& positions);

private:
    const PivotStress& stress_;
    int threads_;
    update::Run<EdgeTerm> edges_;
};

/// Returns a runner for a GPU. In its orders, `phases` contains the order of the pivots. Throws the errors of
/// full_on_cuda.
Runner pivots_on_cuda(const PivotStress& stress, int dimensions);

/// Returns the stress of all terms. A term of a vertex and a pivot counts half, because the pivot also has a
/// term with the vertex.
double stress_of(const PivotStress& stress, const Positions& positions, int threads);

}  // namespace lockstep::layout
