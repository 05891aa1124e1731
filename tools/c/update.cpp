// The function of the C interface that runs a user's update on arrays of the caller.
#include <fmt/format.h>

#include <array>

#include "apps/update/application.hpp"
#include "cuda.hpp"
#include "graph_use.hpp"
#include "run.hpp"

using namespace lockstep;
using c::call;
using c::required;

namespace {

/// Returns the element type of an array in NumPy's notation.
std::string type_of(const lockstep_array& array) {
    constexpr const char* types[] = {"|u1", "<i4", "<i8", "<u4", "<u8", "<f4", "<f8"};
    if (array.type < 0 || array.type > LOCKSTEP_FLOAT64)
        throw Error(Failure::bad_input,
                    fmt::format("an array is of type {}; expected 0 to {}", array.type, +LOCKSTEP_FLOAT64));
    return types[array.type];
}

/// Returns the array as a source of states. `type` is the type of an entry in NumPy's notation; if it is
/// empty, the entries have the element type of the array.
update::StateSource source_of(const lockstep_array& array, const std::string& name, const std::string& type) {
    if (array.rows && array.columns && !array.data)
        throw Error(Failure::bad_input, fmt::format("{} has no data", name));
    std::uint64_t entry = 0, columns = array.columns;
    if (!type.empty() && array.type != LOCKSTEP_BYTES)
        throw cli::UsageError(fmt::format("{}-type applies only to an array of bytes", name));
    try {
        for (const NpyField& field : npy_fields(type.empty() ? type_of(array) : type))
            entry += field.count * field.bytes;
    } catch (const Error& e) {
        throw Error(Failure::bad_input, fmt::format("{}: {}", name, e.what()));
    }
    if (!type.empty()) {
        if (columns % entry)
            throw Error(Failure::bad_input,
                        fmt::format("{} has {} bytes per row, but {} bytes per entry of the type {}", name,
                                    columns, entry, type));
        columns /= entry;
    }
    auto states =
        std::make_shared<NpyArray>(NpyArray{type.empty() ? type_of(array) : type, {array.rows, columns}, {}});
    states->bytes.resize(array.rows * columns * entry);
    c::copy(states->bytes.data(), array.data, states->bytes.size(), array.device != 0);
    return {name, std::move(states)};
}

/// Builds the schedules of those strategies that --strategy tune tries, if the graph has no schedules.
void make_usual_schedules(lockstep_graph& graph) {
    if (!graph.file->schedules.empty()) return;
    const bool one_set = graph.graph().ends == Ends::vertices;
    for (const char* name : {"agm-e", one_set ? "tiled" : "sgm", "blkdiag", "stars"})
        c::ensure_schedule(graph, name);
}

/// Removes the options rows-type=…, cols-type=… and edges-type=… from the list, and returns their values.
std::array<std::string, 3> take_types(std::vector<std::string>& options) {
    std::array<std::string, 3> types;
    const std::array<std::string, 3> names{"rows-type=", "cols-type=", "edges-type="};
    for (std::size_t i = 0; i < names.size(); ++i) {
        std::erase_if(options, [&](const std::string& option) {
            if (option.starts_with(names[i])) types[i] = option.substr(names[i].size());
            return option.starts_with(names[i]);
        });
    }
    return types;
}

/// The arrays that were passed to a call, and their states after the run.
class States {
public:
    States(lockstep_array* rows, lockstep_array* cols, lockstep_array* edges,
           const std::array<std::string, 3>& types, bool one_set, update::StateFiles& files)
        : all_{rows, cols, edges} {
        if (one_set && cols)
            throw cli::UsageError("the graph has one set of vertices: give its states as `rows` only");
        if (!rows) throw cli::UsageError("the states of the vertices, or of the rows, are missing");
        (one_set ? files.vertices : files.rows) = source_of(*rows, one_set ? "vertices" : "rows", types[0]);
        if (cols) files.cols = source_of(*cols, "cols", types[1]);
        if (edges) files.edges = source_of(*edges, "edges", types[2]);
    }

    void take(const update::RunArrays& arrays) {
        const update::StateArray* const made[] = {&arrays.rows, &arrays.cols, &arrays.edges};
        for (int i = 0; i < 3; ++i)
            if (all_[i]) results_[i] = made[i]->result();
    }
    void give() const {
        for (int i = 0; i < 3; ++i)
            if (all_[i])
                c::copy(all_[i]->data, results_[i].bytes.data(), results_[i].bytes.size(),
                        all_[i]->device != 0);
    }

private:
    lockstep_array* all_[3];
    NpyArray results_[3];
};

}  // namespace

int lockstep_update(lockstep_graph* graph, const char* source, lockstep_array* rows, lockstep_array* cols,
                    lockstep_array* edges, const char* const* options, lockstep_progress progress, void* data,
                    lockstep_result** result) {
    return call([&] {
        required(result, "result") = nullptr;
        lockstep_graph& g = required(graph, "graph");
        const std::string file = &required(source, "source");
        if (c::runs_on_cuda(options))
            return c::passed(c::in_cuda(&lockstep_update, "lockstep_update")(
                graph, source, rows, cols, edges, options, progress, data, result));
        const std::lock_guard lock(g.mutex);
        const c::CallGuard running;
        std::vector<std::string> list = c::list_of(options);
        const std::array<std::string, 3> types = take_types(list);
        list.push_back("update=" + file);
        const std::unique_ptr<Application> app = update_spec().make(update_spec());
        const Request request = c::request_of(*app, list, g);
        c::make_needed(*app, request, g);
        if (request.strategy == "tune") make_usual_schedules(g);
        c::summary(g);
        States states(rows, cols, edges, types, g.graph().ends == Ends::vertices,
                      dynamic_cast<UpdateApplication&>(*app).files());
        auto made =
            c::execute(*app, request, {progress, data},
                       [&](const Input&, const RunHeader&, const RunOutcome& outcome, lockstep_result&,
                           nlohmann::ordered_json&) { states.take(update_arrays(outcome)); });
        states.give();
        *result = made.release();
    });
}
