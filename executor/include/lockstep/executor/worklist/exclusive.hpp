// Exclusive sections of IrGL: an item of a worklist acquires either all of its locks or none, without
// waiting. In a round, all items first claim their locks, with keys that contain their priorities. After all
// claims, the items that hold all of their locks proceed, and the other items try again in the next round. If
// two items claim the same lock, at most one of them holds it.
//
// A lock is a mark in memory, initially 0. Locks are not released, because the keys of a round are higher
// than those of all earlier rounds. An item claims a lock either exclusively (own) or shared (share). While
// items share a lock, no item can own it.
//
// There are two methods of claiming. `priority` stores the maximum key by atomic operations. The holders
// depend only on the keys, not on the order of the claims, and the item with the highest key of a round
// always holds its locks. `racing`, the method of the paper, uses plain stores in three phases: claim, claim
// each lock with a lower key again, check. The holders depend on the order of the stores, and there may be
// none.
#pragma once

#include "lockstep/executor/device/atomics.hpp"

namespace lockstep::worklist {

using Item = std::uint32_t;
using Mark = std::uint64_t;

enum class ClaimMethod { priority, racing };
/// Returns the number of times that an item claims its locks in a round. A barrier must follow each time.
LOCKSTEP_HD constexpr unsigned claims(ClaimMethod form) { return form == ClaimMethod::racing ? 2 : 1; }

/// Returns the pseudorandom priority of an item in a round. Different items have different priorities,
/// because the function is a bijection of 32-bit numbers (the last step of MurmurHash3).
LOCKSTEP_HD std::uint32_t priority(Item item, std::uint32_t round) {
    auto h = item ^ round * 0x9E3779B9U;
    h = (h ^ (h >> 16)) * 0x85EBCA6BU;
    h = (h ^ (h >> 13)) * 0xC2B2AE35U;
    return h ^ (h >> 16);
}
/// Returns the key with which an item claims a lock exclusively. A shared claim uses this key minus 1. Round
/// numbers begin with 1 and must be below 2^31.
LOCKSTEP_HD Mark key_of(Item item, std::uint32_t round) {
    return Mark{round} << 33 | Mark{priority(item, round)} << 1 | 1;
}

/// Reads a mark that other threads may be changing concurrently.
LOCKSTEP_HD Mark read_mark(const Mark* lock) {
#if defined(__CUDA_ARCH__)
    return *lock;
#else
    return std::atomic_ref(const_cast<Mark&>(*lock)).load(std::memory_order_relaxed);
#endif
}

// The function `locks(visitor)` of an item calls visitor.visit_exclusive() or visitor.visit_shared() once for
// each of its locks, until a call returns false. It returns true if all calls returned true. `seen` is the
// mark of the lock, if the caller has already read it; it may be stale while other items claim.

/// A `visitor` that claims locks. It is used before the barrier, and with `racing` a second time.
template <ClaimMethod form>
struct Claim {
    static constexpr bool looks = form == ClaimMethod::racing;  ///< whether the argument `seen` is used
    Mark key;

    LOCKSTEP_HD bool visit_exclusive(Mark* lock, Mark seen) const { return raise(lock, seen, key); }
    LOCKSTEP_HD bool visit_shared(Mark* lock, Mark seen) const { return raise(lock, seen, key - 1); }
    LOCKSTEP_HD bool visit_exclusive(Mark* lock) const { return visit_exclusive(lock, seen_at(lock)); }
    LOCKSTEP_HD bool visit_shared(Mark* lock) const { return visit_shared(lock, seen_at(lock)); }

private:
    LOCKSTEP_HD static Mark seen_at(const Mark* lock) {
        return form == ClaimMethod::racing ? read_mark(lock) : 0;
    }
    LOCKSTEP_HD static bool raise(Mark* lock, Mark seen, Mark key) {
        if (seen >= key) return true;
#if defined(__CUDA_ARCH__)
        if constexpr (form == ClaimMethod::racing)
            *lock = key;
        else
            atomicMax(reinterpret_cast<unsigned long long*>(lock), key);
#else
        std::atomic_ref mark(*lock);
        seen = mark.load(std::memory_order_relaxed);
        while (seen < key && !mark.compare_exchange_weak(seen, key, std::memory_order_relaxed)) {
        }
#endif
        return true;
    }
};
/// A `visitor` that checks, after the barrier, whether the item holds its locks.
struct LockCheck {
    static constexpr bool looks = true;
    Mark key;

    LOCKSTEP_HD bool visit_exclusive(Mark*, Mark seen) const { return seen == key; }
    LOCKSTEP_HD bool visit_exclusive(Mark* lock) const { return visit_exclusive(lock, read_mark(lock)); }
    LOCKSTEP_HD bool visit_shared(Mark*, Mark seen) const { return (seen & 1) == 0; }
    LOCKSTEP_HD bool visit_shared(Mark* lock) const { return visit_shared(lock, read_mark(lock)); }
};

}  // namespace lockstep::worklist
