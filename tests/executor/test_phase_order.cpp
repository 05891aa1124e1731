// Tests of phases in another order than the schedule's: the phases are the same, and the factors are as good
// as those of shuffled edges.
#include <algorithm>
#include <map>
#include <set>

#include "lockstep/executor/edge/phase_order.hpp"
#include "lockstep/formats/dataset.hpp"
#include "probe_operators.hpp"
#include "sgd_support.hpp"

using namespace lockstep;
using namespace lockstep::sgd;
using namespace lockstep::test;

namespace {

/// The edges of each phase, task and resident block of the plan of a numbered graph, in order.
struct Shape {
    std::vector<std::vector<float>> phases, tasks;
    std::vector<EdgeId> phase_sizes;
};

Shape shape_of(const EdgePlan& plan) {
    Shape shape;
    const auto cut = [&](const std::vector<EdgeId>& offsets, std::vector<std::vector<float>>& into) {
        for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
            into.emplace_back(plan.value.begin() + static_cast<std::ptrdiff_t>(offsets[i]),
                              plan.value.begin() + static_cast<std::ptrdiff_t>(offsets[i + 1]));
    };
    if (const auto* phases = std::get_if<PhasesPlan>(&plan.walk)) {
        cut(phases->phase_offsets, shape.phases);
    } else if (const auto* resident = std::get_if<ResidentPlan>(&plan.walk)) {
        cut(resident->phase_offsets, shape.phases);
    } else if (const auto* hybrid = std::get_if<EdgeLockedThenResident>(&plan.walk)) {
        cut(hybrid->rest.phase_offsets, shape.phases);
    } else if (const auto* blocks = std::get_if<TasksPlan>(&plan.walk)) {
        std::vector<EdgeId> offsets;
        for (const EdgeId task : blocks->phase_tasks) offsets.push_back(blocks->task_offsets[task]);
        cut(offsets, shape.phases), cut(blocks->task_offsets, shape.tasks);
    }
    for (const auto& phase : shape.phases) shape.phase_sizes.push_back(phase.size());
    return shape;
}

EdgePlan plan_in(PhaseOrder order, const Graph& graph, const Strategy& strategy,
                 const std::vector<bool>& held_out, const BuildOptions& build = small_build()) {
    const std::optional<Schedule> schedule = schedule_for(graph, strategy, build);
    return make_plan(graph, strategy, schedule ? &*schedule : nullptr, Endpoints::both, held_out, order);
}

}  // namespace

