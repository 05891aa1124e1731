// Tests of the model: properties of its predictions for any costs, and of the ranking that follows from them.
#include <cmath>

#include "catch.hpp"
#include "insight/build_options.hpp"
#include "insight/recommend.hpp"
#include "insight_support.hpp"
#include "lockstep/schedules/builders.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::insight;
using test::sample_probe;

namespace {

Statistics statistics_of_file(const Graph& graph) {
    ScheduleFileSummary file;
    file.path = "some/graph.h5";
    file.rows = graph.rows, file.cols = graph.cols, file.edges = graph.edges();
    file.row_degrees = statistics(row_degrees(graph)), file.col_degrees = statistics(col_degrees(graph));
    for (const char* name : {"agm-e", "agm-n", "sgm", "diag", "blkdiag", "tiled", "stars", "local", "el-sgm",
                             "shuffle", "blocked"}) {
        const Schedule schedule = find_builder(name).build(graph, default_build_options());
        file.schedules.push_back({name, schedule.parameters, 0.5, "", schedule.disjoint, schedule.maximal,
                                  schedule.locked, statistics(schedule)});
    }
    return statistics_of(file, default_build_options());
}

Graph without_repeats(const Graph& graph) {
    std::vector<Triple> triples;
    const Array<VertexId> row = edge_rows(graph);
    for (EdgeId e = 0; e < graph.edges(); ++e) triples.push_back({row[e], graph.col[e], 1});
    GraphOptions options;
    options.repeats = RepeatPolicy::first;
    return build_graph(std::move(triples), graph.rows, graph.cols, options);
}

}  // namespace

TEST_CASE("every strategy but one is predicted, as the sum of terms that are positive and named") {
    const Statistics s = statistics_of_file(test::random_graph(400, 150, 5000, 1));
    for (const char* kind : {"cuda", "cpu"}) {
        const auto all = predict(s, sample_probe(kind));
        REQUIRE(all.size() == strategies().size());
        for (const Prediction& p : all) {
            INFO(kind << " " << p.strategy);
            if (p.strategy == "nl-marks") {  // there is no model of it
                CHECK_THAT(p.refused, Catch::Contains("does not support nl-marks"));
                CHECK(p.terms.empty());
                continue;
            }
            REQUIRE_FALSE(p.terms.empty());
            double sum = 0;
            for (const Term& term : p.terms) {
                CHECK(std::isfinite(term.seconds()));
                CHECK(term.seconds() > 0);
                CHECK_FALSE(term.how.empty());
                CHECK(term.seconds() <= p.dominant().seconds());
                sum += term.seconds();
            }
            CHECK(p.sweep() == Approx(sum));
            CHECK(p.load == Approx(1e-6 * 5000 / SecondsByEdges::smaller + 5000 * 2e-9));
            CHECK(p.kept(10) == Approx(p.load + 10 * p.sweep()));
            CHECK(p.total(10) == Approx(p.preprocess + p.kept(10)));
            CHECK(p.preprocess == (p.schedule.empty() ? 0 : 0.5));
            CHECK(p.exact == (p.strategy.find("hogwild") == std::string::npos));
        }
    }
}

TEST_CASE("slower barriers, locks and chains never make a prediction smaller") {
    const Statistics s = statistics_of_file(test::random_graph(400, 150, 5000, 2));
    const auto base = predict(s, sample_probe());
    const auto with = [&](const std::function<void(Probe&)>& change) {
        Probe probe = sample_probe();
        change(probe);
        return predict(s, probe);
    };
    const auto sweep_of = [](const std::vector<Prediction>& all, const std::string& name) -> double {
        for (const Prediction& p : all) {
            if (p.strategy == name) return p.sweep();
        }
        return NAN;
    };
    std::vector<std::vector<Prediction>> slower;
    for (const std::string_view name : cost_names)
        slower.push_back(with([&](Probe& p) { p.costs[std::string(name)] *= 3; }));
    slower.push_back(with([](Probe& p) { p.barrier *= 3; }));
    slower.push_back(with([](Probe& p) { p.cache_bytes /= 1e4; }));
    for (Curve Probe::*curve : {&Probe::phase_round, &Probe::resident_round}) {
        slower.push_back(with([&](Probe& p) {
            for (double& y : (p.*curve).y) y *= 3;
        }));
    }
    // A slower part may shorten the wait for a concurrent part (a "beyond" term), but the sum must not become
    // smaller.
    for (const auto& all : slower) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            INFO(all[i].strategy);
            CHECK(all[i].sweep() >= 0.999 * base[i].sweep());
        }
    }
    const auto locks =
        with([](Probe& p) { p.costs["locked.chain"] *= 10, p.costs["locked.edge.near"] *= 10; });
    CHECK(sweep_of(locks, "el") > sweep_of(base, "el"));
    CHECK(sweep_of(locks, "agm-e") == sweep_of(base, "agm-e"));
}

