// An edge operator that computes two numbers for every vertex: its strength, which is the sum of the weights
// of its edges, and the weight of its heaviest edge. The operator reads, changes and writes both endpoints of
// an edge. No two workers may do this with one vertex concurrently. The schedule prevents it, so the operator
// needs no locks.
#pragma once

#include <vector>

#include "lockstep/executor/edge/on_chip.hpp"
#include "lockstep/executor/edge/plan.hpp"
#ifdef __CUDACC__
#include "lockstep/executor/device/shared.cuh"
#endif

struct alignas(16) Strength {
    float sum = 0;
    float heaviest = 0;
};

/// The strengths of all vertices: of rows and of columns.
struct Strengths {
    std::vector<Strength> rows, cols;
};

/// One thread (lane) processes an edge: HostLanes<1> on the CPU, DeviceLanes<1> on the GPU. Weights must not
/// be negative.
template <class LaneGroup>
struct StrengthOperator {
    using Lanes = LaneGroup;
    using Row = Strength;
    using Col = Strength;

    // strengths by row and by column, in the memory of the device that runs the operator
    Strength *rows, *cols;

    LOCKSTEP_HD Row load_row(lockstep::VertexId u) const { return load(rows + u); }
    LOCKSTEP_HD Col load_col(lockstep::VertexId v) const { return load(cols + v); }
    LOCKSTEP_HD void store_row(lockstep::VertexId u, const Row& row) const { store(rows + u, row); }
    LOCKSTEP_HD void store_col(lockstep::VertexId v, const Col& col) const { store(cols + v, col); }

    LOCKSTEP_HD void apply(Row& row, Col& col, float weight, const lockstep::EdgePosition&) const {
        add(row, weight);
        add(col, weight);
    }

    // The members below are required only by the strategies `tiled` and `local`, which keep vertices in the
    // shared memory of a GPU.
    static constexpr bool affine = false;
    static lockstep::EdgeId vector_bytes() { return sizeof(Strength); }
#ifdef __CUDACC__
    template <class Run>
    void run_in_shared_memory(Run run) const {
        run(StrengthOperator<lockstep::WarpLanes<1>>{rows, cols});
    }
    LOCKSTEP_HD std::byte* row_vectors() const { return reinterpret_cast<std::byte*>(rows); }
    LOCKSTEP_HD std::byte* col_vectors() const { return reinterpret_cast<std::byte*>(cols); }
    __device__ static std::uint32_t lane_offset() { return 0; }
    __device__ static Strength load_lane(std::uint32_t address) {
        const float4 four = lockstep::gpu::load_float4(address);
        return {four.x, four.y};
    }
    __device__ static void store_lane(std::uint32_t address, const Strength& strength, bool really) {
        lockstep::gpu::store_float4_if(really, address, make_float4(strength.sum, strength.heaviest, 0, 0));
    }
#endif

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

/// Runs one sweep of the plan on the GPU (gpu.cu). Returns false if there is no GPU.
bool strengths_on_gpu(const lockstep::EdgePlan& plan, Strengths& result);
