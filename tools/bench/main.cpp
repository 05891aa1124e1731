// lockstep-bench: the cost of preprocessing and of PageRank on this machine, as ratios measured in one run.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli.hpp"
#include "input_options.hpp"
#include "lockstep/formats/dataset.hpp"
#include "lockstep/schedules/builders.hpp"
#include "pagerank.hpp"
#include "peers.hpp"
#include "pipeline.hpp"
#include "timing.hpp"

using namespace lockstep;
using bench::median_seconds;

namespace {

struct BenchOptions {
    std::optional<std::string> input;
    std::string part = "matching";
    std::uint64_t iterations = 20;
    int runs = 3;
    double all_within = 0, seconds = 60;
    cli::InputOptions reading;

    void list(Fields& fields) {
        const std::vector<std::string> parts{"matching", "pipeline", "peers",
                                             "pagerank", "variants", "warp-shapes"};
        fields.text("input", input, "arg", "graph or ratings file with at least one edge");
        fields.word("part", part, parts,
                    "matching: first-fit compared with repeated maximal matching (Algorithm 1 of the paper, "
                    "implemented literally); pipeline: every stage of preprocessing in memory; peers: edge "
                    "colouring compared with Boost.Graph; pagerank: PageRank on the CPU compared with a "
                    "plain OpenMP pull; variants: PageRank on the GPU with every strategy, in both vertex "
                    "orders, with exact sums and with float sums, and the cost of a memory access; "
                    "warp-shapes: PageRank on the GPU with every size and chunk of virtual warps");
        fields.number("iterations", iterations, 1, 1'000'000,
                      "pagerank, variants, warp-shapes: number of PageRank iterations");
        fields.number("runs", runs, 1, 1000,
                      "pipeline, peers, pagerank: number of runs, whose median is reported; variants, "
                      "warp-shapes: maximum number of runs of each variant (slow variants have fewer)");
        fields.number("all-within", all_within, 0, 1e9,
                      "variants: complete all --runs of a variant if together they take at most this many "
                      "seconds; the runs of a slower variant end after one second");
        fields.number("seconds", seconds, 0, 1e9,
                      "matching, peers: stop doubling the number of edges when repeated matching, or Boost, "
                      "takes more than this many seconds");
        reading.list(fields);
    }
};

/// Compares first-fit with repeated matching on growing prefixes of the input.
nlohmann::ordered_json run_matching(const Graph& whole, double limit, const cli::Common& common) {
    // The time of repeated matching grows faster than the number of edges: the input is doubled until the
    // time passes the limit.
    nlohmann::ordered_json sizes = nlohmann::ordered_json::array();
    double repeated = 0;
    EdgeId repeated_edges = 0;
    for (EdgeId edges = std::min<EdgeId>(whole.edges(), 100000);;
         edges = std::min(whole.edges(), 2 * edges)) {
        cli::check_signal();
        const Graph part = bench::head(whole, edges);
        Matchings literal, one_pass;
        repeated = median_seconds(1, [&] { literal = repeated_maximal_matchings(part); });
        const double first_fit = median_seconds(3, [&] { one_pass = maximal_matchings(part); });
        if (literal != one_pass)
            throw Error(Failure::verification, "first-fit and repeated matching disagree");
        repeated_edges = edges;
        sizes.push_back({{"edges", edges},
                         {"matchings", one_pass.count},
                         {"repeated_seconds", repeated},
                         {"first_fit_seconds", first_fit},
                         {"ratio", repeated / first_fit}});
        if (!common.json) {
            std::cout << fmt::format(
                             "{:>12} edges: repeated {:>10}, first-fit {:>10}, {:.0f} times as fast, same "
                             "matchings\n",
                             cli::group_digits(edges), cli::duration(repeated), cli::duration(first_fit),
                             repeated / first_fit)
                      << std::flush;
        }
        if (edges == whole.edges() || repeated > limit) break;
    }
    const double schedule = median_seconds(3, [&] { build_agm_e(whole, {}); });
    if (!common.json) {
        std::cout << fmt::format(
            "AGM-E schedule of all {} edges: {}; repeated matching of {} edges took {:.1f} times as long\n",
            cli::group_digits(whole.edges()), cli::duration(schedule), cli::group_digits(repeated_edges),
            repeated / schedule);
    }
    return {{"sizes", sizes},
            {"edges", whole.edges()},
            {"agm_e_seconds", schedule},
            {"repeated_edges", repeated_edges},
            {"repeated_seconds", repeated},
            {"ratio", repeated / schedule}};
}

int bench_main(const BenchOptions& options, const Fields&, const cli::Common& common) {
    if (!options.input) throw cli::UsageError("an input file is needed");
    const auto& [input, part, iterations, runs, all_within, seconds, reading] = options;
    const Dataset dataset = read_dataset(*input, reading.reading());
    const Graph& graph = dataset.graph;
    const nlohmann::ordered_json result =
        part == "matching"      ? run_matching(graph, seconds, common)
        : part == "pipeline"    ? bench::run_pipeline(graph, runs)
        : part == "pagerank"    ? bench::run_pagerank(graph, runs, iterations)
        : part == "variants"    ? bench::run_variants(graph, runs, iterations, all_within)
        : part == "warp-shapes" ? bench::run_warp_shapes(graph, runs, iterations)
                                : bench::run_peers(graph, seconds, runs);
    if (common.json) cli::print_json(result);
    return 0;
}

}  // namespace

int main(int argc, char** argv) try {
    return cli::run(argc, argv,
                    {"lockstep-bench", "lockstep-bench INPUT [options]",
                     "Measures the time of preprocessing and of PageRank. Ratios compare times of the same "
                     "run.",
                     ""},
                    {"input"}, bench_main);
} catch (...) {
    return lockstep::cli::failed_early(argv[0]);
}
