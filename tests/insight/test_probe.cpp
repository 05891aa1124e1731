// Tests of probe files: a written probe is read back unchanged, and invalid files are rejected.
#include <functional>

#include "catch.hpp"
#include "insight/cache.hpp"
#include "insight/model.hpp"
#include "insight_support.hpp"
#include "lockstep/formats/error.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::insight;
using test::sample_probe;
using Json = nlohmann::ordered_json;

TEST_CASE("a probe file gives back everything") {
    const test::TemporaryFolder folder;
    const Probe probe = sample_probe();
    write_probe(folder / "new/folder/probe.json", probe);
    const Probe back = read_probe(folder / "new/folder/probe.json");
    CHECK(to_json(back) == to_json(probe));
    CHECK(back.device.driver == probe.device.driver);
    CHECK(back.cost("tiled.hub") == probe.cost("tiled.hub"));
}

TEST_CASE("the factors of a probe replace those of the H200, and only their strategies are predicted") {
    Probe probe = sample_probe();
    probe.factors = {{"el", {{"edges", 3}}}};
    const Probe back = probe_from_json(to_json(probe).dump(), "p.json");
    CHECK(back.factors == probe.factors);
    Statistics statistics;
    statistics.edges = 100, statistics.rows.vertices = statistics.cols.vertices = 50;
    for (const Prediction& p : predict(statistics, back)) {
        if (p.strategy != "el") CHECK_FALSE(p.refused.empty());
        for (const Term& term : p.terms) CHECK(term.factor == (term.name == "edges" ? 3 : 1));
    }
}

TEST_CASE("a probe that is damaged or impossible is refused by the name of what is wrong") {
    const auto refused = [](const std::function<void(Json&)>& change, const std::string& words) {
        Json json = to_json(sample_probe());
        change(json);
        CHECK_THROWS_WITH(probe_from_json(json.dump(), "p.json"),
                          Catch::StartsWith("p.json: ") && Catch::Contains(words));
    };
    CHECK_THROWS_WITH(probe_from_json("{\"lockstep_probe\": 1", "p.json"), Catch::Contains("is not JSON"));
    CHECK_THROWS_WITH(probe_from_json("[]", "p.json"), Catch::Contains("is not a probe"));
    CHECK_THROWS_WITH(probe_from_json("{}", "p.json"), Catch::Contains("is not a probe"));
    refused([](Json& j) { j["lockstep_probe"] = 99; }, "format 99");
    refused([](Json& j) { j["rank"] = 300; }, "1 to 256, not 300");
    refused([](Json& j) { j["rank"] = 0; }, "1 to 256, not 0");
    refused([](Json& j) { j["rank"] = "16"; }, "\"rank\"");
    refused([](Json& j) { j["rank"] = 17; }, "\"updates\"");
    refused([](Json& j) { j["kind"] = "abacus"; }, "cpu or cuda");
    refused([](Json& j) { j["threads"] = 0; }, "\"threads\"");
    refused([](Json& j) { j["costs"].erase("locked.chain"); }, "\"locked.chain\"");
    refused([](Json& j) { j["costs"]["locked.chain"] = -1; }, "\"locked.chain\"");
    refused([](Json& j) { j["seconds"]["barrier"] = nullptr; }, "\"barrier\"");
    refused([](Json& j) { j["phase_round"]["edges"] = {4, 2}; }, "\"phase_round\"");
    refused([](Json& j) { j["phase_round"]["seconds"][0] = 0; }, "\"phase_round\"");
    refused([](Json& j) { j["atomics_same"]["threads"] = Json::array(); }, "\"atomics_same\"");
    refused([](Json& j) { j.erase("build"); }, "\"build\"");
    refused([](Json& j) { j["load"] = 3; }, "\"load\"");
    refused([](Json& j) { j["load"]["el"] = "fast"; }, "\"el\"");
    refused([](Json& j) { j["load"]["el"].erase("edge"); }, "\"edge\"");
    refused([](Json& j) { j["factors"] = 3; }, "\"factors\"");
    refused([](Json& j) { j["factors"]["el"] = 1; }, "\"el\"");
    refused([](Json& j) { j["factors"]["el"]["edges"] = -1; }, "\"edges\"");
}

namespace {

/// Returns a copy, because references would dangle when the assertion uses them.
std::string why_foreign(const Probe& probe, const DeviceInfo& device, std::uint32_t rank) {
    return foreign(probe, device, rank).value_or("");
}

std::string text_of(const DeviceInfo& device, std::uint32_t rank, const std::optional<std::string>& file,
                    std::string* note) {
    return find_probe(device, rank, file, note).text;
}

}  // namespace

