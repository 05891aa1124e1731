// Tests that the kernels of SGD process each edge once: with the values below, every update adds one at both
// endpoints, and nothing else.
//
// Rows begin as (0, 2^24, 0 …), columns as (2^24, 0, 0 …). The value of an edge, 2^80, is so much larger than
// any product of two vectors that its error is exactly 2^80. With rate 2^-104 its step is 2^-24; 2^24 such
// steps are one, and the amount that a step adds of a count to 2^24 is rounded away. Long stars give the same
// counts, since all that they subtract is also rounded away. An update that is lost, or made twice, changes a
// count by one.
#include <limits>

#include "apps/sgd/driver.hpp"
#include "catch.hpp"
#include "executor_support.hpp"
#include "planted.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::sgd;
using namespace lockstep::test;

namespace {

constexpr float unit = 0x1p24F;

struct Counts {
    std::vector<float> row, col;
    EdgeId updates;
};

Counts count_updates(EdgePlan plan, std::uint32_t rank, Device device) {
    for (float& value : plan.value) value = 0x1p80F;
    const std::size_t stride = stride_of(rank);
    Factors start{Array<float>(plan.rows * stride, 0.0F), Array<float>(plan.cols * stride, 0.0F)};
    for (std::size_t u = 0; u < plan.rows; ++u) start.row[u * stride + 1] = unit;
    for (std::size_t v = 0; v < plan.cols; ++v) start.col[v * stride] = unit;
    const std::vector<Triple> none;
    const Problem problem{plan, none, rank, -std::numeric_limits<float>::infinity(), Storage::fp32};
    const auto backend =
        device == Device::cuda ? make_cuda_backend(problem, start) : make_cpu_backend(problem, start, 2);
    double seconds = 0;
    Counts counts{{}, {}, backend->sweep({0x1p-104F, 1.0F}, &seconds).updates};
    Factors end;
    backend->factors(end);
    for (std::size_t u = 0; u < plan.rows; ++u) counts.row.push_back(end.row[u * stride]);
    for (std::size_t v = 0; v < plan.cols; ++v) counts.col.push_back(end.col[v * stride + 1]);
    return counts;
}

template <class Id>
std::vector<float> as_floats(const std::vector<Id>& numbers) {
    return {numbers.begin(), numbers.end()};
}

/// The ranks: vectors of two components, by maps, and by fours, in shared memory in one lane and in 32.
constexpr std::uint32_t ranks[] = {2, 8, 16, 64, 100};

Graph graph_for(const Strategy& strategy) {
    return strategy.walk == LocalPlan::facts ? small_road(60) : hubs();
}

void check_counts(Device device) {
    for (const Strategy& strategy : strategies()) {
        if (!strategy.deterministic()) continue;
        const Graph graph = graph_for(strategy);
        BuildOptions build = small_build();
        build.item_blocks = 3, build.user_blocks = 8;  // stars have hundreds of edges
        const EdgePlan plan = plan_for(graph, strategy, build);
        for (const std::uint32_t rank : ranks) {
            INFO(strategy.name << ", rank " << rank);
            const Counts counts = count_updates(plan, rank, device);
            REQUIRE(counts.updates == graph.edges());
            REQUIRE(counts.row == as_floats(row_degrees(graph)));
            REQUIRE(counts.col == as_floats(col_degrees(graph)));
        }
    }
}

}  // namespace

TEST_CASE("CPU: SGD's own kernels update both ends of every edge once, long stars included") {
    check_counts(Device::cpu);
}

#if defined(LOCKSTEP_HAS_CUDA)
TEST_CASE("CUDA: SGD's own kernels update both ends of every edge once, long stars included") {
    if (gpu_or_skip()) check_counts(Device::cuda);
}

TEST_CASE("CUDA: SGD's own kernels lose updates of a plan whose concurrent edges meet") {
    if (!gpu_or_skip()) return;
    for (const Strategy& strategy : strategies()) {
        if (!strategy.deterministic()) continue;
        const Graph graph = graph_for(strategy);
        const EdgePlan plan = all_at_once(plan_for(graph, strategy));
        for (const std::uint32_t rank : {4U, 64U}) {
            INFO(strategy.name << ", rank " << rank);
            const Counts counts = count_updates(plan, rank, Device::cuda);
            CHECK(counts.updates == graph.edges());
            CHECK(
                (counts.row != as_floats(row_degrees(graph)) || counts.col != as_floats(col_degrees(graph))));
        }
    }
}
#endif
