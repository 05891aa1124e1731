// Tests of run records: a written record reads back equal, and everything else is refused.
#include "lockstep/formats/run_record.hpp"

#include <cmath>
#include <functional>
#include <limits>

#include "catch.hpp"
#include "lockstep/formats/error.hpp"
#include "support.hpp"

using namespace lockstep;

namespace {

constexpr EdgeId beyond_32_bits = 5'000'000'000;

RunHeader header() {
    RunHeader run;
    run.program = "lockstep-execute 0.1.0 (revision abc)";
    run.command = {"lockstep-execute", "a b.h5", "--strategy", "agm-e"};
    run.started = "2025-01-02T03:04:05Z";
    run.app = "sgd";
    run.strategy = "agm-e";
    run.deterministic = true;
    run.device = {"cuda", "Some \"GPU\" <1>", 132, "12.8"};
    run.rank = 16;
    run.seed = std::numeric_limits<std::uint64_t>::max();
    run.sweeps = 3;
    run.schedule_file = "a b.h5";
    run.input = "/data/a b.csv.gz";
    run.graph_hash = "0123";
    run.schedule_hash = "4567";
    run.rows = max_vertices;
    run.cols = 7;
    run.edges = beyond_32_bits;
    run.train_edges = beyond_32_bits - 9;
    run.test_edges = 9;
    run.max_row_degree = 7;
    run.max_col_degree = beyond_32_bits / 7;
    run.parameters = {{"learning_rate", "0.01"}};
    return run;
}

RunEnd end() { return {"ok", "89ab", {1, 2, 3, 4, 5, 6, 7}, 1e9, 2}; }

/// Message and line of the error that reading `content` throws.
struct Refusal {
    std::string message;
    std::uint64_t line;
};
Refusal refusal(const std::string& content) {
    test::TemporaryFolder folder;
    test::write_file(folder / "run.jsonl", content);
    try {
        read_run_records(folder / "run.jsonl");
    } catch (const FormatError& e) {
        return {e.what(), e.line()};
    }
    return {"accepted", 0};
}

std::string written(const std::function<void(RunRecorder&)>& write) {
    test::TemporaryFolder folder;
    {
        RunRecorder recorder(folder / "run.jsonl");
        write(recorder);
    }
    return test::read_file(folder / "run.jsonl");
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto place = text.find(from);
    REQUIRE(place != std::string::npos);
    return text.replace(place, from.size(), to);
}

}  // namespace

