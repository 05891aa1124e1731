// The values of shortest paths in the hub-first walk (traversal.cuh): values along weighted arcs. All
// adjacency lists are sorted by ascending weight.
//
// After the first round from the source and its neighbours, the next few rounds process only the lightest
// arcs of the best-connected vertices. Then pull rounds over all vertices follow. A pull reads the in-arcs of
// a vertex as long as an offer from the bound would improve the vertex, where the bound is the minimum value
// that changed in the last round. The remaining arcs cannot improve it, because offers grow with the value
// and the weight. A pull needs no atomics, because each vertex has one owner. The values that it reads may be
// stale, because a change is also seen in the next round. If few vertices change, they are pushed through a
// queue. If many change or the queue is full, pulls continue.
//
// Correctness and termination: every change lowers a value to the length of a path, and there are finitely
// many of these values. If an arc u -> v could still improve v after a round, then u changed in this round,
// so the value of u is at least the minimum that changed in the round. (After the rounds over the lightest
// arcs, u has changed since the last full round.) A pull finds all such arcs. A push processes the arcs of
// all vertices that changed in the previous round; if it cannot, a pull with the minimum change follows. The
// kernel ends when a round has changed no value.
#pragma once

#include "lockstep/executor/frontier/hubs/quad.cuh"
#include "lockstep/executor/frontier/hubs/traversal.cuh"

namespace lockstep::gpu::hubs {

template <class Operator, bool packed>
class Distances : protected Run {
public:
    using Op = Operator;
    using Tuning = DistanceTuning;
    static constexpr int batch = distance_batch, words_at_once = 5, list_size = 64 * words_at_once;
    using Lists = OpenVertices<list_size>;

protected:
    using Value = typename Op::Value;
    using Arc4 = Quad<packed>;
    struct Neighbour {
        std::uint32_t end;
        float weight;
    };

    __device__ __forceinline__ Distances(const View& view, const Memory& memory, const Op& op,
                                         VertexId source, int run, const DistanceTuning& tuning,
                                         RoundBarrier::Shared& barrier, Lists& lists, EdgeId* log)
        : Run(view, memory, source, run, min(tuning.hubs, view.linked) / 32, barrier, log),
          op_(op),
          tuning_(tuning),
          lists_(lists),
          hubs_(words_.first * 32),
          values_(reinterpret_cast<Value*>(memory.values[run])) {}

    __device__ __forceinline__ void clear() {
        clear_next(memory_, run_, bits_of(op_.none()), view_.words, false, me_);
    }

    __device__ __forceinline__ Neighbour neighbour(std::uint32_t first, bool has) const {
        if (!has) return {source_, 0};
        const Arc4 quad(view_.out, first + threadIdx.x / 4);
        return {quad.end_at(threadIdx.x % 4), quad.weight_at(threadIdx.x % 4)};
    }
    __device__ __forceinline__ void reach_neighbours(const Neighbour& neighbour) {
        if (neighbour.end != source_) lower(neighbour.end, op_.offer(op_.start(), neighbour.weight));
        if (threadIdx.x == 0) lower(source_, op_.start());
    }
    __device__ __forceinline__ void push_second(std::uint32_t source_list, unsigned neighbour,
                                                std::uint32_t quad, std::uint32_t last) {
        const float along = Arc4(view_.out, source_list + neighbour / 4).weight_at(neighbour % 4);
        if (quad < last) send(Arc4(view_.out, quad), op_.offer(op_.start(), along));
    }
    __device__ __forceinline__ void end_second() { end_round(false); }

