// Shortest paths by the hub-first walk (values along weighted arcs), in one persistent kernel. All adjacency
// lists are sorted by ascending weight.
//
// The first round pushes from the source and from its neighbours. The next few rounds process only the
// lightest arcs of the best-connected vertices. Then pull rounds over all vertices follow. A pull reads the
// in-arcs of a vertex as long as an offer from the bound would improve the vertex, where the bound is the
// minimum value that changed in the last round. The remaining arcs cannot improve it, because offers grow
// with the value and the weight. A pull needs no atomics, because each vertex has one owner. The values that
// it reads may be stale, because a change is also seen in the next round. If few vertices change, they are
// pushed through a queue. If many change or the queue is full, pulls continue.
//
// Correctness and termination: every change lowers a value to the length of a path, and there are finitely
// many of these values. If an arc u -> v could still improve v after a round, then u changed in this round,
// so the value of u is at least the minimum that changed in the round. (After the rounds over the lightest
// arcs, u has changed since the last full round.) A pull finds all such arcs. A push processes the arcs of
// all vertices that changed in the previous round; if it cannot, a pull with the minimum change follows. The
// kernel ends when a round has changed no value.
#pragma once

#include "lockstep/executor/frontier/hubs/distance_pull.cuh"
#include "lockstep/executor/frontier/hubs/queue.cuh"
#include "lockstep/executor/frontier/hubs/tuning.hpp"

namespace lockstep::gpu::hubs {

template <class Op, bool packed, int threads, int batch>
class Distances : Run {
public:
    using Value = typename Op::Value;
    using Arc4 = Quad<packed>;
    using Pull = DistancePull<Op, packed, threads / 32, batch>;

    struct Shared {
        RoundBarrier::Shared barrier;
        union {
            typename Neighbours<threads>::Shared neighbours;  // used in the first round only
            typename Pull::Shared lists;
        };
    };

    __device__ __forceinline__ Distances(const View& view, const Memory& memory, const Op& op,
                                         VertexId source, int run, const DistanceTuning& tuning,
                                         Shared& shared, EdgeId* log)
        : Run(view, memory, source, run, min(tuning.hubs, view.linked) / 32, shared.barrier, log),
          op_(op),
          tuning_(tuning),
          shared_(shared),
          hubs_(words_.first * 32),
          values_(reinterpret_cast<Value*>(memory.values[run])),
          pull_(view, op, me_, words_, shared.lists, values_) {}

    __device__ __forceinline__ void run() {
        log_.start();
        if (source_ < view_.linked) {
            bool pulls = start();
            if (pulls) light_rounds();
            while (pulls ? pull_rounds() : push_rounds()) pulls = !pulls;
        } else {
            clear();
        }
        write_result(view_, reinterpret_cast<const std::uint32_t*>(values_), memory_.result, source_,
                     bits_of(op_.start()), bits_of(op_.none()), me_);
        log_.end();
    }

private:
    __device__ __forceinline__ void clear() {
        clear_next(memory_, run_, bits_of(op_.none()), view_.words, false, me_);
    }
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

    /// Starts the run: pushes the source's and its neighbours' arcs in one round if these are few, and then
    /// returns true because pulls follow. Otherwise prepares a push of the source's arcs, and returns false.
    __device__ __forceinline__ bool start() {
        const std::uint32_t first = __ldg(view_.out.first + source_),
                            last = __ldg(view_.out.first + source_ + 1);
        const std::uint32_t arcs = (last - first) * 4;
        if (arcs <= threads) {
            std::uint32_t end = source_;
            float weight = 0;
            if (threadIdx.x < arcs) {
                const Arc4 quad(view_.out, first + threadIdx.x / 4);
                end = quad.end_at(threadIdx.x % 4), weight = quad.weight_at(threadIdx.x % 4);
            }
            const Neighbours<threads> lists(shared_.neighbours, view_.out, end != source_, end);
            if (lists.pieces() <= tuning_.push) {
                two_levels(lists, first, end, weight);
                return true;
            }
        }
        if (me_.thread == 0) lower(source_, op_.start());
        begin_with(first, last);
        return false;
    }

    __device__ __forceinline__ void two_levels(const Neighbours<threads>& lists, std::uint32_t source_list,
                                               std::uint32_t end, float weight) {
        if (blockIdx.x == gridDim.x - 1) {
            if (end != source_) lower(end, op_.offer(op_.start(), weight));
            if (threadIdx.x == 0) lower(source_, op_.start());
        }
        for (std::uint32_t i = me_.worker; i < lists.pieces(); i += me_.warps) {
            std::uint32_t quad, last;
            const unsigned neighbour = lists.find(i, &quad, &last);
            const float along = Arc4(view_.out, source_list + neighbour / 4).weight_at(neighbour % 4);
            quad += me_.lane;
            if (quad < last) send(Arc4(view_.out, quad), op_.offer(op_.start(), along));
        }
        clear();
        first_ = false;
        end_round(false);
    }

