// Tests of phases of rows: the phases equal those of a serial loop, the checker finds planted conflicts, and
// balancing ends.
#include <omp.h>

#include <algorithm>
#include <random>
#include <set>

#include "lockstep/schedules/rows.hpp"
#include "proved.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// A pattern that owns its arrays.
struct Rows {
    Rows(std::vector<std::vector<VertexId>> rows, EdgeId columns) : column_count(columns) {
        for (const auto& row : rows) {
            entries.insert(entries.end(), row.begin(), row.end());
            offsets.push_back(entries.size());
        }
    }
    RowPattern view(RowPattern::Writes writes = RowPattern::all) const {
        return {.offsets = offsets,
                .columns = entries,
                .column_count = column_count,
                .fixed = fixed,
                .writes = writes};
    }
    std::vector<EdgeId> offsets{0};
    std::vector<VertexId> entries;
    EdgeId column_count;
    std::vector<std::uint8_t> fixed;
};

/// Returns whether the rows conflict, by the definition.
bool conflict(const RowPattern& p, EdgeId a, EdgeId b) {
    for (const VertexId c : p.row(a)) {
        if (p.writes == RowPattern::own ? c == b : false) return true;
        for (const VertexId d : p.row(b)) {
            if (p.writes == RowPattern::own ? d == a : c == d && !p.is_fixed(c)) return true;
        }
    }
    const auto other = p.row(b);
    return p.writes == RowPattern::own && std::find(other.begin(), other.end(), a) != other.end();
}

/// Returns the phase of every row by the serial loop that defines first fit.
std::vector<EdgeId> first_fit(const RowPattern& p) {
    std::vector<EdgeId> phase(p.rows());
    for (EdgeId r = 0; r < p.rows(); ++r) {
        std::set<EdgeId> taken;
        for (EdgeId s = 0; s < r; ++s)
            if (conflict(p, r, s)) taken.insert(phase[s]);
        while (taken.contains(phase[r])) ++phase[r];
    }
    return phase;
}

std::vector<EdgeId> phases_of(const Batches& batches) {
    std::vector<EdgeId> phase(batches.order.size(), ~EdgeId{0});
    for (std::size_t p = 0; p + 1 < batches.offsets.size(); ++p)
        for (EdgeId i = batches.offsets[p]; i < batches.offsets[p + 1]; ++i) phase[batches.order[i]] = p;
    return phase;
}

/// Returns whether every row has a conflict with each earlier phase, as after first fit in any order.
bool is_tight(const RowPattern& p, const std::vector<EdgeId>& phase) {
    for (EdgeId r = 0; r < p.rows(); ++r) {
        std::set<EdgeId> earlier;
        for (EdgeId s = 0; s < p.rows(); ++s)
            if (s != r && phase[s] < phase[r] && conflict(p, r, s)) earlier.insert(phase[s]);
        if (earlier.size() != phase[r]) return false;
    }
    return true;
}

std::vector<EdgeId> sizes_of(const Batches& batches) {
    std::vector<EdgeId> sizes;
    for (std::size_t p = 0; p + 1 < batches.offsets.size(); ++p)
        sizes.push_back(batches.offsets[p + 1] - batches.offsets[p]);
    return sizes;
}

Rows random_rows(std::mt19937& random, EdgeId rows, EdgeId columns, EdgeId longest) {
    std::vector<std::vector<VertexId>> made(rows);
    for (auto& row : made)
        for (EdgeId k = random() % (longest + 1); k > 0; --k)
            row.push_back(static_cast<VertexId>(random() % columns));
    return {made, columns};
}

constexpr RowOrder orders[] = {RowOrder::given, RowOrder::largest, RowOrder::smallest};

}  // namespace

