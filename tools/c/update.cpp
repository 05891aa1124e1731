// Updates on arrays of the caller's.
#include <fmt/format.h>

#include "apps/update/application.hpp"
#include "cuda.hpp"
#include "graph_use.hpp"
#include "run.hpp"

using namespace lockstep;
using c::call;
using c::required;

namespace {

std::size_t bytes_of(const lockstep_array& array) {
    constexpr std::size_t sizes[] = {1, 4, 8, 4, 8, 4, 8};
    if (array.type < 0 || array.type > LOCKSTEP_FLOAT64)
        throw Error(Failure::bad_input,
                    fmt::format("an array is of type {}; expected 0 to {}", array.type, +LOCKSTEP_FLOAT64));
    return array.columns * sizes[array.type];
}

update::StateSource source_of(const lockstep_array& array, const char* name) {
    if (array.rows && array.columns && !array.data)
        throw Error(Failure::bad_input, fmt::format("{} has no data", name));
    auto states = std::make_shared<NpyArray>(NpyArray{"bytes", {array.rows, bytes_of(array)}, {}});
    states->bytes.resize(array.rows * bytes_of(array));
    c::copy(states->bytes.data(), array.data, states->bytes.size(), array.device != 0);
    return {name, std::move(states)};
}

/// What `auto` tries, where the graph has no schedules: of one set of vertices, or of two sides.
void make_usual_schedules(lockstep_graph& graph) {
    if (!graph.file->schedules.empty()) return;
    const bool one_set = graph.graph().ends == Ends::vertices;
    for (const char* name : {"agm-e", one_set ? "tiled" : "sgm", "blkdiag", "stars"})
        c::ensure_schedule(graph, name);
}

/// The arrays of a call, and what the run has made of them.
class States {
public:
    States(lockstep_array* rows, lockstep_array* cols, lockstep_array* edges, bool one_set)
        : all_{rows, cols, edges} {
        if (one_set && cols)
            throw cli::UsageError("the graph is of one set of vertices: its states are `rows` alone");
        if (!rows) throw cli::UsageError("the states of the vertices, or of the rows, are missing");
        update::StateFiles& files = update_states();
        (one_set ? files.vertices : files.rows) = source_of(*rows, one_set ? "vertices" : "rows");
        if (cols) files.cols = source_of(*cols, "cols");
        if (edges) files.edges = source_of(*edges, "edges");
    }
    ~States() { update_states() = {}; }
    States(const States&) = delete;
    States& operator=(const States&) = delete;

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
        const c::Turn turn;
        std::vector<std::string> list = c::list_of(options);
        list.push_back("update=" + file);
        const Request request = c::request_of(update_application(), list, g);
        c::make_needed(update_application(), request, g);
        if (request.strategy == "auto" || request.strategy == "tune") make_usual_schedules(g);
        c::summary(g);
        States states(rows, cols, edges, g.graph().ends == Ends::vertices);
        auto made =
            c::execute(update_application(), request, {progress, data},
                       [&](const Input&, const RunHeader&, const RunOutcome& outcome, lockstep_result&,
                           nlohmann::ordered_json&) { states.take(update_arrays(outcome)); });
        states.give();
        *result = made.release();
    });
}
