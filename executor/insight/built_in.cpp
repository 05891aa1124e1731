// The performance figures that are built into the programs, for devices without a probe of their own: those
// of an NVIDIA H200 and of one core of an AMD EPYC. lockstep-probe measured them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "insight/build_options.hpp"
#include "insight/cache.hpp"

namespace lockstep {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DeviceCosts, group, tile, star_edge, block_edge, own_star_edge,
                                   chain_phase, chain_edge, block_copy_bytes, phase, phase_star_edge,
                                   long_stars, long_star_edge, phase_edge)

}  // namespace lockstep

namespace lockstep::insight {

extern const char *const h200_figures, *const epyc_figures;  // figures.cpp.in

namespace {

/// Converts the figures of one CPU thread to those of `threads` threads. Times per edge are divided by the
/// number of threads. Rounds that are large enough are divided too, plus the time of a barrier; chains of
/// dependent updates stay serial. A barrier takes 0.42, 0.71, 1.1 and 1.8 µs with 2, 4, 8 and 16 threads of
/// an AMD EPYC (Zen 5): lockstep-probe --device cpu --threads N --quick, 27 November 2026.
void share_out(Probe& probe, std::uint64_t threads) {
    // minimum number of edges in a phase that threads share (edge/phases.hpp)
    constexpr double worth_sharing = 512;
    const auto count = static_cast<double>(threads);
    probe.barrier = 0.42e-6 * std::pow(count / 2, 0.69);
    for (std::size_t i = 0; i < probe.phase_round.x.size(); ++i) {
        if (probe.phase_round.x[i] >= worth_sharing)
            probe.phase_round.y[i] = probe.phase_round.y[i] / count + probe.barrier;
    }
    for (auto& [name, seconds] : probe.costs) {
        if (name.find(".edge") != std::string::npos) seconds /= count;
    }
    probe.costs["tasks.phase"] = std::max(probe.costs["tasks.phase"], probe.barrier);
}

}  // namespace

std::vector<std::string> built_in_classes() { return {"h200", "epyc"}; }

std::optional<Probe> built_in_class(const std::string& name) {
    if (name == "h200") return probe_from_json(h200_figures, "built-in figures of NVIDIA H200");
    if (name == "epyc") return probe_from_json(epyc_figures, "built-in figures of AMD EPYC");
    return std::nullopt;
}

Probe built_in_probe(const DeviceInfo& device, std::uint32_t rank, std::string* text) {
    Probe probe = *built_in_class(device.kind == "cuda" ? "h200" : "epyc");
    *text = fmt::format("built-in figures of {}, rank {}", device_text(probe.device), probe.rank);
    const auto own = std::find_if(probe.updates.begin(), probe.updates.end(),
                                  [&](const DependentUpdate& u) { return u.rank == rank; });
    if (own == probe.updates.end()) {
        DependentUpdate update = probe.update();
        update.rank = rank;
        probe.updates.push_back(update);
    }
    if (device.kind == "cpu" && probe.device.threads == 1 && device.threads > 1)
        share_out(probe, device.threads);
    probe.device = device;
    probe.rank = rank;
    return probe;
}

BuildOptions default_build_options() {
    static const BuildOptions options = [] {
        const auto json = nlohmann::json::parse(h200_figures), figures = json.at("builders");
        BuildOptions of_h200;
        json.at("threads").get_to(of_h200.multiprocessors);
        of_h200.workers = figures.at("workers_per_multiprocessor").get<VertexId>() * of_h200.multiprocessors;
        figures.at("shared_memory_bytes").get_to(of_h200.shared_memory_bytes);
        figures.get_to(of_h200.costs);
        return of_h200;
    }();
    return options;
}

BuildOptions build_options(const Probe& probe) {
    BuildOptions options = default_build_options();
    options.rank = probe.rank;
    if (probe.device.kind != "cuda") return options;
    const VertexId workers_per_multiprocessor = options.workers / options.multiprocessors;
    options.multiprocessors = static_cast<VertexId>(probe.device.threads);
    options.workers = workers_per_multiprocessor * options.multiprocessors;
    return options;
}

DeviceCosts device_costs(const Probe& probe) {
    const Probe fitted = *built_in_class("h200");
    const double barrier = probe.barrier / fitted.barrier;
    DeviceCosts c = default_build_options().costs;
    c.device = probe.device.name;
    c.tile *= barrier, c.chain_phase *= barrier, c.phase *= barrier;
    c.group *= probe.launch / fitted.launch;
    c.block_copy_bytes *= probe.copy_rate / fitted.copy_rate;
    const auto here = std::find_if(probe.updates.begin(), probe.updates.end(),
                                   [&](const DependentUpdate& u) { return u.rank == fitted.rank; });
    if (here != probe.updates.end()) {
        const DependentUpdate& there = fitted.update();
        const double near = here->near / there.near, shared = here->shared / there.shared;
        c.star_edge *= near, c.own_star_edge *= near, c.long_star_edge *= near;
        c.long_stars *= shared, c.phase_star_edge *= shared;
    }
    if (probe.rank != fitted.rank) return c;
    const auto cost = [&](const char* name) { return probe.cost(name) / fitted.cost(name); };
    c.block_edge *= cost("tiled.edge"), c.chain_edge *= cost("tiled.hub");
    c.phase_edge *= cost("phases.edge.near");
    return c;
}

}  // namespace lockstep::insight