TEST_CASE("a mixed order has the phases of the schedule, whole, and none twice") {
    for (const Graph& graph :
         {numbered(hubs()), numbered(random_graph(3000, 400, 40'000, 5)), numbered(paper_graph())}) {
        for (const bool hold : {false, true}) {
            const std::vector<bool> held_out = hold ? hold_out(graph.edges(), 0.2, 3) : std::vector<bool>{};
            for (const Strategy& strategy : strategies()) {
                INFO(strategy.name << ", " << graph.edges() << " edges" << (hold ? ", some held out" : ""));
                const EdgePlan given = plan_in(PhaseOrder::given, graph, strategy, held_out),
                               mixed = plan_in(PhaseOrder::mixed, graph, strategy, held_out);
                const std::optional<Schedule> schedule = schedule_for(graph, strategy);
                const Shape before = shape_of(given), after = shape_of(mixed);
                if (!mixes_phases(strategy, schedule ? &*schedule : nullptr, PhaseOrder::mixed)) {
                    CHECK(mixed.value == given.value);
                    continue;
                }
                using Sets = std::multiset<std::vector<float>>;
                CHECK(Sets(after.phases.begin(), after.phases.end()) ==
                      Sets(before.phases.begin(), before.phases.end()));
                CHECK(Sets(after.tasks.begin(), after.tasks.end()) ==
                      Sets(before.tasks.begin(), before.tasks.end()));
                if (before.phases.size() > 20) CHECK(after.phases != before.phases);
                const ProbeResult r = probe_on_cpu(mixed, 2);
                CHECK(r.visits == std::vector<std::uint32_t>(mixed.edges(), 1));
                if (strategy.deterministic()) CHECK(r.conflicts(mixed) == 0);
            }
        }
    }
}

#if defined(LOCKSTEP_HAS_CUDA)
TEST_CASE("a mixed order on a GPU: every edge once, and no conflict") {
    if (!gpu_or_skip()) return;
    for (const Graph& graph : {hubs(), random_graph(20'000, 2000, 300'000, 8)}) {
        for (const Strategy& strategy : strategies()) {
            // Regions are not mixed, and a random graph has no regions.
            if (strategy.races() || strategy.name == std::string_view("local")) continue;
            INFO(strategy.name);
            const EdgePlan plan = plan_in(PhaseOrder::mixed, graph, strategy, {});
            for (const int lanes : {4, 16}) {
                const std::optional<ProbeResult> r = probe_on_cuda(plan, lanes);
                if (!r) continue;
                if (!r->visits.empty()) CHECK(r->visits == std::vector<std::uint32_t>(plan.edges(), 1));
                if (strategy.deterministic()) CHECK(r->conflicts(plan) == 0);
            }
        }
    }
}
#endif

TEST_CASE("a mixed order keeps small phases together, and those of like size") {
    const Graph graph = random_graph(20'000, 2000, 300'000, 8);
    const EdgePlan plan = plan_in(PhaseOrder::mixed, graph, find_strategy("agm-e"), {});
    const std::vector<EdgeId> sizes = shape_of(plan).phase_sizes;
    const EdgeId hands = std::clamp<EdgeId>(sizes.size() / 512, 1, 16);
    REQUIRE(hands > 1);
    EdgeId changes = 0, steps = 0;
    for (std::size_t p = 1; p < sizes.size(); ++p) {
        const bool small = sizes[p] < small_phase, was = sizes[p - 1] < small_phase;
        changes += small != was;
        steps += small && was && std::bit_width(sizes[p]) > std::bit_width(sizes[p - 1]);
    }
    CHECK(changes == 2 * hands - 1);
    CHECK(steps == 0);
}

TEST_CASE("residents of a mixed order: every edge lies with its column, in the block of its phase") {
    BuildOptions build = small_build();
    build.workers = 60;
    for (const char* name : {"agm-n", "sgm"}) {
        const Graph graph = random_graph(9000, 100, 90'000, 6);
        const EdgePlan plan = plan_in(PhaseOrder::mixed, graph, find_strategy(name), {}, build);
        const auto& walk = std::get<ResidentPlan>(plan.walk);
        const EdgeId blocks = walk.block_phases.size() - 1;
        CHECK(blocks > 2);
        REQUIRE(walk.resident_offsets.size() == blocks + 1);
        const ResidentLayout layout = resident_layout(plan, walk);
        std::vector<int> seen(plan.edges(), 0);
        EdgeId wrong = 0;
        for (EdgeId b = 0; b < blocks; ++b) {
            for (EdgeId i = walk.resident_offsets[b]; i < walk.resident_offsets[b + 1]; ++i) {
                for (EdgeId k = layout.slot_edges[i]; k < layout.slot_edges[i + 1]; ++k) {
                    const EdgeId e = layout.edge[k];
                    ++seen[e];
                    const std::uint32_t p = layout.phase[k];
                    wrong += plan.col[e] != walk.residents[i];
                    wrong += p < walk.block_phases[b] || p >= walk.block_phases[b + 1];
                    wrong += e < walk.phase_offsets[p] || e >= walk.phase_offsets[p + 1];
                    wrong += k > layout.slot_edges[i] && p <= layout.phase[k - 1];
                }
            }
        }
        CHECK(wrong == 0);
        CHECK(seen == std::vector<int>(plan.edges(), 1));
    }
}

TEST_CASE("rounds in a mixed order learn as shuffled edges do, in the given order they do not") {
    const auto path = shared_data("native/movietweetings.dat");
    if (path.empty()) return;
    const Graph graph = read_dataset(path, {}).graph;
    SgdOptions options;
    options.rank = 16, options.regularisation = 0.05, options.test_fraction = 0.1, options.sweeps = 6;
    options.threads = 1;
    const auto best = [&](const char* strategy, Device device, PhaseOrder order) {
        options.device = device, options.phase_order = order;
        double least = 1e9;
        for (const SweepRecord& sweep : run(graph, find_strategy(strategy), options).sweeps)
            least = std::min(least, sweep.metric("rmse_test").value());
        return least;
    };
    const double shuffled = best("el-shuffled", Device::reference, PhaseOrder::given);
    CHECK(best("agm-e", Device::cpu, PhaseOrder::mixed) < 1.003 * shuffled);
    CHECK(best("agm-e", Device::cpu, PhaseOrder::given) > 1.005 * shuffled);
}
