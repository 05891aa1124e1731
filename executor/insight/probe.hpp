// The measured figures of a device, which the cost model multiplies by the statistics of a graph.
//
// A probe is for one device, driver and rank, which it names, and is not used for any other.
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

/// A function given by points (x, y), where x is positive and ascending.
struct Curve {
    std::vector<double> x, y;
    /// Returns y at `value`: between two points by linear interpolation of the logarithms, before the first
    /// point its y, behind the last point in proportion to x.
    double at(double value) const;
};

/// Seconds of one update that waits for the update before it.
struct DependentUpdate {
    std::uint32_t rank = 0;
    double near = 0;    ///< vectors in shared memory, or in the first-level cache
    double shared = 0;  ///< vectors in the cache that all workers share
    double locked = 0;  ///< the same as `shared`, under the locks of both endpoints
};

/// Seconds of some work as a function of the number of edges: a constant part, and seconds per edge. For
/// graphs with fewer than `smaller` edges, the number in the smaller measurement, the constant part shrinks
/// in proportion to the edges.
struct ByEdges {
    static constexpr double smaller = 1 << 18;
    double start = 0, edge = 0;
    double at(double edges) const { return std::min(1.0, edges / smaller) * start + edges * edge; }
};

struct Probe {
    /// Version of the file format. Version 1, which can be read too, has only seconds per edge for building,
    /// and none for loading.
    static constexpr int format = 2;

    std::string program;   ///< name, version and revision of the program that measured
    std::string measured;  ///< time of the measurement: UTC, ISO 8601
    DeviceInfo device;
    std::uint32_t rank = 16;
    double cache_bytes = 0;  ///< size of the largest cache that all workers share
    double copy_rate = 0;    ///< bytes read and written per second by a copy in memory

    /// Exchanges per second by number of threads: on one address, on many.
    Curve atomics_same, atomics_spread;
    Curve barrier_by_blocks;   ///< seconds of a barrier by number of thread blocks (GPU) or threads (CPU)
    double barrier = 0;        ///< seconds of a barrier of as many workers as the strategies use
    double block_barrier = 0;  ///< seconds of a barrier of a thread block; 0 on a CPU
    double launch = 0;         ///< seconds per kernel launch, back to back; of a parallel region on a CPU
    double graph_node = 0;     ///< seconds per node of a CUDA graph; 0 on a CPU
    std::vector<DependentUpdate> updates;  ///< one entry per measured rank, including the rank of the probe

    // Seconds of the walks on synthetic plans (trials.cpp). Times per edge are those of all workers together.
    Curve phase_round, resident_round;  ///< seconds of a round by its number of edges
    Curve locked_edge;  ///< EL: seconds per edge by the probability that two edges share a vertex
    std::map<std::string, double> costs;   ///< seconds by name; cost_names lists the names
    std::map<std::string, ByEdges> build;  ///< schedule -> time of building it on this CPU
    /// strategy -> time from graph and schedule to a device that is ready: plan, layout, transfer. Empty in a
    /// probe of format 1, for which loading takes 0 seconds.
    std::map<std::string, ByEdges> load;

    double cost(const std::string& name) const;  ///< throws std::out_of_range if cost_names lacks the name
    const DependentUpdate& update() const;       ///< the dependent update at the probe's rank
};

/// The keys of Probe::costs.
inline constexpr std::array<std::string_view, 23> cost_names{
    "phases.edge.near", "phases.edge.far", "tasks.phase",      "tasks.edge",        "tasks.worker",
    "locked.start",     "locked.chain",    "locked.row_chain", "locked.edge.near",  "locked.edge.far",
    "items.start",      "items.chain",     "items.row_chain",  "items.edge.near",   "items.edge.far",
    "racing.edge.near", "racing.edge.far", "racing.flight",    "blocked.edge.near", "blocked.flight",
    "tiled.edge",       "tiled.hub",       "tiled.start"};

nlohmann::ordered_json to_json(const Probe& probe);
/// Reads a probe from JSON text. Throws FormatError that names `path` and the key that is missing, of the
/// wrong type or impossible.
Probe probe_from_json(const std::string& text, const std::string& path);

/// Returns the device as text: "NVIDIA H200, driver for CUDA 13.0, runtime 13.0".
std::string device_text(const DeviceInfo& device);

}  // namespace lockstep::insight
