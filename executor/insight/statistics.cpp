#include "insight/statistics.hpp"

#include <cmath>
#include <filesystem>

#include "insight/estimates.hpp"
#include "lockstep/schedules/grouping.hpp"

namespace lockstep::insight {

namespace {

/// Converts a histogram of round sizes into pairs: the mean number of edges in the rounds of a bin, and the
/// number of these rounds. The sizes are scaled so that all rounds together have `edges` edges.
std::vector<std::pair<double, double>> sizes_of(const std::vector<EdgeId>& histogram, double edges) {
    std::vector<std::pair<double, double>> sizes;
    double total = 0;
    for (std::size_t i = 0; i < histogram.size(); ++i) {
        if (!histogram[i]) continue;
        const double size = i == 0 ? 1 : 1.5 * std::pow(2.0, static_cast<double>(i)),
                     count = static_cast<double>(histogram[i]);
        sizes.push_back({size, count});
        total += size * count;
    }
    for (auto& [size, count] : sizes) size *= edges / total;
    return sizes;
}

/// Counts the rounds of the schedules `diag` and `blkdiag` from the edges, without building the schedules.
void count_diagonals(Statistics& s, const Graph& graph) {
    Rounds diagonals, blocks;
    const auto side =
        static_cast<EdgeId>(std::clamp(std::sqrt(static_cast<double>(graph.edges()) / 32), 1.0, 512.0));
    const EdgeId high = (graph.rows + side - 1) / side, wide = (graph.cols + side - 1) / side;
    const Array<VertexId> row = edge_rows(graph);
    const std::vector<EdgeId> block = key_counts(
                                  graph.edges(), side * side,
                                  [&](EdgeId e) { return row[e] / high * side + graph.col[e] / wide; }),
                              size = key_counts(
                                  graph.edges(), EdgeId{graph.rows} + graph.cols,
                                  [&](EdgeId e) { return EdgeId{row[e]} + graph.cols - 1 - graph.col[e]; });
    std::vector<EdgeId> histogram;
    for (const EdgeId n : size) {
        if (!n) continue;
        ++diagonals.rounds;
        const auto bin = static_cast<std::size_t>(std::bit_width(n) - 1);
        if (bin >= histogram.size()) histogram.resize(bin + 1, 0);
        ++histogram[bin];
    }
    diagonals.sizes = sizes_of(histogram, static_cast<double>(graph.edges()));
    diagonals.chain = diagonals.rounds;
    std::vector<EdgeId> fullest(2 * side, 0);
    for (EdgeId r = 0; r < side; ++r) {
        for (EdgeId c = 0; c < side; ++c)
            fullest[r + side - c] = std::max(fullest[r + side - c], block[r * side + c]);
    }
    for (const EdgeId n : fullest) blocks.rounds += n > 0, blocks.chain += static_cast<double>(n);
    s.schedules.try_emplace("diag", diagonals);
    s.schedules.try_emplace("blkdiag", blocks);
}

nlohmann::ordered_json side_json(const Statistics& s, const Side& side) {
    return {{"vertices", side.vertices},
            {"largest_degree", side.degrees.largest},
            {"meeting", s.conflict_probability(side)},
            {"degree_histogram", side.degrees.histogram}};
}

}  // namespace

void count_stars(Statistics& s, const Graph& graph, const BuildOptions& options) {
    const StarSizes sizes = star_sizes_of(graph, options.costs, options.star_edges);
    Rounds r;
    r.rounds = static_cast<double>(sizes.min_phases);
    r.sizes = {{std::max(1.0, static_cast<double>(s.edges) / r.rounds), r.rounds}};
    r.chain = std::max(r.rounds, std::min(s.largest(), r.rounds * static_cast<double>(sizes.hub_edges)));
    if (sizes.hub_edges > sizes.star_edges) r.hub_edges = static_cast<double>(sizes.hub_edges);
    s.schedules["stars"] = r;
}

Statistics statistics_of(const ScheduleFileSummary& file, const BuildOptions& options) {
    Statistics s;
    s.name = std::filesystem::path(file.path).stem().string();
    s.edges = file.edges;
    s.rows = {file.rows, file.row_degrees}, s.cols = {file.cols, file.col_degrees};
    s.col_reuse = file.col_reuse;
    s.write_seconds = file.seconds.write;
    // Files of format 1.0 have no histogram of degrees. It is replaced by one vertex with the largest degree,
    // and all others with the mean degree.
    for (Side* side : {&s.rows, &s.cols}) {
        DegreeStatistics& d = side->degrees;
        if (!d.histogram.empty() || d.largest == 0) continue;
        const double edges = static_cast<double>(s.edges),
                     mean = edges / std::max<VertexId>(1, side->vertices);
        d.squares = edges * std::sqrt(mean * static_cast<double>(d.largest));
        d.histogram.assign(static_cast<std::size_t>(std::bit_width(d.largest)), 0);
        d.histogram[static_cast<std::size_t>(std::log2(std::max(1.0, mean)))] += side->vertices - 1,
            ++d.histogram.back();
    }
    for (const ScheduleSummary& schedule : file.schedules) {
        const ScheduleStatistics& t = schedule.statistics;
        Rounds r;
        r.rounds = static_cast<double>(t.rounds);
        r.locked = static_cast<double>(schedule.locked);
        r.sizes = sizes_of(t.histogram, static_cast<double>(file.edges - schedule.locked));
        r.chain = static_cast<double>(t.chain), r.steps = static_cast<double>(t.steps),
        r.fullest = static_cast<double>(t.fullest);
        const auto parameter = [&](const char* key) {
            return schedule.parameters.contains(key)
                       ? std::strtod(schedule.parameters.at(key).c_str(), nullptr)
                       : 0;
        };
        r.blocks = parameter("item_blocks") * std::max(1.0, parameter("groups"));
        if (const double workers = parameter("workers"); workers > 0)
            r.blocks = std::ceil(file.cols / std::max(workers, 1.0));
        r.vectors = parameter("vectors");
        if (parameter("hub_edges") > parameter("star_edges")) r.hub_edges = parameter("hub_edges");
        r.seconds = schedule.seconds;
        r.exact = true;
        s.schedules[schedule.name] = std::move(r);
    }
    estimate_schedules(s, options);
    return s;
}

Statistics statistics_without_stars(const Graph& graph, const std::string& name, const BuildOptions& options,
                                    Refusals refusals) {
    Statistics s;
    s.name = name;
    s.edges = graph.edges();
    s.rows = {graph.rows, statistics(row_degrees(graph))},
    s.cols = {graph.cols, statistics(col_degrees(graph))};
    s.col_reuse = column_reuse(graph);
    if (s.edges) count_diagonals(s, graph);
    estimate_schedules(s, options);
    // With a column reuse of 1, only hubs can make a schedule impossible, and they do so for any order of the
    // vertices.
    const GraphSummary in_best_order{s.edges, s.cols.vertices, s.rows.degrees, s.cols.degrees, 1};
    for (auto& [schedule, rounds] : s.schedules) {
        if (schedule == "stars") continue;
        rounds.refused =
            refusals == Refusals::tried ? std::string() : likely_refusal(schedule, in_best_order);
        if (rounds.refused.empty()) rounds.refused = refusal(schedule, graph, options);
    }
    return s;
}

Statistics statistics_of(const Graph& graph, const std::string& name, const BuildOptions& options,
                         Refusals refusals) {
    Statistics s = statistics_without_stars(graph, name, options, refusals);
    if (s.edges) count_stars(s, graph, options);
    return s;
}

nlohmann::ordered_json to_json(const Statistics& s) {
    nlohmann::ordered_json schedules = nlohmann::ordered_json::object();
    for (const auto& [name, r] : s.schedules)
        schedules[name] = {{"exact", r.exact},  {"rounds", r.rounds},   {"chain", r.chain},
                           {"steps", r.steps},  {"fullest", r.fullest}, {"locked", r.locked},
                           {"blocks", r.blocks}};
    return {{"name", s.name},
            {"edges", s.edges},
            {"rows", side_json(s, s.rows)},
            {"cols", side_json(s, s.cols)},
            {"col_reuse", s.col_reuse},
            {"schedules", schedules}};
}

}  // namespace lockstep::insight
