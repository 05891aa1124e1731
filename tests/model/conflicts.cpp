// Changes schedules at random, so that some have conflicts. The result of the checker must be that of the
// definition (schedule.hpp) applied to every pair of edges, and lockstep-execute must refuse schedules with
// conflicts.
#include <algorithm>

#include "insight/build_options.hpp"
#include "lockstep/formats/schedule_file.hpp"
#include "lockstep/schedules/verify.hpp"
#include "model.hpp"

namespace lockstep::model {

namespace {

/// Returns for each index of `order` the index of the unit of this level that contains it.
std::vector<std::size_t> units(const Schedule& schedule, Level level) {
    std::vector<std::size_t> unit(schedule.order.size(), 0);
    if (!schedule.has(level)) return unit;
    const std::vector<EdgeId> offsets = edge_offsets(schedule, level);
    for (std::size_t u = 0; u + 1 < offsets.size(); ++u)
        for (EdgeId i = offsets[u]; i < offsets[u + 1]; ++i) unit[i] = u;
    return unit;
}

/// Returns true if two edges that may run concurrently share an endpoint that they must not share. Applies
/// contract 3 of schedule.hpp to every pair of edges.
bool has_conflict(const Graph& graph, const Schedule& schedule) {
    const bool rows_apart = schedule.disjoint == Disjoint::row || schedule.disjoint == Disjoint::both,
               cols_apart = schedule.disjoint == Disjoint::col || schedule.disjoint == Disjoint::both;
    const auto rows = edge_rows(graph);
    const auto phase = units(schedule, Level::phase), tile = units(schedule, Level::tile),
               step = units(schedule, Level::step), task = units(schedule, Level::task);
    for (EdgeId i = schedule.locked; i < schedule.order.size(); ++i) {
        for (EdgeId j = schedule.locked; j < i; ++j) {
            if (phase[i] != phase[j]) continue;
            if (tile[i] == tile[j]) {
                if (step[i] != step[j]) continue;
                if (schedule.has(Level::task) && task[i] == task[j]) continue;
            }
            const EdgeId a = schedule.order[i], b = schedule.order[j];
            if ((rows_apart && rows[a] == rows[b]) || (cols_apart && graph.col[a] == graph.col[b]))
                return true;
        }
    }
    return false;
}

/// A random change of a schedule.
struct Change {
    bool swap;  ///< whether two edges are swapped; otherwise a border between units is moved by one
    std::uint32_t one, other;  ///< random numbers that select the edges, or the border and its direction
};

void showValue(const Change& change, std::ostream& out) {
    out << (change.swap ? "swap " : "border ") << change.one << ' ' << change.other;
}

void apply(const Change& change, Schedule& schedule) {
    if (change.swap) {
        std::swap(schedule.order[change.one % schedule.order.size()],
                  schedule.order[change.other % schedule.order.size()]);
        return;
    }
    std::vector<Level> present;
    for (const Level level : all_levels)
        if (schedule.level(level).size() > 2) present.push_back(level);
    if (present.empty()) return;
    auto& offsets = schedule.level(present[change.one % present.size()]);
    const std::size_t at = 1 + change.other / 2 % (offsets.size() - 2);
    if (change.other % 2) {
        offsets[at] = std::min(offsets[at] + 1, offsets[at + 1]);
    } else if (offsets[at] > offsets[at - 1]) {
        --offsets[at];
    }
}

/// Returns the options with which lockstep-execute runs a schedule of this name.
std::vector<std::string> strategy_of(const std::string& schedule) {
    if (schedule == "edge-tiled") return {"--app", "pagerank", "--strategy", schedule};
    return {"--strategy", schedule, "--sweeps", "1"};
}

}  // namespace

bool conflicts_are_found(Session& session, std::uint64_t seed, int tries) {
    constexpr const char* names[] = {"agm-e", "agm-n", "sgm",    "diag",       "blkdiag",
                                     "tiled", "local", "el-sgm", "edge-tiled", "stars"};
    return check(
        "a conflict is found by the checker and by lockstep-execute, and none where there is none", seed,
        tries, [&] {
            if (!session.next()) return;
            const Graph graph = *graphs();
            BuildOptions options = insight::default_build_options();
            options.workers = 3, options.block_rows = options.block_cols = 4, options.item_blocks = 2,
            options.hub_items = 1;
            Schedule schedule;
            try {
                schedule = find_builder(*rc::gen::elementOf(
                                            std::vector<std::string>(std::begin(names), std::end(names))))
                               .build(graph, options);
            } catch (const NoLocality&) {
                return;
            }
            if (schedule.order.empty()) return;
            const auto changes = *rc::gen::container<std::vector<Change>>(
                rc::gen::construct<Change>(rc::gen::arbitrary<bool>(), rc::gen::arbitrary<std::uint32_t>(),
                                           rc::gen::arbitrary<std::uint32_t>()));
            for (std::size_t i = 0; i < std::min<std::size_t>(changes.size(), 4); ++i)
                apply(changes[i], schedule);

            const Verification proof = verify(graph, schedule),
                               concurrency = verify_concurrency(graph, schedule);
            RC_LOG() << schedule.name << (proof.problems.empty() ? "" : ": " + proof.problems[0]);
            if (!proof.nested || !proof.cover) return;  // the definition requires a valid structure
            const bool conflict = has_conflict(graph, schedule);
            RC_ASSERT(proof.disjoint == concurrency.disjoint);
            // For tiles, the checker requires more than the contract: tasks must be stars.
            RC_ASSERT((proof.disjoint == !conflict || (!proof.disjoint && schedule.has(Level::tile))));
            if (!conflict) return;
            ++session.refused;
            const auto file = session.folder / "conflict.h5";
            const IdMap rows = RangeIds{0, graph.rows}, cols = RangeIds{0, graph.cols};
            write_schedule_file(file, {graph, rows, cols, {}}, {{schedule, 0}}, {});
            std::vector<std::string> words{"lockstep-execute", file.string(), "--device", "cpu",
                                           "--threads",        "2",           "--quiet"};
            const auto strategy = strategy_of(schedule.name);
            words.insert(words.end(), strategy.begin(), strategy.end());
            const Ended run = run_bounded(session, words);
            RC_LOG() << run.err;
            RC_ASSERT(run.code == 4);
        });
}

}  // namespace lockstep::model