TEST_CASE("phases of 32,768 small patterns are those of the serial loop") {
    std::mt19937 random(7);
    const int before = omp_get_max_threads();
    omp_set_num_threads(1);
    for (int trial = 0; trial < 32768; ++trial) {
        const auto writes = trial % 2 ? RowPattern::own : RowPattern::all;
        const EdgeId columns = 1 + random() % 9, rows = writes == RowPattern::own ? columns : random() % 12;
        Rows made = random_rows(random, rows, columns, 4);
        if (trial % 6 == 0)
            for (EdgeId c = 0; c < columns; ++c) made.fixed.push_back(random() % 3 == 0);
        const RowPattern pattern = made.view(writes);
        validate(pattern);
        const RowBatches given = build_row_batches(pattern);
        const std::vector<EdgeId> expected = first_fit(pattern);
        if (phases_of(given) != expected) FAIL("trial " << trial << " differs from the serial loop");
        for (const RowOrder order : orders) {
            const RowBatches batches = build_row_batches(pattern, {.order = order});
            const RowBatches even = build_row_batches(pattern, {.order = order, .even = true});
            for (const RowBatches* b : {&batches, &even})
                if (const std::string wrong = verify_rows(pattern, *b); !wrong.empty())
                    FAIL("trial " << trial << ": " << wrong);
            if (!is_tight(pattern, phases_of(batches))) FAIL("trial " << trial << ": a row could be earlier");
            if (even.offsets.size() != batches.offsets.size() || batches.bound >= batches.offsets.size())
                FAIL("trial " << trial << " has a wrong number of phases");
        }
    }
    omp_set_num_threads(before);
}

TEST_CASE("patterns with hundreds of phases equal the serial loop, for any number of threads") {
    std::mt19937 random(11);
    for (const RowPattern::Writes writes : {RowPattern::all, RowPattern::own}) {
        for (const EdgeId columns : {30, 60, 700}) {
            const EdgeId rows = writes == RowPattern::own ? columns : 700;
            Rows made = random_rows(random, rows, columns, columns == 700 ? 60 : 20);
            const RowPattern pattern = made.view(writes);
            const std::vector<EdgeId> expected = first_fit(pattern);
            const int before = omp_get_max_threads();
            for (const RowOrder order : orders) {
                for (const bool even : {false, true}) {
                    std::vector<EdgeId> first;
                    for (const int threads : {1, 2, 4}) {
                        omp_set_num_threads(threads);
                        const RowBatches batches = build_row_batches(pattern, {order, even});
                        CHECK(verify_rows(pattern, batches).empty());
                        const std::vector<EdgeId> phase = phases_of(batches);
                        if (threads == 1) first = phase;
                        CHECK(phase == first);
                    }
                    if (order == RowOrder::given && !even) CHECK(first == expected);
                }
            }
            omp_set_num_threads(before);
        }
    }
}

