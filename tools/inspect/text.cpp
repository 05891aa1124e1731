#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "cli.hpp"
#include "report.hpp"

namespace lockstep::inspect {

namespace {

using cli::group_digits;

template <class... Arguments>
void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    std::cout << fmt::format(format, std::forward<Arguments>(arguments)...) << '\n';
}

void print_graph(const Report& report) {
    const ScheduleFileSummary& f = report.file;
    line("Graph   {}, {} edges; {}, {}, {}",
         report.degrees ? fmt::format("{} vertices", group_digits(f.rows))
                        : fmt::format("{} rows × {} columns", group_digits(f.rows), group_digits(f.cols)),
         group_digits(f.edges),
         f.ends == Ends::vertices ? "square, one state per vertex"
         : f.shape == GraphShape::square
             ? "square, two sides: each vertex has one state as row and one as column"
             : "bipartite",
         f.directed ? "directed" : "undirected", f.weighted ? "weighted" : "no weights");
    if (report.degrees) {
        line("  largest degree  {}", group_digits(report.degrees->largest));
        line("  vertex ids      {}", f.row_ids);
    } else {
        line("  largest degree  {} of a row, {} of a column", group_digits(f.max_degree.row),
             group_digits(f.max_degree.col));
        line("  row ids         {}", f.row_ids);
        line("  column ids      {}", f.col_ids);
    }
    line("  source          {} ({}{}), {} lines", f.source.path, f.source.format,
         f.source.compression == "none" ? "" : ", " + f.source.compression, group_digits(f.source.lines));
    line("  repeated pairs  {} (policy: {}){}", group_digits(f.source.repeats), f.source.repeat_policy,
         f.shape == GraphShape::square ? fmt::format("; {} self-loops", group_digits(f.source.self_loops))
                                       : "");
    line("  hash            {}", f.graph_hash);
}

void print_table(const Report& report) {
    std::size_t width = 8;
    for (const auto& s : report.file.schedules) width = std::max(width, s.name.size());
    const std::string steps_title = report.machine ? fmt::format("{:>12}", "Time steps") : "";
    line("{:<{}}{:>12}{:>10}{:>10}{:>12}{:>14}  {:<9}{:<8}{:>10}{}", "Schedule", width, "Rounds", "Min",
         "Median", "Max", "Mean", "Disjoint", "Maximal", "Built in", steps_title);
    for (const auto& s : report.file.schedules) {
        std::string steps;
        if (report.machine) {
            const auto found = report.machine->time_steps.find(s.name);
            steps = fmt::format(
                "{:>12}", found == report.machine->time_steps.end() ? "-" : group_digits(found->second));
        }
        const auto& t = s.statistics;
        const auto number = [&](EdgeId n) { return t.rounds ? group_digits(n) : "-"; };
        line("{:<{}}{:>12}{:>10}{:>10}{:>12}{:>14}  {:<9}{:<8}{:>10}{}", s.name, width, number(t.rounds),
             number(t.min_round), number(t.median_round), number(t.max_round),
             t.rounds ? fmt::format("{:.1f}", t.mean_round) : "-", to_string(s.disjoint),
             s.maximal ? "yes" : "-", cli::duration(s.seconds), steps);
    }
}

void print_details(const ScheduleSummary& s) {
    line("\n{}", s.name);
    for (const auto& [name, value] : s.parameters) line("  {:<14}  {}", name, value);
    if (s.locked) line("  {:<14}  {} edges run under locks", "locked", group_digits(s.locked));
    line("  {:<14}  {}", "hash", s.hash);
    const auto& histogram = s.statistics.histogram;
    if (histogram.empty()) return;
    line("  rounds by size");
    const EdgeId most = *std::max_element(histogram.begin(), histogram.end());
    for (std::size_t i = 0; i < histogram.size(); ++i) {
        if (!histogram[i]) continue;
        const auto length = static_cast<std::size_t>(
            std::lround(40.0 * static_cast<double>(histogram[i]) / static_cast<double>(most)));
        std::string bar;
        for (std::size_t b = 0; b < std::max<std::size_t>(length, 1); ++b) bar += "█";
        const EdgeId from = EdgeId{1} << i;
        line("  {:>12} … {:<12}{:>10}  {}", group_digits(from), group_digits(2 * from - 1),
             group_digits(histogram[i]), bar);
    }
}

/// Formats edges by their original IDs, "(7, 31) (9, 2)", or only their number if the graph has too many
/// edges.
std::string edges(const Machine& m, const Array<VertexId>& row, const std::vector<EdgeId>& list) {
    if (row.empty()) return fmt::format("{} edges", group_digits(list.size()));
    std::string text;
    for (const EdgeId e : list)
        text += fmt::format("{}({}, {})", text.empty() ? "" : " ", m.dataset.row_ids.name(row[e]),
                            m.dataset.col_ids.name(m.dataset.graph.col[e]));
    return text;
}

void print_machine(const Machine& m) {
    if (!m.online)
        return line("\nEL and NL are not simulated for more than {} edges.",
                    group_digits(max_simulated_edges));
    const Graph& graph = m.dataset.graph;
    const Array<VertexId> row = graph.edges() <= max_listed_edges ? edge_rows(graph) : Array<VertexId>{};
    const auto& nl = m.online->node_locked;
    constexpr std::size_t shown = 20;  // --json prints all
    const auto print_passes = [&](const char* name, const EdgeLockedRun& el) {
        line("\n{} on {} threads in lockstep: {} time steps, {} passes", name, m.workers,
             group_digits(el.time_steps), group_digits(el.passes.size()));
        for (std::size_t p = 0; p < std::min(el.passes.size(), shown); ++p)
            line("  pass {:<4} {}", p + 1, edges(m, row, el.passes[p]));
        if (el.passes.size() > shown) line("  …");
    };
    print_passes("EL", m.online->edge_locked);
    if (m.online->shuffled) print_passes("Shuffled EL", *m.online->shuffled);
    line("\nNL on {} threads in lockstep: {} time steps, {} edges deferred", m.workers,
         group_digits(nl.steps.size()), group_digits(nl.deferred.size()));
    for (std::size_t s = 0; s < std::min(nl.steps.size(), shown); ++s)
        line("  step {:<4} {}", s + 1, edges(m, row, nl.steps[s]));
    if (nl.steps.size() > shown) line("  …");
    if (!nl.deferred.empty()) line("  deferred  {}", edges(m, row, nl.deferred));
}

}  // namespace

