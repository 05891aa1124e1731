// Tests of the search along axes, with synthetic times.
#include "catch.hpp"

#include <set>

#include "lockstep/executor/frontier/axes.hpp"
#include "lockstep/executor/frontier/search.hpp"

namespace lockstep::frontier {

namespace {

const std::vector<std::string> all{"balance", "append", "filter", "loop",  "direction",
                                   "small",   "large",  "defer",  "chunk", "priority"};

Axes with(const AxisValues& changes) {
    Axes axes;
    set_axes(axes, to_string(changes));
    return axes;
}

/// Returns the cost of the axes, which are independent of each other, except that the loop on the device
/// saves twice as much with warps.
double cost(const Axes& a) {
    return 100 - (a.balance.warp ? 20 : 0) - (a.append == Append::block ? 5 : 0) -
           (a.loop == Loop::all ? (a.balance.warp ? 10 : 5) : 0) - (a.small == 64 && a.balance.warp ? 3 : 0) +
           (a.balance.block ? 8 : 0) - (a.chunk == 4 ? 1 : 0);
}

}  // namespace

TEST_CASE("the search finds the least where axes do not hinder each other, and gives options for it") {
    std::set<std::string> tried;
    const auto found = faster_axes(all, cost({}), 1, [&](const AxisValues& changes) -> std::optional<double> {
        const Axes axes = with(changes);
        if (!why_not(axes, false).empty() || !tried.insert(to_string(axes)).second) return {};
        return cost(axes);
    });
    CHECK(cost(with(found)) == 100 - 20 - 5 - 10 - 3 - 1);
    CHECK(tried.contains(to_string(with(found))));
    CHECK(tried.size() < 120);  // far fewer than all combinations, of which there are thousands
}

TEST_CASE("the search keeps no change that gains too little, and none of an axis that is not open") {
    const auto slow = [](const AxisValues& changes) { return std::optional(cost(with(changes))); };
    CHECK(faster_axes(all, cost({}), 0.5, slow).empty());
    const std::vector<std::string> open{"append", "chunk"};
    for (const auto& [option, value] : faster_axes(open, cost({}), 1, slow))
        CHECK((option == "append" || option == "chunk"));
}

TEST_CASE("the search ends with what it has when nothing more is measured") {
    for (const int most : {0, 1, 5, 20}) {
        int measured = 0;
        double least = cost({});
        const auto found =
            faster_axes(all, least, 1, [&](const AxisValues& changes) -> std::optional<double> {
                if (measured == most) return {};
                ++measured;
                const double seconds = cost(with(changes));
                least = std::min(least, seconds);
                return seconds;
            });
        CHECK(measured == most);
        CHECK(cost(with(found)) == least);
    }
}

}  // namespace lockstep::frontier
