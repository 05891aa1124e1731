// Tests of the local walk: its results are bitwise identical to the serial order, and its streams hold the
// plan.
#include <bit>
#include <map>
#include <set>

#include "insight/build_options.hpp"
#include "lockstep/executor/edge/local/layout.hpp"
#include "sgd_support.hpp"

using namespace lockstep;
using namespace lockstep::sgd;
using namespace lockstep::test;

namespace {

/// Returns a schedule with regions of about `vectors` vectors at this rank, in several phases.
Schedule regions(const Graph& graph, std::uint32_t rank, EdgeId vectors) {
    BuildOptions options = insight::default_build_options();
    options.rank = rank, options.regions_per_multiprocessor = 1;
    options.shared_memory_bytes = (2 << 10) + vectors * (vector_bytes(rank, Storage::fp32) + 16);
    return build_local(graph, options);
}

SgdOptions options_for(Device device, std::uint32_t rank, Storage storage = Storage::fp32) {
    SgdOptions options;
    options.device = device;
    options.rank = rank;
    options.storage = storage;
    options.sweeps = 2;
    options.threads = 1;
    options.test_fraction = 0.1;
    return options;
}

/// Returns the hash after running all edges in the order of the plan, one after another.
std::string serial_hash(const Graph& graph, const Schedule& schedule, const SgdOptions& options) {
    const auto sweep = [](const EdgePlan& plan, const auto& op) {
        for (EdgeId e = 0; e < plan.edges(); ++e) {
            auto row = op.load_row(plan.row[e]);
            auto col = op.load_col(plan.col[e]);
            op.apply(row, col, plan.value[e], EdgePosition{});
            op.store_row(plan.row[e], row), op.store_col(plan.col[e], col);
        }
    };
    return hash_after<float>(graph, find_strategy("local"), &schedule, options, sweep);
}

}  // namespace

TEST_CASE("local gives the bits of its edges one after another, for any number of threads") {
    const Graph graph = small_road(40);
    for (const std::uint32_t rank : {1U, 8U, 16U, 20U, 100U, 256U}) {
        for (const EdgeId vectors : {12U, 150U}) {
            INFO("rank " << rank << ", regions of " << vectors);
            const Schedule schedule = regions(graph, rank, vectors);
            CHECK(schedule.count(Level::phase) > 2);
            SgdOptions options = options_for(Device::cpu, rank);
            const std::string serial = serial_hash(graph, schedule, options);
            for (const int threads : {1, 2, 4}) {
                options.threads = threads;
                CHECK(run_sgd(graph, find_strategy("local"), &schedule, options).result_hash == serial);
            }
        }
    }
}

