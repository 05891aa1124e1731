// An operator that checks the order and the exclusiveness of a walk's updates, instead of computing
// something.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "lockstep/executor/edge/on_chip.hpp"
#include "lockstep/executor/edge/plan.hpp"
#if defined(__CUDACC__)
#include "lockstep/executor/device/shared.cuh"
#endif

namespace lockstep::test {

/// The state of an endpoint: its name, and a record of its edges so far. The walk moves it like any other
/// state.
struct alignas(16) Mark {
    static constexpr std::uint32_t column = 1U << 31;
    std::uint32_t name = 0;  ///< vertex + 1, with the bit `column` for columns; 0: no vertex
    /// Number of updates, counted by load, add, store: concurrent workers lose some.
    std::uint32_t updates = 0;
    std::uint32_t last = 0;    ///< index of the last edge + 1
    std::uint32_t errors = 0;  ///< number of edges that came out of order, or to the wrong vertex
};

/// A plan with the data that the operator needs. The value of edge e has the bits of the integer e.
struct Traced {
    EdgePlan plan;
    std::vector<std::uint32_t> row_before, col_before;  ///< previous edge of the endpoint + 1; 0: none
};
Traced trace(EdgePlan plan);

/// The result of a sweep of the probe.
struct ProbeResult {
    std::vector<Mark> rows, cols;
    /// Visits by edge; empty if the walk works in shared memory without the indices of edges.
    std::vector<std::uint32_t> visits;
    /// Number of claims of an endpoint that another task had claimed in the same round.
    std::uint64_t claims = 0;
    SweepCounts counts;

    std::uint64_t errors() const;
    /// Returns the number of second claims, updates out of order, and lost updates. It is 0 if every vertex
    /// meets its edges one by one, in the order of the plan.
    std::uint64_t conflicts(const EdgePlan& plan) const;
};

template <class LaneGroup>
struct ProbeOperator {
    using Lanes = LaneGroup;
    using Row = Mark;  ///< each lane keeps a copy, and all copies are equal
    using Col = Mark;
    static constexpr bool affine = false;

    Mark *rows, *cols;  ///< marks by vertex, one per lane
    const std::uint32_t *row_before, *col_before;
    std::uint32_t* visits;
    /// Last claim of each vertex: (round + 1) << 32 | low bits of the task.
    unsigned long long *row_claims, *col_claims;
    unsigned long long* claims;

    /// Returns the operator with rows and columns swapped. `apply` distinguishes the marks by their names.
    ProbeOperator swap_sides() const {
        ProbeOperator op = *this;
        std::swap(op.rows, op.cols);
        return op;
    }
    LOCKSTEP_HD static std::size_t place(VertexId vertex) {
        return std::size_t{vertex} * Lanes::lanes + static_cast<std::size_t>(Lanes::lane(0));
    }
    LOCKSTEP_HD Row load_row(VertexId u) const { return load(rows + place(u)); }
    LOCKSTEP_HD Col load_col(VertexId v) const { return load(cols + place(v)); }
    LOCKSTEP_HD void store_row(VertexId u, const Row& row) const { store(rows + place(u), row); }
    LOCKSTEP_HD void store_col(VertexId v, const Col& col) const { store(cols + place(v), col); }

