#include "insight/summary_json.hpp"

#include <fmt/format.h>

#include <bit>
#include <nlohmann/json.hpp>

#include "lockstep/formats/error.hpp"

namespace lockstep::insight {

namespace {

using nlohmann::json;

DegreeStatistics degrees_of(const json& graph, const std::string& side) {
    DegreeStatistics d;
    d.largest = graph.at("max_" + side + "_degree").get<EdgeId>();
    d.squares = graph.at(side + "_degree_squares").get<double>();
    d.histogram = graph.at(side + "_degree_histogram").get<std::vector<EdgeId>>();
    return d;
}

ScheduleSummary schedule_of(const json& s) {
    ScheduleSummary summary;
    summary.name = s.at("name").get<std::string>();
    summary.seconds = s.at("seconds").get<double>();
    summary.locked = s.at("locked").get<EdgeId>();
    summary.parameters = s.at("parameters").get<std::map<std::string, std::string>>();
    ScheduleStatistics& t = summary.statistics;
    t.rounds = s.at("rounds").get<EdgeId>();
    t.chain = s.at("chain").get<EdgeId>(), t.steps = s.at("steps").get<EdgeId>(),
    t.fullest = s.at("fullest").get<EdgeId>();
    for (const json& bin : s.at("histogram")) {
        const auto place = static_cast<std::size_t>(std::bit_width(bin.at("from").get<EdgeId>()));
        if (place == 0) throw json::out_of_range::create(401, "a round without edges", &bin);
        if (place > t.histogram.size()) t.histogram.resize(place, 0);
        t.histogram[place - 1] = bin.at("rounds").get<EdgeId>();
    }
    return summary;
}

}  // namespace

ScheduleFileSummary summary_from_json(const std::string& text, const std::string& path) {
    try {
        const json root = json::parse(text);
        const json& graph = root.at("graph");
        ScheduleFileSummary summary;
        summary.path = root.at("file").get<std::string>();
        summary.rows = checked_cast<VertexId>(graph.at("rows").get<EdgeId>(), "rows");
        summary.cols = checked_cast<VertexId>(graph.at("cols").get<EdgeId>(), "cols");
        summary.edges = graph.at("edges").get<EdgeId>();
        summary.row_degrees = degrees_of(graph, "row"), summary.col_degrees = degrees_of(graph, "col");
        summary.max_degree = {summary.row_degrees.largest, summary.col_degrees.largest};
        summary.col_reuse = graph.at("col_reuse").get<double>();
        summary.seconds.write = root.at("seconds").at("write").get<double>();
        for (const json& s : root.at("schedules")) summary.schedules.push_back(schedule_of(s));
        return summary;
    } catch (const json::exception& e) {
        throw FormatError(path, fmt::format("is not output of lockstep-inspect --json: {}", e.what()));
    }
}

}  // namespace lockstep::insight
