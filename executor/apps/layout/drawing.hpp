// Draws a graph: divides it into connected components, computes the terms of the stress of each component,
// and runs sweeps of gradient descent with decreasing step sizes.
#pragma once

#include <memory>
#include <optional>

#include "apps/device.hpp"
#include "apps/layout/parts.hpp"
#include "lockstep/executor/layout/pivots.hpp"

namespace lockstep::layout {

struct Options {
    int dimensions = 2;
    /// Number of sweeps in which the step size decreases from its maximum (annealing).
    std::uint64_t sweeps = 15;
    double eps = 0.1;  ///< step size of the last annealing sweep, relative to the largest weight of a term
    /// If set, further sweeps run until no vertex moves by more than this share of the shortest edge.
    std::optional<double> until = {};
    std::uint64_t seed = 1;
    /// Number of vertices up to which the terms of a component are all pairs; larger components use pivots.
    VertexId full_up_to = 20000;
    VertexId pivots = 200;  ///< number of pivot vertices of a component that uses pivots
    bool racing = false;
    bool sweeps_by_distances = false;  ///< whether the graph determines the number of sweeps
    Device device = Device::cpu;
    int threads = 1;
};

/// The positions of all vertices in the order of the graph: {vertices x dimensions}, row-major.
using VertexPositions = std::vector<float>;

/// Returns the step size of sweep t = 0, 1, … (Zheng, Pawar and Goodman, 2.1 and 2.2). It decreases from 1 /
/// least to eps / largest in `sweeps` sweeps, where `least` and `largest` are the smallest and the largest
/// weight of a term. With `until`, it decreases only as 1 / t as soon as it is less than 1 / largest.
double step_size(std::uint64_t t, const Options& options, double least, double largest);

/// Returns the order of the vertices in a component that has all pairs as terms: the vertex at each index.
std::vector<VertexId> places_of(VertexId vertices, const Options& options);
/// Returns the initial positions of a component, by index. `vertex` contains the vertex of the component at
/// each index.
Positions first_positions(const Parts& parts, std::size_t component, const Options& options,
                          const VertexPositions* start, const std::vector<VertexId>& vertex);
/// Arranges the drawings of all components side by side, and returns the positions by vertex. The drawings
/// are by index; `vertex` contains the vertex at each index, for each component.
VertexPositions arrange_components(std::vector<Positions> drawings, const Parts& parts,
                                   const std::vector<std::vector<VertexId>>& vertex);

class Drawing {
public:
    /// Computes the distances between vertices. Throws Error (bad_input) if there is too little memory, and
    /// ScheduleError if `racing` is set and a component uses pivots.
    Drawing(const Graph& graph, const Options& options);
    ~Drawing();

    /// Sets the positions before the first sweep to `start`. If `start` is null, sets them to random
    /// positions in the unit square or cube.
    void begin(const VertexPositions* start);

    /// Runs the next `count` sweeps, and returns their execution time in seconds.
    double sweep(std::uint64_t count);
    std::uint64_t swept() const { return swept_; }
    /// Returns the number of annealing sweeps, which is an option or determined by the graph.
    std::uint64_t sweeps() const { return options_.sweeps; }
    double stress() const;
    /// Returns the maximum distance that a vertex has moved since the previous call, divided by the length of
    /// the shortest edge of its component.
    double change();
    /// Returns the positions of all vertices, with the components arranged side by side.
    VertexPositions places() const;

    EdgeId terms() const;
    EdgeId bytes() const { return bytes_; }
    double transfer_seconds() const { return transfer_seconds_; }
    const Parts& parts() const { return parts_; }
    /// Returns the pivots of a component in the order in which they were selected; empty if its terms are all
    /// pairs.
    const std::vector<VertexId>& pivots(std::size_t component) const;

private:
    struct Part;
    std::uint64_t suitable_sweeps() const;

    Options options_;
    Parts parts_;
    std::vector<Part> part_;
    std::uint64_t swept_ = 0;
    EdgeId bytes_ = 0;
    double transfer_seconds_ = 0;
};

}  // namespace lockstep::layout
