#include "apps/frame/rounds.hpp"

namespace lockstep {

void add_metrics(Metrics& metrics, const frontier::Totals& totals) {
    if (totals.launches == 0) return;
    metrics.push_back({"launches", static_cast<double>(totals.launches)});
    metrics.push_back({"worklist_atomics", static_cast<double>(totals.worklist_atomics)});
    metrics.push_back({"registers", static_cast<double>(totals.registers)});
}

void add_metrics(Metrics& metrics, const std::vector<frontier::Round>& rounds) {
    for (const frontier::Round& r : rounds) metrics.push_back({"round_seconds", r.seconds});
    for (const frontier::Round& r : rounds)
        metrics.push_back({"round_active", static_cast<double>(r.active)});
    for (const frontier::Round& r : rounds) metrics.push_back({"round_arcs", static_cast<double>(r.arcs)});
    for (std::size_t i = 0; i < rounds.size(); ++i) {
        const auto number = static_cast<double>(i + 1);
        if (rounds[i].pull) metrics.push_back({"pull_rounds", number});
        if (rounds[i].filter != frontier::Filter::none)
            metrics.push_back({frontier::name_of(rounds[i].filter) + std::string("_rounds"), number});
    }
}

nlohmann::ordered_json totals_json(const frontier::Totals& totals) {
    return {{"launches", totals.launches},
            {"worklist_atomics", totals.worklist_atomics},
            {"registers", totals.registers}};
}

nlohmann::ordered_json rounds_json(const std::vector<frontier::Round>& rounds) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const frontier::Round& r : rounds)
        json.push_back({{"seconds", r.seconds},
                        {"direction", r.pull ? "pull" : "push"},
                        {"filter", frontier::name_of(r.filter)},
                        {"active", r.active},
                        {"arcs", r.arcs}});
    return json;
}

}  // namespace lockstep
