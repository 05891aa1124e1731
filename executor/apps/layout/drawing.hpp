// A drawing, from its graph to its positions: components, terms, and sweeps with falling step sizes.
#pragma once

#include <memory>
#include <optional>

#include "apps/device.hpp"
#include "apps/layout/parts.hpp"
#include "lockstep/executor/layout/pivots.hpp"

namespace lockstep::layout {

struct Options {
    int dimensions = 2;
    std::uint64_t sweeps = 15;  ///< number of sweeps of the annealing
    double eps = 0.1;           ///< step size of the last of these sweeps, for the heaviest term
    std::optional<double> until =
        {};  ///< share of the shortest edge: the sweeps go on until no vertex moves by more than this
    std::uint64_t seed = 1;
    VertexId full_up_to = 20000;  ///< maximum size of a component that has all pairs as terms, in vertices
    VertexId pivots = 200;        ///< number of pivots of a larger component
    bool racing = false;
    bool sweeps_by_distances = false;  ///< whether the graph determines `sweeps`
    Device device = Device::cpu;
    int threads = 1;
};

/// Positions by vertex of the graph, one vertex after another: {vertices x dimensions}.
using Places = std::vector<float>;

/// Returns the step size of sweep t = 0, 1, … (Zheng, Pawar, Goodman, 2.1 and 2.2). It falls from 1 / least
/// weight to eps / largest weight in `sweeps` sweeps. With `until`, it falls only as 1 / t once it is below 1
/// / largest weight.
double step_size(std::uint64_t t, const Options& options, double least, double largest);

/// Returns the vertex at each index of a component that has all pairs as terms.
std::vector<VertexId> places_of(VertexId vertices, const Options& options);
/// Returns the first positions of a component, by index. `vertex` has the vertex at each index.
Positions first_positions(const Parts& parts, std::size_t component, const Options& options,
                          const Places* start, const std::vector<VertexId>& vertex);
/// Places drawings of components, which are by index, side by side. `vertex` has the vertex at each index of
/// each drawing.
Places together(std::vector<Positions> drawings, const Parts& parts,
                const std::vector<std::vector<VertexId>>& vertex);

class Drawing {
public:
    /// Computes the distances. Throws Error (bad_input) if there is too little memory, ScheduleError if
    /// `racing` is set and a component has pivots.
    Drawing(const Graph& graph, const Options& options);
    ~Drawing();

    /// Sets the positions before sweep 0: to `start`, or, if it is null, to random positions in the unit
    /// square or cube.
    void begin(const Places* start);

    /// Runs the next `count` of the sweeps t = 0, 1, … Returns their seconds.
    double sweep(std::uint64_t count);
    std::uint64_t swept() const { return swept_; }
    /// Returns the number of sweeps of the annealing, as requested or as it suits the graph.
    std::uint64_t sweeps() const { return options_.sweeps; }
    double stress() const;
    /// Returns the maximum distance that a vertex has moved since the last call, in lengths of the shortest
    /// edge of its component.
    double change();
    /// Returns the positions with the components side by side.
    Places places() const;

    EdgeId terms() const;
    EdgeId bytes() const { return bytes_; }
    double transfer_seconds() const { return transfer_seconds_; }
    const Parts& parts() const { return parts_; }
    /// Returns the pivots of a component, in the order in which they were drawn; none if it has all pairs as
    /// terms.
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
