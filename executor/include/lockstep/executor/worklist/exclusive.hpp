// Exclusive (IrGL): an item of a worklist acquires all of its locks or none, without waiting. In a round all
// items claim their locks with keys that contain their priorities. After all claims, the items that hold all
// of their locks proceed; the other items try again in the next round. Two items that claim the same lock
// never both hold it.
//
// A lock is a mark in memory, initially 0. It is never released, because the keys of a round are higher than
// those of earlier rounds. An item either owns a lock exclusively, or shares it; while items share a lock, no
// item can own it.
//
// There are two forms of a claim. `priority` stores the maximum by atomic operations: the holders depend on
// the keys alone, not on the order of claims, and the item with the highest key of a round holds its locks.
// `racing` (the paper's form) uses plain stores in three phases: claim, claim again each lock that has a
// lower key, check. The holders depend on which store comes last, and there may be none.
#pragma once

#include "lockstep/executor/device/atomics.hpp"

namespace lockstep::worklist {

using Item = std::uint32_t;
using Mark = std::uint64_t;

enum class Claiming { priority, racing };
/// Returns the number of times that an item claims its locks. A barrier follows each claim.
LOCKSTEP_HD constexpr unsigned claims(Claiming form) { return form == Claiming::racing ? 2 : 1; }

/// Returns the pseudorandom priority of an item in a round. Different items have different priorities,
/// because the function is a bijection of 32 bits (the last step of MurmurHash3).
LOCKSTEP_HD std::uint32_t priority(Item item, std::uint32_t round) {
    auto h = item ^ round * 0x9E3779B9U;
    h = (h ^ (h >> 16)) * 0x85EBCA6BU;
    h = (h ^ (h >> 13)) * 0xC2B2AE35U;
    return h ^ (h >> 16);
}
/// Returns the key with which an item claims a lock exclusively; a shared claim uses this key minus 1. Rounds
/// count from 1 and must be below 2^31.
LOCKSTEP_HD Mark key_of(Item item, std::uint32_t round) {
    return Mark{round} << 33 | Mark{priority(item, round)} << 1 | 1;
}

/// Reads a mark that other threads may be raising concurrently.
LOCKSTEP_HD Mark look(const Mark* lock) {
#if defined(__CUDA_ARCH__)
    return *lock;
#else
    return std::atomic_ref(const_cast<Mark&>(*lock)).load(std::memory_order_relaxed);
#endif
}

// The function `locks(ask)` of an item calls ask.own or ask.share once for each lock, until one of them
// returns false, and returns true if all returned true. `seen` is the mark of the lock, if the caller has
// read it already; it may be stale while other items claim.

/// Claims a lock: in the first stage, and with `racing` again in the second.
template <Claiming form>
struct Claim {
    static constexpr bool looks = form == Claiming::racing;  ///< false: the argument `seen` is not used
    Mark key;

    LOCKSTEP_HD bool own(Mark* lock, Mark seen) const { return raise(lock, seen, key); }
    LOCKSTEP_HD bool share(Mark* lock, Mark seen) const { return raise(lock, seen, key - 1); }
    LOCKSTEP_HD bool own(Mark* lock) const { return own(lock, seen_at(lock)); }
    LOCKSTEP_HD bool share(Mark* lock) const { return share(lock, seen_at(lock)); }

private:
    LOCKSTEP_HD static Mark seen_at(const Mark* lock) { return form == Claiming::racing ? look(lock) : 0; }
    LOCKSTEP_HD static bool raise(Mark* lock, Mark seen, Mark key) {
        if (seen >= key) return true;
#if defined(__CUDA_ARCH__)
        if constexpr (form == Claiming::racing)
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
/// Checks, after the barrier, if an item holds a lock.
struct Hold {
    static constexpr bool looks = true;
    Mark key;

    LOCKSTEP_HD bool own(Mark*, Mark seen) const { return seen == key; }
    LOCKSTEP_HD bool own(Mark* lock) const { return own(lock, look(lock)); }
    LOCKSTEP_HD bool share(Mark*, Mark seen) const { return (seen & 1) == 0; }
    LOCKSTEP_HD bool share(Mark* lock) const { return share(lock, look(lock)); }
};

}  // namespace lockstep::worklist
