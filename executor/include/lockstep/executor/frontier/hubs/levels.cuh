// The values of breadth-first search in the hub-first walk (traversal.cuh), for operators with Op::by_rounds.
// A level consists of the vertices at one distance from the source.
//
// Pushes end when the hubs are reached, whose long lists would be read by few warps. Pulls use two bitmaps of
// reached vertices alternately, so that a level reads only the previous level. Each warp owns some words of
// the bitmaps. If these are at most 32 words, they stay in registers, one word per lane. In a pull, an
// unreached vertex first checks its first in-arc only, whose source is its best-connected neighbour. The
// vertices for which this source was not reached are then collected, so that all lanes have work, and check
// their other in-arcs.
//
// Termination: every level except the last one reaches a vertex. A level is complete: a push processes all
// vertices of the previous level (if the queue has overflowed, a pull is used instead), and a pull processes
// all unreached vertices.
#pragma once

#include "lockstep/executor/frontier/hubs/traversal.cuh"

namespace lockstep::gpu::hubs {

template <class Operator>
class Levels : protected Run {
public:
    using Op = Operator;
    using Tuning = LevelTuning;
    static constexpr int batch = level_batch, list_size = 64 * batch;
    struct Lists : OpenVertices<list_size> {
        std::uint32_t few[threads / 32][32];
    };

protected:
    using Value = typename Op::Value;
    struct Neighbour {
        std::uint32_t end;
    };

    __device__ __forceinline__ Levels(const View& view, const Memory& memory, const Op& op, VertexId source,
                                      int run, const LevelTuning& tuning, RoundBarrier::Shared& barrier,
                                      Lists& lists, EdgeId* log)
        : Run(view, memory, source, run, 0, barrier, log),
          op_(op),
          tuning_(tuning),
          lists_(lists),
          now_(memory.seen[run][0]),
          next_(memory.seen[run][1]),
          values_(memory.values[0]),
          value_(op.offer(op.start(), 1.0F)),
          left_(view.linked) {}

    __device__ __forceinline__ void clear() { clear_next(memory_, run_, 0, view_.words, true, me_); }

    __device__ __forceinline__ Neighbour neighbour(std::uint32_t first, bool has) const {
        const auto* const ends = reinterpret_cast<const std::uint32_t*>(view_.out.ends + first);
        return {has ? __ldg(ends + threadIdx.x) : source_};
    }
    /// Marks levels 0 and 1 in both bitmaps. Level 2 is marked only in `next_`, so that the first two levels
    /// can be distinguished.
    __device__ __forceinline__ void reach_neighbours(const Neighbour& neighbour) {
        const std::uint32_t end = neighbour.end;  // the source, in threads without a neighbour
        atomicOr(now_ + end / 32, 1U << end % 32);
        atomicOr(next_ + end / 32, 1U << end % 32);
    }
    __device__ __forceinline__ void push_second(std::uint32_t, unsigned, std::uint32_t quad,
                                                std::uint32_t last) {
        if (quad >= last) return;
        const uint4 q = __ldg(view_.out.ends + quad);
        const std::uint32_t ends[4] = {q.x, q.y, q.z, q.w};
        std::uint32_t word[4];
#pragma unroll
        for (int j = 0; j < 4; ++j) word[j] = __ldcg(next_ + ends[j] / 32);
#pragma unroll
        for (int j = 0; j < 4; ++j)
            if (!(word[j] >> ends[j] % 32 & 1)) atomicOr(next_ + ends[j] / 32, 1U << ends[j] % 32);
    }
    __device__ __forceinline__ void end_second() {
        barrier_.sync<false>();
        log_.note(false);
        const Value one = value_;
        step();
        for (std::uint32_t sheet = 0; sheet < sheets_; ++sheet) {
            const bool mine = me_.lane < words_.of(sheet);
            const std::uint32_t two = mine ? own_word(next_, sheet) : 0, levels_0_1 = own_word(now_, sheet);
            words_.for_each(sheet, two & levels_0_1, me_.lane, [&](VertexId v, bool is) {
                if (is && v < view_.linked) values_[v] = bits_of(v == source_ ? op_.start() : one);
            });
            words_.for_each(sheet, two & ~levels_0_1, me_.lane, [&](VertexId v, bool is) {
                if (is) values_[v] = bits_of(value_);
            });
        }
        step();
        exchange(now_, next_);
        hubs_ = __ldcg(now_);
    }
    __device__ __forceinline__ void prepare_pulls() {}

