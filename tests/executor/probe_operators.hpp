// Operators that prove what a traversal does, instead of computing something.
#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/executor/operator.hpp"
#include "lockstep/executor/plan.hpp"

namespace lockstep::test {

/// What a sweep of the probe operator left behind.
struct ProbeResult {
    std::vector<std::uint32_t> row_updates, col_updates;  ///< by unprotected read-modify-write
    std::vector<std::uint32_t> visits;                    ///< of each edge of the plan
    std::uint64_t conflicts = 0;                          ///< second claims of an endpoint in a round
    SweepCounts counts;
};

/// Counts updates of every endpoint by load, add one, store: a lost update means that two workers held
/// the endpoint at once. Also claims both endpoints for (round, task): a second claim by another task
/// of the same round is a conflict of the schedule.
template <class LaneGroup>
struct ProbeOperator {
    using Lanes = LaneGroup;
    struct Counter {
        std::uint32_t value;
    };
    using Row = Counter;
    using Col = Counter;

    std::uint32_t *row_updates, *col_updates, *visits;
    unsigned long long *row_claims, *col_claims;  ///< (round + 1) << 32 | low bits of the task
    unsigned long long* conflicts;

    LOCKSTEP_HD Row load_row(VertexId u) const { return {load_shared(row_updates + u)}; }
    LOCKSTEP_HD Col load_col(VertexId v) const { return {load_shared(col_updates + v)}; }
    LOCKSTEP_HD void store_row(VertexId u, const Row& row) const { store_shared(row_updates + u, row.value); }
    LOCKSTEP_HD void store_col(VertexId v, const Col& col) const { store_shared(col_updates + v, col.value); }

    // The endpoints are not handed to apply(): the plan's arrays name them.
    const VertexId *plan_row, *plan_col;

    LOCKSTEP_HD void apply(Row& row, Col& col, float, const Place& place) const {
        ++row.value;
        ++col.value;
        if (Lanes::held == 1 && Lanes::lanes > 1 && Lanes::lane(0) != 0) return;
        add_one(visits + place.edge);
        const unsigned long long token = (place.round + 1) << 32 | (place.task & 0xffffffffU);
        claim(row_claims + plan_row[place.edge], token);
        claim(col_claims + plan_col[place.edge], token);
    }

private:
    LOCKSTEP_HD void claim(unsigned long long* claims, unsigned long long token) const {
        const unsigned long long old = exchange(claims, token);
        if (old != token && old >> 32 == token >> 32) add_one(conflicts);
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

/// One sweep of the probe on the CPU / on the GPU with the given number of lanes (1, 4, 32).
ProbeResult probe_on_cpu(const Plan& plan, int threads);
ProbeResult probe_on_cuda(const Plan& plan, int lanes);

}  // namespace lockstep::test
