// The table of strategies, and functions that search it. It includes the headers of all walks, because its
// lines name them.
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

using structure::IndependentSetMethod, structure::ComponentMethod, structure::IntersectionMethod,
    structure::CoreMethod, structure::ForestMethod;

// The sources are sections of Kaleem et al., IPDPS 2016 (SGD), Verstraaten et al., Euro-Par 2015 workshops
// (PageRank), and Hong et al., PPoPP 2011, Pai and Pingali, OOPSLA 2016, and Liu and Huang, ATC 2019
// (frontier).
// clang-format off
/// Returns a strategy that runs in rounds over active vertices, with these axes (frontier/axes.hpp).
constexpr Strategy traversal(const char* name, const char* source, const char* summary, const char* axes) {
    return {.name = name, .app = "frontier", .schedule = nullptr, .walk = frontier::Expand::facts, .policy = Policy::atomics,
            .source = source, .summary = summary, .axes = axes};
}
/// Returns a strategy for the structure of an undirected graph in its given order. It uses the variant
/// `variant` or, if this is empty, rounds over active vertices with these axes.
constexpr Strategy structural(const char* app, const char* name, WalkVariant variant, const char* source, const char* summary,
                              const char* axes = nullptr, Policy policy = Policy::atomics) {
    return {.name = name, .app = app, .schedule = nullptr, .walk = structure::as_given, .variant = variant, .policy = policy,
            .source = source, .summary = summary, .axes = axes};
}

/// Jacobi methods, which do not walk over edges and need no schedule. An atomic addition to a float counts as
/// a lock of one number (policy `locks`), because its result depends on the order of the additions.
constexpr Walk all_at_once{.name = "all-at-once"}, by_particle{.name = "by-particle"};
/// A method that solves for one vertex at a time, with the vertices of the other side fixed.
constexpr Walk by_vertex{.name = "by-vertex"};

