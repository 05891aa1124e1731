// The table of strategies. It includes the headers of the walks, which its lines name.
#include "lockstep/executor/strategy.hpp"

#include <algorithm>
#include <array>

#include "lockstep/executor/arc/plan.hpp"
#include "lockstep/executor/edge/plan.hpp"
#include "lockstep/executor/frontier/plan.hpp"
#include "lockstep/executor/layout/walks.hpp"
#include "lockstep/executor/mesh/rounds.hpp"
#include "lockstep/executor/structure/undirected.hpp"

namespace lockstep {

namespace {

using structure::Deciding, structure::Joining, structure::Meet, structure::Peeling, structure::Picking;

// The sources are sections of Kaleem et al., IPDPS 2016 (SGD); Verstraaten et al., Euro-Par 2015 workshops
// (PageRank); Hong et al., PPoPP 2011, Pai and Pingali, OOPSLA 2016, Liu and Huang, ATC 2019 (frontier).
// clang-format off
/// A strategy in rounds over active vertices, with these axes.
constexpr Strategy traversal(const char* name, const char* source, const char* summary, const char* axes) {
    return {.name = name, .app = "frontier", .schedule = nullptr, .walk = frontier::Expand::facts, .policy = Policy::atomics,
            .source = source, .summary = summary, .axes = axes};
}
/// A strategy for the undirected graph in its given order: the variant `way` or, if it is empty, rounds over
/// active vertices with these axes.
constexpr Strategy structural(const char* app, const char* name, AnyWay way, const char* source, const char* summary,
                              const char* axes = nullptr, Policy policy = Policy::atomics) {
    return {.name = name, .app = app, .schedule = nullptr, .walk = structure::as_given, .way = way, .policy = policy,
            .source = source, .summary = summary, .axes = axes};
}

/// Jacobi methods, which are no walks over edges and need no schedule. An atomic operation on a float counts
/// as a lock of one number.
constexpr Walk all_at_once{.name = "all-at-once"}, by_particle{.name = "by-particle"};
/// A solver of one vertex after another, given the vertices of the other side.
constexpr Walk by_vertex{.name = "by-vertex"};

constexpr std::array registry{
    Strategy{.name = "agm-e", .app = edge_updates, .schedule = "agm-e", .walk = PhasesPlan::facts, .policy = Policy::none,
             .source = "IPDPS 2016, III-A.1", .summary = "all-graph matchings, one edge a worker"},
    Strategy{.name = "agm-n", .app = edge_updates, .schedule = "agm-n", .walk = ResidentPlan::facts, .policy = Policy::none,
             .source = "IPDPS 2016, III-A.2", .summary = "all-graph matchings, one item a worker"},
    Strategy{.name = "sgm", .app = edge_updates, .schedule = "sgm", .walk = ResidentPlan::facts, .policy = Policy::none,
             .source = "IPDPS 2016, III-A.3", .summary = "sub-graph matchings, one item a worker"},
    Strategy{.name = "diag", .app = edge_updates, .schedule = "diag", .walk = PhasesPlan::facts, .policy = Policy::none,
             .source = "IPDPS 2016, III-B.1", .summary = "diagonals, F x E threads"},
    Strategy{.name = "blkdiag", .app = edge_updates, .schedule = "blkdiag", .walk = TasksPlan::facts, .policy = Policy::none,
             .source = "IPDPS 2016, III-B.2", .summary = "block-diagonals, one block a worker"},
    Strategy{.name = "tiled", .app = edge_updates, .schedule = "tiled", .walk = TiledPlan::facts, .of_vertices = &LocalPlan::facts, .policy = Policy::none,
             .source = "ours", .summary = "tiles, items on chip, users fetched ahead"},
    Strategy{.name = "stars", .app = edge_updates, .schedule = "stars", .walk = StarsPlan::facts, .policy = Policy::none,
             .source = "ours", .summary = "matchings of stars: a vertex and some of its neighbours a worker"},
    Strategy{.name = "local", .app = edge_updates, .schedule = "local", .walk = LocalPlan::facts, .policy = Policy::none,
             .source = "ours", .summary = "regions on chip, for graphs with locality such as roads"},
    Strategy{.name = "el", .app = edge_updates, .schedule = nullptr, .walk = EdgeLockedPlan::facts, .policy = Policy::locks,
             .source = "IPDPS 2016, IV-A", .summary = "edge-locked, edges as given"},
    Strategy{.name = "el-shuffled", .app = edge_updates, .schedule = "shuffle", .walk = EdgeLockedPlan::facts, .policy = Policy::locks,
             .source = "IPDPS 2016, IV-A", .summary = "edge-locked, edges shuffled"},
    Strategy{.name = "nl", .app = edge_updates, .schedule = nullptr, .walk = NodeLockedPlan::facts, .policy = Policy::locks,
             .source = "IPDPS 2016, IV-B", .summary = "node-locked: users locked, items on chip"},
    Strategy{.name = "nl-marks", .app = edge_updates, .schedule = nullptr, .walk = NodeMarkedPlan::facts, .policy = Policy::locks,
             .source = "IPDPS 2016, IV-B", .summary = "node-locked as in the paper: blocks of items, marks, every edge looked at in every pass"},
    Strategy{.name = "nl-el", .app = edge_updates, .schedule = nullptr, .walk = NodeLockedThenEdge::facts, .policy = Policy::locks,
             .source = "IPDPS 2016, V-B", .summary = "node-locked first, the rest edge-locked"},
    Strategy{.name = "el-sgm", .app = edge_updates, .schedule = "el-sgm", .walk = EdgeLockedThenResident::facts, .policy = Policy::locks,
             .source = "IPDPS 2016, V-B", .summary = "hub items edge-locked, the rest as SGM"},
    Strategy{.name = "hogwild", .app = edge_updates, .schedule = "shuffle", .walk = RacingPlan::facts, .policy = Policy::racing,
             .source = "Hogwild, NIPS 2011", .summary = "racing, no synchronization, edges shuffled"},
    Strategy{.name = "hogwild-blocked", .app = edge_updates, .schedule = "blocked", .walk = RacingTilesPlan::facts, .policy = Policy::racing,
             .source = "ours", .summary = "racing on the users, a block of items on chip"},
    Strategy{.name = "strips", .app = "springs", .schedule = nullptr, .walk = LocalPlan::facts, .policy = Policy::none,
             .source = "ours", .summary = "a small mesh in strips, all of it on chip: a cluster of thread blocks"},
    Strategy{.name = "jacobi", .app = "springs", .schedule = nullptr, .walk = all_at_once, .policy = Policy::locks,
             .source = "Unified particle physics, TOG 2014", .summary = "all springs at once, a part of their sum by float atomics"},
    Strategy{.name = "jacobi-gather", .app = "springs", .schedule = nullptr, .walk = by_particle, .policy = Policy::none,
             .source = "Unified particle physics, TOG 2014", .summary = "the same, every particle adding up its own springs: no atomics"},
    Strategy{.name = "cholesky", .app = "als", .schedule = nullptr, .walk = by_vertex, .policy = Policy::none,
             .source = "ICDM 2008; iALS, RecSys 2022", .summary = "the normal equations of every row, then of every column, side by side"},
    Strategy{.name = "push", .app = "pagerank", .schedule = nullptr, .walk = arc::Push::facts, .policy = Policy::atomics,
             .source = "Euro-Par 2015, algorithm 1", .summary = "a thread a vertex, into its neighbours by atomics"},
    Strategy{.name = "pull", .app = "pagerank", .schedule = nullptr, .walk = arc::Pull::facts, .policy = Policy::none,
             .source = "Euro-Par 2015, algorithm 2", .summary = "a thread a vertex, from its neighbours, dividing an edge"},
    Strategy{.name = "pull-nodiv", .app = "pagerank", .schedule = nullptr, .walk = arc::Pull::facts, .policy = Policy::none,
             .source = "Euro-Par 2015, algorithm 5", .summary = "pull, dividing once a vertex", .prepared = true},
    Strategy{.name = "edge-soa", .app = "pagerank", .schedule = nullptr, .walk = arc::Edges::facts, .policy = Policy::atomics,
             .source = "Euro-Par 2015, algorithm 3", .summary = "a thread an edge by atomics, two arrays of ends"},
    Strategy{.name = "edge-aos", .app = "pagerank", .schedule = nullptr, .walk = arc::EdgePairs::facts, .policy = Policy::atomics,
             .source = "Euro-Par 2015, algorithm 3", .summary = "a thread an edge by atomics, one array of pairs"},
    Strategy{.name = "push-warp", .app = "pagerank", .schedule = nullptr, .walk = arc::PushWarps::facts, .policy = Policy::atomics,
             .source = "Euro-Par 2015, section 4.1", .summary = "push, a virtual warp a vertex"},
    Strategy{.name = "pull-warp", .app = "pagerank", .schedule = nullptr, .walk = arc::PullWarps::facts, .policy = Policy::none,
             .source = "Euro-Par 2015, section 4.1", .summary = "pull, a virtual warp a vertex"},
    Strategy{.name = "pull-nodiv-warp", .app = "pagerank", .schedule = nullptr, .walk = arc::PullWarps::facts, .policy = Policy::none,
             .source = "Euro-Par 2015, section 4.1", .summary = "pull-nodiv, a virtual warp a vertex", .prepared = true},
    Strategy{.name = "edge-tiled", .app = "pagerank", .schedule = "edge-tiled", .walk = arc::Tiles::facts, .policy = Policy::none,
             .source = "ours", .summary = "tiles of targets on chip, edge-parallel, no atomics", .prepared = true},
    Strategy{.name = "pull-binned", .app = "pagerank", .schedule = "pull-binned", .walk = arc::Bins::facts, .policy = Policy::none,
             .source = "ours", .summary = "degree bins: thread, warp or block a vertex", .prepared = true},
    Strategy{.name = "pull-push", .app = "pagerank", .schedule = "edge-tiled", .walk = arc::PullPush::facts, .policy = Policy::atomics,
             .source = "SIMD-X, ATC 2019", .summary = "edge-tiled; with --until it pushes, by atomics, once few vertices change", .prepared = true},
    traversal("hn", "HiPC 2007", "Harish and Narayanan: marks of the frontier, of updates and of visits; a thread a vertex, two kernels a round",
              "--active marks --filter none --balance serial --direction push --loop host"),
    traversal("baseline", "PPoPP 2011, baseline", "all vertices looked at in every round, a thread each",
              "--active scan --filter none --balance serial --direction push --loop host"),
    traversal("warp", "PPoPP 2011, warp-based", "the same, a warp a vertex",
              "--active scan --filter none --balance warp --direction push --loop host"),
    traversal("sub-warp", "PPoPP 2011, virtual warps", "the same, eight threads a vertex",
              "--active scan --filter none --balance sub-warp:8 --direction push --loop host"),
    traversal("deferred", "PPoPP 2011, deferring", "warp; vertices of many arcs in a later launch",
              "--active scan --filter none --balance warp --direction push --loop host --defer 512"),
    traversal("dynamic", "PPoPP 2011, dynamic", "warp; warps draw chunks of vertices from a queue",
              "--active scan --filter none --balance warp --direction push --loop host --chunk 128"),
    traversal("irgl-none", "IrGL, OOPSLA 2016", "a worklist, a thread a vertex, an atomic operation a push, a launch a round",
              "--balance serial --append thread --loop host --priority near-far"),
    traversal("irgl-outline", "IrGL, OOPSLA 2016", "irgl-none with the loop on the device",
              "--balance serial --append thread --loop outlined --priority near-far"),
    traversal("irgl-nested", "IrGL, OOPSLA 2016", "irgl-none with nested parallelism: block, warp, fine-grained",
              "--balance fine+warp+block --append thread --loop host --priority near-far"),
    traversal("irgl-coop", "IrGL, OOPSLA 2016", "irgl-none with cooperative conversion: a block's pushes by one atomic operation",
              "--balance serial --append block --loop host --priority near-far"),
    traversal("irgl-all", "IrGL, OOPSLA 2016", "all three optimisations",
              "--balance fine+warp+block --append block --loop outlined --priority near-far"),
    traversal("simd-x", "SIMD-X, ATC 2019", "three worklists by degree, just-in-time filter, push-pull fusion",
              "--active lists --direction adaptive:0.3 --balance serial+warp+block --filter jit:64 --loop fused --priority near-far"),
    traversal("simd-x-ballot", "SIMD-X, ATC 2019", "simd-x with the ballot filter alone",
              "--active lists --direction adaptive:0.3 --balance serial+warp+block --filter ballot --loop fused --priority near-far"),
    traversal("simd-x-online", "SIMD-X, ATC 2019", "simd-x with the online filter alone",
              "--active lists --direction adaptive:0.3 --balance serial+warp+block --filter online --loop fused --priority near-far"),
    traversal("best", "ours", "what the sources have taught, together",
              "--direction adaptive:0.05 --balance fine+warp+block --defer 4096 --append block --loop all --priority near-far"),
    Strategy{.name = "hubs", .app = "frontier", .schedule = "hubs", .walk = frontier::Hubs::facts, .policy = Policy::atomics,
             .source = "ours", .summary = "for levels: hubs first, one launch, a vertex looks for its best-connected neighbour"},
    Strategy{.name = "hubs-weight", .app = "frontier", .schedule = "hubs-weight", .walk = frontier::Hubs::facts, .policy = Policy::atomics,
             .source = "ours", .summary = "for weights: hubs first, one launch, a list is left when its arcs are too heavy"},
    Strategy{.name = "regions", .app = "frontier", .schedule = "regions", .walk = frontier::Regions::facts, .policy = Policy::atomics,
             .source = "ours", .summary = "regions on chip, no device-wide barrier, for roads and grids"},
    Strategy{.name = "priority-locks", .app = "dmr", .schedule = nullptr, .walk = mesh::PriorityLocks::facts, .way = mesh::Way::priority_locks, .policy = Policy::atomics,
             .source = "IrGL, OOPSLA 2016", .summary = "Exclusive: all locks of a cavity or none, by priority; a Pipe of two kernels"},
    Strategy{.name = "exclusive", .app = "dmr", .schedule = nullptr, .walk = mesh::ExclusiveMarks::facts, .way = mesh::Way::exclusive, .policy = Policy::locks,
             .source = "IrGL, OOPSLA 2016", .summary = "the same with the source's marks: plain stores in three phases, which race"},
    Strategy{.name = "supersteps", .app = "dmr", .schedule = nullptr, .walk = mesh::Supersteps::facts, .way = mesh::Way::supersteps, .policy = Policy::atomics,
             .source = "ours", .summary = "an independent set of cavities a round, which are found once and kept; one launch"},
    Strategy{.name = "tournament", .app = "layout", .schedule = nullptr, .walk = layout::Exact::facts, .policy = Policy::none,
             .source = "ours", .summary = "all pairs in rounds without a common vertex; of many vertices, pivot after pivot and edges in matchings"},
    Strategy{.name = "racing", .app = "layout", .schedule = nullptr, .walk = layout::Racing::facts, .policy = Policy::racing,
             .source = "Hogwild, NIPS 2011", .summary = "the same rounds, in which nobody waits for another"},
    structural("cc", "soman", Joining::soman, "Soman et al., IPDPSW 2010", "roots hook to smaller ones, pointers jump, in rounds",
               "--balance serial+warp+block --large 2048 --loop host"),
    structural("cc", "label-propagation", {}, "IrGL, OOPSLA 2016", "the smallest label spreads from active vertices; all three optimisations of IrGL",
               "--balance fine+warp+block --append block --loop outlined"),
    structural("cc", "label-simd-x", {}, "SIMD-X, ATC 2019", "the same, with the just-in-time filter and push-pull fusion",
               "--active lists --direction adaptive:0.3 --balance serial+warp+block --filter jit:64 --loop fused"),
    structural("cc", "best", Joining::sampled, "Afforest, IPDPS 2018; ours",
               "one hook a vertex, to a hub; the giant found by sampling; the rest of the arcs outside it"),
    Strategy{.name = "hubs", .app = "cc", .schedule = "hubs", .walk = structure::hub_first, .way = Joining::sampled, .policy = Policy::atomics,
             .source = "ours", .summary = "best, vertices hubs first"},
    structural("kcore", "irgl-all", {}, "IrGL, OOPSLA 2016", "one core, by rounds over active vertices, with all three optimisations",
               "--balance fine+warp+block --append block --loop outlined"),
    structural("kcore", "simd-x", {}, "SIMD-X, ATC 2019", "one core, by rounds over active vertices, with the just-in-time filter",
               "--active lists --direction adaptive:0.3 --balance serial+warp+block --filter jit:64 --loop fused"),
    structural("kcore", "push", Peeling::push, "SIMD-X, ATC 2019", "what is taken away subtracts from its neighbours, never below k; a launch a round"),
    structural("kcore", "pull", Peeling::pull, "SIMD-X, ATC 2019",
               "what is left counts its neighbours that were taken away; a launch a round", nullptr, Policy::none),
    structural("kcore", "best", Peeling::local, "ICDE 2023; ours", "one launch; a block goes on with what it finds, much at once is shared"),
    structural("mis", "rounds", Deciding::rounds, "IrGL, OOPSLA 2016", "what goes before all its undecided neighbours is in; three steps a round",
               "--balance serial+warp+block --large 2048 --append warp --loop host"),
    structural("mis", "best", Deciding::at_once, "ECL-MIS, TOPC 2018; ours",
               "one launch without rounds or barriers; a vertex is looked at from where it waited"),
    structural("mst", "boruvka", Picking::all, "IrGL, OOPSLA 2016", "every tree takes its lightest edge, in rounds over all edges",
               "--append block --loop outlined"),
    structural("mst", "best", Picking::filtered, "ECL-MST, SC 2023; ours",
               "vertices pick first; rounds over the lightest edges, then over what leaves the giant"),
    structural("triangles", "thread", Meet::lists, "IrGL, OOPSLA 2016", "a thread merges the lists of all edges of a vertex", "--balance serial"),
    structural("triangles", "warp", Meet::lists, "IrGL, OOPSLA 2016", "the edges of a vertex dealt out to a warp", "--balance warp"),
    structural("triangles", "block", Meet::lists, "IrGL, OOPSLA 2016", "the edges of a vertex dealt out to a thread block", "--balance block"),
    structural("triangles", "fine", Meet::lists, "IrGL, OOPSLA 2016", "all edges of a block's vertices dealt out to its threads", "--balance fine"),
    structural("triangles", "nested", Meet::lists, "IrGL, OOPSLA 2016",
               "fine, warp and block, by the number of edges", "--balance fine+warp+block --large 256"),
    structural("triangles", "table", Meet::table, "ours", "a warp a vertex, whose neighbours are a table on chip"),
    structural("triangles", "best", Meet::bits, "ours", "table, with the vertices of the largest degree as bits; where degrees are small a thread a vertex"),
};
// clang-format on

/// Returns an error text if the schedule has neither an edge order nor orders of both sides; otherwise "".
std::string lacks_order(const Graph& graph, const Schedule& s) {
    if (!s.order.empty() || graph.edges() == 0) return {};
    if (s.row_order.size() != graph.rows) return "has neither an order of the edges nor one of the rows";
    return s.col_order.size() == graph.cols ? std::string() : "lacks its order of the columns";
}
}  // namespace

const char* name_of(Policy policy) {
    constexpr const char* names[] = {"none", "atomics", "locks", "racing"};
    return names[static_cast<std::size_t>(policy)];
}

const char* name_of(Strategy::Kind kind) {
    constexpr const char* names[] = {"offline", "online", "racing"};
    return names[static_cast<std::size_t>(kind)];
}

std::span<const Strategy> strategies_of_all() { return registry; }

const Strategy* known_strategy(std::string_view name) {
    const auto found =
        std::find_if(registry.begin(), registry.end(), [&](const Strategy& s) { return name == s.name; });
    return found == registry.end() ? nullptr : &*found;
}

std::span<const Strategy> strategies(std::string_view app) {
    // Springs also have the strategies of any update, which precede theirs in the table.
    const auto of_app = [&](const Strategy& strategy) {
        return strategy.app == app || (app == "springs" && strategy.app == std::string_view(edge_updates));
    };
    const auto first = std::find_if(registry.begin(), registry.end(), of_app);
    return {first, std::find_if_not(first, registry.end(), of_app)};
}

const Strategy& find_strategy(const std::string& name, std::string_view app) {
    std::string known;
    for (const Strategy& strategy : strategies(app)) {
        if (name == strategy.name) return strategy;
        known += std::string(known.empty() ? "" : ", ") + strategy.name;
    }
    throw ScheduleError(
        "there is no strategy \"" + name + "\" of " + std::string(app) + "; known are " + known,
        Failure::usage);
}

const Walk& walk_of(const Strategy& strategy, Ends ends) {
    if (ends == Ends::sides || strategy.walk.family != Family::edges) return strategy.walk;
    if (strategy.of_vertices) return *strategy.of_vertices;
    if (strategy.walk.one_set) return strategy.walk;
    throw ScheduleError(
        std::string("strategy ") + strategy.name +
            " keeps columns on chip while other edges may have them as rows: it is for two sides",
        Failure::usage);
}

const Strategy& on_cpu(const Strategy& strategy) {
    const AnyWay way = on_cpu(strategy.way);
    const std::string_view walk = strategy.walk.on_cpu.empty() ? strategy.walk.name : strategy.walk.on_cpu;
    const auto schedule = [](const Strategy& s) { return std::string_view(s.schedule ? s.schedule : ""); };
    for (const Strategy& s : strategies(strategy.app)) {
        const bool same = way.index() ? s.way == way : s.walk.name == walk && s.axes == strategy.axes;
        if (same && s.prepared == strategy.prepared && schedule(s) == schedule(strategy)) return s;
    }
    return strategy;
}

void require_form(const Graph& graph, const Strategy& strategy, const Schedule* schedule) {
    if (!schedule) {
        if (strategy.takes_any_order() || !strategy.schedule) return;
        throw ScheduleError(std::string("strategy ") + strategy.name + " needs the schedule \"" +
                            strategy.schedule + "\"");
    }
    const auto refuse = [&](const std::string& what) {
        throw ScheduleError("schedule \"" + schedule->name + "\" " + what + ": strategy " + strategy.name +
                            " cannot walk it");
    };
    if (strategy.takes_any_order()) {
        const std::string lack = visits_neighbours(strategy.walk) ? "" : lacks_order(graph, *schedule);
        if (!lack.empty()) refuse(lack);
        return;
    }
    const Form& form = *walk_of(strategy, graph.ends).form;
    const std::string found = departure(graph, *schedule, form);
    if (!found.empty()) refuse(found);
    if (form == forms::tiles) tile_grid(*schedule);
    if (form == forms::item_blocks && schedule->col_parts.size() != schedule->count(Level::task) + 1)
        refuse("does not have one task a block of items");
}

}  // namespace lockstep