TEST_CASE("the layout of local holds the plan's edges, and orders the tiles that share a vertex") {
    const Graph graph = small_road(50);
    std::vector<bool> held_out(graph.edges());
    for (EdgeId e = 0; e < graph.edges(); e += 4) held_out[e] = true;
    const Schedule schedule = regions(graph, 16, 30);
    const EdgePlan plan = make_plan(graph, find_strategy("local"), &schedule, Endpoints::both, held_out);
    const auto& local = std::get<LocalPlan>(plan.walk);
    const LocalLayout layout = local_layout(plan, local);
    CHECK(is_permutation(std::span(layout.row_order)));
    CHECK(is_permutation(std::span(layout.col_order)));
    REQUIRE(layout.tiles.size() == schedule.count(Level::tile));
    CHECK(layout.first_phase == schedule.level(Level::phase)[1]);
    std::map<VertexId, std::size_t> last[2];  // the last tile of every vertex that was in a tile
    for (std::size_t t = 0; t < layout.tiles.size(); ++t) {
        const LocalTile& tile = layout.tiles[t];
        const std::uint32_t* const words = layout.words.data() + tile.word;
        const std::uint32_t rows = words[0], count = words[1], steps = words[2], waits = words[3];
        const bool first_phase = t < layout.first_phase;
        REQUIRE(tile.words % 4 == 0);
        REQUIRE(tile.words <= layout.max_words);
        REQUIRE(count <= layout.max_vectors);
        const std::uint32_t *const ends = words + 8, *const wait = ends + steps + 1,
                                   *const lie = wait + waits, *edge = words + words[4];
        if (first_phase) REQUIRE((tile.rows == rows && tile.rows + tile.cols == count && waits == 0));
        const auto vertex = [&](std::uint32_t place) {
            const bool is_row = place < rows;
            const std::uint32_t at = !first_phase ? lie[place]
                                     : is_row     ? tile.row + place
                                                  : tile.col + place - rows;
            return (is_row ? layout.row_order : layout.col_order)[at];
        };
        const EdgeId begin = local.first_edge(t);
        REQUIRE(steps == local.tile_steps[t + 1] - local.tile_steps[t]);
        for (std::uint32_t s = 0; s <= steps; ++s)
            REQUIRE(ends[s] + begin == local.step_edges[local.tile_steps[t] + s]);
        std::set<std::uint32_t> seen;
        for (EdgeId e = begin; e < begin + ends[steps]; ++e, edge += 2) {
            REQUIRE((edge[0] & 0xffff) < rows);
            REQUIRE(vertex(edge[0] & 0xffff) == plan.row[e]);
            REQUIRE(edge[0] >> 16 >= rows);
            REQUIRE(vertex(edge[0] >> 16) == plan.col[e]);
            REQUIRE(std::bit_cast<float>(edge[1]) == plan.value[e]);
            seen.insert(edge[0] & 0xffff), seen.insert(edge[0] >> 16);
        }
        REQUIRE(seen.size() == count);  // each vertex that is fetched is used
        std::set<std::size_t> needed;
        for (const std::uint32_t place : seen) {
            auto& of_side = last[place < rows ? 0 : 1];
            const auto [found, is_new] = of_side.try_emplace(vertex(place), t);
            if (!is_new) needed.insert(std::exchange(found->second, t));
        }
        REQUIRE(needed == std::set<std::size_t>(wait, wait + waits));
    }
}

#if defined(LOCKSTEP_HAS_CUDA)
TEST_CASE("local: CPU and GPU agree bit for bit, clipped or not, in single and half precision, on repeats") {
    if (!gpu_or_skip()) return;
    const Graph graph = small_road(120);
    for (const std::uint32_t rank : {1U, 4U, 8U, 16U, 20U, 32U, 64U, 100U, 128U, 256U}) {
        for (const EdgeId vectors : {9U, 60U, 150U}) {
            const Schedule schedule = regions(graph, rank, vectors);
            for (const Storage storage : {Storage::fp32, Storage::fp16}) {
                INFO("rank " << rank << ", regions of " << vectors << ", " << to_string(storage));
                SgdOptions options = options_for(Device::cpu, rank, storage);
                options.nonnegative = vectors == 60;
                const Outcome cpu = run_sgd(graph, find_strategy("local"), &schedule, options);
                options.device = Device::cuda;
                for (int repeat = 0; repeat < (vectors == 60 ? 3 : 1); ++repeat) {
                    const Outcome gpu = run_sgd(graph, find_strategy("local"), &schedule, options);
                    require_same(gpu, cpu);
                }
            }
        }
    }
}
#endif

TEST_CASE("local: of a tile that no multiprocessor holds the reason is given when it is asked for") {
    EdgePlan plan;
    plan.rows = plan.cols = 40000;
    for (VertexId v = 0; v < plan.rows; ++v)
        plan.row.push_back(v), plan.col.push_back(v), plan.value.push_back(1.0F);
    plan.walk = LocalPlan{{0, 1}, {0, 1}, {0, plan.edges()}};
    gpu::Properties device;
    device.major = 9, device.multiprocessors = 132, device.shared_bytes = 227 << 10;
    OperatorSize size;
    size.lanes = 4, size.vector_bytes = 64;
    const auto why = why_not(plan, size, device);
    REQUIRE(why);
    CHECK(why->find("80000 vertices, too many") != std::string::npos);
}
