// Tests against the results that the paper gives for its sample graph (figures 3 to 6).
#include <set>

#include "catch.hpp"
#include "insight/build_options.hpp"
#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/lockstep_machine.hpp"
#include "lockstep/schedules/verify.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Returns the rounds of a schedule, in order, as sets of the paper's letters: "agi bfj chk dl e".
std::string rounds(const Graph& graph, const Schedule& schedule) {
    const auto offsets = edge_offsets(schedule, Level::phase);
    std::string text;
    for (std::size_t p = 0; p + 1 < offsets.size(); ++p) {
        std::set<char> letters;
        for (EdgeId i = offsets[p]; i < offsets[p + 1]; ++i) letters.insert(letter(graph, schedule.order[i]));
        text += (p ? " " : "") + std::string(letters.begin(), letters.end());
    }
    return text;
}

std::string letters(const Graph& graph, const std::vector<EdgeId>& edges) {
    std::string text;
    for (const EdgeId e : edges) text += letter(graph, e);
    return text;
}

BuildOptions two_workers() {
    BuildOptions options = insight::default_build_options();
    options.workers = 2;
    return options;
}

}  // namespace

TEST_CASE("the sample graph's matchings are those of figure 4, in 8, 9 and 7 time steps") {
    const Graph graph = paper_graph();
    const Schedule agm_e = build_agm_e(graph, two_workers());
    CHECK(rounds(graph, agm_e) == "agi bfj chk dl e");
    CHECK(time_steps(agm_e, 2) == 8);

    const Schedule agm_n = build_agm_n(graph, two_workers());
    CHECK(rounds(graph, agm_n) == "ag bf ch d e i j k l");
    CHECK(time_steps(agm_n, 2) == 9);

    const Schedule sgm = build_sgm(graph, two_workers());
    CHECK(rounds(graph, sgm) == "ag bf ch d e ik jl");
    CHECK(time_steps(sgm, 2) == 7);
}

TEST_CASE("the sample graph has the 9 diagonals and 4 block-diagonals of figure 5") {
    const Graph graph = paper_graph();
    CHECK(rounds(graph, build_diag(graph)) == "k l f ag bi c hj d e");
    const Schedule blkdiag = build_blkdiag(graph, 2, 2);
    CHECK(statistics(blkdiag).rounds == 4);
    CHECK(rounds(graph, blkdiag) == "kl abfgi cj deh");
}

TEST_CASE("EL and NL on two lockstep threads run as in figure 6") {
    const Graph graph = paper_graph();
    const auto run = [&](std::span<const EdgeId> order) {
        const EdgeLockedRun el = edge_locked_passes(graph, order, 2);
        std::string text;
        for (const auto& pass : el.passes) text += letters(graph, pass) + " ";
        return text + std::to_string(el.time_steps);
    };
    CHECK(run(given_order(graph)) == "acefgik bdhjl 11");
    std::vector<EdgeId> shuffled;  // the same order as in the paper
    for (const char wanted : std::string("kebdjchgfail")) {
        for (EdgeId e = 0; e < graph.edges(); ++e)
            if (letter(graph, e) == wanted) shuffled.push_back(e);
    }
    CHECK(run(shuffled) == "kebjchfil dga 9");

    const NodeLockedRun nl = node_locked_steps(graph, 2);
    CHECK(nl.steps.size() == 9);
    CHECK(letters(graph, nl.deferred) == "fg");
}
