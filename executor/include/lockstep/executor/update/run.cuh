// Runs a user-defined update (update.hpp) on a graph on a GPU, in the same way as Run (run.hpp) on a CPU:
//
//     update::DeviceRun<Spring> run(graph, find_strategy("local"), &schedule);
//     run.vertices = positions, run.set_edges(rest_lengths);
//     for (int i = 0; i < 20; ++i) run.sweep({.compliance = 1e-6F});
//     run.gather();  // copies the states back to run.vertices
//
// If the strategy is deterministic, the results are bitwise identical to those of a CPU, provided that both
// are compiled without contraction (nvcc -fmad=false, g++ -ffp-contract=off), and that the update uses only
// additions, multiplications, divisions and square roots.
#pragma once

#include <optional>

#include "lockstep/executor/edge/execute.cuh"
#include "lockstep/executor/update/operator.cuh"
#include "lockstep/executor/update/run.hpp"

namespace lockstep::update {

/// A plan on the current device, with the states and payloads of an update.
template <Update U>
class DeviceWalk {
public:
    /// Uploads the plan. Throws ScheduleError (no_device) if it does not fit in shared memory, and Error
    /// (no_device) if the device has too little memory.
    explicit DeviceWalk(const EdgePlan& plan)
        : limits_{.other_bytes = sizeof(Vector<U>) * (EdgeId{plan.rows} + (one_set ? 0 : plan.cols)) +
                                 sizeof(EdgeOf<U>) * payloads(plan)},
          by_value_(payload_is_value<U> && payloads_are_values(plan)),
          plan_(with_values(
              plan,
              [&](const EdgePlan& marked) { return gpu::DevicePlan(marked, DeviceOperator<U>{}, limits_); })),
          rows_(plan.rows),
          cols_(one_set ? 0 : plan.cols),
          edges_(payloads(plan)) {}

    void put(const Arrays<U>& from) {
        upload(rows_, from.rows, local() ? &local()->row_order() : nullptr);
        if (!one_set) upload(cols_, from.cols, local() ? &local()->col_order() : nullptr);
        edges_.upload({from.edges, edges_.size()});
        if (by_value_ && edges_.size()) local()->set_values(reinterpret_cast<const float*>(edges_.data()));
        if (auto* tiled = plan_.template get_if<TiledPlan>()) tiled->changed();
    }
    void get(const Arrays<U>& to) {
        plan_.gather(op({}));
        download(rows_, to.rows, local() ? &local()->row_order() : nullptr);
        if (!one_set) download(cols_, to.cols, local() ? &local()->col_order() : nullptr);
        const std::vector<EdgeOf<U>> edges = edges_.download();
        std::copy(edges.begin(), edges.end(), to.edges);
    }
    /// Runs one sweep, and sets `*seconds` to its time on the device.
    SweepCounts sweep(const ParametersOf<U>& parameters, double* seconds) {
        return plan_.sweep(op(parameters), seconds);
    }
    EdgeId bytes() const { return plan_.bytes() + limits_.other_bytes; }
    /// Returns the states of the rows in device memory. They are indexed by vertex, unless the walk keeps
    /// them in shared memory.
    Vector<U>* rows() { return rows_.data(); }

private:
    static constexpr bool one_set = ends_of<U> == Ends::vertices;
    static EdgeId payloads(const EdgePlan& plan) { return std::is_empty_v<EdgeOf<U>> ? 0 : plan.edges(); }
    /// Returns make(plan), with the edge values that walks with states in shared memory require
    /// (operator.cuh).
    template <class Make>
    auto with_values(const EdgePlan& plan, Make make) {
        const bool in_shared_memory = std::visit(
            []<class Walk>(const Walk&) {
                return requires { Walk::in_shared_memory; };
            },
            plan.walk);
        if (!in_shared_memory || by_value_) return make(plan);
        EdgePlan marked = plan;
        marked.value = shared_memory_values(plan);
        return make(marked);
    }
    gpu::DeviceWalk<LocalPlan>* local() { return plan_.template get_if<LocalPlan>(); }
    DeviceOperator<U> op(const ParametersOf<U>& parameters) const {
        return {{rows_.data(), one_set ? rows_.data() : cols_.data(), edges_.data()}, parameters, by_value_};
    }
    template <class State>
    static void upload(gpu::Buffer<Vector<U>>& to, const State* from, const std::vector<VertexId>* order) {
        std::vector<Vector<U>> vectors(to.size());
#pragma omp parallel for schedule(static)
        for (EdgeId i = 0; i < vectors.size(); ++i) vectors[i] = Vector<U>::of(from[order ? (*order)[i] : i]);
        to.upload(vectors);
    }
    template <class State>
    static void download(const gpu::Buffer<Vector<U>>& from, State* to, const std::vector<VertexId>* order) {
        const std::vector<Vector<U>> vectors = from.download();
#pragma omp parallel for schedule(static)
        for (EdgeId i = 0; i < vectors.size(); ++i)
            to[order ? (*order)[i] : i] = vectors[i].template as<State>();
    }

    gpu::DeviceMemoryLimits limits_;
    bool by_value_;
    gpu::DevicePlan plan_;
    gpu::Buffer<Vector<U>> rows_, cols_;
    gpu::Buffer<EdgeOf<U>> edges_;
};

template <Update U>
class DeviceRun : public Run<U> {
public:
    /// Builds the plan and uploads it. Throws the errors of Run and of DeviceWalk.
    DeviceRun(const Graph& graph, const Strategy& strategy, const Schedule* schedule)
        : Run<U>(graph, strategy, schedule), device_(this->plan()) {}

    /// Runs one sweep. If the arrays may have changed, they are first copied to the device, where they stay
    /// until gather().
    SweepCounts sweep(const ParametersOf<U>& parameters = {}, double* seconds = nullptr) {
        static_cast<void>(states());
        double taken = 0;
        return device_.sweep(parameters, seconds ? seconds : &taken);
    }
    /// Returns the states of the rows (or vertices) on the device. They are valid until gather().
    Vector<U>* states() {
        if (!there_) device_.put(this->arrays());
        there_ = true;
        return device_.rows();
    }
    EdgeId bytes() const { return device_.bytes(); }
    /// Copies the results of the sweeps back to the arrays. The arrays may then be changed again.
    void gather() {
        if (there_) device_.get(this->arrays());
        there_ = false;
    }

private:
    DeviceWalk<U> device_;
    bool there_ = false;
};

}  // namespace lockstep::update
