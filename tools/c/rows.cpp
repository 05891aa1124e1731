// The functions of the C interface that divide the rows of a sparse pattern, or the vertices of a graph, into
// phases without conflicts.
#include <fmt/format.h>

#include <limits>
#include <optional>

#include "call.hpp"
#include "lockstep/schedules/rows.hpp"

using namespace lockstep;
using c::call;
using c::required;

namespace {

/// Integers of an array of the caller: the array itself if its entries have the size of To, otherwise a copy.
template <class To>
struct Integers {
    std::span<const To> values;
    Array<To> copy = {};
};

/// Converts entries of type From. Throws Error (bad input) if an entry is negative or exceeds `most`.
template <class To, class From>
Integers<To> convert(const lockstep_array& array, const char* what, To most) {
    const auto* const from = static_cast<const From*>(array.data);
    const EdgeId size = array.rows * array.columns;
    Integers<To> made{{reinterpret_cast<const To*>(from), size}};
    if (sizeof(From) != sizeof(To)) made.copy.resize(size), made.values = made.copy;
    EdgeId wrong = size;
#pragma omp parallel for schedule(static) reduction(min : wrong)
    for (EdgeId i = 0; i < size; ++i) {
        if (std::cmp_less(from[i], 0) || std::cmp_greater(from[i], most)) wrong = std::min(wrong, i);
        if (sizeof(From) != sizeof(To)) made.copy[i] = static_cast<To>(from[i]);
    }
    if (wrong < size)
        throw Error(Failure::bad_input,
                    fmt::format("{}: entry {} is {}; expected 0 to {}", what, wrong, from[wrong], most));
    return made;
}

template <class To>
Integers<To> integers_of(const lockstep_array& array, const char* what, To most) {
    c::require_host(array, what);
    switch (array.type) {
        case LOCKSTEP_INT32:
            return convert<To, std::int32_t>(array, what, most);
        case LOCKSTEP_INT64:
            return convert<To, std::int64_t>(array, what, most);
        case LOCKSTEP_UINT32:
            return convert<To, std::uint32_t>(array, what, most);
        case LOCKSTEP_UINT64:
            return convert<To, std::uint64_t>(array, what, most);
    }
    throw Error(Failure::bad_input, fmt::format("{} are not integers of 32 or 64 bits", what));
}

/// The options of both functions, and their work after the pattern has been made.
struct RowsCall {
    RowOptions build;
    bool trust = false;
    int threads = 0, distance = 1;
    EdgeId columns = 0;

    void list(Fields& fields) {
        fields.word(
            "order", build.order,
            {{"given", RowOrder::given}, {"largest", RowOrder::largest}, {"smallest", RowOrder::smallest}},
            "");
        fields.flag("even", build.even, "");
        fields.flag("trust", trust, "");
        fields.number("threads", threads, 0, cli::max_threads, "");
    }
    void run(const RowPattern& pattern, lockstep_result** result) const {
        validate(pattern);
        const RowBatches batches = build_row_batches(pattern, build);
        const std::string problem = trust ? std::string() : verify_rows(pattern, batches);
        if (!problem.empty()) throw Error(Failure::verification, problem);
        auto made = std::make_unique<lockstep_result>();
        made->add("order", batches.order.data(), batches.order.size(), LOCKSTEP_UINT64);
        made->add("offsets", batches.offsets.data(), batches.offsets.size(), LOCKSTEP_UINT64);
        const nlohmann::ordered_json json{{"rows", pattern.rows()},
                                          {"columns", pattern.column_count},
                                          {"entries", pattern.columns.size()},
                                          {"phases", batches.offsets.size() - 1},
                                          {"bound", batches.bound},
                                          {"verified", !trust}};
        made->json = cli::json_text(json, -1);
        *result = made.release();
    }
};

/// Returns the largest entry plus 1, or 0 if there are none.
EdgeId size_of(std::span<const VertexId> entries) {
    EdgeId size = 0;
#pragma omp parallel for schedule(static) reduction(max : size)
    for (EdgeId i = 0; i < entries.size(); ++i) size = std::max(size, EdgeId{entries[i]} + 1);
    return size;
}

/// Returns the offsets of rows with `length` entries each.
Integers<EdgeId> even_offsets(EdgeId rows, EdgeId length) {
    Integers<EdgeId> made;
    made.copy.resize(rows + 1);
#pragma omp parallel for schedule(static)
    for (EdgeId r = 0; r <= rows; ++r) made.copy[r] = r * length;
    made.values = made.copy;
    return made;
}

constexpr EdgeId most_offset = std::numeric_limits<std::int64_t>::max();

}  // namespace

