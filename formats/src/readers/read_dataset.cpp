// read_dataset(): opens an input, detects its format, calls the reader of this format, and builds the graph
// from its edges.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <typeinfo>

#include "containers.hpp"
#include "lockstep/formats/feedback.hpp"
#include "lockstep/formats/memory.hpp"
#include "lockstep/schedules/undirected.hpp"
#include "made.hpp"

namespace lockstep {
namespace {

using namespace readers;

const char* policy_name(RepeatPolicy policy) {
    switch (policy) {
        case RepeatPolicy::keep:
            return "keep";
        case RepeatPolicy::first:
            return "first";
        case RepeatPolicy::last:
            return "last";
        case RepeatPolicy::sum:
            return "sum";
        case RepeatPolicy::mean:
            return "mean";
        case RepeatPolicy::refuse:
            return "refuse";
    }
    return "";
}

const Format& format_of(const Input& input, const ReadOptions& options) {
    if (!options.format) return detect(input);
    for (const Format& format : formats()) {
        if (format.name != *options.format) continue;
        if (format.read != read_cumf_binary) refuse_known_strangers(input);
        return format;
    }
    std::string names;
    for (const auto& [name, description] : graph_formats()) names += (names.empty() ? "" : ", ") + name;
    throw Error(Failure::usage,
                fmt::format("unknown input format \"{}\"; expected one of {}", *options.format, names));
}

void check_options(const ReadOptions& options, const char* format, bool delimited) {
    const bool columns = options.row_column || options.col_column || options.value_column ||
                         options.delimiter || options.header || options.time_column;
    if (columns && !delimited) {
        throw Error(Failure::usage,
                    fmt::format("columns, delimiter, header and times can be chosen only for delimited text, "
                                "but the input is read as {} (--format overrides this)",
                                format));
    }
}

ParsedFile parse(Input& input, const Format& format, const ReadOptions& options) {
    MemoryBudget budget(input.name(), options.memory_limit);
    try {
        ParsedFile parsed = format.read({input, options, budget});
        input.finish();
        return parsed;
    } catch (const Error& e) {
        // Classes derived from Error contain the position, or do not concern the file. They are not changed.
        if (typeid(e) != typeid(Error)) throw;
        throw FormatError(input.name(), e.what());
    }
}

/// Name, format and compression of an input that was read, and the number of files in its archive.
struct Origin {
    std::string name, format, compression;
    EdgeId archive_files = 0;
};

ParsedFile read_stream(InputFile& file, ReadOptions options, Origin& origin) {
    file.keep_at_most(options.memory_limit);
    Input input(file, options.member.value_or(""), is_recognised);
    const Format& format = format_of(input, options);
    check_options(options, format.name, format.delimited);
    if (!options.weights && format.delimited && !options.value_column) options.value_column = "none";
    ParsedFile parsed = parse(input, format, options);
    origin = {input.name(), format.name, input.compression(), input.members()};
    return parsed;
}

ParsedFile read_container(const Container& container, const InputFile& file, const ReadOptions& options,
                          Origin& origin) {
    check_options(options, container.name, false);
    origin = {file.name(), container.name, "none", 0};
    MemoryBudget budget(origin.name, options.memory_limit);
    try {
        return container.read({file.path(), options, budget});
    } catch (const Error& e) {
        if (typeid(e) != typeid(Error)) throw;
        throw FormatError(origin.name, e.what());
    }
}

void decide_shape(ParsedFile& parsed, const ReadOptions& options, const std::string& name) {
    if (options.shape == GraphShape::square && parsed.row_ids != parsed.col_ids) {
        throw FormatError(name, fmt::format("a matrix of {} x {} is not a square graph",
                                            parsed.row_ids.size(), parsed.col_ids.size()));
    }
    parsed.shape = options.shape.value_or(parsed.shape);
    if (options.ends == Ends::vertices && parsed.shape != GraphShape::square) {
        throw Error(Failure::usage,
                    fmt::format("{}: --ends vertices requires a square graph, in which rows and columns are "
                                "the same vertices; if they are, add --shape square",
                                name));
    }
    if (!options.undirected) return;
    if (parsed.shape != GraphShape::square) {
        throw Error(Failure::usage,
                    fmt::format("{}: --undirected requires a square graph, in which rows and columns are the "
                                "same vertices; if they are, add --shape square",
                                name));
    }
    parsed.undirected = true;
}

void refuse_repeats(const Dataset& data, const std::string& name) {
    const Graph& graph = data.graph;
    for (VertexId row = 0; row < graph.rows; ++row) {
        for (EdgeId e = graph.row_offsets[row] + 1; e < graph.row_offsets[row + 1]; ++e) {
            if (graph.col[e] != graph.col[e - 1]) continue;
            throw FormatError(
                name,
                fmt::format("the pair ({}, {}) occurs more than once, {} repetitions in all; expected every "
                            "pair once (--repeats keep, first, last, sum or mean accepts repeated pairs)",
                            data.row_ids.name(row), data.col_ids.name(graph.col[e]), data.source.repeats));
        }
    }
}

/// Throws Error (usage) for options with which edges would lose their times.
void check_times(const ReadOptions& options) {
    if (!options.time_column) return;
    if (options.repeats != RepeatPolicy::keep && options.repeats != RepeatPolicy::refuse)
        throw Error(Failure::usage,
                    "--time-column requires --repeats keep or refuse, because every edge has its own time");
    if (!options.input_order)
        throw Error(Failure::usage,
                    "--time-column requires the order of the input: leave out --no-input-order");
}

/// Returns the times in the order of the edge IDs. `times` are in the order of the input.
std::vector<std::int64_t> in_edge_order(std::vector<std::int64_t> times, const Graph& graph) {
    if (times.empty() || graph.input_order.empty()) return times;
    std::vector<std::int64_t> ordered(times.size());
    for (EdgeId i = 0; i < times.size(); ++i) ordered[graph.input_order[i]] = times[i];
    return ordered;
}

EdgeId count_self_loops(const Graph& graph) {
    EdgeId loops = 0;
    for (VertexId row = 0; row < graph.rows; ++row) {
        for (const EdgeId e : graph.edges_of(row)) loops += graph.col[e] == row;
    }
    return loops;
}

}  // namespace

Dataset read_dataset(const std::filesystem::path& path, const ReadOptions& options) {
    InputFile file(path, options.interruption);
    return read_dataset(file, options);
}

ReadOptions readers::with_limit(ReadOptions options) {
    if (options.memory_limit == 0) options.memory_limit = physical_memory();
    check_times(options);
    return options;
}

Dataset readers::make_checked_dataset(ParsedFile parsed, const ReadOptions& options,
                                      const std::string& name) {
    decide_shape(parsed, options, name);
    if (parsed.undirected && !parsed.times.empty())
        throw Error(Failure::usage, name + ": times require directed edges; leave out --time-column");
    if (options.ends == Ends::vertices) {
        if (parsed.both_arcs) std::erase_if(parsed.edges, [](const Triple& e) { return e.row > e.col; });
        parsed.undirected = false;
    }
    if (parsed.undirected && !parsed.both_arcs) enter_both_arcs(parsed.edges);

    Dataset data;
    data.row_ids = std::move(parsed.row_ids);
    data.col_ids = std::move(parsed.col_ids);
    // "refuse" is handled below instead of in build_graph(), because the error message contains the original
    // IDs.
    const bool refuse = options.repeats == RepeatPolicy::refuse;
    const bool directed = !parsed.undirected || parsed.shape == GraphShape::bipartite;
    data.graph = build_graph(std::move(parsed.edges), data.row_ids.size(), data.col_ids.size(),
                             {.shape = parsed.shape,
                              .directed = directed,
                              .weighted = parsed.weighted,
                              .repeats = refuse ? RepeatPolicy::keep : options.repeats,
                              .input_order = options.input_order,
                              .ends = options.ends},
                             &data.source.repeats);
    if (refuse && data.source.repeats > 0) refuse_repeats(data, name);
    data.times = in_edge_order(std::move(parsed.times), data.graph);
    if (!std::all_of(data.graph.value.begin(), data.graph.value.end(),
                     [](float v) { return std::isfinite(v); })) {
        throw FormatError(name, "the sum of a repeated pair's weights is not finite in single precision");
    }
    data.source.repeat_policy = policy_name(options.repeats);
    data.source.lines = parsed.lines;
    data.source.note = parsed.note;
    if (options.feedback) make_implicit(data, *options.feedback, options.memory_limit);
    if (parsed.shape == GraphShape::square) data.source.self_loops = count_self_loops(data.graph);
    return data;
}

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Dataset read_dataset(InputFile& file, const ReadOptions& given) {
    const auto start = std::chrono::steady_clock::now();
    const ReadOptions options = with_limit(given);
    Origin origin;
    const Container* container = container_of(file, options.format);
    Dataset data = make_checked_dataset(
        container ? read_container(*container, file, options, origin) : read_stream(file, options, origin),
        options, origin.name);
    data.source.path = file.path().string();
    data.source.format = origin.format;
    data.source.compression = origin.compression;
    data.source.archive_files = origin.archive_files;
    data.source.seconds = seconds_since(start);
    return data;
}

const std::map<std::string, std::string>& graph_formats() {
    static const std::map<std::string, std::string> names = [] {
        std::map<std::string, std::string> all;
        for (const Format& format : formats()) all.emplace(format.name, format.description);
        for (const Container& format : containers()) all.emplace(format.name, format.description);
        return all;
    }();
    return names;
}

}  // namespace lockstep
