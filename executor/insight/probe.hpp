// A probe: the measured performance figures of one device at one rank. The cost model predicts times from
// these figures and the statistics of a graph. A probe is used only for the device, driver and rank that it
// names.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/formats/run_record.hpp"

namespace lockstep::insight {

/// A function that is defined by points (x, y). The x values are positive and ascending.
struct Curve {
    std::vector<double> x, y;
    /// Returns y for x = `value`. Between two points, the logarithms are interpolated linearly. Before the
    /// first point the result is its y; after the last point y is proportional to x.
    double at(double value) const;
};

/// Times of an update that must wait for the previous update, since both share a vertex; in seconds.
struct DependentUpdate {
    std::uint32_t rank = 0;
    double near = 0;    ///< time with vectors in shared memory (GPU) or in the first-level cache (CPU)
    double shared = 0;  ///< time with vectors in the last cache, which all workers share
    double locked = 0;  ///< time as in `shared`, if updates also lock both endpoints
};

/// The time of some work as a function of the number of edges: a constant plus a time per edge, in seconds.
/// It was measured with two numbers of edges, the smaller of which is `smaller`. For fewer edges, the
/// constant decreases in proportion to the number of edges.
struct SecondsByEdges {
    static constexpr double smaller = 1 << 18;
    double start = 0, edge = 0;
    double at(double edges) const { return std::min(1.0, edges / smaller) * start + edges * edge; }
};

/// Correction factors of the cost model's terms, by the names of the strategy and of the term. A term without
/// a factor has the factor 1.
using Factors = std::map<std::string, std::map<std::string, double>>;

struct Probe {
    /// Version of the file format. Version 1 can be read, too; it has only seconds per edge for building
    /// schedules, and no loading times.
    static constexpr int format = 2;

    std::string program;   ///< name, version and revision of the program that measured the probe
    std::string measured;  ///< time of the measurement in UTC, ISO 8601
    DeviceInfo device;
    std::uint32_t rank = 16;
    double cache_bytes = 0;  ///< size in bytes of the largest cache that all workers share
    double copy_rate = 0;    ///< rate of a copy in memory, in bytes read plus written per second

    /// Number of atomic exchanges per second, as a function of the number of threads: on one address, and on
    /// many.
    Curve atomics_same, atomics_spread;
    /// Seconds per barrier, as a function of the number of thread blocks (GPU) or threads (CPU).
    Curve barrier_by_blocks;
    double barrier = 0;        ///< seconds per barrier, with the number of workers that strategies use
    double block_barrier = 0;  ///< seconds per barrier inside a thread block; 0 on a CPU
    /// Seconds per kernel launch, launched one after another; on a CPU, seconds per parallel region.
    double launch = 0;
    double graph_node = 0;                 ///< seconds per kernel in a CUDA graph; 0 on a CPU
    std::vector<DependentUpdate> updates;  ///< times of dependent updates, one entry per measured rank

    // Times in seconds of walks on synthetic plans (trials.cpp). A time per edge is the time of a run divided
    // by its number of edges, so it includes the parallelism of all workers.
    /// Seconds per round, as a function of the number of edges in the round.
    Curve phase_round, resident_round;
    /// EL: seconds per edge, as a function of the probability that two edges share a vertex.
    Curve locked_edge;
    std::map<std::string, double> costs;  ///< further times in seconds by name; cost_names lists the names
    /// Building time of each schedule on this machine's CPU.
    std::map<std::string, SecondsByEdges> build;
    /// Loading time of each strategy: the time from a graph and a schedule in memory to a device that is
    /// ready to run, which is for making the plan, its layout, and copying it. Empty in a probe of format 1,
    /// for which a loading time of 0 is assumed.
    std::map<std::string, SecondsByEdges> load;
    /// Correction factors, if they were fitted to this device. The model then predicts only their strategies.
    std::optional<Factors> factors;

    /// Throws std::out_of_range if there is no cost of this name.
    double cost(const std::string& name) const;
    /// Returns the times of dependent updates at the rank of the probe.
    const DependentUpdate& update() const;
};

/// The names of the costs in Probe::costs.
inline constexpr std::array<std::string_view, 23> cost_names{
    "phases.edge.near", "phases.edge.far", "tasks.phase",      "tasks.edge",        "tasks.worker",
    "locked.start",     "locked.chain",    "locked.row_chain", "locked.edge.near",  "locked.edge.far",
    "items.start",      "items.chain",     "items.row_chain",  "items.edge.near",   "items.edge.far",
    "racing.edge.near", "racing.edge.far", "racing.flight",    "blocked.edge.near", "blocked.flight",
    "tiled.edge",       "tiled.hub",       "tiled.start"};

nlohmann::ordered_json to_json(const Probe& probe);
/// Reads a probe from JSON text. Throws FormatError if a key is missing, or its value has the wrong type or
/// is out of range; the message names the file `path` and the key.
Probe probe_from_json(const std::string& text, const std::string& path);

/// Returns a description of a device: "NVIDIA H200, driver for CUDA 13.0, runtime 13.0".
std::string device_text(const DeviceInfo& device);

}  // namespace lockstep::insight