TEST_CASE(
    "a larger hub never makes a prediction smaller, and moves the choice from locks' and rounds' chains to "
    "tiles") {
    Statistics even, skewed;
    {
        std::vector<std::pair<VertexId, VertexId>> edges, hub;
        for (VertexId i = 0; i < 20000; ++i) edges.push_back({i % 2000, (i * 7 + i / 2000) % 1000});
        hub = edges;
        for (VertexId u = 0; u < 2000; ++u) hub.push_back({u, 0});
        even = statistics_of_file(test::graph_of(2000, 1000, edges)),
        skewed = statistics_of_file(test::graph_of(2000, 1000, hub));
    }
    const auto a = predict(even, sample_probe()), b = predict(skewed, sample_probe());
    for (std::size_t i = 0; i < a.size(); ++i) {
        INFO(a[i].strategy);
        CHECK(b[i].sweep() >= a[i].sweep());
    }
    // The paper's two bounds (V-A): d (p + b) for rounds, d (p + l) under locks.
    const auto chain = [](const Prediction& p) { return p.terms.front().seconds(); };
    CHECK(chain(b[0]) >= 2000 * sample_probe().phase_round.y.front() * 0.5);
}

TEST_CASE("estimates from a graph alone are near what its schedules turn out to be") {
    for (const std::uint64_t seed : {1, 2, 3}) {
        const Graph graph = without_repeats(test::random_graph(3000, 1000, 60000, seed));
        const Statistics guessed = statistics_of(graph, "g", default_build_options()),
                         known = statistics_of_file(graph);
        for (const char* name : {"agm-e", "diag", "blkdiag", "stars"}) {
            INFO(name);
            const Rounds &g = guessed.schedules.at(name), &k = known.schedules.at(name);
            CHECK_FALSE(g.exact);
            CHECK(k.exact);
            CHECK(g.rounds <= 2 * k.rounds);
            CHECK(g.rounds >= k.rounds / 2);
            CHECK(g.chain <= 2 * k.chain);
            CHECK(g.chain >= k.chain / 2);
        }
        CHECK(guessed.schedules.at("diag").rounds == known.schedules.at("diag").rounds);  // counted exactly
    }
}

TEST_CASE("matchings of a graph with hubs on one side cost as much by its degrees as by their sizes") {
    std::vector<std::pair<VertexId, VertexId>> edges;
    for (VertexId v = 0; v < 500; ++v) {
        for (VertexId i = 0; i < 4000 / (v + 1); ++i) edges.push_back({(i + v * 37) % 4000, v});
    }
    for (const bool turned : {false, true}) {
        if (turned) {
            for (auto& [u, v] : edges) std::swap(u, v);
        }
        const Graph graph = turned ? test::graph_of(500, 4000, edges) : test::graph_of(4000, 500, edges);
        const auto sweep = [](const Statistics& s) {
            for (const Prediction& p : predict(s, sample_probe()))
                if (p.strategy == "agm-e") return p.sweep();
            return 0.0;
        };
        const double guessed = sweep(statistics_of(graph, "g", default_build_options())),
                     known = sweep(statistics_of_file(graph));
        INFO(guessed << " for " << known);
        CHECK(std::abs(guessed - known) < 0.15 * known);
    }
}

TEST_CASE(
    "the ranking is by total time, racing is not recommended unasked, and break-even points are where lines "
    "cross") {
    const Statistics s = statistics_of_file(test::random_graph(4000, 1500, 50000, 3));
    const Probe probe = sample_probe();
    for (const bool racing : {false, true}) {
        for (const double sweeps : {1.0, 20.0, 1e6}) {
            const Recommendation r = recommend(s, probe, {sweeps, racing, false});
            REQUIRE(r.eligible == (racing ? 15 : 13));
            for (std::size_t i = 1; i < r.eligible; ++i)
                CHECK(r.ranked[i].total(sweeps) >= r.ranked[i - 1].total(sweeps));
            for (std::size_t i = 0; i < r.eligible; ++i) CHECK((racing || r.ranked[i].exact));
            CHECK_THAT(r.reason, Catch::StartsWith(r.ranked.front().strategy + ": ") && Catch::EndsWith("."));
        }
    }
    const Recommendation r = recommend(s, probe, {1, false, false});
    const auto find = [&](const std::string& name) {
        for (const Prediction& p : r.ranked) {
            if (p.strategy == name) return p;
        }
        throw std::out_of_range(name);
    };
    double last = 0;
    for (const BreakEven& point : r.break_even) {
        const Prediction winner = find(point.strategy), loser = find(point.against);
        CHECK(point.sweeps >= last);
        CHECK(winner.total(point.sweeps) <= loser.total(point.sweeps) * (1 + 1e-9));
        if (point.sweeps >= 1)
            CHECK(winner.total(point.sweeps - 1) >= loser.total(point.sweeps - 1) * (1 - 1e-9));
        CHECK(recommend(s, probe, {point.sweeps + 1, false, false}).ranked.front().total(point.sweeps + 1) <=
              winner.total(point.sweeps + 1));
        last = point.sweeps;
    }
}

