#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "checks.hpp"
#include "schedule_arrays.hpp"
#include "schedule_reading.hpp"
#include "schema.hpp"

namespace lockstep {

using hdf5::Hdf5Error;
using hdf5::Node;

namespace {

/// Returns the numbers in a list attribute, or an empty list if there is no such attribute.
std::vector<EdgeId> counts(const Node& node, const std::string& name) {
    std::vector<EdgeId> result;
    if (!node.attributes.contains(name)) return result;
    for (const std::int64_t n : node.integers(name)) result.push_back(checked_cast<EdgeId>(n, name.c_str()));
    return result;
}

/// Reads the degree statistics of one side. Files of format 1.0 contain only the maximum degree.
DegreeStatistics read_degrees(const Node& node, const std::string& side) {
    const std::string squares = side + "_degree_squares";
    return {node.count("max_" + side + "_degree"),
            node.attributes.contains(squares) ? node.number(squares) : 0,
            counts(node, side + "_degree_histogram")};
}

ScheduleSummary summarise_schedule(const std::string& name, const Node& node) {
    ScheduleSummary s;
    s.name = name;
    s.parameters = read_parameters(node);
    s.seconds = node.number("seconds");
    s.hash = node.text(schema::hash);
    s.disjoint = static_cast<Disjoint>(node.choice("disjoint", disjoint_words));
    s.maximal = node.flag("maximal");
    s.locked = node.count("locked");
    s.statistics = {node.count("rounds"),    node.count("min_round"),   node.count("median_round"),
                    node.count("max_round"), node.number("mean_round"), counts(node, "round_histogram")};
    const auto chain = [&](const char* key) {
        return node.attributes.contains(key) ? node.count(key) : 0;
    };  // since format 1.1; 0 in older files
    s.statistics.chain = chain("chain"), s.statistics.steps = chain("steps"),
    s.statistics.fullest = chain("fullest");
    return s;
}

Dataset read_graph(hdf5::Reader& reader, const ScheduleFileSummary& summary, bool input_order) {
    const Node& group = reader.root().child("graph");
    const bool times = group.has_array("times");  // edges may have times since format 1.3
    Dataset dataset;
    Graph& graph = dataset.graph = graph_of(summary);
    graph.row_offsets = reader.read<std::vector<EdgeId>>("graph/indptr", EdgeId{summary.rows} + 1);
    graph.col = reader.read<Array<VertexId>>("graph/indices", summary.edges);
    graph.value = reader.read<Array<float>>("graph/data", summary.weighted ? summary.edges : 0);
    if (input_order || times) graph.input_order = reader.read<Array<EdgeId>>("graph/input_order");
    if (times) dataset.times = reader.read<std::vector<std::int64_t>>("graph/times", summary.edges);
    dataset.row_ids = read_ids(reader, group.child("row_ids"), summary.rows);
    dataset.col_ids = read_col_ids(reader, group.child("col_ids"), summary.cols, dataset.row_ids);
    dataset.source = summary.source;
    if (stored_hash(dataset, group) != summary.graph_hash)
        throw Hdf5Error("the graph does not agree with its hash: the file is damaged or was changed");
    check_offsets(graph.row_offsets, graph.edges(), "/graph/indptr");
    validate(graph);
    const auto agree = [](const DegreeStatistics& named, const DegreeStatistics& found) {
        return named.histogram.empty() ? named.largest == found.largest : named == found;
    };
    if (!agree(summary.row_degrees, statistics(row_degrees(graph))) ||
        !agree(summary.col_degrees, statistics(col_degrees(graph))))
        throw Hdf5Error("/graph declares a largest degree, or degrees, that differ from those of its edges");
    return dataset;
}

TimedSchedule read_schedule(hdf5::Reader& reader, const ScheduleSummary& summary, const Graph& graph) {
    const std::string path = "schedules/" + summary.name;
    Schedule schedule = schedule_of(summary);
    for_each_array(schedule, [&](const std::string& name, auto& array) {
        array = reader.read<std::decay_t<decltype(array)>>(path + "/" + name);
    });
    const Node& node = reader.root().child("schedules").child(summary.name);
    if (stored_hash(schedule, node) != summary.hash)
        throw Hdf5Error("/" + path + " does not agree with its hash: the file is damaged or was changed");
    check_schedule(schedule, graph, "/" + path);
    const ScheduleStatistics s = statistics(schedule), &t = summary.statistics;
    if (s.rounds != t.rounds || s.min_round != t.min_round || s.median_round != t.median_round ||
        s.max_round != t.max_round || s.mean_round != t.mean_round || s.histogram != t.histogram ||
        ((t.chain || t.steps || t.fullest) &&
         (s.chain != t.chain || s.steps != t.steps || s.fullest != t.fullest))) {
        throw Hdf5Error("/" + path + " has statistics that differ from those of its rounds");
    }
    return {std::move(schedule), summary.seconds};
}

}  // namespace

ScheduleFileSummary summarise_file(const std::filesystem::path& path, const Node& root) {
    ScheduleFileSummary s;
    s.path = path.string();
    s.version = root.text(schema::format_version);
    s.program = root.text(schema::program);
    s.content_hash = root.text(schema::content_hash);
    const Node& graph = root.child("graph");
    const auto& extent = graph.integers("shape");
    if (extent.size() != 2)
        throw Hdf5Error("/graph has a shape of " + std::to_string(extent.size()) +
                        " numbers; expected rows and columns");
    const auto vertices = [](std::int64_t n) {
        if (n < 0 || n > std::int64_t{max_vertices}) throw Hdf5Error("/graph has an impossible shape");
        return static_cast<VertexId>(n);
    };
    s.rows = vertices(extent[0]);
    s.cols = vertices(extent[1]);
    s.graph_hash = graph.text(schema::hash);
    s.edges = graph.count("edges");
    s.row_degrees = read_degrees(graph, "row");
    s.col_degrees = read_degrees(graph, "col");
    s.col_reuse = graph.attributes.contains("col_reuse") ? graph.number("col_reuse") : 0;
    s.max_degree = {s.row_degrees.largest, s.col_degrees.largest};
    const auto kind = static_cast<std::size_t>(graph.choice("kind", kinds));
    s.shape = kind == 0 ? GraphShape::bipartite : GraphShape::square;
    s.ends = kind == 2 ? Ends::vertices : Ends::sides;
    s.directed = graph.flag("directed");
    s.weighted = graph.flag("weighted");
    s.row_ids = graph.child("row_ids").text("description");
    s.col_ids = graph.child("col_ids").text("description");
    const Node& source = graph.child("source");
    s.source = {source.text("path"),          source.text("format"),   source.text("compression"),
                source.text("repeat_policy"), source.count("lines"),   source.count("repeats"),
                source.count("self_loops"),   source.number("seconds")};
    if (source.attributes.contains("drawn")) {
        s.source.drawn = source.count("drawn"), s.source.least = static_cast<float>(source.real("least"));
        if (s.source.drawn >= s.edges)
            throw Hdf5Error("/graph/source declares more sampled edges than the graph has");
    }
    const Node& seconds = root.child("preprocess");
    s.seconds = {seconds.number("seconds_read"), seconds.number("seconds_schedule"),
                 seconds.number("seconds_verify"), seconds.number("seconds_write")};

    const auto& schedules = root.child("schedules").children;
    if (schedules.size() > max_schedules)
        throw Hdf5Error(fmt::format("has more than {} schedules", max_schedules));
    s.schedules.resize(schedules.size());
    for (const auto& entry : schedules) {
        const Node& node = root.child("schedules").child(entry.first);
        const EdgeId position = node.count("position");
        if (position >= schedules.size() || !s.schedules[position].name.empty())
            throw Hdf5Error(node.path + " has a position that is taken or out of range");
        s.schedules[position] = summarise_schedule(entry.first, node);
    }
    return s;
}

const ScheduleSummary& find_schedule(const ScheduleFileSummary& file, const std::string& name) {
    const auto found = std::find_if(file.schedules.begin(), file.schedules.end(),
                                    [&](const auto& s) { return s.name == name; });
    if (found != file.schedules.end()) return *found;
    std::vector<std::string> names;
    for (const auto& s : file.schedules) names.push_back(s.name);
    throw ScheduleError(fmt::format("{}: there is no schedule {}; the file has: {}", file.path, name,
                                    names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

Graph graph_of(const ScheduleFileSummary& summary) {
    Graph graph;
    graph.rows = summary.rows;
    graph.cols = summary.cols;
    graph.shape = summary.shape;
    graph.ends = summary.ends;
    graph.directed = summary.directed;
    return graph;
}

Schedule schedule_of(const ScheduleSummary& summary) {
    Schedule schedule;
    schedule.name = summary.name;
    schedule.disjoint = summary.disjoint;
    schedule.maximal = summary.maximal;
    schedule.locked = summary.locked;
    schedule.parameters = summary.parameters;
    return schedule;
}

ScheduleFile read_schedule_file(const std::filesystem::path& path,
                                const std::optional<std::vector<std::string>>& names, bool input_order) {
    return hdf5::reading(path, [&] {
        hdf5::Reader reader(path, schema::schedules_format);
        ScheduleFile file;
        file.summary = summarise_file(path, reader.root());
        std::vector<const ScheduleSummary*> wanted;
        if (names) {
            for (const std::string& name : *names) wanted.push_back(&find_schedule(file.summary, name));
        } else {
            for (const ScheduleSummary& s : file.summary.schedules) wanted.push_back(&s);
        }
        file.dataset = read_graph(reader, file.summary, input_order);
        for (const ScheduleSummary* s : wanted)
            file.schedules.push_back(read_schedule(reader, *s, file.dataset.graph));
        return file;
    });
}

ScheduleFileSummary read_schedule_file_summary(const std::filesystem::path& path) {
    return hdf5::reading(
        path, [&] { return summarise_file(path, hdf5::Reader(path, schema::schedules_format).root()); });
}

}  // namespace lockstep