    __device__ __forceinline__ void reach_source() {
        if (me_.thread == 0) {
            atomicOr(now_ + source_ / 32, 1U << source_ % 32);
            values_[source_] = bits_of(op_.start());
        }
        left_ -= 1;
        if (source_ < 32) hubs_ = 1U << source_;
    }
    __device__ __forceinline__ bool can_push() const {
        return pieces_ <= memory_.queue_size &&
               pieces_ <= max(tuning_.push, left_ / tuning_.push_share) * (has_hubs() ? 1 : 4);
    }
    __device__ __forceinline__ Sent<4> send(const uint4& piece) {
        const std::uint32_t quad = piece.x + me_.lane;
        const bool some = quad < piece.y;
        const uint4 q = some ? __ldg(view_.out.ends + quad) : make_uint4(0, 0, 0, 0);
        Sent<4> sent{{}, {q.x, q.y, q.z, q.w}, {}};
        std::uint32_t word[4];
#pragma unroll
        for (int j = 0; j < 4; ++j) word[j] = some ? __ldcg(now_ + sent.vertex[j] / 32) : ~0U;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const std::uint32_t end = sent.vertex[j], bit = 1U << end % 32;
            sent.changed[j] =
                !(word[j] & bit) && !(first_ && end == source_) && !(atomicOr(now_ + end / 32, bit) & bit);
            if (sent.changed[j]) values_[end] = bits_of(value_), ++reached_;
            if (sent.changed[j] && end < 32) atomicOr(barrier_.hubs(), bit);
        }
        return sent;
    }
    __device__ __forceinline__ void end_push() {
        reached_ = sum_of_warp(reached_);
        if (me_.lane == 0 && reached_) barrier_.add(reached_);
        reached_ = 0;
        const RoundBarrier::RoundTotals totals = barrier_.sync<true>();
        log_.note(false);
        pieces_ = totals.queued, left_ -= static_cast<VertexId>(totals.sum), hubs_ |= totals.hubs;
        step();
    }
    /// Makes the bit of the source visible to all thread blocks.
    __device__ __forceinline__ void skip_push() { barrier_.sync<false>(); }

    __device__ __forceinline__ bool pull() {
        bool pulls = pieces_ > 0 || has_hubs();  // false if the first two levels did not reach the hubs
        std::uint32_t own = own_word(now_, 0), before = own, in_next = own;
        LastVertices few;
        lists_.clear(me_);
        for (bool entering = true; pulls; entering = false) {
            unsigned reached = 0, seen = 0;
            if (sheets_ == 1) {
                if (!few.on) try_few(few, own);
                reached = few.on ? pull_few(few, own) : pull_sheet(0, own);
                // `next_` contains the value of `own` from two levels ago. When pulls begin, its content is
                // undefined.
                if (me_.lane < words_.of(0) && (entering || own != in_next))
                    next_[words_.word(0, me_.lane)] = own;
                in_next = before, before = own;
                seen = __popc(own);
            } else {
                for (std::uint32_t sheet = 0; sheet < sheets_; ++sheet) {
                    own = own_word(now_, sheet);
                    reached += pull_sheet(sheet, own);
                    if (me_.lane < words_.of(sheet)) next_[words_.word(sheet, me_.lane)] = own;
                    seen += __popc(own);
                }
            }
            // In the first iteration, the sum counts all reached vertices, and also the bits of lanes that
            // own no word.
            if (entering) {
                seen = sum_of_warp(seen);
                if (me_.lane == 0) barrier_.add(seen);
            } else if (me_.lane == 0 && reached) {
                barrier_.add(reached);
            }
            const RoundBarrier::RoundTotals totals = barrier_.sync<false>();
            log_.note(true);
            exchange(now_, next_);
            step();
            left_ =
                static_cast<VertexId>((entering ? EdgeId{sheets_} * 1024 * me_.warps : left_) - totals.sum);
            if (left_ == 0) return false;
            if (entering) continue;
            if (totals.sum == 0) return false;
            pulls = left_ < tuning_.back || totals.sum * tuning_.back_share >= left_;
        }
        hubs_ = __ldcg(now_);
        return true;
    }
    __device__ __forceinline__ std::uint32_t changed_in(std::uint32_t sheet) const {
        return own_word(now_, sheet) & ~own_word(next_, sheet);
    }
    __device__ __forceinline__ std::uint32_t value_to_queue(VertexId, bool) const { return 0; }