TEST_CASE("only what the file has is recommended to run from it, and costs no preprocessing") {
    ScheduleFileSummary file;
    file.path = "g.h5";
    const Graph graph = test::random_graph(400, 150, 5000, 4);
    file.rows = graph.rows, file.cols = graph.cols, file.edges = graph.edges();
    file.row_degrees = statistics(row_degrees(graph)), file.col_degrees = statistics(col_degrees(graph));
    const Schedule schedule = build_agm_e(graph, {});
    file.schedules.push_back({"agm-e", {}, 100, "", schedule.disjoint, true, 0, statistics(schedule)});
    const Recommendation r =
        recommend(statistics_of(file, default_build_options()), sample_probe(), {20, false, true});
    std::vector<std::string> names;
    for (std::size_t i = 0; i < r.eligible; ++i) names.push_back(r.ranked[i].strategy);
    CHECK_THAT(names, Catch::UnorderedEquals(std::vector<std::string>{"agm-e", "el", "nl", "nl-el"}));
    // 100 s of preprocessing that is already done do not count against the schedule.
    Probe slow_locks = sample_probe();
    slow_locks.costs["locked.chain"] = slow_locks.costs["items.chain"] =
        slow_locks.costs["locked.row_chain"] = slow_locks.costs["items.row_chain"] = 1e-3;
    CHECK(recommend(statistics_of(file, default_build_options()), slow_locks, {20, false, true})
              .ranked.front()
              .strategy == "agm-e");
    CHECK(recommend(statistics_of(file, default_build_options()), slow_locks, {1, false, false})
              .ranked.front()
              .strategy != "agm-e");
    // Its loading time counts, if few sweeps follow.
    Probe slow_loading = slow_locks;
    slow_loading.load["agm-e"] = {1e5, 0};
    CHECK(recommend(statistics_of(file, default_build_options()), slow_loading, {20, false, true})
              .ranked.front()
              .strategy != "agm-e");
    CHECK(recommend(statistics_of(file, default_build_options()), slow_loading, {1e7, false, true})
              .ranked.front()
              .strategy == "agm-e");
}

TEST_CASE("graphs without edges, with one, and of format 1.0 are predicted") {
    for (const auto& [name, graph] : test::graph_battery()) {
        INFO(name);
        const Recommendation r =
            recommend(statistics_of(graph, name, default_build_options()), sample_probe(), {});
        CHECK(std::isfinite(r.ranked.front().sweep()));
        CHECK_FALSE(r.reason.empty());
        ScheduleFileSummary old;  // contains only the maximum degrees
        old.path = name;
        old.rows = graph.rows, old.cols = graph.cols, old.edges = graph.edges();
        old.row_degrees.largest = max_degree(graph).row, old.col_degrees.largest = max_degree(graph).col;
        CHECK(std::isfinite(recommend(statistics_of(old, default_build_options()), sample_probe(), {})
                                .ranked.front()
                                .sweep()));
    }
}

TEST_CASE("the estimate of EL+SGM's hubs follows the builder's rule") {
    for (const Graph& graph :
         {test::random_graph(400, 150, 5000, 1), test::random_graph(3000, 900, 60000, 2)}) {
        const std::vector<EdgeId> degree = col_degrees(graph);
        const EdgeId limit =
            hub_limit(*std::max_element(degree.begin(), degree.end()), graph.edges(), graph.cols);
        EdgeId locked = 0;
        for (const EdgeId d : degree) locked += d > limit ? d : 0;
        CHECK(build_el_sgm(graph, default_build_options()).locked == locked);
        // An item has many edges here: 8 times the mean exceeds an eighth of the maximum degree.
        const Rounds hybrid = statistics_of(graph, "g", default_build_options()).schedules.at("el-sgm");
        CHECK((hybrid.locked > 0) == (locked > 0));
    }
}
