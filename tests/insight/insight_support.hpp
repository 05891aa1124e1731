// A sample probe for the tests of insight, with simple numbers.
#pragma once

#include "insight/model.hpp"
#include "insight/probe.hpp"

namespace lockstep::test {

/// Returns the probe of a device on which every cost is a different number.
inline insight::Probe sample_probe(const std::string& kind = "cuda") {
    insight::Probe p;
    p.program = "lockstep-probe test";
    p.measured = "2026-01-02T03:04:05Z";
    p.device = {kind, "Test device", 100, kind == "cuda" ? "driver for CUDA 1.0, runtime 1.0" : ""};
    p.cache_bytes = 5e7;
    p.copy_rate = 4e12;
    p.atomics_same = {{32, 1024}, {4e8, 1.4e9}};
    p.atomics_spread = {{32, 1024}, {4e8, 7e10}};
    p.barrier_by_blocks = {{1, 100}, {7e-7, 1e-6}};
    p.barrier = 1e-6, p.block_barrier = 4e-8, p.launch = 4e-6, p.graph_node = 5e-7;
    p.updates = {{16, 1e-7, 2.4e-7, 1e-6}, {32, 1.2e-7, 2.6e-7, 1.1e-6}};
    p.phase_round = {{1, 64, 512, 32768}, {3e-7, 6e-7, 2e-6, 2.6e-6}};
    p.resident_round = {{1, 64, 16384}, {3e-7, 6e-7, 2e-6}};
    p.locked_edge = {{1e-6, 1e-4, 1e-2}, {2e-10, 5e-10, 2e-8}};
    double cost = 1e-10;
    for (const std::string_view name : insight::cost_names) p.costs[std::string(name)] = cost *= 1.3;
    p.costs["locked.chain"] = p.costs["locked.row_chain"] = p.costs["items.row_chain"] = 1e-6;
    p.costs["items.chain"] = 7e-7;
    p.costs["racing.edge.near"] = 7e-11, p.costs["racing.edge.far"] = 1.4e-10;
    p.costs["tiled.edge"] = 3e-11, p.costs["tiled.hub"] = 1e-8;
    for (const Builder& builder : builders()) p.build[builder.name] = {0, 1e-8};
    for (const Strategy& strategy : strategies()) p.load[strategy.name] = {1e-6, 2e-9};
    return p;
}

}  // namespace lockstep::test
