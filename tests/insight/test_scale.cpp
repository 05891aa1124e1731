#include "catch.hpp"
#include "insight/scale.hpp"

using namespace lockstep;
using namespace lockstep::insight;

namespace {

Statistics ratings(EdgeId edges, VertexId users, VertexId items) {
    Statistics s;
    s.edges = edges, s.rows.vertices = users, s.cols.vertices = items;
    return s;
}

}  // namespace

TEST_CASE("the scaling model is within 15 % of what was measured with four groups") {
    struct Measured {
        EdgeId edges, gpus;
        double ms;
    };
    // docs/data/devices*.json
    for (const auto& [edges, gpus, ms] : {Measured{400'000'000, 1, 73.6},
                                          {400'000'000, 2, 43.7},
                                          {400'000'000, 4, 22.5},
                                          {400'000'000, 1, 67.1},
                                          {400'000'000, 2, 39.2},
                                          {300'000'000, 1, 60.7},
                                          {300'000'000, 2, 35.6},
                                          {300'000'000, 4, 18.4}}) {
        const ScalePrediction p = predict_scale(ratings(edges, 1'000'000, 60'000), 256, {gpus, 1}, 4);
        CHECK(1000 * p.sweep() == Approx(ms).epsilon(0.15));
    }
}

TEST_CASE("the scaling model counts links, memory and groups") {
    const Statistics s = ratings(10'000'000'000, 25'000'000, 1'500'000);
    const ScalePrediction one = predict_scale(s, 256, {}), eight = predict_scale(s, 256, {8, 1}),
                          apart = predict_scale(s, 256, {8, 8}), large = predict_scale(s, 1024, {8, 1});
    CHECK(one.links == 0);
    CHECK(one.waiting == 0);
    CHECK(one.streamed);
    CHECK(!eight.streamed);
    CHECK(eight.groups % 8 == 0);
    CHECK(apart.links > 5 * eight.links);
    CHECK(apart.work() == eight.work());
    CHECK(large.groups > eight.groups);
    CHECK(eight.sweep() > one.work() / 8);
    CHECK(!predict_scale(ratings(1'000'000, 1'000'000'000, 1000), 256, {64, 8}).fits);
}
