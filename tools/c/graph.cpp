// The functions of the C interface that make graphs from arrays or files, describe them, and write them to
// files.
#include "call.hpp"
#include "graph_use.hpp"
#include "input_options.hpp"
#include "lockstep/formats/edge_arrays.hpp"
#include "lockstep/formats/error.hpp"
#include "outputs.hpp"
#include "read_input.hpp"

#include <fmt/format.h>

using namespace lockstep;
using c::call;
using c::required;

namespace {

using Json = nlohmann::ordered_json;

/// The options of a graph that is read from a file, or made of arrays.
struct ArrayOptions {
    cli::InputOptions input;
    std::uint64_t seed = 1;
    VertexId rows = 0, cols = 0;
    bool ids_are_given = false;

    void list_reading(Fields& fields) {
        input.list(fields);
        input.list_feedback(fields, 0);
        fields.number("seed", seed, 0, ~std::uint64_t{0}, "");
    }
    void list_arrays(Fields& fields) {
        list_reading(fields);
        fields.number("rows", rows, 0, max_vertices, "");
        fields.number("cols", cols, 0, max_vertices, "");
        fields.word("ids", ids_are_given, {{"numbers", false}, {"given", true}}, "");
    }
};

/// Parses the options of lockstep_graph_new. Throws UsageError.
ArrayOptions take_array_options(const char* const* options) {
    ArrayOptions taken;
    Fields fields;
    taken.list_arrays(fields);
    c::take_options(options, fields);
    return taken;
}

void add_ids(lockstep_result& result, const char* name, const IdMap& map) {
    if (const auto* range = std::get_if<RangeIds>(&map.ids())) {
        std::vector<std::int64_t> ids(range->size);
        for (VertexId v = 0; v < range->size; ++v) ids[v] = range->base + v;
        result.add(name, ids.data(), ids.size(), LOCKSTEP_INT64);
    } else if (const auto* integers = std::get_if<IntegerIds>(&map.ids())) {
        result.add(name, integers->ids.data(), integers->ids.size(), LOCKSTEP_INT64);
    } else {
        const StringIds& strings = std::get<StringIds>(map.ids());
        result.add(name, strings.bytes.data(), strings.bytes.size(), LOCKSTEP_BYTES);
        result.add(std::string(name) + "_offsets", strings.offsets.data(), strings.offsets.size(),
                   LOCKSTEP_UINT64);
    }
}

IdMap ids_of(const char* texts, const lockstep_array& offsets, VertexId size) {
    const Array<std::int64_t> ends = c::whole_numbers(offsets, "offsets");
    if (ends.size() != std::size_t{size} + 1 || ends[0] != 0)
        throw Error(Failure::bad_input, fmt::format("there are {} offsets; expected {}, beginning with 0",
                                                    ends.size(), std::size_t{size} + 1));
    StringIds ids;
    for (VertexId v = 0; v < size; ++v) {
        if (ends[v + std::size_t{1}] < ends[v])
            throw Error(Failure::bad_input,
                        fmt::format("offset {} is smaller than the offset before", v + 1));
        const std::string_view name(texts + ends[v],
                                    static_cast<std::size_t>(ends[v + std::size_t{1}] - ends[v]));
        if (v > 0 && ids.id(v - 1) >= name)
            throw Error(
                Failure::bad_input,
                fmt::format(
                    "name {} does not follow the name before; expected distinct names in bytewise order", v));
        ids.bytes += name, ids.offsets.push_back(ids.bytes.size());
    }
    return ids;
}

IdMap numbers_of(const lockstep_array& numbers, VertexId size) {
    const Array<std::int64_t> given = c::whole_numbers(numbers, "numbers");
    IntegerIds ids{{given.begin(), given.end()}};
    if (ids.ids.size() != size)
        throw Error(Failure::bad_input,
                    fmt::format("there are {} numbers; expected {}", ids.ids.size(), size));
    for (std::size_t v = 1; v < ids.ids.size(); ++v) {
        if (ids.ids[v] <= ids.ids[v - 1])
            throw Error(Failure::bad_input, fmt::format("number {} is not larger than the number before", v));
    }
    return ids;
}

}  // namespace

namespace lockstep::c {

const ScheduleFileSummary& summary(const lockstep_graph& graph) {
    if (!graph.is_summarised) {
        graph.file->summary = summarize_schedule_file(graph.file->dataset, graph.file->schedules, {});
        graph.is_summarised = true;
    }
    return graph.file->summary;
}

void check_graph_options(const char* const* options) {
    static_cast<void>(take_array_options(options).input.reading());
}

void add_both_ids(lockstep_result& result, const IdMap& rows, const IdMap& cols) {
    add_ids(result, "row_ids", rows), add_ids(result, "col_ids", cols);
}

}  // namespace lockstep::c

int lockstep_graph_new(const lockstep_array* rows, const lockstep_array* cols, const lockstep_array* weights,
                       const char* const* options, lockstep_graph** graph) {
    return lockstep_graph_new_timed(rows, cols, weights, nullptr, options, graph);
}

