// Tests of the GPU's part of a probe. The CPU's part is tested through lockstep-probe (tests/cli).
#include <algorithm>

#include "catch.hpp"
#include "insight/measure/measure.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::insight;

TEST_CASE("a GPU's figures are positive and in order") {
    std::string reason;
    if (!cuda_available(&reason)) return test::skip(reason);
    Probe p;
    for (const std::uint32_t rank : probed_ranks) p.updates.push_back({rank, 0, 0, 0});
    measure_cuda(p);
    CHECK(p.device.kind == "cuda");
    CHECK(p.copy_rate > 0);
    CHECK(p.cache_bytes > 0);
    for (const Curve* curve : {&p.atomics_same, &p.atomics_spread, &p.barrier_by_blocks}) {
        REQUIRE(curve->x.size() == curve->y.size());
        CHECK(std::is_sorted(curve->x.begin(), curve->x.end()));
        CHECK(*std::min_element(curve->y.begin(), curve->y.end()) > 0);
    }
    CHECK(p.atomics_spread.y.back() > p.atomics_same.y.back());  // one address serves one exchange at a time
    CHECK(p.block_barrier < p.barrier);
    CHECK(p.graph_node > 0);
    CHECK(p.launch > 0);
    for (const DependentUpdate& u : p.updates) {
        CHECK(u.near > 0);
        CHECK(u.near < u.shared);
        CHECK(u.shared < u.locked);
    }
}

TEST_CASE("a rank that cannot be is refused before anything is measured") {
    for (const std::uint32_t rank : {0U, 257U})
        CHECK_THROWS_WITH(measure(Device::cpu, rank, 1, true), Catch::Contains("1 to 256"));
}
