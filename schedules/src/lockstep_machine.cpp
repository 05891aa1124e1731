#include "lockstep/schedules/lockstep_machine.hpp"

#include <algorithm>

#include "lockstep/schedules/grouping.hpp"

namespace lockstep {

namespace {

/// The locks of one time step: one stamp per vertex, which is the last time step in which it was locked.
/// Advancing the time step unlocks all vertices without any work.
class StepLocks {
public:
    explicit StepLocks(VertexId vertices) : stamp_(vertices, 0) {}
    void next_step() { ++now_; }
    bool is_locked(VertexId v) const { return stamp_[v] == now_; }
    void lock(VertexId v) { stamp_[v] = now_; }

private:
    std::vector<EdgeId> stamp_;
    EdgeId now_ = 0;
};

/// Returns the maximum number of edges of a thread, which is the number of time steps of a pass.
std::size_t longest_of(const std::vector<std::vector<EdgeId>>& todo) {
    std::size_t longest = 0;
    for (const auto& edges : todo) longest = std::max(longest, edges.size());
    return longest;
}

}  // namespace

EdgeId time_steps(const Schedule& schedule, EdgeId workers) {
    const std::vector<EdgeId> phases = edge_offsets(schedule, Level::phase);
    const bool has_tasks = schedule.has(Level::task);
    const std::vector<EdgeId> tasks = has_tasks ? edge_offsets(schedule, Level::task) : std::vector<EdgeId>{};
    EdgeId steps = (schedule.locked + workers - 1) / workers;
    std::size_t task = 0;
    for (std::size_t p = 0; p + 1 < phases.size(); ++p) {
        if (!has_tasks) {
            steps += (phases[p + 1] - phases[p] + workers - 1) / workers;
            continue;
        }
        // The threads process T tasks of the phase at a time, and wait for the longest of them.
        while (task + 1 < tasks.size() && tasks[task] < phases[p + 1]) {
            EdgeId longest = 0;
            for (EdgeId w = 0; w < workers && task + 1 < tasks.size() && tasks[task] < phases[p + 1];
                 ++w, ++task) {
                longest = std::max(longest, tasks[task + 1] - tasks[task]);
            }
            steps += longest;
        }
    }
    return steps;
}

EdgeLockedRun edge_locked_passes(const Graph& graph, std::span<const EdgeId> order, EdgeId workers) {
    const Array<VertexId> row = edge_rows(graph);
    StepLocks rows(graph.rows), cols(graph.cols);
    std::vector<std::vector<EdgeId>> todo(std::min<EdgeId>(workers, order.size()));
    for (std::size_t i = 0; i < order.size(); ++i) todo[i % todo.size()].push_back(order[i]);
    EdgeLockedRun run;
    for (EdgeId left = order.size(); left > 0;) {
        std::vector<EdgeId> done;
        std::vector<std::vector<EdgeId>> deferred(todo.size());
        const EdgeId longest = longest_of(todo);
        for (std::size_t i = 0; i < longest; ++i) {
            rows.next_step(), cols.next_step();
            for (std::size_t w = 0; w < todo.size(); ++w) {
                if (i >= todo[w].size()) continue;
                const EdgeId e = todo[w][i];
                if (rows.is_locked(row[e]) || cols.is_locked(graph.col[e])) {
                    deferred[w].push_back(e);
                } else {
                    rows.lock(row[e]), cols.lock(graph.col[e]);
                    done.push_back(e);
                }
            }
        }
        left -= done.size(), run.time_steps += longest;
        run.passes.push_back(std::move(done));
        todo = std::move(deferred);
    }
    return run;
}

NodeLockedRun node_locked_steps(const Graph& graph, VertexId workers) {
    const Array<VertexId> row = edge_rows(graph);
    Array<EdgeId> by_item = identity_order(graph.edges());
    const std::vector<EdgeId> offsets =
        group_stable(by_item, graph.cols, [&](EdgeId e) { return graph.col[e]; });
    StepLocks users(graph.rows);
    NodeLockedRun run;
    for (VertexId first = 0; first < graph.cols; first += workers) {
        const VertexId last = std::min(graph.cols, first + workers);
        std::vector<std::vector<EdgeId>> todo;
        for (VertexId v = first; v < last; ++v) {
            todo.emplace_back(by_item.begin() + static_cast<std::ptrdiff_t>(offsets[v]),
                              by_item.begin() + static_cast<std::ptrdiff_t>(offsets[v + 1]));
        }
        for (bool first_pass = true;; first_pass = false) {
            const std::size_t longest = longest_of(todo);
            if (longest == 0) break;
            std::vector<std::vector<EdgeId>> left(todo.size());
            for (std::size_t i = 0; i < longest; ++i) {
                users.next_step();
                std::vector<EdgeId> step;
                for (std::size_t w = 0; w < todo.size(); ++w) {
                    if (i >= todo[w].size()) continue;
                    const EdgeId e = todo[w][i];
                    if (users.is_locked(row[e])) {
                        left[w].push_back(e);
                        if (first_pass) run.deferred.push_back(e);
                    } else {
                        users.lock(row[e]);
                        step.push_back(e);
                    }
                }
                run.steps.push_back(std::move(step));
            }
            todo = std::move(left);
        }
        if (last == graph.cols) break;  // avoids an overflow of first + workers
    }
    return run;
}

}  // namespace lockstep
