// Tests of implicit feedback: the edges that are kept, and the edges that are sampled.
#include <algorithm>

#include "catch.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/feedback.hpp"
#include "lockstep/formats/schedule_file.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::test;
using Catch::Matchers::Contains;

namespace {

Dataset read_implicit(const TemporaryFolder& folder, const ImplicitFeedback& feedback) {
    std::string text;
    for (int i = 0; i < 400; ++i)
        text += std::to_string(i % 40) + ' ' + std::to_string(i * i % 31) + ' ' + std::to_string(i % 5 + 1) +
                ' ' + std::to_string(1000 + i) + '\n';
    write_file(folder / "r.txt", text);
    ReadOptions options;
    options.feedback = feedback;
    options.value_column = "3", options.time_column = "4";
    return read_dataset(folder / "r.txt", options);
}

}  // namespace

TEST_CASE("edges of the least weight become ones, and as many zeros a row are drawn as are asked for") {
    const TemporaryFolder folder;
    const Dataset data = read_implicit(folder, {.least = 4, .drawn = 3});
    const Graph& graph = data.graph;
    CHECK(data.source.drawn == 3 * 160);
    REQUIRE(graph.edges() == 4 * 160);
    std::vector<int> drawn(graph.cols);
    const Array<VertexId> row = edge_rows(graph);
    for (VertexId u = 0; u < graph.rows; ++u) {
        int ones = 0, zeros = 0;
        for (const EdgeId e : graph.edges_of(u)) {
            REQUIRE((graph.weight(e) == 0 || graph.weight(e) == 1));
            (graph.weight(e) == 1 ? ones : zeros) += 1;
            drawn[graph.col[e]] += graph.weight(e) == 0;
        }
        REQUIRE(zeros == 3 * ones);
    }
    CHECK(*std::min_element(drawn.begin(), drawn.end()) > 0);  // every column was sampled
    // An edge is followed by its sampled edges, which have the same time.
    const Array<EdgeId> order = given_order(graph);
    for (EdgeId i = 0; i < order.size(); ++i) {
        REQUIRE(graph.weight(order[i]) == (i % 4 == 0 ? 1 : 0));
        REQUIRE(data.times[order[i]] == data.times[order[i - i % 4]]);
        REQUIRE((data.times[order[i]] - 1000) % 5 + 1 >= 4);
    }
    // The same seed gives the same sampled edges, another seed gives others.
    CHECK(read_implicit(folder, {.least = 4, .drawn = 3}).graph.col == graph.col);
    CHECK(read_implicit(folder, {.least = 4, .drawn = 3, .seed = 2}).graph.col != graph.col);
}

TEST_CASE("a schedule file remembers what was drawn, and it can be taken out") {
    const TemporaryFolder folder;
    const Dataset data = read_implicit(folder, {.least = 2, .drawn = 2});
    write_schedule_file(folder / "r.h5", data, {}, {});
    const Dataset back = read_schedule_file(folder / "r.h5").dataset;
    const auto feedback = feedback_of(back);
    REQUIRE(feedback);
    CHECK(feedback->drawn == 2);
    CHECK(feedback->least == 2);
    const Graph left = remove_drawn_pairs(back).graph;
    CHECK(left.edges() == 320);
    CHECK(std::all_of(left.value.begin(), left.value.end(), [](float w) { return w == 1; }));
    CHECK_FALSE(feedback_of(remove_drawn_pairs(back)));
}

TEST_CASE("implicit feedback of nothing, too much, or undirected edges is refused") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(read_implicit(folder, {.least = 6}), Contains("no weight of 6 or more"));
    write_file(folder / "g.txt", "1 2\n2 3\n");
    ReadOptions options;
    options.shape = GraphShape::square, options.undirected = true;
    options.feedback.emplace();
    CHECK_THROWS_WITH(read_dataset(folder / "g.txt", options), Contains("--undirected"));
    options.undirected = false, options.memory_limit = 1000, options.feedback->drawn = 1000;
    CHECK_THROWS_WITH(read_dataset(folder / "g.txt", options), Contains("memory"));
}
