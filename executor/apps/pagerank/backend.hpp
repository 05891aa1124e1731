// What the PageRank driver asks of a device: rounds and ranks. One implementation each for the CPU (cpu.cpp)
// and CUDA (cuda_*.cu).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lockstep/executor/neighbours.hpp"
#include "lockstep/formats/run_record.hpp"

namespace lockstep::pagerank {

enum class Dangling {
    spread,  ///< the rank of vertices without an out-arc goes to all vertices alike: ranks add up to 1
    lost,    ///< it goes nowhere, as in the source's equation 1
};

/// Everything a backend needs, by reference: it must outlive the backend.
struct Problem {
    const NeighbourPlan& plan;
    double damping;
    Dangling dangling;
    std::uint64_t rounds;  ///< at most
    double tolerance;      ///< stop when the L1 distance of two rounds is at most this; 0: never
    bool measured;         ///< take that distance after every round
};

/// One iteration over all arcs.
struct Round {
    double seconds = 0;
    double change = 0;  ///< L1 distance to the ranks before, where measured
    double dangling = 0;
};

class Backend {
public:
    virtual ~Backend() = default;
    /// From equal ranks: rounds until the last one, or until `on_round` returns false. `*seconds` is the
    /// time of execution alone.
    virtual std::vector<Round> run(const std::function<bool(const Round&)>& on_round, double* seconds) = 0;
    /// Ranks after the last round, by position in the plan.
    virtual std::vector<float> ranks() = 0;
    virtual DeviceInfo device() const = 0;
    virtual double transfer_seconds() const = 0;
    virtual EdgeId device_bytes() const = 0;
};

std::unique_ptr<Backend> make_cpu_backend(const Problem& problem, int threads);
/// Throws Error (no_device) when CUDA was not compiled in, there is no GPU, or its memory is too small.
std::unique_ptr<Backend> make_cuda_backend(const Problem& problem);

/// Vertices without an out-arc.
VertexId dangling_vertices(const NeighbourPlan& plan);

}  // namespace lockstep::pagerank
