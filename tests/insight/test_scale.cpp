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

TEST_CASE("the scaling model is within 15 % of what was measured in groups") {
    struct Measured {
        VertexId users;
        EdgeId million, groups, gpus;
        double ms;
        VertexId items = 60'000;
    };
    // The measurements are from devices*.json, groups-h200.json, processes-2-h200.json and scale-h200.json in
    // docs/data; tools/bench.py scale-measured prints all of them.
    for (const auto& [users, million, groups, gpus, ms, items] : {Measured{1'000'000, 400, 4, 1, 73.6},
                                                                  {1'000'000, 400, 4, 2, 43.7},
                                                                  {1'000'000, 400, 4, 4, 22.5},
                                                                  {1'000'000, 400, 4, 1, 67.1},
                                                                  {1'000'000, 400, 4, 2, 39.2},
                                                                  {1'000'000, 300, 1, 1, 34.7},
                                                                  {1'000'000, 300, 4, 1, 60.7},
                                                                  {1'000'000, 300, 4, 2, 35.6},
                                                                  {1'000'000, 300, 4, 4, 18.4},
                                                                  {500'000, 75, 1, 1, 10.1},
                                                                  {500'000, 75, 2, 2, 8.27},
                                                                  {400'000, 60, 1, 1, 8.82},
                                                                  Measured{400'000, 60, 2, 1, 12.0},
                                                                  {300'000, 20, 1, 1, 4.55},
                                                                  {300'000, 20, 2, 1, 7.40},
                                                                  {400'000, 19, 2, 1, 10.06},
                                                                  {400'000, 19, 2, 2, 5.54},
                                                                  {1'000'000, 300, 1, 1, 37.1},
                                                                  {1'000'000, 300, 4, 4, 18.7},
                                                                  {2'500'000, 1000, 4, 4, 84.8, 375'000}}) {
        const ScalePrediction p =
            predict_scale(ratings(1'000'000 * million, users, items), 256, {gpus, 1}, groups);
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
    CHECK(eight.groups == 8);
    CHECK(apart.links > 5 * eight.links);
    CHECK(apart.work() == eight.work());
    CHECK(large.laps > eight.laps);
    CHECK(eight.sweep() > one.work() / 8);
    CHECK(!predict_scale(ratings(1'000'000, 1'000'000'000, 1000), 256, {64, 8}).fits);
}
