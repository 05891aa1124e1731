// Locks of the walks that take them, on a CPU.
#pragma once

#include <atomic>
#include <memory>

#include "lockstep/schedules/types.hpp"

namespace lockstep::cpu {

/// One try-lock a row and a column; a byte each.
class Locks {
public:
    Locks(VertexId rows, VertexId cols)
        : rows_(new std::atomic<bool>[rows]()), cols_(new std::atomic<bool>[cols]()) {}
    bool try_row(VertexId u) { return !rows_[u].exchange(true, std::memory_order_acquire); }
    bool try_col(VertexId v) { return !cols_[v].exchange(true, std::memory_order_acquire); }
    void release_row(VertexId u) { rows_[u].store(false, std::memory_order_release); }
    void release_col(VertexId v) { cols_[v].store(false, std::memory_order_release); }

private:
    std::unique_ptr<std::atomic<bool>[]> rows_, cols_;
};

}  // namespace lockstep::cpu
