// The preprocessing pipeline in memory: random COO triples → graph → every schedule. Each stage is compared
// with a memory copy and with one radix pass of the same run.
#include "pipeline.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>

#include "cli.hpp"
#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/grouping.hpp"
#include "memory.hpp"

namespace lockstep::bench {

namespace {

/// Returns the peak memory since the last call in bytes (the kernel's high-water mark), and resets it.
EdgeId take_peak_memory() {
    std::ifstream status("/proc/self/status");
    EdgeId kilobytes = 0;
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) kilobytes = std::stoull(line.substr(6));
    }
    std::ofstream("/proc/self/clear_refs") << 5;
    return kilobytes * 1024;
}

EdgeId resident_memory() {
    std::ifstream statm("/proc/self/statm");
    EdgeId pages = 0, resident = 0;
    statm >> pages >> resident;
    return resident * 4096;
}

/// One stage, the times of its runs, and the peak memory in addition to the memory held before.
struct Stage {
    std::string name;
    std::function<void()> prepare, work;  ///< `prepare` is not timed
    std::vector<double> seconds;
    EdgeId peak_bytes = 0;

    double median() const {
        std::vector<double> sorted = seconds;
        std::sort(sorted.begin(), sorted.end());
        return sorted[sorted.size() / 2];
    }
    double least() const { return *std::min_element(seconds.begin(), seconds.end()); }
};

/// Prints only the medians, under the names of the stages.
class MedianReporter : public benchmark::ConsoleReporter {
public:
    MedianReporter() : ConsoleReporter(OO_Tabular) { SetOutputStream(&std::cerr); }
    bool ReportContext(const Context& context) override {
        name_field_width_ = 30;
        PrintBasicContext(&GetErrorStream(), context);
        return true;
    }
    void ReportRuns(const std::vector<Run>& runs) override {
        for (Run run : runs) {
            if (run.aggregate_name != "median") continue;
            const std::string name = run.run_name.function_name;
            run.run_name = {};
            run.run_name.function_name = name;
            ConsoleReporter::ReportRuns({run});
        }
    }
};

/// Runs the stages in order with Google Benchmark, which prints the times to stderr.
class Stages {
public:
    Stages(EdgeId edges, int repeats) : edges_(edges), repeats_(repeats) {}

    void add(std::string name, std::function<void()> prepare, std::function<void()> work) {
        stages_.push_back(
            std::make_unique<Stage>(Stage{std::move(name), std::move(prepare), std::move(work), {}}));
        Stage* const stage = stages_.back().get();
        benchmark::RegisterBenchmark(stage->name.c_str(),
                                     [this, stage](benchmark::State& state) { run(*stage, state); })
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond)
            ->Iterations(1)
            ->Repetitions(repeats_)
            ->ReportAggregatesOnly();
    }

    nlohmann::ordered_json run_all() {
        // Memory is measured in separate runs, since returning memory to the system and fetching it again
        // would distort the times.
        for (const auto& stage : stages_) {
            stage->peak_bytes = memory_held(*stage);
            std::cerr << fmt::format("{:<30} {:6.1f} bytes/edge in use\n", stage->name,
                                     bytes_per_edge(*stage));
        }
        MedianReporter reporter;
        benchmark::RunSpecifiedBenchmarks(&reporter);
        nlohmann::ordered_json result = nlohmann::ordered_json::array();
        for (const auto& stage : stages_) {
            const double s = stage->median();
            result.push_back({{"stage", stage->name},
                              {"seconds", s},
                              {"least_seconds", stage->least()},
                              {"edges_per_second", static_cast<double>(edges_) / s},
                              {"peak_bytes_per_edge", bytes_per_edge(*stage)},
                              {"copies", s / stages_[0]->median()},
                              {"radix_passes", stages_.size() > 1 ? s / stages_[1]->median() : 0}});
        }
        return result;
    }