    /// Runs rounds over the lightest in-arcs of the best-connected vertices. Eight lanes process a vertex and
    /// keep its arcs in registers. bound_ stays unchanged: values that change here are not below it, and they
    /// have not yet been sent to all neighbours.
    __device__ __forceinline__ void prepare_pulls() {
        const VertexId v = me_.worker * 4 + (me_.lane >> 3);
        const bool some = v < tuning_.light_hubs && v < view_.linked;
        Arc4 quad = Arc4::of_loops(some ? v : source_);
        if (some) {
            const std::uint32_t at = __ldg(view_.in.first + v) + (me_.lane & 7);
            if (at < __ldg(view_.in.first + v + 1)) quad = Arc4(view_.in, at);
        }
        for (std::uint32_t r = 0; r < tuning_.light_rounds; ++r) {
            const Value old = now(some ? v : source_);
            const auto least = [](Value a, Value b) { return min(a, b); };
            const Value best = over_lanes(extend_path(quad, old), least, 8);
            if (some && best < old && (me_.lane & 7) == 0) values_[v] = best;
            barrier_.sync<false>();
            log_.note(true);
        }
    }

    __device__ __forceinline__ void reach_source() {
        if (me_.thread == 0) lower(source_, op_.start());
    }
    __device__ __forceinline__ bool can_push() const {
        return pieces_ <= min(EdgeId{tuning_.push}, memory_.queue_size);
    }
    __device__ __forceinline__ Sent<4> send(const uint4& piece) {
        const std::uint32_t quad = piece.x + me_.lane;
        return quad < piece.y ? send(Arc4(view_.out, quad), value_of<Value>(piece.z)) : Sent<4>{};
    }
    __device__ __forceinline__ void end_push() { pieces_ = end_round(false).queued; }
    /// Ends a round in which only the source has changed.
    __device__ __forceinline__ void skip_push() {
        least_ = bits_of(op_.start());
        end_round(false);
    }

    __device__ __forceinline__ bool pull() {
        lists_.clear(me_);
        while (true) {
            const Value bound = bound_;
            for (VertexId v = me_.worker; v < hubs_; v += me_.warps) {
                Value value;
                if (!pull_vertex(v, bound, &value)) continue;
                // prevents a switch to pushes, because pushing a hub is slow
                if (me_.lane == 0) barrier_.add(tuning_.tail);
                least_ = min(least_, bits_of(value));
            }
            unsigned count = 0;
            changed_ = 0;
            for (std::uint32_t sheet = 0; sheet < sheets_; ++sheet) {
                count += pull_sheet(sheet, bound);
                if (sheets_ > 1 && me_.lane < words_.of(sheet))
                    memory_.changed[words_.word(sheet, me_.lane)] = changed_;
            }
            if (me_.lane == 0 && count) barrier_.add(count);
            const RoundBarrier::RoundTotals totals = end_round(true);
            if (totals.least == no_value) return false;
            if (totals.sum < tuning_.tail) return true;
        }
    }
    __device__ __forceinline__ std::uint32_t changed_in(std::uint32_t sheet) const {
        if (sheets_ == 1) return changed_;
        return me_.lane < words_.of(sheet) ? memory_.changed[words_.word(sheet, me_.lane)] : 0;
    }
    __device__ __forceinline__ std::uint32_t value_to_queue(VertexId v, bool is) const {
        return is ? bits_of(now(v)) : 0;
    }
    __device__ __forceinline__ void finish() {}

    const Op& op_;
    const DistanceTuning& tuning_;
    Lists& lists_;
    const std::uint32_t hubs_;
    Value* const values_;
    Value bound_{};  ///< minimum value that changed in the last round
    /// bits of the minimum value that this thread has changed in this round
    std::uint32_t least_ = no_value;
    /// bits of the changed vertices of the lane's word, in the sheet that was pulled last
    std::uint32_t changed_;

private:
    static constexpr int serial = 8;  // number of quads that a lane reads alone before the warp helps
    static constexpr std::uint32_t none = ~0U;

