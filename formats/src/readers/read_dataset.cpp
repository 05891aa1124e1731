// read_dataset(): opens an input, detects its format, calls the reader of this format, and builds the graph
// from its edges.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <typeinfo>

#include "lockstep/formats/feedback.hpp"
#include "lockstep/formats/memory.hpp"
#include "lockstep/schedules/undirected.hpp"
#include "readers.hpp"

namespace lockstep {

void readers::MemoryBudget::require(double bytes) const {
    if (bytes <= static_cast<double>(limit_)) return;
    throw FormatError(name_,
                      fmt::format("reading it needs {:.2f} GB of memory or more, the limit is {:.2f} GB "
                                  "(--memory sets another)",
                                  bytes / 1e9, static_cast<double>(limit_) / 1e9));
}

namespace {

using namespace readers;

/// The names of the repeat policies, in the order of the enumeration.
constexpr const char* policy_names[] = {"keep", "first", "last", "sum", "mean", "refuse"};

const Format& format_of(const Input& input, const ReadOptions& options) {
    if (!options.format) return detect(input);
    for (const Format& format : formats()) {
        if (!format.read || format.name != *options.format) continue;
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

/// Returns read(budget). Adds the name of the input to errors that lack it.
template <class Read>
ParsedFile read_within_budget(const std::string& name, const ReadOptions& options, Read read) {
    MemoryBudget budget(name, options.memory_limit);
    try {
        return read(budget);
    } catch (const Error& e) {
        // Classes derived from Error contain the position, or do not concern the file. They are not changed.
        if (typeid(e) != typeid(Error)) throw;
        throw FormatError(name, e.what());
    }
}

/// Reads an input as a stream of bytes. Sets format, compression and number of files of `source`.
ParsedFile read_stream(InputFile& file, ReadOptions options, Source& source) {
    file.keep_at_most(options.memory_limit);
    Input input(file, options.member.value_or(""), is_recognised);
    const Format& format = format_of(input, options);
    check_options(options, format.name, format.delimited);
    if (!options.weights && format.delimited && !options.value_column) options.value_column = "none";
    ParsedFile parsed = read_within_budget(input.name(), options, [&](MemoryBudget& budget) {
        ParsedFile all = format.read({input, options, budget});
        input.finish();
        return all;
    });
    source.format = format.name, source.compression = input.compression();
    source.archive_files = input.members();
    return parsed;
}

ParsedFile read_file(const Format& format, const InputFile& file, const ReadOptions& options,
                     Source& source) {
    check_options(options, format.name, false);
    source.format = format.name, source.compression = "none";
    return read_within_budget(file.name(), options, [&](MemoryBudget& budget) {
        return format.read_file({file.path(), options, budget});
    });
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

Dataset readers::make_checked_dataset(ParsedFile parsed, const ReadOptions& options, const std::string& name,
                                      Source source) {
    decide_shape(parsed, options, name);
    if (parsed.undirected && !parsed.times.empty())
        throw Error(Failure::usage, name + ": times require directed edges; leave out --time-column");
    if (options.ends == Ends::vertices) {
        if (parsed.both_arcs) std::erase_if(parsed.edges, [](const Triple& e) { return e.row > e.col; });
        parsed.undirected = false;
    }
    if (parsed.undirected && !parsed.both_arcs) enter_both_arcs(parsed.edges);

    Dataset data;
    data.source = std::move(source);
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
    data.source.repeat_policy = policy_names[static_cast<std::size_t>(options.repeats)];
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
    Source source{.path = file.path().string()};
    const Format* format = random_access_format(file, options.format);
    ParsedFile parsed =
        format ? read_file(*format, file, options, source) : read_stream(file, options, source);
    Dataset data = make_checked_dataset(std::move(parsed), options, file.name(), std::move(source));
    data.source.seconds = seconds_since(start);
    return data;
}

const std::map<std::string, std::string>& graph_formats() {
    static const std::map<std::string, std::string> names = [] {
        std::map<std::string, std::string> all;
        for (const Format& format : formats()) all.emplace(format.name, format.description);
        return all;
    }();
    return names;
}

}  // namespace lockstep