constexpr std::array registry{
    Strategy{.name = "agm-e", .app = edge_updates, .schedule = "agm-e", .walk = PhasesPlan::facts, .policy = Policy::none,
             .source = "IPDPS 2016, III-A.1", .summary = "matchings of the whole graph, one edge per worker"},
    Strategy{.name = "agm-n", .app = edge_updates, .schedule = "agm-n", .walk = ResidentPlan::facts, .policy = Policy::none,
             .source = "IPDPS 2016, III-A.2", .summary = "matchings of the whole graph, one block of items after another, one item per worker"},
    Strategy{.name = "sgm", .app = edge_updates, .schedule = "sgm", .walk = ResidentPlan::facts, .policy = Policy::none,
             .source = "IPDPS 2016, III-A.3", .summary = "matchings of each sub-graph (block of items), one item per worker"},
    Strategy{.name = "diag", .app = edge_updates, .schedule = "diag", .walk = PhasesPlan::facts, .policy = Policy::none,
             .source = "IPDPS 2016, III-B.1", .summary = "diagonals of the matrix, one edge per worker (in the paper F x E threads)"},
    Strategy{.name = "blkdiag", .app = edge_updates, .schedule = "blkdiag", .walk = TasksPlan::facts, .policy = Policy::none,
             .source = "IPDPS 2016, III-B.2", .summary = "block-diagonals of the matrix, one block per worker"},
    Strategy{.name = "tiled", .app = edge_updates, .schedule = "tiled", .walk = TiledPlan::facts, .of_vertices = &LocalPlan::facts, .policy = Policy::none,
             .source = "ours", .summary = "tiles of the matrix: vectors of one side in shared memory, vectors of the other side prefetched"},
    Strategy{.name = "stars", .app = edge_updates, .schedule = "stars", .walk = StarsPlan::facts, .policy = Policy::none,
             .source = "ours", .summary = "matchings of stars: one vertex with some of its neighbours per worker"},
    Strategy{.name = "local", .app = edge_updates, .schedule = "local", .walk = LocalPlan::facts, .policy = Policy::none,
             .source = "ours", .summary = "regions in shared memory, for graphs with locality such as road networks"},
    Strategy{.name = "el", .app = edge_updates, .schedule = nullptr, .walk = EdgeLockedPlan::facts, .policy = Policy::locks,
             .source = "IPDPS 2016, IV-A", .summary = "edge-locked: both endpoints of an edge are locked, edges in the given order"},
    Strategy{.name = "el-shuffled", .app = edge_updates, .schedule = "shuffle", .walk = EdgeLockedPlan::facts, .policy = Policy::locks,
             .source = "IPDPS 2016, IV-A", .summary = "edge-locked: both endpoints of an edge are locked, edges shuffled"},
    Strategy{.name = "nl", .app = edge_updates, .schedule = nullptr, .walk = NodeLockedPlan::facts, .policy = Policy::locks,
             .source = "IPDPS 2016, IV-B", .summary = "node-locked: each worker keeps the vector of one item in registers and locks users"},
    Strategy{.name = "nl-marks", .app = edge_updates, .schedule = nullptr, .walk = NodeMarkedPlan::facts, .policy = Policy::locks,
             .source = "IPDPS 2016, IV-B", .summary = "node-locked as in the paper: blocks of items, finished edges are marked, each pass reads every edge"},
    Strategy{.name = "nl-el", .app = edge_updates, .schedule = nullptr, .walk = NodeLockedThenEdge::facts, .policy = Policy::locks,
             .source = "IPDPS 2016, V-B", .summary = "first pass node-locked, later passes edge-locked"},
    Strategy{.name = "el-sgm", .app = edge_updates, .schedule = "el-sgm", .walk = EdgeLockedThenResident::facts, .policy = Policy::locks,
             .source = "IPDPS 2016, V-B", .summary = "edges of hub items edge-locked, all other edges as in sgm"},
    Strategy{.name = "hogwild", .app = edge_updates, .schedule = "shuffle", .walk = RacingPlan::facts, .policy = Policy::racing,
             .source = "Hogwild, NIPS 2011", .summary = "unsynchronized (updates may be lost), edges shuffled"},
    Strategy{.name = "hogwild-blocked", .app = edge_updates, .schedule = "blocked", .walk = RacingTilesPlan::facts, .policy = Policy::racing,
             .source = "ours", .summary = "unsynchronized (updates may be lost), each thread block keeps a block of items in shared memory"},
    Strategy{.name = "strips", .app = "springs", .schedule = nullptr, .walk = LocalPlan::facts, .policy = Policy::none,
             .source = "ours", .summary = "a small mesh, entirely in shared memory: a cluster of thread blocks, one strip each"},
    Strategy{.name = "jacobi", .app = "springs", .schedule = nullptr, .walk = all_at_once, .policy = Policy::locks,
             .source = "Unified particle physics, TOG 2014", .summary = "all springs in parallel, a particle moves by a fraction of the sum of their corrections, added with float atomics"},
    Strategy{.name = "jacobi-gather", .app = "springs", .schedule = nullptr, .walk = by_particle, .policy = Policy::none,
             .source = "Unified particle physics, TOG 2014", .summary = "all springs in parallel, each particle adds up the corrections of its own springs, without atomics"},
    Strategy{.name = "cholesky", .app = "als", .schedule = nullptr, .walk = by_vertex, .policy = Policy::none,
             .source = "ICDM 2008; iALS, RecSys 2022", .summary = "Cholesky factorization of the normal equations, of all rows in parallel, then of all columns"},
    Strategy{.name = "push", .app = "pagerank", .schedule = nullptr, .walk = arc::Push::facts, .policy = Policy::atomics,
             .source = "Euro-Par 2015, algorithm 1", .summary = "one thread per vertex, which adds to its out-neighbours with atomics"},
    Strategy{.name = "pull", .app = "pagerank", .schedule = nullptr, .walk = arc::Pull::facts, .policy = Policy::none,
             .source = "Euro-Par 2015, algorithm 2", .summary = "one thread per vertex, which sums over its in-neighbours, one division per edge"},
    Strategy{.name = "pull-nodiv", .app = "pagerank", .schedule = nullptr, .walk = arc::Pull::facts, .policy = Policy::none,
             .source = "Euro-Par 2015, algorithm 5", .summary = "pull with one division per vertex", .prepared = true},
    Strategy{.name = "edge-soa", .app = "pagerank", .schedule = nullptr, .walk = arc::Edges::facts, .policy = Policy::atomics,
             .source = "Euro-Par 2015, algorithm 3", .summary = "one thread per edge, with atomics, endpoints in two arrays"},
    Strategy{.name = "edge-aos", .app = "pagerank", .schedule = nullptr, .walk = arc::EdgePairs::facts, .policy = Policy::atomics,
             .source = "Euro-Par 2015, algorithm 3", .summary = "one thread per edge, with atomics, endpoints in one array of pairs"},
    Strategy{.name = "push-warp", .app = "pagerank", .schedule = nullptr, .walk = arc::PushWarps::facts, .policy = Policy::atomics,
             .source = "Euro-Par 2015, section 4.1", .summary = "push with one virtual warp per vertex"},
    Strategy{.name = "pull-warp", .app = "pagerank", .schedule = nullptr, .walk = arc::PullWarps::facts, .policy = Policy::none,
             .source = "Euro-Par 2015, section 4.1", .summary = "pull with one virtual warp per vertex"},
    Strategy{.name = "pull-nodiv-warp", .app = "pagerank", .schedule = nullptr, .walk = arc::PullWarps::facts, .policy = Policy::none,
             .source = "Euro-Par 2015, section 4.1", .summary = "pull-nodiv with one virtual warp per vertex", .prepared = true},
    Strategy{.name = "edge-tiled", .app = "pagerank", .schedule = "edge-tiled", .walk = arc::Tiles::facts, .policy = Policy::none,
             .source = "ours", .summary = "tiles of target vertices in shared memory, parallel over the edges, no atomics", .prepared = true},
    Strategy{.name = "pull-push", .app = "pagerank", .schedule = "edge-tiled", .walk = arc::PullPush::facts, .policy = Policy::atomics,
             .source = "SIMD-X, ATC 2019", .summary = "edge-tiled; with --until it pushes, with atomics, as soon as few vertices change", .prepared = true},
    traversal("hn", "HiPC 2007", "Harish and Narayanan: flags for frontier, updates and visits; one thread per vertex, two kernels per round",
              "--active marks --filter none --balance serial --direction push --loop host"),
    traversal("baseline", "PPoPP 2011, baseline", "scan of all vertices in every round, one thread per vertex",
              "--active scan --filter none --balance serial --direction push --loop host"),
    traversal("warp", "PPoPP 2011, warp-based", "scan of all vertices in every round, one warp per vertex",
              "--active scan --filter none --balance warp --direction push --loop host"),
    traversal("sub-warp", "PPoPP 2011, virtual warps", "scan of all vertices in every round, eight threads per vertex",
              "--active scan --filter none --balance sub-warp:8 --direction push --loop host"),
    traversal("deferred", "PPoPP 2011, deferring", "warp, with vertices of many arcs deferred to a later launch",
              "--active scan --filter none --balance warp --direction push --loop host --defer 512"),
    traversal("dynamic", "PPoPP 2011, dynamic", "warp, with warps that claim chunks of vertices from a work queue",
              "--active scan --filter none --balance warp --direction push --loop host --chunk 128"),
    traversal("irgl-none", "IrGL, OOPSLA 2016", "worklist; one thread per vertex, one atomic operation per push, one launch per round",
              "--balance serial --append thread --loop host --priority near-far"),
    traversal("irgl-outline", "IrGL, OOPSLA 2016", "irgl-none with the loop over the rounds on the device",
              "--balance serial --append thread --loop outlined --priority near-far"),
    traversal("irgl-nested", "IrGL, OOPSLA 2016", "irgl-none with nested parallelism over a vertex's arcs: block, warp, fine-grained",
              "--balance fine+warp+block --append thread --loop host --priority near-far"),
    traversal("irgl-coop", "IrGL, OOPSLA 2016", "irgl-none with cooperative conversion: one atomic operation for the pushes of a block",
              "--balance serial --append block --loop host --priority near-far"),
    traversal("irgl-all", "IrGL, OOPSLA 2016", "irgl-none with all three optimisations: irgl-outline, irgl-nested, irgl-coop",
              "--balance fine+warp+block --append block --loop outlined --priority near-far"),
    traversal("simd-x", "SIMD-X, ATC 2019", "three worklists by degree, just-in-time filter, push-pull fusion",
              "--active lists --direction adaptive:0.3 --balance serial+warp+block --filter jit:64 --loop fused --priority near-far"),
    traversal("simd-x-ballot", "SIMD-X, ATC 2019", "simd-x with the ballot filter only",
              "--active lists --direction adaptive:0.3 --balance serial+warp+block --filter ballot --loop fused --priority near-far"),
    traversal("simd-x-online", "SIMD-X, ATC 2019", "simd-x with the online filter only",
              "--active lists --direction adaptive:0.3 --balance serial+warp+block --filter online --loop fused --priority near-far"),
    traversal("best", "ours", "the methods of the papers combined: push and pull, nested parallelism, one launch",
              "--direction adaptive:0.05 --balance fine+warp+block --defer 4096 --append block --loop all --priority near-far"),
    Strategy{.name = "hubs", .app = "frontier", .schedule = "hubs", .walk = frontier::Hubs::facts, .policy = Policy::atomics,
             .source = "ours", .summary = "bfs: vertices by decreasing degree, one launch, a vertex checks its best-connected neighbours first"},
    Strategy{.name = "hubs-weight", .app = "frontier", .schedule = "hubs-weight", .walk = frontier::Hubs::facts, .policy = Policy::atomics,
             .source = "ours", .summary = "sssp: vertices by decreasing degree, one launch, a list of arcs is left at the first arc that is too heavy"},
    Strategy{.name = "regions", .app = "frontier", .schedule = "regions", .walk = frontier::Regions::facts, .policy = Policy::atomics,
             .source = "ours", .summary = "regions in shared memory, no device-wide barrier, for road networks and grids"},
    Strategy{.name = "priority-locks", .app = "dmr", .schedule = nullptr, .walk = mesh::PriorityLocks::facts, .variant = mesh::RefinementMethod::priority_locks, .policy = Policy::atomics,
             .source = "IrGL, OOPSLA 2016", .summary = "IrGL's Exclusive: all locks of a cavity or none, by priority; IrGL's Pipe: two kernels take turns"},
    Strategy{.name = "exclusive", .app = "dmr", .schedule = nullptr, .walk = mesh::ExclusiveMarks::facts, .variant = mesh::RefinementMethod::exclusive, .policy = Policy::locks,
             .source = "IrGL, OOPSLA 2016", .summary = "priority-locks with the paper's marks: unsynchronized plain stores in three phases"},
    Strategy{.name = "supersteps", .app = "dmr", .schedule = nullptr, .walk = mesh::Supersteps::facts, .variant = mesh::RefinementMethod::supersteps, .policy = Policy::atomics,
             .source = "ours", .summary = "an independent set of cavities per round, each found once and stored; one launch"},
    Strategy{.name = "tournament", .app = "layout", .schedule = nullptr, .walk = layout::Exact::facts, .policy = Policy::none,
             .source = "ours", .summary = "all pairs, in rounds of pairs that share no vertex; large components: one pivot after another, then edges in matchings"},
    Strategy{.name = "racing", .app = "layout", .schedule = nullptr, .walk = layout::Racing::facts, .policy = Policy::racing,
             .source = "Hogwild, NIPS 2011", .summary = "tournament without barriers: unsynchronized, updates may be lost"},
    structural("cc", "soman", ComponentMethod::soman, "Soman et al., IPDPSW 2010", "rounds of hooking, of a root to a smaller root, and pointer jumping",
               "--balance serial+warp+block --large 2048 --loop host"),
    structural("cc", "label-propagation", {}, "IrGL, OOPSLA 2016", "active vertices propagate the smallest label, with all three optimisations of IrGL",
               "--balance fine+warp+block --append block --loop outlined"),
    structural("cc", "label-simd-x", {}, "SIMD-X, ATC 2019", "active vertices propagate the smallest label, with the just-in-time filter and push-pull fusion",
               "--active lists --direction adaptive:0.3 --balance serial+warp+block --filter jit:64 --loop fused"),
    structural("cc", "best", ComponentMethod::sampled, "Afforest, IPDPS 2018; ours",
               "one hook per vertex, to a hub; sampling finds the giant component; then only the arcs outside it"),
    Strategy{.name = "hubs", .app = "cc", .schedule = "hubs", .walk = structure::hub_first, .variant = ComponentMethod::sampled, .policy = Policy::atomics,
             .source = "ours", .summary = "best, with the vertices by decreasing degree"},
    structural("kcore", "irgl-all", {}, "IrGL, OOPSLA 2016", "one core (--k), by rounds over active vertices, with all three optimisations of IrGL",
               "--balance fine+warp+block --append block --loop outlined"),
    structural("kcore", "simd-x", {}, "SIMD-X, ATC 2019", "one core (--k), by rounds over active vertices, with the just-in-time filter",
               "--active lists --direction adaptive:0.3 --balance serial+warp+block --filter jit:64 --loop fused"),
    structural("kcore", "push", CoreMethod::push, "SIMD-X, ATC 2019", "removed vertices decrement the degrees of their neighbours, never below k; one launch per round"),
    structural("kcore", "pull", CoreMethod::pull, "SIMD-X, ATC 2019",
               "remaining vertices count their removed neighbours; one launch per round", nullptr, Policy::none),
    structural("kcore", "best", CoreMethod::local, "ICDE 2023; ours", "one launch; a block continues with the vertices that it finds, and shares them if they are many"),
    structural("mis", "rounds", IndependentSetMethod::rounds, "IrGL, OOPSLA 2016", "a vertex that precedes all its undecided neighbours enters the set; three steps per round",
               "--balance serial+warp+block --large 2048 --append warp --loop host"),
    structural("mis", "best", IndependentSetMethod::at_once, "ECL-MIS, TOPC 2018; ours",
               "one launch without rounds or barriers; a vertex resumes at the neighbour for which it waited"),
    structural("mst", "boruvka", ForestMethod::all, "IrGL, OOPSLA 2016", "all trees but a giant add their lightest edge, in rounds",
               "--append block --loop outlined"),
    structural("mst", "best", ForestMethod::filtered, "ECL-MST, SC 2023; ours",
               "first, each vertex picks an edge; then rounds over the lightest edges; then over edges that leave the giant tree"),
    structural("triangles", "thread", IntersectionMethod::lists, "IrGL, OOPSLA 2016", "one thread per vertex merges the neighbour lists at each of its edges", "--balance serial"),
    structural("triangles", "warp", IntersectionMethod::lists, "IrGL, OOPSLA 2016", "edges of a vertex distributed over a warp", "--balance warp"),
    structural("triangles", "block", IntersectionMethod::lists, "IrGL, OOPSLA 2016", "edges of a vertex distributed over a thread block", "--balance block"),
    structural("triangles", "fine", IntersectionMethod::lists, "IrGL, OOPSLA 2016", "edges of all vertices of a thread block distributed over its threads", "--balance fine"),
    structural("triangles", "nested", IntersectionMethod::lists, "IrGL, OOPSLA 2016",
               "fine, warp or block, by the number of edges of a vertex", "--balance fine+warp+block --large 256"),
    structural("triangles", "table", IntersectionMethod::table, "ours", "one warp per vertex, whose neighbours are stored in a hash table in shared memory"),
    structural("triangles", "best", IntersectionMethod::bits, "ours", "table, with hubs as bits of each list; if all degrees are small, one thread per vertex"),
};
// clang-format on