void print_text(const Report& report) {
    const ScheduleFileSummary& f = report.file;
    line("{}   schedule file {}, written by {}\n", f.path, f.version, f.program);
    print_graph(report);
    const auto& t = f.seconds;
    line("\nTime    read {} · schedules {} · verify {} · write {}\n", cli::duration(t.read),
         cli::duration(t.schedule), cli::duration(t.verify), cli::duration(t.write));
    if (f.schedules.empty())
        line("No schedules.");
    else
        print_table(report);
    if (report.details) {
        for (const ScheduleSummary& s : f.schedules) print_details(s);
    }
    if (report.machine) print_machine(*report.machine);
}

void print_text(const ResultSummary& result) {
    const bool model = result.kind == ResultSummary::Kind::model,
               ranks = result.kind == ResultSummary::Kind::ranks;
    const char* const kind = model ? "model" : ranks ? "rank" : "result";
    line("{}   {} file {}, written by {}\n", result.path, kind, result.version, result.program);
    if (model) {
        line("Model   {} rows (users) × {} columns (items), rank {}", group_digits(result.rows),
             group_digits(result.cols), result.rank);
        line("  row ids         {}", result.row_ids);
        line("  column ids      {}", result.col_ids);
    } else {
        line("{}  of {} vertices", ranks ? "Ranks " : "Values", group_digits(result.rows));
        if (!ranks) line("  columns         {}", result.columns);
        line("  ids             {}", result.row_ids);
    }
    line("  hash            {}", result.hash);
    line("  of the graph    {}\n", result.graph_hash);
    line("Parameters");
    for (const auto& [name, value] : result.parameters) line("  {:<14}  {}", name, value);
}

}  // namespace lockstep::inspect
