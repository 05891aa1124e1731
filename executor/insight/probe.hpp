// What was measured of a device, once, and is kept: the figures that the cost model multiplies a graph's
// statistics with.
//
// A probe is of one device, driver, rank and version of Lockstep; it says so, and is used for nothing else.
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

/// y against x, x rising and above 0.
struct Curve {
    std::vector<double> x, y;
    /// Between two points along the straight line through their logarithms; before the first its y, behind
    /// the last in proportion to x.
    double at(double value) const;
};

/// Seconds of one update that waits for the one before it.
struct DependentUpdate {
    std::uint32_t rank = 0;
    double near = 0;    ///< vectors on chip, or in the first-level cache
    double shared = 0;  ///< through the cache that all workers share
    double locked = 0;  ///< the same, under the locks of both ends
};

/// Seconds of work on a graph by its edges: what the smaller of two graphs took beyond its share, and an edge. Of a
/// graph smaller than that both fall with the edges.
struct ByEdges {
    static constexpr double smaller = 1 << 18;
    double start = 0, edge = 0;
    double at(double edges) const { return std::min(1.0, edges / smaller) * start + edges * edge; }
};

struct Probe {
    /// 1, which is read too, had seconds an edge alone for building, and none for loading.
    static constexpr int format = 2;

    std::string program;   ///< name, version and revision that measured
    std::string measured;  ///< UTC, ISO 8601
    DeviceInfo device;
    std::uint32_t rank = 16;
    double cache_bytes = 0;  ///< of the largest cache that all workers share
    double copy_rate = 0;    ///< bytes read and written a second by a copy in memory

    Curve atomics_same, atomics_spread;    ///< exchanges a second by threads: on one address, on many
    Curve barrier_by_blocks;               ///< seconds by thread blocks (GPU) or threads (CPU)
    double barrier = 0;                    ///< seconds, as the strategies use it
    double block_barrier = 0;              ///< of a thread block; 0 on a CPU
    double launch = 0;                     ///< a kernel, back to back; a parallel region on a CPU
    double graph_node = 0;                 ///< a node of a CUDA graph; 0 on a CPU
    std::vector<DependentUpdate> updates;  ///< by rank, that of the probe among them

    // The walks on made-up plans (trials.cpp). Seconds; "edge" is of all workers together.
    Curve phase_round, resident_round;     ///< a round by its edges
    Curve locked_edge;                     ///< EL: an edge by the chance that two random edges meet
    std::map<std::string, double> costs;   ///< by the names of cost_names
    std::map<std::string, ByEdges> build;  ///< schedule -> building it on this CPU
    /// strategy -> from graph and schedule to a device that is ready: plan, layout, transfer. Empty in a probe of
    /// before this was measured: then it counts for nothing.
    std::map<std::string, ByEdges> load;

    double cost(const std::string& name) const;  ///< throws std::out_of_range on a name not in cost_names
    const DependentUpdate& update() const;       ///< at the probe's rank
};

/// What `costs` holds.
inline constexpr std::array<std::string_view, 23> cost_names{
    "phases.edge.near", "phases.edge.far", "tasks.phase",      "tasks.edge",        "tasks.worker",
    "locked.start",     "locked.chain",    "locked.row_chain", "locked.edge.near",  "locked.edge.far",
    "items.start",      "items.chain",     "items.row_chain",  "items.edge.near",   "items.edge.far",
    "racing.edge.near", "racing.edge.far", "racing.flight",    "blocked.edge.near", "blocked.flight",
    "tiled.edge",       "tiled.hub",       "tiled.start"};

nlohmann::ordered_json to_json(const Probe& probe);
/// Throws FormatError naming `path` and the key that is missing, of the wrong type or impossible.
Probe probe_from_json(const std::string& text, const std::string& path);

/// The device, as text: "NVIDIA H200, driver for CUDA 13.0, runtime 13.0".
std::string device_text(const DeviceInfo& device);

}  // namespace lockstep::insight