int lockstep_graph_new_timed(const lockstep_array* rows, const lockstep_array* cols,
                             const lockstep_array* weights, const lockstep_array* times,
                             const char* const* options, lockstep_graph** graph) {
    return call([&] {
        required(graph, "graph") = nullptr;
        const ArrayOptions taken = take_array_options(options);
        const c::Threads threads(c::threads_for(required(rows, "rows").rows));
        const Array<std::int64_t> first = c::whole_numbers(required(rows, "rows"), "rows"),
                                  second = c::whole_numbers(required(cols, "cols"), "cols");
        Array<float> value;
        if (weights) value = c::finite_numbers(*weights, "weights");
        Array<std::int64_t> time;
        if (times) time = c::whole_numbers(*times, "times");
        EdgeArrays edges{first, second, value, weights != nullptr, taken.ids_are_given};
        if (weights && value.size() != first.size())
            throw Error(Failure::bad_input,
                        fmt::format("there are {} weights for {} edges; expected one per edge", value.size(),
                                    first.size()));
        if (times && time.size() != first.size())
            throw Error(Failure::bad_input,
                        fmt::format("there are {} times for {} edges; expected one per edge", time.size(),
                                    first.size()));
        edges.times = time;
        edges.row_count = taken.rows, edges.col_count = taken.cols;
        const ReadOptions reading = taken.input.reading(taken.seed);
        auto made = std::make_unique<lockstep_graph>();
        made->file->dataset = dataset_of(edges, reading);
        *graph = made.release();
    });
}

int lockstep_graph_name(lockstep_graph* graph, int side, const char* texts, const lockstep_array* offsets) {
    return call([&] {
        lockstep_graph& g = required(graph, "graph");
        const std::lock_guard lock(g.mutex);
        Dataset& data = g.file->dataset;
        const bool square = data.graph.shape == GraphShape::square;
        if (side < 0 || side > 2 || (side == 2) != square)
            throw Error(Failure::usage, square ? "side must be 2 (both) for a square graph"
                                               : "side must be 0 (rows) or 1 (columns)");
        const VertexId size = side == 1 ? data.graph.cols : data.graph.rows;
        const lockstep_array& given = required(offsets, "offsets");
        IdMap ids = texts ? ids_of(texts, given, size) : numbers_of(given, size);
        if (side != 1) data.row_ids = ids;
        if (side != 0) data.col_ids = std::move(ids);
        g.is_summarised = false;
    });
}

int lockstep_graph_read(const char* path, const char* const* options, lockstep_graph** graph) {
    return call([&] {
        required(graph, "graph") = nullptr;
        ArrayOptions taken;
        Fields fields;
        taken.list_reading(fields);
        c::take_options(options, fields);
        PreprocessInput read =
            read_input(&required(path, "path"), taken.input.reading(taken.seed), [](const std::string&) {});
        auto made = std::make_unique<lockstep_graph>();
        made->file->dataset = std::move(read.dataset), made->file->schedules = std::move(read.schedules);
        *graph = made.release();
    });
}

int lockstep_graph_write(const lockstep_graph* graph, const char* path, const char* const* options) {
    return call([&] {
        const lockstep_graph& g = required(graph, "graph");
        const std::lock_guard lock(g.mutex);
        c::refuse_existing(&required(path, "path"), options);
        write_schedule_file(path, g.file->dataset, g.file->schedules, PreprocessSeconds{});
    });
}

int lockstep_graph_info(const lockstep_graph* graph, lockstep_result** result) {
    return call([&] {
        required(result, "result") = nullptr;
        const lockstep_graph& g = required(graph, "graph");
        const std::lock_guard lock(g.mutex);
        const c::Threads threads(c::threads_for(g.graph().edges()));
        const ScheduleFileSummary& s = c::summary(g);
        Json schedules = Json::array();
        for (const ScheduleSummary& schedule : s.schedules)
            schedules.push_back({{"name", schedule.name},
                                 {"seconds", schedule.seconds},
                                 {"rounds", schedule.statistics.rounds},
                                 {"max_round", schedule.statistics.max_round},
                                 {"hash", schedule.hash},
                                 {"parameters", schedule.parameters}});
        const Json json{{"rows", s.rows},
                        {"cols", s.cols},
                        {"edges", s.edges},
                        {"ends", to_string(s.ends)},
                        {"shape", s.shape == GraphShape::square ? "square" : "bipartite"},
                        {"max_row_degree", s.max_degree.row},
                        {"max_col_degree", s.max_degree.col},
                        {"graph_hash", s.graph_hash},
                        {"schedules", schedules}};
        auto made = std::make_unique<lockstep_result>();
        made->json = cli::json_text(json, -1);
        c::add_both_ids(*made, g.file->dataset.row_ids, g.file->dataset.col_ids);
        *result = made.release();
    });
}

void lockstep_graph_free(lockstep_graph* graph) { delete graph; }
