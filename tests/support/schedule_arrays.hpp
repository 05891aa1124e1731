// Lists the arrays of a schedule, so that a test can leave out each of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep::test {

struct NamedArray {
    std::string name;
    std::function<void(Schedule&)> clear;
};

/// Returns the arrays that `schedule` has.
inline std::vector<NamedArray> arrays_of(const Schedule& schedule) {
    std::vector<NamedArray> present;
    const auto add = [&](const std::string& name, auto array_of) {
        if (!array_of(schedule).empty()) present.push_back({name, [=](Schedule& s) { array_of(s).clear(); }});
    };
    add(
        "order", [](auto& s) -> auto& { return s.order; });
    for (const Level l : all_levels)
        add(
            std::string(to_string(l)) + " level", [l](auto& s) -> auto& { return s.level(l); });
    add(
        "residents", [](auto& s) -> auto& { return s.residents; });
    add(
        "resident_offsets", [](auto& s) -> auto& { return s.resident_offsets; });
    add(
        "row_order", [](auto& s) -> auto& { return s.row_order; });
    add(
        "col_order", [](auto& s) -> auto& { return s.col_order; });
    add(
        "row_parts", [](auto& s) -> auto& { return s.row_parts; });
    add(
        "col_parts", [](auto& s) -> auto& { return s.col_parts; });
    return present;
}

}  // namespace lockstep::test
