// The locks on a CPU, for the walks that use locks.
#pragma once

#include <atomic>
#include <memory>

#include "lockstep/executor/edge/list.hpp"

namespace lockstep::cpu {

/// One 1-byte try-lock per row and per column; for one set of vertices, one per vertex.
class Locks {
public:
    explicit Locks(const EdgeList& edges)
        : one_set_(edges.ends == Ends::vertices),
          rows_(new std::atomic<bool>[edges.rows]()),
          cols_(one_set_ ? nullptr : new std::atomic<bool>[edges.cols]()) {}

    /// Tries to lock both endpoints of an edge. If it returns false, neither is locked.
    bool try_both(VertexId u, VertexId v) {
        if (!try_one(rows_[u])) return false;
        if (is_loop(u, v) || try_one(col(v))) return true;
        release(rows_[u]);
        return false;
    }
    void release_both(VertexId u, VertexId v) {
        if (!is_loop(u, v)) release(col(v));
        release(rows_[u]);
    }
    /// Functions for a worker that holds column v while it locks the rows of its edges. For one set of
    /// vertices, try_held() locks v, because other workers may use v as a row; otherwise no lock is needed.
    bool try_held(VertexId v) { return !one_set_ || try_one(rows_[v]); }
    void release_held(VertexId v) {
        if (one_set_) release(rows_[v]);
    }
    bool try_row(VertexId u, VertexId held) { return is_loop(u, held) || try_one(rows_[u]); }
    void release_row(VertexId u, VertexId held) {
        if (!is_loop(u, held)) release(rows_[u]);
    }

private:
    bool is_loop(VertexId u, VertexId v) const { return one_set_ && u == v; }
    std::atomic<bool>& col(VertexId v) { return one_set_ ? rows_[v] : cols_[v]; }
    static bool try_one(std::atomic<bool>& lock) { return !lock.exchange(true, std::memory_order_acquire); }
    static void release(std::atomic<bool>& lock) { lock.store(false, std::memory_order_release); }

    bool one_set_;
    std::unique_ptr<std::atomic<bool>[]> rows_, cols_;
};

}  // namespace lockstep::cpu
