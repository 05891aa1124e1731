// A drawing from its graph to its positions: components, terms, sweeps with falling step sizes.
#pragma once

#include <memory>
#include <optional>

#include "apps/device.hpp"
#include "apps/layout/parts.hpp"
#include "lockstep/executor/layout/pivots.hpp"

namespace lockstep::layout {

struct Options {
    int dimensions = 2;
    std::uint64_t sweeps = 15;  ///< of the annealing
    double eps = 0.1;           ///< of its last step size, for the heaviest term
    std::optional<double> until =
        {};  ///< go on until no vertex moves by more than this share of the shortest edge
    std::uint64_t seed = 1;
    VertexId full_up_to = 20000;  ///< vertices of a component that has all pairs as terms
    VertexId pivots = 200;        ///< of a larger one
    bool racing = false;
    bool sweeps_by_distances = false;  ///< `sweeps` are as many as suit the graph
    Device device = Device::cpu;
    int threads = 1;
};

/// Positions by vertex of the graph, vertex after vertex: {vertices x dimensions}.
using Places = std::vector<float>;

/// The step size of sweep t = 0, 1, … (Zheng, Pawar, Goodman, 2.1 and 2.2): from 1 / least down to eps / largest weight in
/// `sweeps`; with `until` from 1 / largest on as 1 / t.
double step_size(std::uint64_t t, const Options& options, double least, double largest);

/// The vertex of each place of a component with full stress.
std::vector<VertexId> places_of(VertexId vertices, const Options& options);
/// Where the vertices of a component begin, by place; `vertex`: of each place.
Positions first_positions(const Parts& parts, std::size_t component, const Options& options,
                          const Places* start, const std::vector<VertexId>& vertex);
/// Drawings by place side by side; `vertex`: of each place of each.
Places together(std::vector<Positions> drawings, const Parts& parts,
                const std::vector<std::vector<VertexId>>& vertex);

class Drawing {
public:
    /// Finds distances. Throws Error (bad_input) where memory does not do, ScheduleError where racing would be of a
    /// component with pivots.
    Drawing(const Graph& graph, const Options& options);
    ~Drawing();

    /// To the positions given, else into the unit square, or cube; before sweep 0.
    void begin(const Places* start);

    /// Sweeps t = 0, 1, …: the next `count` of them. Returns their seconds.
    double sweep(std::uint64_t count);
    std::uint64_t swept() const { return swept_; }
    /// Of the annealing: those asked for, or as many as suit the graph.
    std::uint64_t sweeps() const { return options_.sweeps; }
    double stress() const;
    /// The way of the vertex that moved furthest since it was asked last, in shortest edges of its component.
    double change();
    /// Components side by side.
    Places places() const;

    EdgeId terms() const;
    EdgeId bytes() const { return bytes_; }
    double transfer_seconds() const { return transfer_seconds_; }
    const Parts& parts() const { return parts_; }
    /// The pivots of a component, in the order in which they were drawn; empty: full stress.
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
