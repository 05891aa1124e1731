// An operator that proves what a walk does, instead of computing something.
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

/// What an endpoint knows of itself and of its edges so far; it goes where the walk takes it.
struct alignas(16) Mark {
    static constexpr std::uint32_t column = 1U << 31;
    std::uint32_t name = 0;     ///< vertex + 1, with `column`; 0: nobody
    std::uint32_t updates = 0;  ///< by load, add one, store: one that is lost had two workers at once
    std::uint32_t last = 0;     ///< edge + 1
    std::uint32_t errors = 0;   ///< edges that came out of turn, or to the wrong vertex
};

/// A plan with what the operator knows of it: the value of edge e is the number e, bit by bit.
struct Traced {
    EdgePlan plan;
    std::vector<std::uint32_t> row_before, col_before;  ///< the edge before at this end + 1; 0: none
};
Traced trace(EdgePlan plan);

/// What a sweep of the probe left behind.
struct ProbeResult {
    std::vector<Mark> rows, cols;
    std::vector<std::uint32_t> visits;  ///< of each edge; empty where the walk, on chip, does not name them
    std::uint64_t claims = 0;           ///< second claims of an endpoint in a round
    SweepCounts counts;

    std::uint64_t errors() const;
    /// Second claims, updates out of turn, and lost ones: none where every vertex meets its edges one by one,
    /// in the order of the plan.
    std::uint64_t conflicts(const EdgePlan& plan) const;
};

template <class LaneGroup>
struct ProbeOperator {
    using Lanes = LaneGroup;
    using Row = Mark;  ///< each lane keeps its own, all alike
    using Col = Mark;
    static constexpr bool affine = false;

    Mark *rows, *cols;  ///< vertex -> lanes
    const std::uint32_t *row_before, *col_before;
    std::uint32_t* visits;
    unsigned long long *row_claims, *col_claims;  ///< (round + 1) << 32 | low bits of the task
    unsigned long long* claims;

    /// `apply` finds out by their names which mark is which.
    ProbeOperator turned() const {
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

    LOCKSTEP_HD void apply(Mark& one, Mark& other, float value, const Place& where) const {
        if (one.name == 0 || other.name == 0) return;
        const bool swapped = one.name & Mark::column;
        Mark &row = swapped ? other : one, &col = swapped ? one : other;
        const auto edge = bits(value);
        if (row.name & Mark::column || !(col.name & Mark::column)) ++row.errors;
        meet(row, row_before[edge], edge);
        meet(col, col_before[edge], edge);
        if (where.edge == Place::unknown || Lanes::lane(0) != 0)
            return;  // on chip an edge may be tried in vain
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
    void on_chip(Run run) const {
        run(ProbeOperator<WarpLanes<Lanes::lanes>>{rows, cols, row_before, col_before, visits, row_claims,
                                                   col_claims, claims});
    }
    __device__ static std::uint32_t lane_offset() {
        return sizeof(Mark) * static_cast<std::uint32_t>(Lanes::lane(0));
    }
    __device__ static Mark take_lane(std::uint32_t address) {
        const float4 four = gpu::load_float4(address);
        return {bits(four.x), bits(four.y), bits(four.z), bits(four.w)};
    }
    __device__ static void put_lane(std::uint32_t address, const Mark& mark, bool really) {
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

/// Marks of vertices before a sweep, `lanes` each; the i-th is of order[i] (empty: of i).
std::vector<Mark> fresh_marks(VertexId vertices, std::uint32_t side, int lanes,
                              const std::vector<VertexId>& order = {});

/// One sweep of the probe on the CPU / on the GPU with the given number of lanes (1, 4, 32). On the GPU
/// nothing, where the plan does not fit there.
ProbeResult probe_on_cpu(const EdgePlan& plan, int threads);
std::optional<ProbeResult> probe_on_cuda(const EdgePlan& plan, int lanes);

}  // namespace lockstep::test