TEST_CASE("a run record reads back as it was written") {
    test::TemporaryFolder folder;
    {
        RunRecorder recorder(folder / "r");
        recorder.write(header());
        recorder.write(SweepRecord{1, 0.1, {{"rmse_train", 1.0 / 3}}, beyond_32_bits, 4});
        recorder.write(SweepRecord{2, 0.2, {{"rmse_train", 0.25}, {"rmse_test", 0.5}}, 10, 1});
        recorder.write(end());
    }
    RunRecorder(folder / "r").write(header());  // appends to the file
    const auto runs = read_run_records(folder / "r");
    REQUIRE(runs.size() == 2);
    const RunHeader &run = runs[0].run, expected = header();
    CHECK(runs[0].path == (folder / "r").string());
    CHECK(run.program == expected.program);
    CHECK(run.command == expected.command);
    CHECK(run.started == expected.started);
    CHECK(run.app == expected.app);
    CHECK(run.strategy == expected.strategy);
    CHECK(run.deterministic);
    CHECK(run.device.kind == "cuda");
    CHECK(run.device.name == expected.device.name);
    CHECK(run.device.threads == 132);
    CHECK(run.device.driver == "12.8");
    CHECK(run.rank == 16);
    CHECK(run.seed == expected.seed);
    CHECK(run.sweeps == 3);
    CHECK(run.schedule_file == "a b.h5");
    CHECK(run.schedule_hash == "4567");
    CHECK(run.graph_hash == "0123");
    CHECK(run.rows == max_vertices);
    CHECK(run.cols == 7);
    CHECK(run.edges == beyond_32_bits);
    CHECK(run.train_edges == beyond_32_bits - 9);
    CHECK(run.test_edges == 9);
    CHECK(run.max_row_degree == 7);
    CHECK(run.max_col_degree == beyond_32_bits / 7);
    CHECK(run.parameters == expected.parameters);
    REQUIRE(runs[0].sweeps.size() == 2);
    CHECK(runs[0].sweeps[0].seconds == 0.1);
    CHECK(runs[0].sweeps[0].metric("rmse_train") == 1.0 / 3);
    CHECK_FALSE(runs[0].sweeps[0].metric("rmse_test"));
    CHECK(runs[0].sweeps[0].updates == beyond_32_bits);
    CHECK(runs[0].sweeps[0].passes == 4);
    CHECK(runs[0].sweeps[1].metric("rmse_test") == 0.5);
    REQUIRE(runs[0].end);
    CHECK(runs[0].end->status == "ok");
    CHECK(runs[0].end->result_hash == "89ab");
    CHECK(runs[0].end->updates_per_second == 1e9);
    CHECK(runs[0].end->kept_sweep == 2);
    const RunSeconds& seconds = runs[0].end->seconds;
    CHECK(std::vector{seconds.read, seconds.schedule, seconds.write, seconds.load, seconds.transfer,
                      seconds.execute, seconds.evaluate} == std::vector<double>{1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("a run without an end line is a run that died") {
    const std::string run = record_line(header()) + '\n';
    test::TemporaryFolder folder;
    test::write_file(folder / "r", run + record_line(SweepRecord{1, 1, {{"rmse_train", 1}}, 1, 1}) + '\n' +
                                       run + record_line(end()) + '\n');
    const auto runs = read_run_records(folder / "r");
    REQUIRE(runs.size() == 2);
    CHECK_FALSE(runs[0].end);
    CHECK(runs[0].sweeps.size() == 1);
    CHECK(runs[1].end);
}

TEST_CASE("an error that is not a finite number is written as null and read as NaN") {
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();
    const std::string text = written([&](RunRecorder& r) {
        r.write(header()), r.write(SweepRecord{1, 1, {{"rmse_train", nan}, {"rmse_test", infinity}}, 1, 1});
    });
    CHECK(text.find("\"rmse_train\":null,\"rmse_test\":null") != std::string::npos);
    test::TemporaryFolder folder;
    test::write_file(folder / "r", text);
    const SweepRecord sweep = read_run_records(folder / "r")[0].sweeps[0];
    CHECK(std::isnan(sweep.metric("rmse_train").value()));
    REQUIRE(sweep.metric("rmse_test"));
    CHECK(std::isnan(*sweep.metric("rmse_test")));
}

TEST_CASE("metrics of any name are keys of their sweep, and read back in their order") {
    const std::string text = written([](RunRecorder& r) {
        r.write(header()), r.write(SweepRecord{1, 1, {{"visited", 3}, {"active", 0.5}}, 1, 1});
    });
    CHECK(text.find("\"rmse_train\":null,\"visited\":3.0,\"active\":0.5,\"updates\"") != std::string::npos);
    test::TemporaryFolder folder;
    test::write_file(folder / "r", text);
    const SweepRecord sweep = read_run_records(folder / "r")[0].sweeps[0];
    REQUIRE(sweep.metrics.size() == 3);
    CHECK(sweep.metrics[1].name == "visited");
    CHECK(sweep.metric("active") == 0.5);
    CHECK(sweep.updates == 1);
    CHECK_FALSE(sweep.metric("rounds"));
    CHECK(refusal(replaced(text, "\"visited\":3.0", "\"visited\":\"3\"")).message.find("\"visited\"") !=
          std::string::npos);
}

TEST_CASE("values of one name are an array of their sweep") {
    const std::string text = written([](RunRecorder& r) {
        r.write(header()), r.write(SweepRecord{1,
                                               1,
                                               {{"active", 1},
                                                {"ballot", 2},
                                                {"active", 0.5},
                                                {"active", std::numeric_limits<double>::quiet_NaN()}},
                                               1,
                                               1});
    });
    CHECK(text.find("\"active\":[1.0,0.5,null],\"ballot\":2.0,\"updates\"") != std::string::npos);
    test::TemporaryFolder folder;
    test::write_file(folder / "r", text);
    const Metrics metrics = read_run_records(folder / "r")[0].sweeps[0].metrics;
    REQUIRE(metrics.size() == 5);  // the RMSE comes first, which every sweep has
    CHECK((metrics[2].name == "active" && metrics[2].value == 0.5));
    CHECK(std::isnan(metrics[3].value));
    CHECK((metrics[4].name == "ballot" && metrics[4].value == 2));
    for (const char* wrong : {"[1,\"2\"]", "[[1]]", "[true]", "[-1]", "{}"})
        CHECK(refusal(replaced(text, "[1.0,0.5,null]", wrong)).message.find("\"active\" is not") !=
              std::string::npos);
}

TEST_CASE("every line says its run, so that runs may be mixed, and lines of old are read") {
    test::TemporaryFolder folder;
    {
        RunRecorder one(folder / "r"), other(folder / "r");
        one.write(header()), other.write(header());
        other.write(SweepRecord{1, 2, {{"rmse_train", 2}}, 1, 1});
        one.write(SweepRecord{1, 1, {{"rmse_train", 1}}, 1, 1});
        one.write(end());
        other.write(SweepRecord{2, 2, {{"rmse_train", 2}}, 1, 1});
    }
    const auto runs = read_run_records(folder / "r");
    REQUIRE(runs.size() == 2);
    CHECK((runs[0].end && !runs[1].end));
    REQUIRE(runs[0].sweeps.size() == 1);
    CHECK(runs[0].sweeps[0].seconds == 1);
    CHECK(runs[1].sweeps.size() == 2);

    const std::string old = record_line(header()) + '\n' +
                            record_line(SweepRecord{1, 1, {{"rmse_train", 1}}, 1, 1}) + '\n' +
                            record_line(end()) + '\n',
                      all = test::read_file(folder / "r");
    CHECK(old.find("\"run\":") == std::string::npos);
    test::write_file(folder / "r", old + all + old);
    CHECK(read_run_records(folder / "r").size() == 4);
    // A line with an id is never added to a run with another id, and a line without an id is never added to a
    // run with one.
    const std::string first = all.substr(0, all.find('\n') + 1),
                      sweep = old.substr(old.find('\n') + 1,
                                         old.find("{\"record\":\"end\"") - old.find('\n') - 1);
    CHECK(refusal(first + sweep).message.find("outside a run") != std::string::npos);
    CHECK(refusal(first + first).message.find("a second \"run\" line of the run ") != std::string::npos);
    CHECK(refusal(old + all.substr(all.find("{\"record\":\"sweep\""))).message.find("line of the run ") !=
          std::string::npos);
}

TEST_CASE("each line is in the file as soon as it was written") {
    test::TemporaryFolder folder;
    RunRecorder recorder(folder / "r");
    recorder.write(header());
    CHECK(read_run_records(folder / "r").size() == 1);
    recorder.write(SweepRecord{1, 1, {{"rmse_train", 1}}, 1, 1});
    CHECK(read_run_records(folder / "r")[0].sweeps.size() == 1);
}

TEST_CASE("what is not a run record is refused with its line") {
    const std::string run = record_line(header()) + '\n',
                      sweep = record_line(SweepRecord{1, 1, {{"rmse_train", 1}, {"rmse_test", 2.0}}, 1, 1}) +
                              '\n',
                      last = record_line(end()) + '\n';
    struct Case {
        std::string content, message;
        std::uint64_t line;
    };
    const std::vector<Case> cases = {
        {"", "contains no run", 0},
        {run + "{\"record\":\"sweep\",\n", "run.jsonl:2: not a line of JSON", 2},
        {run + "\n", "not a line of JSON", 2},
        {run + sweep.substr(0, sweep.size() / 2), "not a line of JSON", 2},
        {"[1]\n", "expected an object", 1},
        {"{\"a\":1}\n", "the key \"record\" is missing", 1},
        {"{\"record\":\"walk\"}\n", "expected \"run\", \"sweep\" or \"end\"", 1},
        {sweep, "outside a run", 1},
        {run + last + sweep, "outside a run", 3},
        {run + last + last, "outside a run", 3},
        {run + sweep + sweep, "numbered from 1", 3},
        {run + replaced(sweep, "\"sweep\":1", "\"sweep\":0"), "numbered from 1", 2},
        {replaced(run, "\"rank\":16,", ""), "the key \"rank\" is missing", 1},
        {replaced(run, "\"rank\":16", "\"rank\":-1"), "\"rank\" is not", 1},
        {replaced(run, "\"rank\":16", "\"rank\":1.5"), "a whole number", 1},
        {replaced(run, "\"rank\":16", "\"rank\":4294967296"), "a number up to 4294967295", 1},
        {replaced(run, "\"rank\":16", "\"rank\":16,\"range\":1"), "unknown key \"range\"", 1},
        {replaced(run, "\"threads\":132", "\"threads\":\"132\""), "\"device.threads\"", 1},
        {replaced(run, "\"cols\":7", "\"cols\":7,\"kols\":7"), "unknown key \"graph.kols\"", 1},
        {replaced(run, "\"deterministic\":true", "\"deterministic\":1"), "true or false", 1},
        {replaced(run, "\"app\":\"sgd\"", "\"app\":null"), "expected a string", 1},
        {replaced(run, "[\"lockstep-execute\"", "[1"), "an array of strings", 1},
        {replaced(run, "\"0.01\"", "0.01"), "an object of strings", 1},
        {run + replaced(sweep, "\"seconds\":1.0", "\"seconds\":-1.0"), "a number from 0", 2},
        {run + replaced(sweep, "\"seconds\":1.0", "\"seconds\":null"), "a number from 0", 2},
        {run + replaced(last, "\"load\":4.0", "\"load\":true"), "\"seconds.load\"", 2},
    };
    for (const Case& one : cases) {
        CAPTURE(one.content);
        const Refusal found = refusal(one.content);
        CAPTURE(found.message);
        CHECK(found.message.find(one.message) != std::string::npos);
        CHECK(found.line == one.line);
    }
    CHECK(refusal(run + sweep + last).message == "accepted");
    CHECK_THROWS_AS(read_run_records("/nonexistent/run.jsonl"), FormatError);
}

TEST_CASE("a record that cannot be written says so") {
    CHECK_THROWS_AS(RunRecorder("/nonexistent/run.jsonl"), OutputError);
    RunRecorder full("/dev/full");
    CHECK_THROWS_AS(full.write(header()), OutputError);
}

TEST_CASE("nothing is appended to a line that was cut short") {
    test::TemporaryFolder folder;
    test::write_file(folder / "r", "{\"record\":");
    CHECK_THROWS_AS(RunRecorder(folder / "r"), OutputError);
    CHECK(test::read_file(folder / "r") == "{\"record\":");
}
