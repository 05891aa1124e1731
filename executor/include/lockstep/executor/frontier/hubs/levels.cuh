// Breadth-first search on a graph whose vertices are ordered by decreasing degree (strategy `hubs`), in one
// persistent kernel, for operators with Op::by_rounds. A level consists of the vertices at one distance from
// the source.
//
// The search begins with pushes through a queue, until the queue is long or the hubs are reached, whose long
// lists would be read by few warps. If the source has few arcs, levels one and two are instead pushed in a
// single round; every thread block then computes the same offsets of the neighbours' lists of arcs. Pulls
// follow (level_pull.cuh), and then pushes again, if few vertices were reached and many are left. Pulls
// use two bitmaps of reached vertices alternately, so that a level reads only the previous level. Each
// warp owns some words of the bitmaps. If these are at most 32 words, they stay in registers, one word per
// lane.
//
// Termination: every level except the last one reaches a vertex. A level is complete: a push processes all
// vertices of the previous level (if the queue has overflowed, a pull is used instead), and a pull processes
// all unreached vertices.
#pragma once

#include "lockstep/executor/frontier/hubs/level_pull.cuh"
#include "lockstep/executor/frontier/hubs/queue.cuh"
#include "lockstep/executor/frontier/hubs/tuning.hpp"

namespace lockstep::gpu::hubs {

template <class Op, int threads, int batch>
class Levels : Run {
public:
    using Value = typename Op::Value;
    using Pull = LevelPull<threads / 32, batch>;

    struct Shared {
        RoundBarrier::Shared barrier;
        union {
            typename Neighbours<threads>::Shared neighbours;  // used in the first round only
            typename Pull::Shared lists;
        };
    };

    __device__ __forceinline__ Levels(const View& view, const Memory& memory, const Op& op, VertexId source,
                                      int run, const LevelTuning& tuning, Shared& shared, EdgeId* log)
        : Run(view, memory, source, run, 0, shared.barrier, log),
          op_(op),
          tuning_(tuning),
          shared_(shared),
          now_(memory.seen[run][0]),
          next_(memory.seen[run][1]),
          values_(memory.values[0]),
          value_(op.start()),
          left_(view.linked),
          pull_(view, me_, words_, shared.lists, values_) {}

    __device__ __forceinline__ void run() {
        log_.start();
        if (source_ < view_.linked) {
            bool pulls = start();
            while (pulls ? pull_levels() : push_levels()) pulls = !pulls;
        } else {
            clear();
        }
        mark_unreached();
        barrier_.sync<false>();
        write_result(view_, values_, memory_.result, source_, bits_of(op_.start()), bits_of(op_.none()), me_);
        log_.end();
    }

private:
    __device__ __forceinline__ void clear() { clear_next(memory_, run_, 0, view_.words, true, me_); }
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

    /// Starts the search: pushes levels 1 and 2 in one round if they have few arcs, and then returns true
    /// because pulls follow. Otherwise prepares a push from the source, and returns false.
    __device__ __forceinline__ bool start() {
        const std::uint32_t first = __ldg(view_.out.first + source_),
                            last = __ldg(view_.out.first + source_ + 1), arcs = (last - first) * 4;
        step();
        if (arcs <= threads) {
            const auto* const ends = reinterpret_cast<const std::uint32_t*>(view_.out.ends + first);
            const std::uint32_t end = threadIdx.x < arcs ? __ldg(ends + threadIdx.x) : source_;
            const Neighbours<threads> lists(shared_.neighbours, view_.out, end != source_, end);
            if (lists.pieces() <= tuning_.push) {
                two_levels(lists, end);
                hubs_ = __ldcg(now_);
                return true;
            }
        }
        if (me_.thread == 0) {
            atomicOr(now_ + source_ / 32, 1U << source_ % 32);
            values_[source_] = bits_of(op_.start());
        }
        begin_with(first, last), left_ -= 1;
        if (source_ < 32) hubs_ = 1U << source_;
        return false;
    }

    /// Marks levels 0 to 2 in `next_`, but only levels 0 and 1 in `now_`, so that levels 1 and 2 can be
    /// distinguished.
    __device__ __forceinline__ void two_levels(const Neighbours<threads>& lists, std::uint32_t end) {
        if (blockIdx.x == gridDim.x - 1) {  // threads without a neighbour pass the source as `end`
            atomicOr(now_ + end / 32, 1U << end % 32);
            atomicOr(next_ + end / 32, 1U << end % 32);
        }
        for (std::uint32_t i = me_.worker; i < lists.pieces(); i += me_.warps) {
            std::uint32_t quad, last;
            lists.find(i, &quad, &last);
            quad += me_.lane;
            if (quad >= last) continue;
            const uint4 q = __ldg(view_.out.ends + quad);
            const std::uint32_t ends[4] = {q.x, q.y, q.z, q.w};
            std::uint32_t word[4];
#pragma unroll
            for (int j = 0; j < 4; ++j) word[j] = __ldcg(next_ + ends[j] / 32);
#pragma unroll
            for (int j = 0; j < 4; ++j)
                if (!(word[j] >> ends[j] % 32 & 1)) atomicOr(next_ + ends[j] / 32, 1U << ends[j] % 32);
        }
        clear();
        first_ = false;
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
    }

