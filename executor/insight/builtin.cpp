// The performance figures of devices that are built into the programs: probes that lockstep-probe measured,
// and figures of the two devices in the paper, which were derived from figure 9 of the paper, data sheets,
// and the probe of an H200.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "insight/cache.hpp"

namespace lockstep::insight {

namespace {

struct Class {
    const char* name;    ///< name of the class on the command line, such as "h200"
    const char* device;  ///< name of the device as the driver reports it
    const char* kind;
    const char* probe;
};

constexpr Class classes[] = {
    {
        "h200",
        "NVIDIA H200",
        "cuda",
#include "probe_h200.inc"
    },
    {
        "k40",
        "Tesla K40",
        "cuda",
#include "probe_k40.inc"
    },
    {
        "r9-290x",
        "Radeon R9-290X",
        "cuda",
#include "probe_r9_290x.inc"
    },
    {
        "epyc",
        "AMD EPYC",
        "cpu",
#include "probe_epyc.inc"
    },
};

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

std::vector<std::string> built_in_classes() {
    std::vector<std::string> all;
    for (const Class& c : classes) all.emplace_back(c.name);
    return all;
}

std::optional<Probe> built_in_class(const std::string& name) {
    for (const Class& c : classes) {
        if (name == c.name) return probe_from_json(c.probe, std::string("built-in figures of ") + c.device);
    }
    return std::nullopt;
}

Probe built_in_probe(const DeviceInfo& device, std::uint32_t rank, std::string* text) {
    const Class* chosen = nullptr;
    for (const Class& c : classes) {
        if (device.kind != c.kind) continue;
        if (!chosen || device.name == c.device) chosen = &c;
    }
    Probe probe = *built_in_class(chosen->name);
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

}  // namespace lockstep::insight