int lockstep_row_batches(const lockstep_array* offsets, const lockstep_array* columns,
                         const lockstep_array* fixed, const char* const* options, lockstep_result** result) {
    return call([&] {
        required(result, "result") = nullptr;
        RowsCall taken;
        Fields fields;
        taken.list(fields);
        fields.number("columns", taken.columns, 0, EdgeId{max_vertices}, "");
        c::take_options(options, fields);
        const lockstep_array& given = required(columns, "columns");
        const c::Threads threads(taken.threads > 0 ? taken.threads
                                                   : c::threads_for(given.rows * given.columns));
        const Integers<VertexId> entries = integers_of<VertexId>(given, "columns", max_vertices - 1);
        const Integers<EdgeId> begins = offsets ? integers_of<EdgeId>(*offsets, "offsets", most_offset)
                                                : even_offsets(given.rows, given.columns);
        RowPattern pattern{.offsets = begins.values, .columns = entries.values};
        pattern.column_count = taken.columns > 0 ? taken.columns : size_of(entries.values);
        std::vector<std::uint8_t> flags;
        if (fixed) {
            if (taken.columns == 0)
                for (const EdgeId c : integers_of<EdgeId>(*fixed, "fixed", max_vertices - 1).values)
                    pattern.column_count = std::max(pattern.column_count, c + 1);
            flags.assign(pattern.column_count, 0);
            for (const EdgeId c : integers_of<EdgeId>(*fixed, "fixed", pattern.column_count - 1).values)
                flags[c] = 1;
            pattern.fixed = flags;
        }
        taken.run(pattern, result);
    });
}

int lockstep_color(const lockstep_array* offsets, const lockstep_array* neighbors, const char* const* options,
                   lockstep_result** result) {
    return call([&] {
        required(result, "result") = nullptr;
        RowsCall taken;
        Fields fields;
        taken.list(fields);
        fields.number("distance", taken.distance, 1, 2, "");
        fields.number("vertices", taken.columns, 0, EdgeId{max_vertices}, "");
        c::take_options(options, fields);
        const lockstep_array& given = required(neighbors, "neighbors");
        const c::Threads threads(taken.threads > 0 ? taken.threads
                                                   : c::threads_for(given.rows * given.columns));
        const Integers<VertexId> entries = integers_of<VertexId>(given, "neighbors", max_vertices - 1);
        if (!offsets && given.columns != 2)
            throw Error(
                Failure::bad_input,
                fmt::format("neighbors have {} columns; expected 2, the endpoints of an edge, or offsets",
                            given.columns));
        Neighbourhoods arcs;
        RowPattern pattern{.offsets = {}, .columns = entries.values, .writes = RowPattern::own};
        Integers<EdgeId> begins;
        if (offsets) {
            begins = integers_of<EdgeId>(*offsets, "offsets", most_offset);
            pattern.offsets = begins.values;
            pattern.column_count = pattern.rows();
        } else {
            arcs = neighbours_of(entries.values, taken.columns > 0 ? taken.columns : size_of(entries.values));
            pattern = arcs.view(RowPattern::own);
        }
        if (taken.distance == 1) return taken.run(pattern, result);
        validate(pattern);
        const Neighbourhoods closed = closed_neighbourhoods(pattern);
        taken.run(closed.view(RowPattern::all), result);
    });
}
