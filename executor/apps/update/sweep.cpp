#include "apps/update/sweep.hpp"

#include <fmt/format.h>

namespace lockstep::update {

namespace {

/// The operator with which walks run a compiled module. The module loads and stores the states of vertices
/// itself, so an endpoint is represented only by its index.
struct ModuleOperator {
    using Lanes = HostLanes<1>;
    struct Row {
        VertexId vertex;
    };
    using Col = Row;

    Module* module;
    Endpoint ends;
    Memory memory;
    bool is_turned = false;  ///< whether rows and columns are exchanged by the walk

    Row load_row(VertexId u) const { return {u}; }
    Col load_col(VertexId v) const { return {v}; }
    void store_row(VertexId, const Row&) const {}
    void store_col(VertexId, const Col&) const {}
    void apply(Row&, Col&, float, const EdgePosition& place) const { run_range(place.edge, place.edge + 1); }
    void run_range(EdgeId first, EdgeId last) const { module->run(ends, memory, first, last); }
    void run_around(EdgeId first, EdgeId last, bool of_row) const {
        module->run_star(ends, memory, first, last, of_row != is_turned);
    }
    ModuleOperator swap_sides() const { return {module, ends, memory, !is_turned}; }
};

ModuleOperator operator_of(Module& module, const EdgePlan& plan, const Memory& memory) {
    return {&module, {plan.row.data(), plan.col.data()}, memory};
}
void check_exception(const Module& module) {
    if (const char* const text = module.exception())
        throw Error(fmt::format("the update threw an exception, so there is no result: {}", text));
}

}  // namespace

SweepCounts sweep(Module& module, const EdgePlan& plan, const Memory& memory, cpu::Locks& locks,
                  int threads) {
    const SweepCounts counts = cpu::execute(plan, operator_of(module, plan, memory), locks, threads);
    check_exception(module);
    return counts;
}

void loop(Module& module, const EdgePlan& plan, const Memory& memory) {
    operator_of(module, plan, memory).run_range(0, plan.edges());
    check_exception(module);
}

}  // namespace lockstep::update
