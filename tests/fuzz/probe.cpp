// Fuzzes the readers of a cached probe, and of the summary that lockstep-inspect --json prints.
#include <cmath>

#include "fuzz.hpp"
#include "insight/cache.hpp"
#include "insight/probe.hpp"
#include "insight/summary_json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lockstep;
    fuzz::Source input(data, size);
    const bool summary = input.byte() % 2;
    const std::string text(input.rest());
    fuzz::try_to([&] {
        if (summary) {
            insight::summary_from_json(text, "input.json");
            return;
        }
        const insight::Probe probe = insight::probe_from_json(text, "input.json");
        // An accepted probe can be used, and can be written and read again without a change.
        for (const insight::Curve* curve : {&probe.phase_round, &probe.resident_round, &probe.locked_edge})
            fuzz::require(!std::isnan(curve->at(1000)), "a curve has a value everywhere");
        probe.update();
        for (const std::string_view name : insight::cost_names) probe.cost(std::string(name));
        const std::string again = insight::probe_text(probe);
        fuzz::require(insight::probe_text(insight::probe_from_json(again, "again.json")) == again,
                      "a probe is read as it was written");
    });
    return 0;
}
