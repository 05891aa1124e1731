// Two worklist algorithms that colour the vertices of a graph so that neighbours have different colours.
#pragma once

#include "lockstep/executor/worklist/exclusive.hpp"
#include "lockstep/schedules/types.hpp"

inline constexpr std::uint32_t no_colour = ~0U;

struct Colours {
    /// Offset of each vertex's neighbours in `to`; one more entry than vertices.
    const lockstep::EdgeId* begin;
    const lockstep::VertexId* to;
    std::uint32_t* colour;

    template <class Use>
    LOCKSTEP_HD bool of_neighbours(std::uint32_t v, Use use) const {
        for (lockstep::EdgeId a = begin[v]; a < begin[v + 1]; ++a) {
            if (to[a] != v && !use(to[a])) return false;
        }
        return true;
    }
    /// Returns the smallest colour that no neighbour of v has.
    LOCKSTEP_HD std::uint32_t free_at(std::uint32_t v) const {
        for (std::uint32_t first = 0;; first += 32) {
            std::uint32_t taken = 0, free = 0;
            of_neighbours(v, [&](std::uint32_t w) {
                const std::uint32_t c = lockstep::peek(colour + w) - first;
                if (c < 32) taken |= 1U << c;
                return true;
            });
            while (free < 32 && taken >> free & 1) ++free;
            if (free < 32) return first + free;
        }
    }
};

/// The operator for Exclusive, which runs it only for vertices whose marks it could lock: the mark of the
/// vertex exclusively, and the marks of its neighbours in shared mode. So no two neighbours get a colour at
/// the same time. With Iterate, the colours are the same on every device.
struct Greedy : Colours {
    lockstep::worklist::Mark* marks;

    template <class LockVisitor>
    LOCKSTEP_HD bool locks(std::uint32_t v, LockVisitor visitor) const {
        return visitor.visit_exclusive(marks + v) &&
               of_neighbours(v, [&](std::uint32_t w) { return visitor.visit_shared(marks + w); });
    }
    template <class Push>
    LOCKSTEP_HD void operator()(std::uint32_t v, std::uint32_t, Push) const {
        lockstep::put(colour + v, free_at(v));
    }
};

/// The two operators of a Pipe. In `Take`, all vertices concurrently choose a colour that no neighbour seems
/// to have. In `Check`, if two neighbours have chosen the same colour, the one with the larger number tries
/// again (Gebremedhin and Manne, 2000).
struct Take : Colours {
    template <class Push>
    LOCKSTEP_HD void operator()(std::uint32_t v, std::uint32_t, Push push) const {
        lockstep::put(colour + v, free_at(v));
        push(v);
    }
};
struct Check : Colours {
    template <class Push>
    LOCKSTEP_HD void operator()(std::uint32_t v, std::uint32_t, Push push) const {
        const auto differs = [&](std::uint32_t w) { return w > v || colour[w] != colour[v]; };
        if (!of_neighbours(v, differs)) push(v);
    }
};