    LOCKSTEP_HD void apply(Mark& one, Mark& other, float value, const EdgePosition& where) const {
        if (one.name == 0 || other.name == 0) return;
        const bool swapped = one.name & Mark::column;
        Mark &row = swapped ? other : one, &col = swapped ? one : other;
        const auto edge = bits(value);
        if (row.name & Mark::column || !(col.name & Mark::column)) ++row.errors;
        meet(row, row_before[edge], edge);
        meet(col, col_before[edge], edge);
        if (where.edge == EdgePosition::unknown || Lanes::lane(0) != 0)
            return;  // a walk in shared memory may try an edge without success
        if (where.edge != edge) ++row.errors;
        add_one(visits + edge);
        const unsigned long long token = (where.round + 1) << 32 | (where.task & 0xffffffffU);
        claim(row_claims + (row.name - 1), token);
        claim(col_claims + (col.name - 1 - Mark::column), token);
    }

#if defined(__CUDACC__)
    LOCKSTEP_HD std::byte* row_vectors() const { return reinterpret_cast<std::byte*>(rows); }
    LOCKSTEP_HD std::byte* col_vectors() const { return reinterpret_cast<std::byte*>(cols); }
    static EdgeId vector_bytes() { return sizeof(Mark) * Lanes::lanes; }
    template <class Run>
    void run_in_shared_memory(Run run) const {
        run(ProbeOperator<WarpLanes<Lanes::lanes>>{rows, cols, row_before, col_before, visits, row_claims,
                                                   col_claims, claims});
    }
    __device__ static std::uint32_t lane_offset() {
        return sizeof(Mark) * static_cast<std::uint32_t>(Lanes::lane(0));
    }
    __device__ static Mark load_lane(std::uint32_t address) {
        const float4 four = gpu::load_float4(address);
        return {bits(four.x), bits(four.y), bits(four.z), bits(four.w)};
    }
    __device__ static void store_lane(std::uint32_t address, const Mark& mark, bool really) {
        gpu::store_float4_if(really, address,
                             make_float4(__uint_as_float(mark.name), __uint_as_float(mark.updates),
                                         __uint_as_float(mark.last), __uint_as_float(mark.errors)));
    }
#endif

private:
    LOCKSTEP_HD static std::uint32_t bits(float value) {
#if defined(__CUDA_ARCH__)
        return __float_as_uint(value);
#else
        return std::bit_cast<std::uint32_t>(value);
#endif
    }
    LOCKSTEP_HD static void meet(Mark& mark, std::uint32_t before, std::uint32_t edge) {
        ++mark.updates;
        if (mark.last != before) ++mark.errors;
        mark.last = edge + 1;
    }
    LOCKSTEP_HD static Mark load(const Mark* from) {
        return {load_shared(&from->name), load_shared(&from->updates), load_shared(&from->last),
                load_shared(&from->errors)};
    }
    LOCKSTEP_HD static void store(Mark* to, const Mark& mark) {
        store_shared(&to->name, mark.name), store_shared(&to->updates, mark.updates);
        store_shared(&to->last, mark.last), store_shared(&to->errors, mark.errors);
    }
    LOCKSTEP_HD void claim(unsigned long long* vertex, unsigned long long token) const {
        const unsigned long long old = exchange(vertex, token);
        if (old != token && old >> 32 == token >> 32) add_one(claims);
    }
    template <class T>
    LOCKSTEP_HD static void add_one(T* address) {
#if defined(__CUDA_ARCH__)
        atomicAdd(address, T{1});
#else
        __atomic_fetch_add(address, T{1}, __ATOMIC_RELAXED);
#endif
    }
    LOCKSTEP_HD static unsigned long long exchange(unsigned long long* address, unsigned long long value) {
#if defined(__CUDA_ARCH__)
        return atomicExch(address, value);
#else
        return __atomic_exchange_n(address, value, __ATOMIC_RELAXED);
#endif
    }
};

/// Returns the marks of vertices before a sweep, `lanes` per vertex. The i-th vertex is order[i], or i if
/// `order` is empty.
std::vector<Mark> fresh_marks(VertexId vertices, std::uint32_t side, int lanes,
                              const std::vector<VertexId>& order = {});

/// Runs one sweep of the probe on the CPU, or on the GPU with the given number of lanes (1, 4, 32). Returns
/// nullopt if the plan does not fit on the GPU.
ProbeResult probe_on_cpu(const EdgePlan& plan, int threads);
std::optional<ProbeResult> probe_on_cuda(const EdgePlan& plan, int lanes);

}  // namespace lockstep::test
