#include "cli.hpp"
#include "report.hpp"

namespace lockstep::inspect {

namespace {

using Json = nlohmann::ordered_json;

Json histogram(const ScheduleStatistics& statistics) {
    Json bins = Json::array();
    for (std::size_t i = 0; i < statistics.histogram.size(); ++i) {
        const EdgeId from = EdgeId{1} << i;
        if (statistics.histogram[i])
            bins.push_back({{"from", from}, {"to", 2 * from - 1}, {"rounds", statistics.histogram[i]}});
    }
    return bins;
}

Json schedule(const ScheduleSummary& s, const std::optional<Machine>& machine) {
    const auto& t = s.statistics;
    Json json{{"name", s.name},
              {"rounds", t.rounds},
              {"min_round", t.min_round},
              {"median_round", t.median_round},
              {"max_round", t.max_round},
              {"mean_round", t.mean_round},
              {"histogram", histogram(t)},
              {"chain", t.chain},
              {"steps", t.steps},
              {"fullest", t.fullest},
              {"disjoint", to_string(s.disjoint)},
              {"maximal", s.maximal},
              {"locked", s.locked},
              {"seconds", s.seconds},
              {"hash", s.hash},
              {"parameters", s.parameters.empty() ? Json::object() : Json(s.parameters)}};
    if (machine && machine->time_steps.contains(s.name)) json["time_steps"] = machine->time_steps.at(s.name);
    return json;
}

/// Returns the number of edges of every pass or step, or, for small graphs, the edges as [row ID, column ID].
Json lists(const Machine& m, const Array<VertexId>& row, const std::vector<std::vector<EdgeId>>& all) {
    Json result = Json::array();
    for (const auto& list : all) {
        if (row.empty()) {
            result.push_back(list.size());
            continue;
        }
        Json edges = Json::array();
        for (const EdgeId e : list)
            edges.push_back({m.dataset.row_ids.name(row[e]), m.dataset.col_ids.name(m.dataset.graph.col[e])});
        result.push_back(std::move(edges));
    }
    return result;
}

Json machine_json(const Machine& m) {
    Json json{{"workers", m.workers}};
    if (!m.online) return json;
    const Graph& graph = m.dataset.graph;
    const Array<VertexId> row = graph.edges() <= max_listed_edges ? edge_rows(graph) : Array<VertexId>{};
    const auto el = [&](const EdgeLockedRun& run) {
        return Json{{"passes", lists(m, row, run.passes)}, {"time_steps", run.time_steps}};
    };
    json["el"] = el(m.online->edge_locked);
    if (m.online->shuffled) json["el-shuffled"] = el(*m.online->shuffled);
    json["nl"] = {{"steps", lists(m, row, m.online->node_locked.steps)},
                  {"deferred", lists(m, row, {m.online->node_locked.deferred})[0]}};
    return json;
}

}  // namespace

void print_json(const Report& report) {
    const ScheduleFileSummary& f = report.file;
    const Source& s = f.source;
    Json json{{"file", f.path},
              {"kind", "schedules"},
              {"version", f.version},
              {"program", f.program},
              {"hash", f.content_hash},
              {"graph",
               {{"rows", f.rows},
                {"cols", f.cols},
                {"edges", f.edges},
                {"shape", f.shape == GraphShape::square ? "square" : "bipartite"},
                {"ends", to_string(f.ends)},
                {"directed", f.directed},
                {"weighted", f.weighted},
                {"max_row_degree", f.max_degree.row},
                {"max_col_degree", f.max_degree.col},
                {"row_degree_squares", f.row_degrees.squares},
                {"col_degree_squares", f.col_degrees.squares},
                {"row_degree_histogram", f.row_degrees.histogram},
                {"col_degree_histogram", f.col_degrees.histogram},
                {"col_reuse", f.col_reuse},
                {"row_ids", f.row_ids},
                {"col_ids", f.col_ids},
                {"repeats", s.repeats},
                {"drawn", s.drawn},
                {"self_loops", s.self_loops},
                {"hash", f.graph_hash},
                {"source",
                 {{"path", s.path},
                  {"format", s.format},
                  {"compression", s.compression},
                  {"repeat_policy", s.repeat_policy},
                  {"lines", s.lines},
                  {"seconds", s.seconds}}}}},
              {"seconds",
               {{"read", f.seconds.read},
                {"schedule", f.seconds.schedule},
                {"verify", f.seconds.verify},
                {"write", f.seconds.write}}},
              {"schedules", Json::array()}};
    if (report.degrees) {
        json["graph"]["max_vertex_degree"] = report.degrees->largest;
        json["graph"]["vertex_degree_squares"] = report.degrees->squares;
        json["graph"]["vertex_degree_histogram"] = report.degrees->histogram;
    }
    for (const ScheduleSummary& summary : f.schedules)
        json["schedules"].push_back(schedule(summary, report.machine));
    if (report.machine) json["machine"] = machine_json(*report.machine);
    cli::print_json(json);
}

void print_json(const ResultSummary& result) {
    const bool model = result.kind == ResultSummary::Kind::model,
               ranks = result.kind == ResultSummary::Kind::ranks;
    Json json{{"file", result.path},         {"kind", model ? "model" : ranks ? "ranks" : "result"},
              {"version", result.version},   {"program", result.program},
              {"hash", result.content_hash}, {"graph_hash", result.graph_hash}};
    if (model) {
        json["rows"] = result.rows;
        json["cols"] = result.cols;
        json["rank"] = result.rank;
        json["model_hash"] = result.hash;
        json["row_ids"] = result.row_ids;
        json["col_ids"] = result.col_ids;
    } else {
        json["vertices"] = result.rows;
        if (!ranks) json["columns"] = result.columns;
        json[ranks ? "ranks_hash" : "values_hash"] = result.hash;
        json["ids"] = result.row_ids;
    }
    json["parameters"] = result.parameters.empty() ? Json::object() : Json(result.parameters);
    cli::print_json(json);
}

}  // namespace lockstep::inspect