TEST_CASE("a probe of another device, driver or rank is foreign, and is never used") {
    const Probe probe = sample_probe();
    CHECK_FALSE(foreign(probe, probe.device, 16));
    DeviceInfo other = probe.device;
    other.driver = "driver for CUDA 2.0, runtime 1.0";
    CHECK_THAT(why_foreign(probe, other, 16), Catch::Contains("driver for CUDA 2.0"));
    other = probe.device, other.name = "Another device";
    CHECK_THAT(why_foreign(probe, other, 16), Catch::Contains("Another device"));
    other = probe.device, other.threads = 50;
    CHECK(foreign(probe, other, 16));
    CHECK_THAT(why_foreign(probe, probe.device, 32), Catch::Contains("rank 16; expected 32"));

    const test::TemporaryFolder folder;
    REQUIRE(setenv("LOCKSTEP_CACHE", folder.path().c_str(), 1) == 0);
    other = probe.device, other.driver = "driver for CUDA 2.0, runtime 1.0";
    CHECK(cache_file(probe.device, 16) != cache_file(other, 16));
    CHECK(cache_file(probe.device, 16) != cache_file(probe.device, 32));
    std::string note;
    CHECK_THAT(text_of(probe.device, 16, std::nullopt, &note), Catch::Contains("built-in figures"));
    CHECK_THAT(note, Catch::Contains("lockstep-probe"));
    write_probe(cache_file(probe.device, 16), probe);
    note.clear();
    CHECK_THAT(text_of(probe.device, 16, std::nullopt, &note), Catch::Contains(probe.measured));
    CHECK(note.empty());
    // A file of another driver's probe at the cache path of this driver is not used.
    write_probe(cache_file(other, 16), probe);
    CHECK_THAT(text_of(other, 16, std::nullopt, &note), Catch::Contains("built-in figures"));
    CHECK_THAT(note, Catch::Contains("is not used") && Catch::Contains("driver for CUDA 2.0"));
    // An explicitly named probe of another driver is an error.
    CHECK_THROWS_WITH(find_probe(other, 16, cache_file(probe.device, 16).string(), &note),
                      Catch::Contains("driver for CUDA 2.0"));
    CHECK_THROWS_AS(find_probe(probe.device, 16, (folder / "none.json").string(), &note), FormatError);
    // A damaged file in the cache is an error, too.
    test::write_file(cache_file(probe.device, 16), "{");
    CHECK_THROWS_AS(find_probe(probe.device, 16, std::nullopt, &note), FormatError);
}

TEST_CASE("built-in figures serve any device and rank, and say whose they are") {
    std::string text;
    for (const char* kind : {"cpu", "cuda"}) {
        for (const std::uint32_t rank : {1U, 16U, 100U, 256U}) {
            const DeviceInfo device{kind, "Unheard of", 7, ""};
            const Probe probe = built_in_probe(device, rank, &text);
            CHECK(probe.rank == rank);
            CHECK(probe.update().rank == rank);
            CHECK(probe.device.name == "Unheard of");
            CHECK_THAT(text, Catch::Contains("built-in figures of"));
        }
    }
    CHECK(built_in_class("h200"));
    CHECK_FALSE(built_in_class("h300"));
}

TEST_CASE("a curve goes through its points, and beyond them in proportion") {
    const Curve curve{{1, 10, 1000}, {2, 4, 40}};
    for (std::size_t i = 0; i < curve.x.size(); ++i) CHECK(curve.at(curve.x[i]) == Approx(curve.y[i]));
    CHECK(curve.at(0.1) == 2);
    CHECK(curve.at(2000) == Approx(80));
    double last = 0;
    for (double x = 0.5; x < 5000; x *= 1.3) {
        CHECK(curve.at(x) >= last);
        last = curve.at(x);
    }
}

TEST_CASE("built-in figures of a CPU are for its threads: edges shared out, small phases and chains not") {
    std::string text;
    const auto of = [&](std::uint64_t threads) {
        return built_in_probe({"cpu", "a CPU", threads, ""}, 16, &text);
    };
    const Probe one = of(1), four = of(4);
    CHECK(four.phase_round.at(16) == one.phase_round.at(16));
    CHECK(four.phase_round.at(8192) < one.phase_round.at(8192) / 2);
    CHECK(four.phase_round.at(8192) > one.phase_round.at(8192) / 4);
    CHECK(four.cost("tiled.edge") == Approx(one.cost("tiled.edge") / 4));
    CHECK(four.cost("tiled.hub") == one.cost("tiled.hub"));
    CHECK(four.barrier > one.barrier);
    CHECK(of(16).barrier > four.barrier);
}