    __device__ __forceinline__ bool lower(VertexId v, Value value) {
        return value <
               value_of<Value>(atomicMin(reinterpret_cast<std::uint32_t*>(values_ + v), bits_of(value)));
    }
    /// Ends a round, and distributes the minimum value that changed in it to all threads.
    __device__ __forceinline__ RoundBarrier::RoundTotals end_round(bool pull) {
        const std::uint32_t least = min_of_warp(least_);
        if (me_.lane == 0 && least != no_value) barrier_.lower(least);
        least_ = no_value;
        const RoundBarrier::RoundTotals totals = barrier_.sync<true>();
        log_.note(pull);
        bound_ = totals.least == no_value ? op_.none() : value_of<Value>(totals.least);
        return totals;
    }

    __device__ __forceinline__ Sent<4> send(const Arc4& quad, Value from) {
        Value known[4];
        Sent<4> sent;
#pragma unroll
        for (int j = 0; j < 4; ++j) known[j] = now(sent.vertex[j] = quad.end(j));
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const Value offered = op_.offer(from, quad.weight(j));
            sent.value[j] = bits_of(offered);
            sent.changed[j] =
                offered < known[j] && sent.vertex[j] != source_ && lower(sent.vertex[j], offered);
            if (sent.changed[j]) least_ = min(least_, sent.value[j]);
        }
        return sent;
    }

    __device__ __forceinline__ Value now(VertexId v) const {
        return value_of<Value>(near(reinterpret_cast<const std::uint32_t*>(values_ + v)));
    }
    /// Returns the best of `known` and the offers along the four arcs of a quad.
    __device__ __forceinline__ Value extend_path(const Arc4& quad, Value known) const {
        Value from[4];
#pragma unroll
        for (int j = 0; j < 4; ++j) from[j] = now(quad.end(j));
        return best(quad, from, known);
    }

    /// Pulls into vertex `v` with the whole warp. Returns true if the vertex's value has changed, and stores
    /// the new value in `*value`.
    __device__ __forceinline__ bool pull_vertex(VertexId v, Value bound, Value* value) {
        const Value old = __shfl_sync(~0U, now(v), 0);
        if (!(bound < old)) return false;
        *value = combine_values(__ldg(view_.in.first + v), __ldg(view_.in.first + v + 1), old, bound);
        if (!(*value < old)) return false;
        if (me_.lane == 0) values_[v] = *value;
        return true;
    }
    /// Pulls into the vertices of one sheet, and returns the number of changed vertices. Sets `changed_`.
    __device__ __forceinline__ unsigned pull_sheet(std::uint32_t sheet, Value bound) {
        const std::uint32_t words = words_.of(sheet);
        unsigned open = 0, count = 0;
        for (std::uint32_t k0 = 0; k0 < words; k0 += words_at_once) {
            Value old[words_at_once];
            float top[words_at_once];
#pragma unroll
            for (int j = 0; j < words_at_once; ++j) {
                old[j] = op_.start(), top[j] = 0;
                if (k0 + j < words) {
                    const VertexId v = words_.vertex(sheet, k0 + j, me_.lane);
                    old[j] = now(v);
                    top[j] = weight_of_top(v);
                }
            }
#pragma unroll
            for (int j = 0; j < words_at_once; ++j) {
                const bool opens = k0 + j < words && bound < old[j] && op_.offer(bound, top[j]) < old[j];
                const unsigned all = __ballot_sync(~0U, opens);
                lists_.add(me_, k0 + j, all, opens, open);
            }
            if (open + 32 * words_at_once > list_size) count += check_remaining(sheet, open, bound), open = 0;
        }
        if (open) count += check_remaining(sheet, open, bound);
        changed_ = lists_.take_changed(me_);
        return count;
    }