TEST_CASE("large patterns do not depend on the number of threads") {
    std::mt19937 random(3);
    std::vector<std::vector<VertexId>> made(200'000);
    for (std::size_t r = 0; r < made.size(); ++r)
        for (int k = 0; k < 4; ++k)
            made[r].push_back(static_cast<VertexId>((r / 3 + random() % 50) % 60'000));
    const Rows rows(made, 60'000);
    const int before = omp_get_max_threads();
    for (const RowOrder order : orders) {
        std::vector<EdgeId> first;
        for (const int threads : {1, 4}) {
            omp_set_num_threads(threads);
            const RowBatches batches = build_row_batches(rows.view(), {order, true});
            CHECK(verify_rows(rows.view(), batches).empty());
            const std::vector<EdgeId> sizes = sizes_of(batches);
            const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
            CHECK(*most - *least <= *most / 10);
            if (threads == 1) first = phases_of(batches);
            CHECK(phases_of(batches) == first);
        }
    }
    omp_set_num_threads(before);
}

TEST_CASE("balancing ends on a graph whose sizes alternate in another program") {
    // The vertices 5 and 6 are adjacent to each other and to 0, 1, 2 and 4; vertex 3 is alone. Three phases of
    // sizes 4, 2 and 1 cannot be improved.
    const Rows graph({{5, 6}, {5, 6}, {5, 6}, {}, {5, 6}, {0, 1, 2, 4, 6}, {0, 1, 2, 4, 5}}, 7);
    for (const RowOrder order : orders) {
        const RowBatches batches = build_row_batches(graph.view(RowPattern::own), {order, true});
        CHECK(verify_rows(graph.view(RowPattern::own), batches).empty());
        std::vector<EdgeId> sizes = sizes_of(batches);
        std::sort(sizes.begin(), sizes.end());
        CHECK(sizes == std::vector<EdgeId>{1, 2, 4});
    }
}

TEST_CASE("the vertices of a mesh's triangles have three different colours") {
    constexpr VertexId side = 40;
    std::vector<std::vector<VertexId>> neighbours(side * side);
    std::vector<std::array<VertexId, 3>> triangles;
    for (VertexId y = 0; y + 1 < side; ++y) {
        for (VertexId x = 0; x + 1 < side; ++x) {
            const VertexId a = y * side + x, b = a + 1, c = a + side, d = c + 1;
            triangles.push_back({a, b, d}), triangles.push_back({a, d, c});
        }
    }
    for (const auto& t : triangles)
        for (int k = 0; k < 3; ++k) neighbours[t[k]].push_back(t[(k + 1) % 3]);
    const Rows mesh(neighbours, side * side);
    for (const RowOrder order : orders) {
        for (const bool even : {false, true}) {
            const std::vector<EdgeId> colour =
                phases_of(build_row_batches(mesh.view(RowPattern::own), {order, even}));
            for (const auto& [a, b, c] : triangles)
                CHECK(std::set<EdgeId>{colour[a], colour[b], colour[c]}.size() == 3);
        }
    }
}

TEST_CASE("phases of patterns without conflicts, and of rows that all share a column") {
    const auto count = [](const Rows& rows, RowOptions options = {}) {
        validate(rows.view());
        const RowBatches batches = build_row_batches(rows.view(), options);
        CHECK(verify_rows(rows.view(), batches).empty());
        CHECK(batches.bound < batches.offsets.size());
        return batches.offsets.size() - 1;
    };
    for (const RowOrder order : orders) {
        for (const bool even : {false, true}) {
            const RowOptions options{order, even};
            CHECK(count(Rows({}, 0), options) == 0);
            CHECK(count(Rows({{2, 0, 2, 2}}, 3), options) == 1);
            CHECK(count(Rows({{}, {}, {}}, 0), options) == 1);
            CHECK(count(Rows({{1, 1}, {}, {1, 2}, {2}}, 3), options) == 2);
            std::vector<std::vector<VertexId>> made;
            for (VertexId r = 0; r < 1000; ++r) made.push_back({r + 1, 0});
            Rows star(made, 1001);
            CHECK(count(star, options) == 1000);
            CHECK(build_row_batches(star.view()).bound == 1000);
            star.fixed.assign(1001, 0), star.fixed[0] = 1;
            CHECK(count(star, options) == 1);
            star.fixed.assign(1001, 1);
            CHECK(count(star, options) == 1);
        }
    }
}

TEST_CASE("the checker names the two rows and the column of a planted conflict") {
    std::mt19937 random(5);
    const Rows made = random_rows(random, 400, 400, 6);
    int planted = 0;
    for (const RowPattern::Writes writes : {RowPattern::all, RowPattern::own}) {
        const RowPattern pattern = made.view(writes);
        const RowBatches batches = build_row_batches(pattern);
        const std::vector<EdgeId> phase = phases_of(batches);
        for (EdgeId r = 0; r < pattern.rows(); ++r) {
            if (phase[r] == 0) continue;
            // Row r is moved to phase 0, where first fit found a conflict.
            Batches wrong;
            wrong.offsets.clear();
            std::vector<std::vector<EdgeId>> rows(batches.offsets.size() - 1);
            for (EdgeId s = 0; s < pattern.rows(); ++s) rows[s == r ? 0 : phase[s]].push_back(s);
            for (const auto& of_phase : rows) {
                wrong.offsets.push_back(wrong.order.size());
                wrong.order.insert(wrong.order.end(), of_phase.begin(), of_phase.end());
            }
            wrong.offsets.push_back(wrong.order.size());
            const std::string found = verify_rows(pattern, wrong);
            CHECK_THAT(found,
                       Catch::Contains(std::to_string(r)) && Catch::Contains("of phase 0 both use column"));
            ++planted;
        }
    }
    CHECK(planted > 400);
    const Rows two({{0, 3}, {3, 1}}, 4);
    Batches both;
    both.order = {1, 0}, both.offsets = {0, 2};
    CHECK(verify_rows(two.view(), both) == "rows 0 and 1 of phase 0 both use column 3");
    const Rows arc({{1}, {}}, 2);
    CHECK(verify_rows(arc.view(RowPattern::own), both) == "rows 0 and 1 of phase 0 both use column 1");
    both.order = {1, 1};
    CHECK(verify_rows(two.view(), both) == "row 0 is in no phase");
    both.order = {0, 1, 0}, both.offsets = {0, 1, 3};
    CHECK(verify_rows(two.view(), both) == "a row is in the phases twice");
    both.order = {0, 2}, both.offsets = {0, 2};
    CHECK_THAT(verify_rows(two.view(), both), Catch::Contains("does not have"));
    both.offsets = {0, 1};
    CHECK_THAT(verify_rows(two.view(), both), Catch::Contains("offsets"));
}

TEST_CASE("invalid patterns are refused with the entry") {
    const auto refuse = [](Rows rows, auto change, const std::string& words,
                           RowPattern::Writes writes = RowPattern::all) {
        change(rows);
        CHECK_THROWS_WITH(validate(rows.view(writes)), Catch::Contains(words));
    };
    const Rows good({{0, 1}, {2}}, 3);
    refuse(
        good, [](Rows& r) { r.entries[2] = 3; }, "entry 2 has column 3");
    refuse(
        good,
        [](Rows& r) {
            r.offsets = {0, 5, 3};
        },
        "offset 2 of the rows is 3");
    refuse(
        good, [](Rows& r) { r.offsets.back() = 2; }, "3");
    refuse(
        good, [](Rows& r) { r.fixed = {1}; }, "1 flags");
    refuse(
        good, [](Rows&) {}, "square", RowPattern::own);
}

TEST_CASE("the builder rows puts the edges of a row into one task, and its phases equal those of the rows") {
    const Graph graph = random_graph(300, 80, 900, 4);
    for (const RowOrder order : orders) {
        BuildOptions options;
        options.row_phases = {order, order == RowOrder::given};
        const Schedule schedule = find_builder("rows").build(graph, options);
        require_verified(verify(graph, schedule));
        CHECK(schedule.parameters.at("order") == to_string(order));
        CHECK(std::stoull(schedule.parameters.at("bound")) <= schedule.count(Level::phase));
        const std::vector<EdgeId> tasks = edge_offsets(schedule, Level::task);
        const Array<VertexId> row = edge_rows(graph);
        std::set<VertexId> seen;
        for (std::size_t t = 0; t + 1 < tasks.size(); ++t) {
            CHECK(seen.insert(row[schedule.order[tasks[t]]]).second);
            CHECK(graph.edges_of(row[schedule.order[tasks[t]]]).size() == tasks[t + 1] - tasks[t]);
        }
        Schedule wrong = schedule;  // the first two phases are joined
        wrong.level(Level::phase).erase(wrong.level(Level::phase).begin() + 1);
        CHECK_FALSE(verify(graph, wrong).disjoint);
    }
    CHECK_THAT(why_not(find_builder("rows"), Ends::vertices), Catch::Contains("two sides"));
}
