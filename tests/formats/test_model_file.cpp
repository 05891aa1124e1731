#include "lockstep/formats/model_file.hpp"

#include <cmath>
#include <limits>

#include "catch.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/schedule_file.hpp"
#include "sample_file.hpp"

using namespace lockstep;
using Catch::Matchers::Contains;

namespace {

Model sample_model() {
    Model m;
    m.rows = 3, m.cols = 2, m.rank = 4;
    for (int i = 0; i < 12; ++i) m.row_factors.push_back(0.5F * static_cast<float>(i) - 1);
    for (int i = 0; i < 8; ++i) m.col_factors.push_back(static_cast<float>(std::sin(i)));
    m.row_ids = IntegerIds{{2, 5, 9}};
    m.col_ids = StringIds{"ab", {0, 1, 2}};
    m.graph_hash = "0123";
    m.parameters = {{"learning-rate", "0.01"}};
    m.taken = {{0, 2, 2, 3}, {0, 1, 1}};
    return m;
}

}  // namespace

TEST_CASE("a model file gives back everything", "[model_file]") {
    const test::TemporaryFolder folder;
    Model m = sample_model();
    if (GENERATE(false, true)) m.biases = {-0.75F, {1, -2, 0.5F}, {0, 0.25F}};
    if (GENERATE(false, true))
        m.rows = 0, m.biases.row.clear(), m.row_factors.clear(), m.row_ids = RangeIds{1, 0},
        m.taken = {{0}, {}};
    if (GENERATE(false, true)) m.taken = {};
    write_model(folder / "m.h5", m);
    const Model r = read_model(folder / "m.h5");
    CHECK(r.rows == m.rows);
    CHECK(r.cols == m.cols);
    CHECK(r.rank == m.rank);
    CHECK(r.row_factors == m.row_factors);
    CHECK(r.col_factors == m.col_factors);
    CHECK(r.row_ids == m.row_ids);
    CHECK(r.col_ids == m.col_ids);
    CHECK(r.graph_hash == m.graph_hash);
    CHECK(r.parameters == m.parameters);
    CHECK(r.biases == m.biases);
    CHECK(r.taken == m.taken);
}

TEST_CASE("taken items are the pairs of a graph, each once, without drawn ones", "[model_file]") {
    Dataset data = test::sample_dataset();
    data.graph = build_graph({{2, 1, 1}, {0, 3, 1}, {0, 1, 0}, {0, 3, 2}, {2, 0, 1}}, 3, 4, {});
    CHECK(taken_items(data) == TakenItems{{0, 2, 2, 4}, {1, 3, 0, 1}});
    data.source.drawn = 1;
    const TakenItems taken = taken_items(data);
    CHECK(taken == TakenItems{{0, 1, 1, 3}, {3, 0, 1}});
    CHECK(std::vector(taken.of(2).begin(), taken.of(2).end()) == std::vector<VertexId>{0, 1});
    CHECK(taken.of(1).empty());
    CHECK((!TakenItems().known() && TakenItems().of(7).empty()));
}

TEST_CASE("a biased model adds the mean and both biases", "[model_file]") {
    const Biases biases{3, {0.5F, -1}, {0.25F, 0, 2}};
    CHECK(biases.of(1, 2) == 4);
    CHECK(biases.of(0, 0) == 3.75);
    CHECK(biases.of(1) == 2);
    CHECK(Biases{}.empty());
    CHECK(Biases{}.of(7, 9) == 0);
}

TEST_CASE("a model larger than a chunk", "[model_file]") {
    const test::TemporaryFolder folder;
    Model m = sample_model();
    m.rows = 10'007, m.rank = 50, m.row_ids = RangeIds{0, m.rows}, m.taken = {};
    m.row_factors.resize(std::size_t{m.rows} * m.rank);
    for (std::size_t i = 0; i < m.row_factors.size(); ++i) m.row_factors[i] = static_cast<float>(i);
    m.col_factors.assign(100, 1);
    write_model(folder / "m.h5", m);
    CHECK(read_model(folder / "m.h5").row_factors == m.row_factors);
}

TEST_CASE("models that make no sense are not written", "[model_file]") {
    const test::TemporaryFolder folder;
    const auto refused = [&](auto&& change) {
        Model m = sample_model();
        change(m);
        CHECK_THROWS_AS(write_model(folder / "m.h5", m), OutputError);
        CHECK_FALSE(std::filesystem::exists(folder / "m.h5"));
    };
    refused([](Model& m) { m.row_factors[3] = std::numeric_limits<float>::quiet_NaN(); });
    refused([](Model& m) { m.col_factors[0] = std::numeric_limits<float>::infinity(); });
    refused([](Model& m) { m.rank = 0, m.row_factors.clear(), m.col_factors.clear(); });
    refused([](Model& m) { m.row_factors.pop_back(); });
    refused([](Model& m) { m.row_ids = RangeIds{0, 2}; });
    refused([](Model& m) { m.biases = {0, {1, 2, 3}, {1}}; });
    refused([](Model& m) { m.biases = {0, {}, {1, 2}}; });
    refused([](Model& m) { m.biases = {0, {1, 2, 3}, {1, std::nanf("")}}; });
    refused([](Model& m) { m.biases = {INFINITY, {1, 2, 3}, {1, 2}}; });
    refused([](Model& m) { m.taken = {{0, 1, 1}, {0}}; });
    refused([](Model& m) { m.taken = {{0, 1, 1, 2}, {0}}; });
    refused([](Model& m) { m.taken = {{0, 2, 1, 2}, {0, 1}}; });
    refused([](Model& m) { m.taken = {{0, 1, 1, 1}, {2}}; });
    refused([](Model& m) { m.taken = {{0, 2, 2, 2}, {1, 0}}; });
    refused([](Model& m) { m.taken = {{0, 2, 2, 2}, {1, 1}}; });
}

TEST_CASE("a model is not a schedule file, and a text file is neither", "[model_file]") {
    const test::TemporaryFolder folder;
    write_model(folder / "m.h5", sample_model());
    write_schedule_file(folder / "s.h5", test::sample_dataset(), {}, {});
    test::write_file(folder / "t.h5", "1 2 3\n");
    test::write_file(folder / "empty.h5", "");
    CHECK_THROWS_WITH(read_schedule_file(folder / "m.h5"),
                      Contains("is a lockstep-model file; expected lockstep-schedules"));
    CHECK_THROWS_WITH(read_model(folder / "s.h5"),
                      Contains("is a lockstep-schedules file; expected lockstep-model"));
    CHECK_THROWS_WITH(read_model(folder / "t.h5"), Contains("t.h5: is not an HDF5 file"));
    CHECK_THROWS_AS(read_model(folder / "empty.h5"), FormatError);
    CHECK_THROWS_AS(read_model(folder.path()), FormatError);
    CHECK_THROWS_WITH(read_model(folder / "none.h5"), Contains("No such file"));
}