    __device__ __forceinline__ float weight_of_top(VertexId v) const {
        if constexpr (packed)
            return Arc4::weight_in(__ldg(reinterpret_cast<const std::uint8_t*>(view_.top) + v));
        else
            return __uint_as_float(__ldg(view_.top + v));
    }
    __device__ __forceinline__ Value best(const Arc4& quad, const Value (&from)[4], Value known) const {
#pragma unroll
        for (int j = 0; j < 4; ++j)
            if (from[j] < known) known = min(known, op_.offer(from[j], quad.weight(j)));
        return known;
    }
    /// Returns the best of `known` and the offers along the quad's arcs. Skips each arc along which even the
    /// value `bound` would not improve `known`.
    __device__ __forceinline__ Value extend_path(const Arc4& quad, Value known, Value bound) const {
        Value from[4];
#pragma unroll
        for (int j = 0; j < 4; ++j)
            from[j] = op_.offer(bound, quad.weight(j)) < known ? now(quad.end(j)) : op_.none();
        return best(quad, from, known);
    }

    /// Reads a list of in-arcs from `quad` on with the whole warp, and returns the best value. All arguments
    /// must be equal in all lanes.
    __device__ __forceinline__ Value combine_values(std::uint32_t quad, std::uint32_t last, Value known,
                                                    Value bound) const {
        for (; quad < last; quad += 32) {
            const std::uint32_t mine = quad + me_.lane;
            Value better = known;
            bool more = false;
            if (mine < last) {
                const Arc4 arcs(view_.in, mine);
                better = extend_path(arcs, known, bound);
                more = op_.offer(bound, arcs.weight(3)) < known;
            }
            known = value_of<Value>(min_of_warp(bits_of(better)));
            // stop if the last arc was too heavy, or if the list has ended
            if (!(__ballot_sync(~0U, more) >> 31)) break;
        }
        return known;
    }

    /// Reads the in-arcs of the vertices that might be improved by their lightest arc. Returns the number of
    /// changed vertices.
    __device__ __forceinline__ unsigned check_remaining(std::uint32_t sheet, unsigned open, Value bound) {
        unsigned count = 0;
        __syncwarp();
        for (unsigned i0 = 0; i0 < open; i0 += 32 * batch) {
            Arc4 head[batch];
            Value old[batch];
            std::uint32_t entry[batch];
#pragma unroll
            for (int j = 0; j < batch; ++j) {
                const unsigned i = i0 + static_cast<unsigned>(j) * 32 + me_.lane;
                entry[j] = none, old[j] = op_.start();
                if (i < open) {
                    entry[j] = lists_.entries[me_.warp][i];
                    const VertexId v = vertex_of(sheet, entry[j]);
                    head[j] = Arc4(view_.head, v);
                    old[j] = now(v);
                }
            }
#pragma unroll
            for (int j = 0; j < batch; ++j) {
                if (i0 + static_cast<unsigned>(j) * 32 >= open) break;
                const bool some = entry[j] != none;
                const VertexId v = vertex_of(sheet, entry[j]);
                Value value = old[j];
                std::uint32_t quad = 0, last = 0;
                bool more = false;
                if (some) {
                    value = extend_path(head[j], value, bound);
                    if (op_.offer(bound, head[j].weight(3)) < value) {
                        quad = __ldg(view_.in.first + v) + 1, last = __ldg(view_.in.first + v + 1);
                        more = quad < last;
                        for (int s = 0; s < serial && more; ++s) {
                            const Arc4 arcs(view_.in, quad++);
                            value = extend_path(arcs, value, bound);
                            more = quad < last && op_.offer(bound, arcs.weight(3)) < value;
                        }
                    }
                }
                for_each_bit(__ballot_sync(~0U, more), [&](int lane) {
                    const Value all =
                        combine_values(__shfl_sync(~0U, quad, lane), __shfl_sync(~0U, last, lane),
                                       __shfl_sync(~0U, value, lane), bound);
                    if (static_cast<std::uint32_t>(lane) == me_.lane) value = all;
                });
                const bool better = some && value < old[j];
                if (better) {
                    values_[v] = value;
                    least_ = min(least_, bits_of(value));
                    lists_.set_changed(me_, entry[j]);
                }
                count += __popc(__ballot_sync(~0U, better));
            }
        }
        __syncwarp();
        return count;
    }
};

}  // namespace lockstep::gpu::hubs
