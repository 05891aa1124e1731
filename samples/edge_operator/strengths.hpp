// An edge operator: the strength of every vertex, which is the sum of its edges' weights, and its
// heaviest edge. Both endpoints of an edge are read, changed and written, and no two workers may do
// that to one vertex at once: that is the schedule's business, and nothing here knows of it.
#pragma once

#include <vector>

#include "lockstep/executor/operator.hpp"
#include "lockstep/executor/plan.hpp"

struct Strength {
    float sum = 0;
    float heaviest = 0;
};

/// For both sides of the graph, by row and by column.
struct Strengths {
    std::vector<Strength> rows, cols;
};

/// One lane an edge: HostLanes<1> on the CPU, DeviceLanes<1> on the GPU. Weights are not negative.
template <class LaneGroup>
struct StrengthOperator {
    using Lanes = LaneGroup;
    using Row = Strength;
    using Col = Strength;

    Strength *rows, *cols;  // memory of the device that runs it

    LOCKSTEP_HD Row load_row(lockstep::VertexId u) const { return load(rows + u); }
    LOCKSTEP_HD Col load_col(lockstep::VertexId v) const { return load(cols + v); }
    LOCKSTEP_HD void store_row(lockstep::VertexId u, const Row& row) const { store(rows + u, row); }
    LOCKSTEP_HD void store_col(lockstep::VertexId v, const Col& col) const { store(cols + v, col); }

    LOCKSTEP_HD void apply(Row& row, Col& col, float weight, const lockstep::Place&) const {
        add(row, weight);
        add(col, weight);
    }

private:
    LOCKSTEP_HD static void add(Strength& strength, float weight) {
        strength.sum += weight;
        if (weight > strength.heaviest) strength.heaviest = weight;
    }
    LOCKSTEP_HD static Strength load(const Strength* from) {
        return {lockstep::load_shared(&from->sum), lockstep::load_shared(&from->heaviest)};
    }
    LOCKSTEP_HD static void store(Strength* to, const Strength& strength) {
        lockstep::store_shared(&to->sum, strength.sum);
        lockstep::store_shared(&to->heaviest, strength.heaviest);
    }
};

/// One sweep of the plan on the GPU (gpu.cu). False where there is none.
bool strengths_on_gpu(const lockstep::Plan& plan, Strengths& result);
