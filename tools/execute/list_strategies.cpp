// lockstep-execute --strategies: prints the table of strategies as text or as JSON.
#include <fmt/format.h>

#include <iostream>

#include "list_strategies.hpp"
#include "lockstep/executor/strategy.hpp"

namespace lockstep {

int list_strategies(std::string_view app, const cli::Common& common) {
    const auto all = app.empty() ? strategies_of_all() : strategies(app);
    if (!common.json) {
        constexpr const char* row = "{:<16} {:<9} {:<11} {:<25} {:<8} {:<8} {:<13} {}\n";
        std::cout << fmt::format(fmt::runtime(row), "strategy", "app", "schedule", "walk", "policy", "class",
                                 "deterministic", "source");
        for (const Strategy& s : all)
            std::cout << fmt::format(fmt::runtime(row), s.name, s.app, s.schedule ? s.schedule : "-",
                                     s.walk.name, name_of(s.policy), name_of(s.kind()),
                                     s.deterministic() ? "yes" : "no", s.source);
        return 0;
    }
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const Strategy& s : all) {
        json.push_back({{"name", s.name},
                        {"app", s.app},
                        {"schedule", s.schedule ? nlohmann::ordered_json(s.schedule) : nullptr},
                        {"walk", s.walk.name},
                        {"bound", s.walk.bound},
                        {"policy", name_of(s.policy)},
                        {"class", name_of(s.kind())},
                        {"deterministic", s.deterministic()},
                        {"races", s.races()},
                        {"source", s.source},
                        {"summary", s.summary}});
        if (s.axes) json.back()["axes"] = s.axes;
    }
    cli::print_json({{"strategies", json}});
    return 0;
}

}  // namespace lockstep