/// Returns an error message if the schedule has neither an order of the edges nor orders of both sides;
/// otherwise returns an empty string.
std::string lacks_order(const Graph& graph, const Schedule& s) {
    if (!s.order.empty() || graph.edges() == 0) return {};
    if (s.row_order.size() != graph.rows) return "has neither an order of the edges nor an order of the rows";
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
    // The strategies for any update precede those of "springs" in the table, and also apply to springs.
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
    throw ScheduleError(std::string("strategy ") + strategy.name +
                            " keeps columns in shared memory while other edges may use the same vertices as "
                            "rows: it requires two sides (--ends sides)",
                        Failure::usage);
}

const Strategy& on_cpu(const Strategy& strategy) {
    const WalkVariant variant = cpu_variant_of(strategy.variant);
    const std::string_view walk = strategy.walk.on_cpu.empty() ? strategy.walk.name : strategy.walk.on_cpu;
    const auto schedule = [](const Strategy& s) { return std::string_view(s.schedule ? s.schedule : ""); };
    for (const Strategy& s : strategies(strategy.app)) {
        const bool same =
            variant.index() ? s.variant == variant : s.walk.name == walk && s.axes == strategy.axes;
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
                            " cannot run it");
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
        refuse("does not have one task per block of items");
}

}  // namespace lockstep