    /// Runs rounds over the lightest in-arcs of the best-connected vertices. Eight lanes process a vertex and
    /// keep its arcs in registers. bound_ stays unchanged: values that change here are not below it, and they
    /// have not yet been sent to all neighbours.
    __device__ __forceinline__ void light_rounds() {
        const VertexId v = me_.worker * 4 + (me_.lane >> 3);
        const bool some = v < tuning_.light_hubs && v < view_.linked;
        Arc4 quad = Arc4::of_loops(some ? v : source_);
        if (some) {
            const std::uint32_t at = __ldg(view_.in.first + v) + (me_.lane & 7);
            if (at < __ldg(view_.in.first + v + 1)) quad = Arc4(view_.in, at);
        }
        for (std::uint32_t r = 0; r < tuning_.light_rounds; ++r) {
            const Value old = pull_.now(some ? v : source_);
            const auto least = [](Value a, Value b) { return min(a, b); };
            const Value best = over_lanes(pull_.extend_path(quad, old), least, 8);
            if (some && best < old && (me_.lane & 7) == 0) values_[v] = best;
            barrier_.sync<false>();
            log_.note(true);
        }
    }

    /// The result of send(): which targets of the four arcs were improved, and their new values.
    struct SendResult {
        bool improved[4];
        std::uint32_t end[4], value[4];
    };
    __device__ __forceinline__ SendResult send(const Arc4& quad, Value from) {
        Value known[4];
        SendResult sent;
#pragma unroll
        for (int j = 0; j < 4; ++j) known[j] = pull_.now(sent.end[j] = quad.end(j));
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const Value offered = op_.offer(from, quad.weight(j));
            sent.value[j] = bits_of(offered);
            sent.improved[j] = offered < known[j] && sent.end[j] != source_ && lower(sent.end[j], offered);
            if (sent.improved[j]) least_ = min(least_, sent.value[j]);
        }
        return sent;
    }

    /// Runs push rounds from the pieces in the queue. Returns true if a pull must follow, because the queue
    /// has too many pieces.
    __device__ __forceinline__ bool push_rounds() {
        const EdgeId most = min(EdgeId{tuning_.push}, memory_.queue_size);
        while (pieces_ > 0 && pieces_ <= most) {
            for (std::uint32_t i = me_.worker; i < pieces_; i += me_.warps) {
                const uint4 piece = this->piece(i, bits_of(op_.start()));
                const std::uint32_t quad = piece.x + me_.lane;
                SendResult sent{};
                if (quad < piece.y) sent = send(Arc4(view_.out, quad), value_of<Value>(piece.z));
                append(view_.out, queue(), barrier_.queued(), sent.improved, sent.end, sent.value, me_.lane);
            }
            if (first_) clear();
            first_ = false;
            pieces_ = end_round(false).queued;
        }
        if (first_) {  // nothing was pushed: only the source has changed
            clear();
            first_ = false;
            least_ = bits_of(op_.start());
            end_round(false);
        }
        return pieces_ > 0;
    }

    /// Runs pull rounds. Returns false when no value changes any more. Returns true when few vertices have
    /// changed; these are then in the queue.
    __device__ __forceinline__ bool pull_rounds() {
        pull_.clear();
        while (true) {
            const Value bound = bound_;
            for (VertexId v = me_.worker; v < hubs_; v += me_.warps) {
                Value value;
                if (!pull_.vertex(v, bound, &value)) continue;
                // prevents a switch to pushes, because pushing a hub is slow
                if (me_.lane == 0) barrier_.add(tuning_.tail);
                least_ = min(least_, bits_of(value));
            }
            unsigned count = 0;
            std::uint32_t changed = 0;
            for (std::uint32_t sheet = 0; sheet < sheets_; ++sheet) {
                count += pull_.sheet(sheet, bound, least_, &changed);
                if (sheets_ > 1 && me_.lane < words_.of(sheet))
                    memory_.changed[words_.word(sheet, me_.lane)] = changed;
            }
            if (me_.lane == 0 && count) barrier_.add(count);
            const RoundBarrier::RoundTotals totals = end_round(true);
            if (totals.least == no_value) return false;
            if (totals.sum >= tuning_.tail) continue;
            fill_queue(changed);
            return true;
        }
    }

    /// Puts the vertices that the last pull has changed into the queue. Each warp appends the vertices that
    /// it owns.
    __device__ __forceinline__ void fill_queue(std::uint32_t changed) {
        for (std::uint32_t sheet = 0; sheet < sheets_; ++sheet) {
            if (sheets_ > 1)
                changed = me_.lane < words_.of(sheet) ? memory_.changed[words_.word(sheet, me_.lane)] : 0;
            words_.for_each(sheet, changed, me_.lane, [&](VertexId v, bool is) {
                const bool has[1] = {is};
                const std::uint32_t vertex[1] = {v}, value[1] = {is ? bits_of(pull_.now(v)) : 0};
                append(view_.out, queue(), barrier_.queued(), has, vertex, value, me_.lane);
            });
        }
        take_queue();
    }

    const Op& op_;
    const DistanceTuning& tuning_;
    Shared& shared_;
    const std::uint32_t hubs_;
    Value* const values_;
    Value bound_{};  ///< minimum value that changed in the last round
    /// bits of the minimum value that this thread has changed in this round
    std::uint32_t least_ = no_value;
    Pull pull_;
};

template <class Op, bool packed, int threads, int batch>
__global__ void __launch_bounds__(threads, 1024 / threads)
    distances_kernel(const __grid_constant__ View view, const __grid_constant__ Memory memory,
                     const __grid_constant__ Op op, VertexId source, int run,
                     const __grid_constant__ DistanceTuning tuning, EdgeId* log) {
    using Walk = Distances<Op, packed, threads, batch>;
    __shared__ typename Walk::Shared shared;
    Walk(view, memory, op, source, run, tuning, shared, log).run();
}

}  // namespace lockstep::gpu::hubs
