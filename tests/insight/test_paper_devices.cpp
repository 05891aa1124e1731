// Tests which findings of the paper the model reproduces with the paper's own costs of its two GPUs, which
// are in docs/data/probes. The table is in docs/guides/choosing.md.
#include "catch.hpp"
#include "insight/cache.hpp"
#include "insight/model.hpp"

using namespace lockstep;
using namespace lockstep::insight;

namespace {

struct Shape {
    EdgeId edges;
    VertexId rows, cols;
    EdgeId row_degree, col_degree;
};
constexpr Shape wiki{5'000'000, 105'000, 8'000, 1'145, 100'022}, road{15'100'000, 6'050'000, 6'050'000, 9, 9};

Probe probe_of(const std::string& device) { return read_probe(LOCKSTEP_PROBES "/" + device + ".json"); }

/// Returns statistics with as many matchings as the maximum degree, all of equal size.
Statistics statistics_of_shape(const Shape& shape) {
    Statistics s;
    s.edges = shape.edges;
    s.rows.vertices = shape.rows, s.cols.vertices = shape.cols;
    s.rows.degrees.largest = shape.row_degree, s.cols.degrees.largest = shape.col_degree;
    const auto rounds = static_cast<double>(std::max(shape.row_degree, shape.col_degree));
    Rounds& matchings = s.schedules["agm-e"];
    matchings.rounds = rounds, matchings.sizes = {{static_cast<double>(shape.edges) / rounds, rounds}};
    return s;
}

/// Returns the predicted seconds of a sweep.
double sweep(const char* strategy, const Shape& shape, const Probe& probe) {
    const Prediction p = predict(find_strategy(strategy), statistics_of_shape(shape), probe);
    CHECK(p.refused.empty());
    return p.sweep();
}

}  // namespace

TEST_CASE(
    "the paper's devices: figures that know no time of EL give its seconds on most of the twelve graphs") {
    const Probe k40 = probe_of("k40"), radeon = probe_of("r9-290x");
    CHECK(k40.atomics_same.y.back() == 600e6);
    CHECK(radeon.atomics_same.y.back() == 45e6);
    // Origin of the costs: lines of 32 and 64 bytes at 0.8 of the bandwidths in the data sheets, and figure
    // 9.
    CHECK(k40.cost("phases.edge.near") == Approx(64 * 32 / (0.8 * 288e9)).epsilon(1e-3));
    CHECK(radeon.cost("phases.edge.near") == Approx(64 * 64 / (0.8 * 320e9)).epsilon(1e-3));
    for (const Probe& p : {k40, radeon})
        CHECK(p.cost("locked.edge.near") ==
              Approx(p.cost("phases.edge.near") + 4 / p.atomics_same.y.back()).epsilon(1e-3));

    // Table II. For STACK the paper prints fewer edges than the maximum degree allows; this number is that of
    // the data set.
    struct Printed {
        const char* name;
        EdgeId edges, degree;
        double k40, radeon;
    };
    constexpr Printed printed[] = {
        {"STACK", 1'302'000, 6'119, 0.04, 0.18},  {"IMDB", 3'700'000, 1'590, 0.07, 0.38},
        {"WIKI", 5'000'000, 100'022, 0.39, 1.04}, {"BGG", 6'000'000, 43'331, 0.22, 0.53},
        {"CITP", 16'500'000, 779, 0.32, 1.69},    {"POKEC", 22'300'000, 14'734, 0.42, 2.3},
        {"LIVEJ", 68'900'000, 20'293, 1.5, 7.2},  {"NFLIX", 99'000'000, 227'715, 2.13, 5.28},
        {"CAL", 4'600'000, 7, 0.08, 0.49},        {"E", 8'700'000, 9, 0.19, 0.91},
        {"W", 15'100'000, 9, 0.37, 1.58},         {"CTR", 33'800'000, 8, 0.9, 3.54},
    };
    for (const Printed& g : printed) {
        INFO(g.name);
        const Shape shape{g.edges, 100'000, 100'000, 1, g.degree};
        const double by_k40 = sweep("el-shuffled", shape, k40) / g.k40,
                     by_radeon = sweep("el-shuffled", shape, radeon) / g.radeon;
        CHECK((by_k40 > 0.55 && by_k40 < 1.05));
        // Two predictions are too slow: these graphs have many lock operations, but not on one address.
        const bool slow = g.edges == 6'000'000 || g.edges == 99'000'000;
        CHECK((slow ? by_radeon > 1.3 && by_radeon < 2.1 : by_radeon > 0.65 && by_radeon < 1.05));
    }
}

TEST_CASE("the paper's devices: which of its findings follow from the figures") {
    const Probe k40 = probe_of("k40"), radeon = probe_of("r9-290x");
    // On the K40, matchings are faster than EL on roads. That NL is twice as fast as both does not follow.
    CHECK(sweep("agm-e", road, k40) < 0.7 * sweep("el-shuffled", road, k40));
    CHECK(sweep("nl", road, k40) < 0.8 * sweep("el-shuffled", road, k40));
    CHECK(sweep("nl", road, k40) > sweep("agm-e", road, k40));
    // On the Radeon, matchings are the fastest, even on a graph with a hub.
    CHECK(sweep("agm-e", road, radeon) * 4 < sweep("nl", road, radeon));
    CHECK(sweep("nl", road, radeon) < sweep("el-shuffled", road, radeon));
    CHECK(sweep("agm-e", wiki, radeon) < 0.7 * sweep("el-shuffled", wiki, radeon));
    // On the K40, an online strategy (NL) is the fastest on a graph with a hub; EL is as fast as matchings.
    CHECK(sweep("nl", wiki, k40) < 0.8 * sweep("agm-e", wiki, k40));
    CHECK(sweep("agm-e", wiki, k40) == Approx(sweep("el-shuffled", wiki, k40)).epsilon(0.1));
}

TEST_CASE("the paper's devices run what the paper ran, by figures without the factors of another GPU") {
    for (const char* name : {"k40", "r9-290x"}) {
        for (const Prediction& p : predict(statistics_of_shape(wiki), probe_of(name))) {
            const bool of_paper =
                std::string_view(find_strategy(p.strategy).source).starts_with("IPDPS 2016");
            // There is no model of nl-marks.
            CHECK(p.refused.empty() == (of_paper && p.strategy != "nl-marks"));
            for (const Term& term : p.terms) CHECK(term.factor == 1);
        }
    }
}
