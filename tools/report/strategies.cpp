// The strategies in the order of the report, and their kinds.
#include "strategies.hpp"

#include <array>

namespace lockstep::report {
namespace {

struct Known {
    std::string_view name;
    Kind kind;
};
constexpr std::array known{
    Known{"agm-e", Kind::offline},
    Known{"agm-n", Kind::offline},
    Known{"sgm", Kind::offline},
    Known{"diag", Kind::offline},
    Known{"blkdiag", Kind::offline},
    Known{"tiled", Kind::offline},
    Known{"local", Kind::offline},
    // The hybrid locks its hubs, but it is preprocessing that it must pay for.
    Known{"el-sgm", Kind::offline},
    Known{"el", Kind::online},
    Known{"el-shuffled", Kind::online},
    Known{"nl", Kind::online},
    Known{"nl-el", Kind::online},
    Known{"hogwild", Kind::racing},
    Known{"hogwild-blocked", Kind::racing},
    // PageRank
    Known{"edge-tiled", Kind::offline},
    Known{"pull-binned", Kind::offline},
    Known{"push", Kind::online},
    Known{"pull", Kind::online},
    Known{"pull-nodiv", Kind::online},
    Known{"edge-soa", Kind::online},
    Known{"edge-aos", Kind::online},
    Known{"push-warp", Kind::online},
    Known{"pull-warp", Kind::online},
    Known{"pull-nodiv-warp", Kind::online},
};

}  // namespace

std::string_view to_string(Kind kind) {
    switch (kind) {
        case Kind::offline:
            return "offline";
        case Kind::online:
            return "online";
        case Kind::racing:
            return "racing";
    }
    return {};
}

std::size_t place_of(std::string_view strategy) {
    std::size_t place = 0;
    while (place < known.size() && known[place].name != strategy) ++place;
    return place;
}

Kind kind_of(std::string_view strategy, bool has_schedule) {
    const std::size_t place = place_of(strategy);
    if (place < known.size()) return known[place].kind;
    return has_schedule ? Kind::offline : Kind::online;
}

}  // namespace lockstep::report
