// Tests of the verifier: it must find every planted fault and report it as the right kind.
#include <cmath>
#include <random>

#include "catch.hpp"
#include "insight/build_options.hpp"
#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/verify.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

struct Subject {
    Graph graph = random_graph(80, 60, 900, 21);
    BuildOptions options = insight::default_build_options();
    Subject() { options.workers = 9; }
};

/// Moves one edge into a phase (or set of tasks) in which one of its endpoints is in use. Returns false if
/// the random choice does not lead to such a conflict.
bool plant_conflict(const Graph& graph, Schedule& schedule, std::mt19937_64& random) {
    const auto rows = edge_rows(graph);
    const auto phases = edge_offsets(schedule, Level::phase);
    const EdgeId from = schedule.locked + random() % (schedule.order.size() - schedule.locked);
    const EdgeId to = schedule.locked + random() % (schedule.order.size() - schedule.locked);
    const auto phase_of = [&](EdgeId i) {
        return std::upper_bound(phases.begin(), phases.end(), i) - phases.begin() - 1;
    };
    const auto p = phase_of(to);
    if (phase_of(from) == p) return false;
    // After the swap, edge `from` is at position `to`. It conflicts if another edge of that phase shares an
    // endpoint.
    const EdgeId moved = schedule.order[from];
    for (EdgeId i = phases[p]; i < phases[p + 1]; ++i) {
        if (i == to) continue;
        const EdgeId other = schedule.order[i];
        if (rows[other] == rows[moved] || graph.col[other] == graph.col[moved]) {
            std::swap(schedule.order[from], schedule.order[to]);
            return true;
        }
    }
    return false;
}

}  // namespace

TEST_CASE("the checker finds 1,000 of 1,000 planted conflicts") {
    const Subject subject;
    std::mt19937_64 random(1);
    int planted = 0, found = 0;
    const std::vector<Schedule> schedules{
        build_agm_e(subject.graph, subject.options), build_agm_n(subject.graph, subject.options),
        build_sgm(subject.graph, subject.options), build_diag(subject.graph)};
    while (planted < 1000) {
        Schedule broken = schedules[random() % schedules.size()];
        if (!plant_conflict(subject.graph, broken, random)) continue;
        ++planted;
        const Verification v = verify(subject.graph, broken);
        found += !v.disjoint && !v.ok() && !v.problems.empty();
    }
    CHECK(found == 1000);
}

TEST_CASE("the checker finds a conflict between two tasks of a block-diagonal") {
    const Subject subject;
    Schedule schedule = build_blkdiag(subject.graph, 4, 4);
    REQUIRE(verify(subject.graph, schedule).ok());
    // Splitting a task turns the edges of one worker into those of two concurrent workers.
    auto& tasks = schedule.level(Level::task);
    std::size_t t = 0;
    const auto rows = edge_rows(subject.graph);
    const auto splits_item = [&](std::size_t i) {
        return tasks[i + 1] - tasks[i] >= 2 &&
               subject.graph.col[schedule.order[tasks[i]]] == subject.graph.col[schedule.order[tasks[i] + 1]];
    };
    while (!splits_item(t)) ++t;
    for (EdgeId& phase : schedule.level(Level::phase)) phase += phase > t;
    tasks.insert(tasks.begin() + static_cast<std::ptrdiff_t>(t) + 1, tasks[t] + 1);
    const Verification v = verify(subject.graph, schedule);
    CHECK(v.nested);
    CHECK_FALSE(v.disjoint);
}

TEST_CASE("the checker finds edges that are missing, doubled or foreign") {
    const Subject subject;
    const Schedule good = build_agm_e(subject.graph, subject.options);
    Schedule broken = good;
    broken.order[5] = broken.order[6];
    CHECK_FALSE(verify(subject.graph, broken).cover);
    broken = good;
    broken.order[5] = subject.graph.edges();
    CHECK_FALSE(verify(subject.graph, broken).cover);
    broken = good;
    broken.order.pop_back();
    broken.level(Level::phase).back() -= 1;
    CHECK_FALSE(verify(subject.graph, broken).cover);
    CHECK_FALSE(verify(random_graph(80, 60, 899, 21), good).ok());
    Schedule degree = build_degree(subject.graph);
    std::swap(degree.row_order[0], degree.row_order[1]);
    CHECK(verify(subject.graph, degree).ok());
    degree.row_order[0] = degree.row_order[1];
    CHECK_FALSE(verify(subject.graph, degree).cover);
}

TEST_CASE("the checker finds offsets that are not nested") {
    const Subject subject;
    const Schedule good = build_sgm(subject.graph, subject.options);
    for (const Level level : {Level::block, Level::phase}) {
        Schedule broken = good;
        std::swap(broken.level(level)[1], broken.level(level)[2]);
        CHECK_FALSE(verify(subject.graph, broken).nested);
        broken = good;
        broken.level(level).back() += 1;
        CHECK_FALSE(verify(subject.graph, broken).nested);
        broken = good;
        broken.level(level).front() = 1;
        CHECK_FALSE(verify(subject.graph, broken).nested);
    }
    Schedule broken = good;
    broken.level(Level::phase).clear();
    CHECK_FALSE(verify(subject.graph, broken).nested);
    broken = good;
    broken.locked = broken.order.size() + 1;
    CHECK_FALSE(verify(subject.graph, broken).nested);
}