private:
    double bytes_per_edge(const Stage& stage) const {
        return static_cast<double>(stage.peak_bytes) / static_cast<double>(edges_);
    }

    /// Returns the peak memory of a stage, measured in a run that is not timed, on memory fresh from the
    /// system.
    static EdgeId memory_held(const Stage& stage) {
        stage.prepare();
        cli::release_free_memory();
        take_peak_memory();
        const EdgeId before = resident_memory();
        stage.work();
        const EdgeId peak = take_peak_memory();
        return peak > before ? peak - before : 0;
    }

    void run(Stage& stage, benchmark::State& state) {
        for ([[maybe_unused]] auto _ : state) {
            cli::check_signal();
            stage.prepare();
            const cli::Stopwatch watch;
            stage.work();
            stage.seconds.push_back(watch.seconds());
            state.SetIterationTime(stage.seconds.back());
        }
        const double seconds = stage.seconds.back();
        state.counters["minimum ms"] = 1000 * stage.least();
        state.counters["edges/s"] = static_cast<double>(edges_) / seconds;
        state.counters["copies"] = seconds / stages_[0]->median();
        state.counters["passes"] = stages_[1]->seconds.empty() ? 0 : seconds / stages_[1]->median();
    }

    EdgeId edges_;
    int repeats_;
    std::vector<std::unique_ptr<Stage>> stages_;
};

void copy_in_parallel(const std::vector<Triple>& source, std::vector<Triple>& target) {
    const EdgeId m = source.size();
#pragma omp parallel for schedule(static)
    for (EdgeId block = 0; block < 64; ++block) {
        const EdgeId first = m * block / 64, last = m * (block + 1) / 64;
        std::memcpy(target.data() + first, source.data() + first, (last - first) * sizeof(Triple));
    }
}

}  // namespace

nlohmann::ordered_json run_pipeline(const Graph& graph, int repeats) {
    const EdgeId m = graph.edges();
    std::vector<Triple> triples(m);
    {
        const Array<VertexId> row = edge_rows(graph);
        const Array<EdgeId> order = given_order(graph);
        for (EdgeId i = 0; i < m; ++i)
            triples[i] = {row[order[i]], graph.col[order[i]], graph.weight(order[i])};
    }
    GraphOptions keep{.shape = graph.shape, .directed = graph.directed, .weighted = !graph.value.empty()};
    GraphOptions forget = keep;
    forget.input_order = false;

    std::vector<Triple> input;  // the input that a stage consumes
    Graph built;
    Schedule schedule;
    Matchings matching;
    Array<EdgeId> records;
    const auto fresh_input = [&] {
        built = {}, schedule = {}, matching = {};
        input.resize(m);
        copy_in_parallel(triples, input);
    };
    const auto fresh_schedule = [&] { schedule = {}, matching = {}; };

    Stages stages(m, repeats);
    stages.add(
        "copy of the triples", [&] { input.resize(m); }, [&] { copy_in_parallel(triples, input); });
    int shift = 0;
    while (graph.rows >> shift > 512) ++shift;
    stages.add(
        "one radix pass", [&] { records.resize(m); },
        [&] {
            radix_partition(
                m, (graph.rows >> shift) + EdgeId{1}, [&](EdgeId i) { return triples[i].row >> shift; },
                [&](EdgeId i) { return EdgeId{triples[i].row} << 32 | triples[i].col; }, records.data());
        });
    stages.add(
        "graph with input order", [&] { records = {}, fresh_input(); },
        [&] { built = build_graph(std::move(input), graph.rows, graph.cols, keep); });
    stages.add("triples to agm-e", fresh_input, [&] {
        built = build_graph(std::move(input), graph.rows, graph.cols, forget);
        schedule = build_agm_e(built, {});
    });
    stages.add("graph", fresh_input,
               [&] { built = build_graph(std::move(input), graph.rows, graph.cols, forget); });
    stages.add("maximal matchings", fresh_schedule, [&] { matching = maximal_matchings(built); });
    nlohmann::ordered_json impossible = nlohmann::ordered_json::object();
    for (const Builder& builder : builders()) {
        if (std::string(builder.name) == "metis") continue;
        if (const std::string reason = refusal(builder.name, graph, {}); !reason.empty()) {
            std::cerr << fmt::format("{:<30} not possible: {}\n", builder.name, reason);
            impossible[builder.name] = reason;
            continue;
        }
        stages.add(builder.name, fresh_schedule, [&] { schedule = builder.build(built, {}); });
    }
    return {{"edges", m},
            {"threads", omp_get_max_threads()},
            {"stages", stages.run_all()},
            {"not_possible", impossible}};
}

}  // namespace lockstep::bench
