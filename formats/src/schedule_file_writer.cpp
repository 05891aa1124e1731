#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "schedule_arrays.hpp"
#include "schema.hpp"

namespace lockstep {

using hdf5::Hdf5Error;
using hdf5::Node;

namespace {

void check_names(const std::vector<TimedSchedule>& schedules) {
    if (schedules.size() > max_schedules)
        throw Hdf5Error(fmt::format("more than {} schedules in one file", max_schedules));
    std::set<std::string> names;
    for (const TimedSchedule& s : schedules) {
        const std::string& name = s.schedule.name;
        const bool valid = !name.empty() && name.size() <= 64 && name[0] != '.' &&
                           std::all_of(name.begin(), name.end(), [](char c) {
                               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                                      (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '+';
                           });
        if (!valid)
            throw Hdf5Error("\"" + name +
                            "\" cannot name a schedule; letters, digits and - _ . + are allowed");
        if (!names.insert(name).second) throw Hdf5Error("the schedule " + name + " is given twice");
    }
}

std::vector<std::int64_t> signed_counts(const std::vector<EdgeId>& counts) {
    return {counts.begin(), counts.end()};
}

void set_degrees(Node& node, const std::string& side, const DegreeStatistics& degrees) {
    node.set("max_" + side + "_degree", degrees.largest);
    node.set(side + "_degree_squares", degrees.squares);
    if (!degrees.histogram.empty()) node.set(side + "_degree_histogram", signed_counts(degrees.histogram));
}

void write_graph(hdf5::Writer& writer, const Dataset& dataset) {
    const Graph& graph = dataset.graph;
    Node& node = writer.node("graph");
    node.set(schema::encoding_type, "csr_matrix");
    node.set(schema::encoding_version, "0.1.0");
    node.set("shape", std::vector<std::int64_t>{graph.rows, graph.cols});
    node.set("edges", graph.edges());
    node.set("kind", std::string(kinds[kind_of(graph)]));
    node.set("directed", graph.directed);
    node.set("weighted", !graph.value.empty());
    set_degrees(node, "row", statistics(row_degrees(graph)));
    set_degrees(node, "col", statistics(col_degrees(graph)));
    node.set("col_reuse", column_reuse(graph));
    for_each_graph_array(
        graph, [&](const std::string& name, auto values) { writer.write("graph/" + name, values); });
    writer.write("graph/times", std::span<const std::int64_t>(dataset.times));
    write_ids(writer, "graph/row_ids", dataset.row_ids);
    write_col_ids(writer, "graph/col_ids", dataset.col_ids, dataset.row_ids);
    node.set(schema::hash, stored_hash(dataset, node));

    const Source& source = dataset.source;
    Node& from = writer.node("graph/source");
    from.set("path", source.path);
    from.set("format", source.format);
    from.set("compression", source.compression);
    from.set("repeat_policy", source.repeat_policy);
    from.set("lines", source.lines);
    from.set("repeats", source.repeats);
    from.set("self_loops", source.self_loops);
    from.set("seconds", source.seconds);
    if (source.drawn == 0) return;
    from.set("drawn", source.drawn);
    from.set("least", static_cast<double>(source.least));
}

void write_schedule(hdf5::Writer& writer, const TimedSchedule& timed, std::size_t position) {
    const Schedule& schedule = timed.schedule;
    const std::string path = "schedules/" + schedule.name;
    const ScheduleStatistics s = statistics(schedule);
    Node& node = writer.node(path);
    node.set(schema::encoding_type, "lockstep-schedule");
    node.set(schema::encoding_version, "0.1.0");
    node.set("position", position);
    node.set("disjoint", std::string(to_string(schedule.disjoint)));
    node.set("maximal", schedule.maximal);
    node.set("locked", schedule.locked);
    node.set("seconds", timed.seconds);
    node.set("rounds", s.rounds);
    node.set("min_round", s.min_round);
    node.set("median_round", s.median_round);
    node.set("max_round", s.max_round);
    node.set("mean_round", s.mean_round);
    if (!s.histogram.empty()) node.set("round_histogram", signed_counts(s.histogram));
    node.set("chain", s.chain);
    node.set("steps", s.steps);
    node.set("fullest", s.fullest);
    write_parameters(writer, path, schedule.parameters);
    for_each_array(schedule, [&](const std::string& name, const auto& array) {
        writer.write(path + "/" + name, std::span(array));
    });
    node.set(schema::hash, stored_hash(schedule, node));
}

}  // namespace

std::string graph_hash(const Dataset& dataset) {
    return hash_of_graph(dataset, [](const std::string&, auto values) { return hdf5::array_hash(values); });
}

ScheduleFileSummary summarize_schedule_file(const Dataset& dataset,
                                            const std::vector<TimedSchedule>& schedules,
                                            const PreprocessSeconds& seconds) {
    const Graph& graph = dataset.graph;
    ScheduleFileSummary s;
    s.graph_hash = graph_hash(dataset);
    s.rows = graph.rows, s.cols = graph.cols, s.edges = graph.edges();
    s.row_degrees = statistics(row_degrees(graph)), s.col_degrees = statistics(col_degrees(graph));
    s.max_degree = {s.row_degrees.largest, s.col_degrees.largest};
    s.col_reuse = column_reuse(graph);
    s.shape = graph.shape, s.ends = graph.ends, s.directed = graph.directed,
    s.weighted = !graph.value.empty();
    s.row_ids = dataset.row_ids.describe(), s.col_ids = dataset.col_ids.describe();
    s.source = dataset.source;
    s.seconds = seconds;
    for (const TimedSchedule& timed : schedules) {
        const Schedule& of = timed.schedule;
        const auto hash_of = [&](const std::string&, const auto& array) {
            return hdf5::array_hash(std::span(array));
        };
        s.schedules.push_back({of.name, of.parameters, timed.seconds, hash_of_schedule(of, hash_of),
                               of.disjoint, of.maximal, of.locked, statistics(of)});
    }
    return s;
}

double write_schedule_file(const std::filesystem::path& path, const Dataset& dataset,
                           const std::vector<TimedSchedule>& schedules,
                           const std::optional<PreprocessSeconds>& seconds, int deflate,
                           const std::function<double()>& proved) {
    return hdf5::writing(path, [&] {
        const auto start = std::chrono::steady_clock::now();
        double proof = 0;
        const auto elapsed = [&] {
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() - proof;
        };
        check_names(schedules);
        hdf5::Writer writer(path, schema::schedules_format, deflate);
        write_graph(writer, dataset);
        writer.node("schedules");
        for (std::size_t i = 0; i < schedules.size(); ++i) write_schedule(writer, schedules[i], i);
        Node& stages = writer.node("preprocess");
        if (proved) proof = proved();
        const PreprocessSeconds known = seconds.value_or(PreprocessSeconds{});
        stages.set("seconds_read", known.read);
        stages.set("seconds_schedule", known.schedule);
        stages.set("seconds_verify", known.verify + (seconds ? proof : 0));
        stages.set("seconds_write", seconds ? elapsed() : 0);
        writer.commit();
        return elapsed();
    });
}

}  // namespace lockstep
