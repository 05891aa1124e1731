// Exclusive (IrGL): an item of a worklist gets all of its locks or none, without waiting. In a round all items
// claim their locks by keys of their priorities; when all have done so, those go on that hold all of theirs,
// and the others try again in the next round. Items that want one lock never both hold.
//
// A lock is a mark in memory that begins as 0. Nobody has to release it: keys of a round are higher than all of
// earlier ones. An item owns a lock, alone, or shares it: then nobody may own it.
//
// Two forms of a claim. `priority`: the maximum, by atomic operations. Who holds depends on keys alone, not on
// the order of claims, and the highest key of a round holds. `racing` (the source's): plain stores in three
// phases, claim, claim again what has a lower key, look; who holds depends on which store comes last, and it
// may be nobody.
#pragma once

#include "lockstep/executor/device/atomics.hpp"

namespace lockstep::worklist {

using Item = std::uint32_t;
using Mark = std::uint64_t;

enum class Claiming { priority, racing };
/// Claims of an item, between which and the look at them lies a barrier each.
LOCKSTEP_HD constexpr unsigned claims(Claiming form) { return form == Claiming::racing ? 2 : 1; }

/// Of an item in a round: random, no two alike (a bijection of 32 bits: MurmurHash3's last step).
LOCKSTEP_HD std::uint32_t priority(Item item, std::uint32_t round) {
    auto h = item ^ round * 0x9E3779B9U;
    h = (h ^ (h >> 16)) * 0x85EBCA6BU;
    h = (h ^ (h >> 13)) * 0xC2B2AE35U;
    return h ^ (h >> 16);
}
/// Of an item, who owns; one less is that of who shares. Rounds from 1 on, below 2^31.
LOCKSTEP_HD Mark key_of(Item item, std::uint32_t round) {
    return Mark{round} << 33 | Mark{priority(item, round)} << 1 | 1;
}

/// A mark that others may be raising.
LOCKSTEP_HD Mark look(const Mark* lock) {
#if defined(__CUDA_ARCH__)
    return *lock;
#else
    return std::atomic_ref(const_cast<Mark&>(*lock)).load(std::memory_order_relaxed);
#endif
}

// What is asked of the locks of an item: `locks(ask)`, which is the item's, calls ask.own or ask.share for each of
// them, never both, until one says not to go on, and returns whether all did. `seen` is its mark, where that is at
// hand; it may be stale while others claim.

/// In the first stage, and racing ones once more in the second.
template <Claiming form>
struct Claim {
    static constexpr bool looks = form == Claiming::racing;  ///< else it does not need what it is shown
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
/// Behind the barrier: whether an item holds.
struct Hold {
    static constexpr bool looks = true;
    Mark key;

    LOCKSTEP_HD bool own(Mark*, Mark seen) const { return seen == key; }
    LOCKSTEP_HD bool own(Mark* lock) const { return own(lock, look(lock)); }
    LOCKSTEP_HD bool share(Mark*, Mark seen) const { return (seen & 1) == 0; }
    LOCKSTEP_HD bool share(Mark* lock) const { return share(lock, look(lock)); }
};

}  // namespace lockstep::worklist