    /// Marks the unreached vertices.
    __device__ __forceinline__ void finish() {
        for (std::uint32_t sheet = 0; sheet < sheets_; ++sheet) {
            words_.for_each(sheet, ~own_word(now_, sheet), me_.lane, [&](VertexId v, bool is) {
                if (is) values_[v] = bits_of(op_.none());
            });
        }
        barrier_.sync<false>();
    }

    const Op& op_;
    const LevelTuning& tuning_;
    Lists& lists_;
    std::uint32_t *now_, *next_;
    std::uint32_t* const values_;
    Value value_;           ///< value of the vertices that the current level reaches
    VertexId left_;         ///< number of unreached vertices before the current level
    unsigned reached_ = 0;  ///< number of vertices that this thread has reached in a push
    /// bits of the reached vertices among the first 32 vertices; pulls do not update it
    std::uint32_t hubs_ = 0;

private:
    static constexpr int serial = 8;  // number of quads that a lane reads alone before the warp helps

    /// Returns the word of a bitmap that this lane owns in a sheet. Bits after the last vertex are set, as if
    /// reached.
    __device__ __forceinline__ std::uint32_t own_word(const std::uint32_t* bitmap,
                                                      std::uint32_t sheet) const {
        if (me_.lane >= words_.of(sheet)) return ~0U;
        const std::uint32_t w = words_.word(sheet, me_.lane), rest = view_.linked % 32;
        return __ldcg(bitmap + w) | (w + 1 == view_.words && rest ? ~0U << rest : 0U);
    }
    __device__ __forceinline__ bool has_hubs() const { return __popc(hubs_) >= 28; }
    __device__ __forceinline__ void step() { value_ = op_.offer(value_, 1.0F); }

    /// Pulls one level into the vertices of one sheet. `own` is the lane's word of the bitmap of reached
    /// vertices, to which newly reached vertices are added. Returns the number of newly reached vertices.
    __device__ __forceinline__ unsigned pull_sheet(std::uint32_t sheet, std::uint32_t& own) {
        const std::uint32_t words = words_.of(sheet);
        unsigned reached = 0, missed = 0;
        for (std::uint32_t k0 = 0; k0 < words; k0 += batch) {
            std::uint32_t top[batch], seen[batch], hit = 0;
#pragma unroll
            for (int j = 0; j < batch; ++j) {
                const std::uint32_t k = k0 + j;
                seen[j] = __shfl_sync(~0U, own, static_cast<int>(k & 31));
                if (k >= words) seen[j] = ~0U;
                top[j] = 0;
                if (!(seen[j] >> me_.lane & 1)) top[j] = __ldg(view_.top + words_.vertex(sheet, k, me_.lane));
            }
#pragma unroll
            for (int j = 0; j < batch; ++j)
                if (!(seen[j] >> me_.lane & 1)) hit |= static_cast<std::uint32_t>(probe(top[j])) << j;
#pragma unroll
            for (int j = 0; j < batch; ++j) {
                if (seen[j] == ~0U) continue;
                const std::uint32_t k = k0 + j;
                if (hit >> j & 1) values_[words_.vertex(sheet, k, me_.lane)] = bits_of(value_);
                const unsigned hits = __ballot_sync(~0U, hit >> j & 1), rest = ~(seen[j] | hits);
                reached += __popc(hits);
                if (me_.lane == k) own |= hits;
                lists_.add(me_, k, rest, rest >> me_.lane & 1, missed);
            }
            if (missed + 32 * batch > list_size) reached += check_remaining(sheet, missed, own), missed = 0;
        }
        return missed ? reached + check_remaining(sheet, missed, own) : reached;
    }