    /// Pushes levels from the pieces in the queue. Returns true if a pull must follow.
    __device__ __forceinline__ bool push_levels() {
        while (pieces_ > 0 && pieces_ <= memory_.queue_size &&
               pieces_ <= max(tuning_.push, left_ / tuning_.push_share) * (has_hubs() ? 1 : 4)) {
            unsigned reached = 0;
            for (std::uint32_t i = me_.worker; i < pieces_; i += me_.warps)
                reached += push(piece(i, 0), queue());
            reached = sum_of_warp(reached);
            if (me_.lane == 0 && reached) barrier_.add(reached);
            if (first_) clear();
            first_ = false;
            const RoundBarrier::RoundTotals totals = barrier_.sync<true>();
            log_.note(false);
            pieces_ = totals.queued, left_ -= static_cast<VertexId>(totals.sum), hubs_ |= totals.hubs;
            step();
        }
        if (first_) {  // nothing was pushed: the list of the source is too long, or empty
            clear();
            first_ = false;
            barrier_.sync<false>();  // makes the bit of the source visible to all thread blocks
        }
        return pieces_ > 0;
    }
    __device__ __forceinline__ unsigned push(const uint4& piece, const Queue& to) {
        const std::uint32_t quad = piece.x + me_.lane;
        const bool some = quad < piece.y;
        const uint4 q = some ? __ldg(view_.out.ends + quad) : make_uint4(0, 0, 0, 0);
        const std::uint32_t end[4] = {q.x, q.y, q.z, q.w}, no_values[4] = {0, 0, 0, 0};
        std::uint32_t word[4];
        bool is_new[4];
        unsigned reached = 0;
#pragma unroll
        for (int j = 0; j < 4; ++j) word[j] = some ? __ldcg(now_ + end[j] / 32) : ~0U;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const std::uint32_t bit = 1U << end[j] % 32;
            is_new[j] = !(word[j] & bit) && !(first_ && end[j] == source_) &&
                        !(atomicOr(now_ + end[j] / 32, bit) & bit);
            if (is_new[j]) values_[end[j]] = bits_of(value_), ++reached;
            if (is_new[j] && end[j] < 32) atomicOr(barrier_.hubs(), bit);
        }
        append(view_.out, to, barrier_.queued(), is_new, end, no_values, me_.lane);
        return reached;
    }

    /// Pulls levels. Returns false when no vertex is reached any more. Returns true when pushes have become
    /// faster; the queue then contains the vertices of the last level.
    __device__ __forceinline__ bool pull_levels() {
        bool pulls = pieces_ > 0 || has_hubs();  // false if the first two levels did not reach the hubs
        std::uint32_t own = own_word(now_, 0), before = own, in_next = own;
        typename Pull::LastVertices few;
        pull_.clear();
        for (bool entering = true; pulls; entering = false) {
            unsigned reached = 0, seen = 0;
            pull_.look_in(now_, bits_of(value_));
            if (sheets_ == 1) {
                if (!few.on) pull_.try_few(few, own);
                reached = few.on ? pull_.level_of(few, own) : pull_.sheet(0, own);
                // `next_` contains the value of `own` from two levels ago. When pulls begin, its content is
                // undefined.
                if (me_.lane < words_.of(0) && (entering || own != in_next))
                    next_[words_.word(0, me_.lane)] = own;
                in_next = before, before = own;
                seen = __popc(own);
            } else {
                for (std::uint32_t sheet = 0; sheet < sheets_; ++sheet) {
                    own = own_word(now_, sheet);
                    reached += pull_.sheet(sheet, own);
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
        fill_queue();
        return true;
    }

    /// Puts the vertices that the last pull has reached into the queue.
    __device__ __forceinline__ void fill_queue() {
        for (std::uint32_t sheet = 0; sheet < sheets_; ++sheet) {
            const std::uint32_t fresh = own_word(now_, sheet) & ~own_word(next_, sheet);
            words_.for_each(sheet, fresh, me_.lane, [&](VertexId v, bool is) {
                const bool has[1] = {is};
                const std::uint32_t vertex[1] = {v}, no_value[1] = {0};
                append(view_.out, queue(), barrier_.queued(), has, vertex, no_value, me_.lane);
            });
        }
        hubs_ = __ldcg(now_);
        take_queue();
    }

    __device__ __forceinline__ void mark_unreached() {
        for (std::uint32_t sheet = 0; sheet < sheets_; ++sheet) {
            words_.for_each(sheet, ~own_word(now_, sheet), me_.lane, [&](VertexId v, bool is) {
                if (is) values_[v] = bits_of(op_.none());
            });
        }
    }

    const Op& op_;
    const LevelTuning& tuning_;
    Shared& shared_;
    std::uint32_t *now_, *next_;
    std::uint32_t* const values_;
    Value value_;    ///< value of the vertices that the current level reaches
    VertexId left_;  ///< number of unreached vertices before the current level
    /// bits of the reached vertices among the first 32 vertices; pulls do not update it
    std::uint32_t hubs_ = 0;
    Pull pull_;
};

template <class Op, int threads, int batch>
__global__ void __launch_bounds__(threads, 1024 / threads)
    levels_kernel(const __grid_constant__ View view, const __grid_constant__ Memory memory,
                  const __grid_constant__ Op op, VertexId source, int run,
                  const __grid_constant__ LevelTuning tuning, EdgeId* log) {
    using Walk = Levels<Op, threads, batch>;
    __shared__ typename Walk::Shared shared;
    Walk(view, memory, op, source, run, tuning, shared, log).run();
}

}  // namespace lockstep::gpu::hubs
