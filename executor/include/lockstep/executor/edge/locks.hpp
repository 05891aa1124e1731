// The locks of rows and columns on a CPU, for walks that lock the endpoints of an edge before they update it.
#pragma once

#include <atomic>
#include <memory>

#include "lockstep/executor/edge/list.hpp"

namespace lockstep::cpu {

/// One 1-byte try-lock per row and per column. If rows and columns are vertices of one set, there is one lock
/// per vertex.
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
    /// Locks a column v for a worker that will then lock the rows of its edges one by one. Only if rows and
    /// columns are vertices of one set can another worker access v, as a row; otherwise no lock is needed,
    /// and the function returns true.
    bool try_column(VertexId v) { return !one_set_ || try_one(rows_[v]); }
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