    /// The unreached vertices of a warp if at most 32 are left. They stay in registers, one per lane.
    struct LastVertices {
        bool on = false, some = false;
        std::uint32_t entry = 0;
        VertexId v = 0;
        uint4 head{};
    };
    /// Moves the unreached vertices of the warp to registers, if at most 32 are left.
    __device__ __forceinline__ void try_few(LastVertices& few, std::uint32_t own) {
        const auto mine = static_cast<std::uint32_t>(__popc(~own));
        const std::uint32_t sum = inclusive_sum(mine), all = __shfl_sync(~0U, sum, 31);
        if (all > 32) return;
        std::uint32_t at = sum - mine;
        for_each_bit(~own, [&](int bit) {
            lists_.few[me_.warp][at++] = me_.lane << 5 | static_cast<std::uint32_t>(bit);
        });
        __syncwarp();
        few.on = true;
        few.some = me_.lane < all;
        if (!few.some) return;
        few.entry = lists_.few[me_.warp][me_.lane];
        few.v = words_.vertex(0, few.entry >> 5, few.entry & 31);
        few.head = __ldg(view_.head.ends + few.v);
    }
    /// Pulls one level into the vertices in registers. Adds the reached vertices to `own`, and returns their
    /// number.
    __device__ __forceinline__ unsigned pull_few(LastVertices& few, std::uint32_t& own) {
        bool hit = false, more = false;
        if (few.some) {
            hit = probe(few.head);
            if (!hit && few.head.w != few.v) hit = probe_some(few.v, &more);
        }
        probe_together(__ballot_sync(~0U, more), few.v, &hit);
        if (hit) values_[few.v] = bits_of(value_), few.some = false;
        const unsigned hits = __ballot_sync(~0U, hit);
        for_each_bit(hits, [&](int lane) {
            const std::uint32_t entry = __shfl_sync(~0U, few.entry, lane);
            if (me_.lane == entry >> 5) own |= 1U << (entry & 31);
        });
        return __popc(hits);
    }

    __device__ __forceinline__ bool probe(std::uint32_t end) const {
        return near(now_ + end / 32) >> end % 32 & 1;
    }
    /// Returns true if any of four vertices has been reached. There are no branches, so that the four loads
    /// overlap.
    __device__ __forceinline__ bool probe(const uint4& q) const {
        const bool x = probe(q.x), y = probe(q.y), z = probe(q.z), w = probe(q.w);
        return x || y || z || w;
    }

    /// Checks some further quads of in-arcs of `v`, after the first quad. Sets `*more` if unchecked quads are
    /// left.
    __device__ __forceinline__ bool probe_some(VertexId v, bool* more) const {
        const std::uint32_t last = __ldg(view_.in.first + v + 1);
        std::uint32_t quad = __ldg(view_.in.first + v) + 1;
        bool hit = false;
        for (int i = 0; i < serial && quad < last && !hit; ++i, ++quad)
            hit = probe(__ldg(view_.in.ends + quad));
        *more = !hit && quad < last;
        return hit;
    }
    /// Checks the remaining quads of the vertices of the lanes in `these`, one vertex after another, each
    /// with the whole warp.
    __device__ __forceinline__ void probe_together(unsigned these, VertexId v, bool* hit) const {
        for_each_bit(these, [&](int lane) {
            const VertexId u = __shfl_sync(~0U, v, lane);
            const std::uint32_t last = __ldg(view_.in.first + u + 1);
            bool found = false;
            for (std::uint32_t quad = __ldg(view_.in.first + u) + 1 + serial; quad < last && !found;
                 quad += 32) {
                const std::uint32_t mine = quad + me_.lane;
                found = __any_sync(~0U, mine < last && probe(__ldg(view_.in.ends + mine)));
            }
            if (static_cast<std::uint32_t>(lane) == me_.lane) *hit = found;
        });
    }

    /// Checks the other in-arcs of the collected vertices, one vertex per lane. Adds the reached vertices to
    /// `own`, and returns their number.
    __device__ __forceinline__ unsigned check_remaining(std::uint32_t sheet, unsigned missed,
                                                        std::uint32_t& own) {
        unsigned reached = 0;
        __syncwarp();
        for (unsigned i = 0; i < missed; i += 32) {
            const bool some = i + me_.lane < missed;
            const std::uint32_t entry = some ? lists_.entries[me_.warp][i + me_.lane] : 0;
            const VertexId v = vertex_of(sheet, entry);
            bool hit = false, more = false;
            if (some) {
                const uint4 q = __ldg(view_.head.ends + v);
                const bool y = probe(q.y), z = probe(q.z), w = probe(q.w);
                hit = y || z || w;
                if (!hit && q.w != v) hit = probe_some(v, &more);
            }
            probe_together(__ballot_sync(~0U, more), v, &hit);
            if (hit) {
                values_[v] = bits_of(value_);
                lists_.set_changed(me_, entry);
            }
            reached += __popc(__ballot_sync(~0U, hit));
        }
        own |= lists_.take_changed(me_);
        return reached;
    }
};

}  // namespace lockstep::gpu::hubs