TEST_CASE("the checker finds rounds that are not maximal, wherever the late edge is") {
    const Subject subject;
    const Schedule good = build_agm_e(subject.graph, subject.options);
    // Move single edges to an additional round at the end, which is conflict-free but not maximal.
    for (EdgeId i = 0; i < good.order.size(); i += 7) {
        Schedule late = good;
        const EdgeId edge = late.order[i];
        late.order.erase(late.order.begin() + static_cast<std::ptrdiff_t>(i));
        late.order.push_back(edge);
        auto& phases = late.level(Level::phase);
        for (EdgeId& p : phases) p -= p > i;
        phases.push_back(late.order.size());
        if (*(phases.end() - 3) == *(phases.end() - 2)) continue;  // it was alone in the last round
        const Verification v = verify(subject.graph, late);
        INFO("edge " << edge);
        CHECK(v.disjoint);
        CHECK_FALSE(v.maximal);
        late.maximal = false;
        CHECK(verify(subject.graph, late).ok());
    }
}

TEST_CASE("the checker finds a late edge among hubs and hundreds of rounds") {
    // Hubs on both sides exercise rounds of a vertex as bits and as a list, and in several blocks.
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> uniform(0, 1);
    std::vector<Triple> triples;
    for (int i = 0; i < 20'000; ++i)
        triples.push_back({static_cast<VertexId>(3000 * std::pow(uniform(random), 5)),
                           static_cast<VertexId>(2000 * std::pow(uniform(random), 4)), 1});
    const Graph graph = build_graph(triples, 3000, 2000, {});
    BuildOptions options = insight::default_build_options();
    options.workers = 300;
    for (const auto& build : {build_agm_e, build_sgm}) {
        const Schedule good = build(graph, options);
        CHECK(verify(graph, good).ok());
        const EdgeId blocks = std::max<EdgeId>(1, good.count(Level::block));
        for (int i = 0; i < 300; ++i) {
            // Move an edge from its round to an additional round at the end of its block.
            const EdgeId block = random() % blocks;
            const std::vector<EdgeId> block_edges = good.has(Level::block)
                                                        ? edge_offsets(good, Level::block)
                                                        : std::vector<EdgeId>{0, graph.edges()};
            if (block_edges[block] == block_edges[block + 1]) continue;
            const EdgeId from = block_edges[block] + random() % (block_edges[block + 1] - block_edges[block]),
                         to = block_edges[block + 1];
            const auto& rounds = good.level(Level::phase);
            const auto own = static_cast<EdgeId>(std::upper_bound(rounds.begin(), rounds.end(), from) -
                                                 rounds.begin() - 1);
            const EdgeId last =
                good.has(Level::block) ? good.level(Level::block)[block + 1] - 1 : rounds.size() - 2;
            if (own == last || rounds[own + 1] - rounds[own] == 1)
                continue;  // the edge would not be late, or its round would be empty
            Schedule late = good;
            std::rotate(late.order.begin() + static_cast<std::ptrdiff_t>(from),
                        late.order.begin() + static_cast<std::ptrdiff_t>(from) + 1,
                        late.order.begin() + static_cast<std::ptrdiff_t>(to));
            auto& moved = late.level(Level::phase);
            for (EdgeId r = own + 1; r <= last + 1; ++r) --moved[r];
            moved.insert(moved.begin() + static_cast<std::ptrdiff_t>(last) + 2, to);
            for (EdgeId b = block + 1; b < late.level(Level::block).size(); ++b)
                ++late.level(Level::block)[b];
            const Verification v = verify(graph, late);
            INFO(good.name << ", edge at " << from);
            CHECK(v.nested);
            CHECK(v.cover);
            CHECK(v.disjoint);
            CHECK_FALSE(v.maximal);
        }
    }
}

TEST_CASE("the checker finds wrong residents") {
    const Subject subject;
    const Schedule good = build_sgm(subject.graph, subject.options);
    Schedule broken = good;
    std::swap(broken.residents.front(), broken.residents.back());
    CHECK_FALSE(verify(subject.graph, broken).resident);
    broken = good;
    broken.residents[0] = broken.residents[1];
    CHECK_FALSE(verify(subject.graph, broken).resident);
    broken = good;
    broken.residents[0] = subject.graph.cols;
    CHECK_FALSE(verify(subject.graph, broken).resident);
}

TEST_CASE("tiles of a phase and tasks of a step are checked apart") {
    // Two tiles of one step each, first with distinct vertices, then with a shared row.
    const Graph graph = graph_of(4, 4, {{0, 0}, {1, 1}, {2, 2}, {3, 3}});
    Schedule schedule;
    schedule.disjoint = Disjoint::both;
    schedule.order = {0, 1, 2, 3};
    schedule.level(Level::phase) = {0, 2};
    schedule.level(Level::tile) = {0, 1, 2};
    schedule.level(Level::step) = {0, 2, 4};
    schedule.level(Level::task) = {0, 1, 2, 3, 4};
    CHECK(verify(graph, schedule).ok());
    const Graph shared_row = graph_of(3, 4, {{0, 0}, {1, 1}, {1, 2}, {2, 3}});
    const Verification v = verify(shared_row, schedule);
    CHECK(v.nested);
    CHECK_FALSE(v.disjoint);
}
