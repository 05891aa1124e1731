// Figures of devices: probes as lockstep-probe wrote them, and two of the paper's, made of what it says of
// them.
#include <fmt/format.h>

#include <algorithm>

#include "insight/cache.hpp"

namespace lockstep::insight {

namespace {

struct Class {
    const char* name;    ///< for the command line
    const char* device;  ///< what the driver calls it
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
    probe.device = device;
    probe.rank = rank;
    return probe;
}

}  // namespace lockstep::insight
