// The hub-first walk in one persistent kernel, for breadth-first search and shortest paths. Vertices are
// ordered by decreasing degree. `Values` defines the values of the vertices and the work of a round:
// levels.cuh and distances.cuh.
//
// The traversal begins with pushes through a queue, until the queue is long. If the source has few arcs, its
// arcs and those of its neighbours are instead pushed in a single round; every thread block then computes the
// same offsets of the neighbours' lists of arcs. Pulls follow, and then pushes again, if few vertices have
// changed.
#pragma once

#include "lockstep/executor/frontier/hubs/queue.cuh"

namespace lockstep::gpu::hubs {

/// A traversal from one source. The base class `Values` is derived from Run and has
///
///     Op, Tuning, Lists             types of the operator, the thresholds, and the shared memory for pulls
///     Neighbour neighbour(first, has)  returns this thread's arc of the source, if `has`
///     reach_neighbours(Neighbour)   stores the values of the source and its neighbours, in one block
///     push_second(first, i, quad, last)  pushes a quad of the source's neighbour i, unless quad >= last
///     end_second()                  ends the round that has pushed from the source and its neighbours
///     prepare_pulls()               is called after this round
///     reach_source()                stores the value of the source
///     bool can_push() const         returns true if the pieces in the queue are few enough for a push
///     Sent send(piece)              pushes a quad of a piece, and returns the vertices that it has changed
///     end_push(), skip_push()       end a round of pushes, or a first round without pushes
///     bool pull()                   runs pulls; returns true if pushes from the changed vertices must follow
///     changed_in(sheet), value_to_queue(v, is)  return the changed vertices of a sheet, and their values
///     clear(), finish()             clear the state of the next run, and finish the values of this run
template <class Values>
class Traversal : Values {
    using typename Values::Neighbour;
    using Values::barrier_, Values::first_, Values::log_, Values::me_, Values::op_, Values::pieces_;
    using Values::source_, Values::view_;

public:
    struct Shared {
        RoundBarrier::Shared barrier;
        union {
            Neighbours::Shared neighbours;  // used in the first round only
            typename Values::Lists lists;
        };
    };

    __device__ __forceinline__ Traversal(const View& view, const Memory& memory,
                                         const typename Values::Op& op, VertexId source, int run,
                                         const typename Values::Tuning& tuning, Shared& shared, EdgeId* log)
        : Values(view, memory, op, source, run, tuning, shared.barrier, shared.lists, log), shared_(shared) {}

    __device__ __forceinline__ void run() {
        log_.start();
        if (source_ < view_.linked) {
            bool pulls = start();
            if (pulls) this->prepare_pulls();
            while (pulls ? pull() : push()) pulls = !pulls;
        } else {
            this->clear();
        }
        this->finish();
        write_result(view_, reinterpret_cast<const std::uint32_t*>(this->values_), this->memory_.result,
                     source_, bits_of(op_.start()), bits_of(op_.none()), me_);
        log_.end();
    }

private:
    /// Starts the traversal: pushes the source's and its neighbours' arcs in one round if these are few, and
    /// then returns true because pulls follow. Otherwise prepares a push from the source, and returns false.
    __device__ __forceinline__ bool start() {
        const std::uint32_t first = __ldg(view_.out.first + source_),
                            last = __ldg(view_.out.first + source_ + 1), arcs = (last - first) * 4;
        if (arcs <= threads) {
            const Neighbour neighbour = this->neighbour(first, threadIdx.x < arcs);
            const Neighbours lists(shared_.neighbours, view_.out, neighbour.end != source_, neighbour.end);
            if (lists.pieces() <= this->tuning_.push) {
                push_two_rounds(lists, first, neighbour);
                return true;
            }
        }
        this->reach_source();
        this->begin_with(first, last);
        return false;
    }
    __device__ __forceinline__ void push_two_rounds(const Neighbours& lists, std::uint32_t first,
                                                    const Neighbour& neighbour) {
        if (blockIdx.x == gridDim.x - 1) this->reach_neighbours(neighbour);
        for (std::uint32_t i = me_.worker; i < lists.pieces(); i += me_.warps) {
            std::uint32_t quad, last;
            const unsigned index = lists.find(i, &quad, &last);
            this->push_second(first, index, quad + me_.lane, last);
        }
        this->clear();
        first_ = false;
        this->end_second();
    }

    /// Runs push rounds from the pieces in the queue. Returns true if a pull must follow.
    __device__ __forceinline__ bool push() {
        while (pieces_ > 0 && this->can_push()) {
            for (std::uint32_t i = me_.worker; i < pieces_; i += me_.warps)
                append_changed(this->send(this->piece(i, bits_of(op_.start()))));
            if (first_) this->clear();
            first_ = false;
            this->end_push();
        }
        if (first_) {  // nothing was pushed: the list of the source is too long, or empty
            this->clear();
            first_ = false;
            this->skip_push();
        }
        return pieces_ > 0;
    }

    /// Runs pulls. Returns false when no vertex changes any more. Returns true when pushes have become
    /// faster; the vertices that the last pull has changed are then in the queue.
    __device__ __forceinline__ bool pull() {
        if (!Values::pull()) return false;
        for (std::uint32_t sheet = 0; sheet < this->sheets_; ++sheet) {
            this->words_.for_each(sheet, this->changed_in(sheet), me_.lane, [&](VertexId v, bool is) {
                append_changed(Sent<1>{{is}, {v}, {this->value_to_queue(v, is)}});
            });
        }
        this->take_queue();
        return true;
    }

    template <int count>
    __device__ __forceinline__ void append_changed(const Sent<count>& sent) {
        append(view_.out, this->queue(), barrier_.queued(), sent, me_.lane);
    }

    Shared& shared_;
};

/// Runs a traversal. All thread blocks of the grid must be resident.
template <class Values>
__global__ void __launch_bounds__(threads, 1024 / threads)
    traversal_kernel(const __grid_constant__ View view, const __grid_constant__ Memory memory,
                     const __grid_constant__ typename Values::Op op, VertexId source, int run,
                     const __grid_constant__ typename Values::Tuning tuning, EdgeId* log) {
    using Walk = Traversal<Values>;
    __shared__ typename Walk::Shared shared;
    Walk(view, memory, op, source, run, tuning, shared, log).run();
}

}  // namespace lockstep::gpu::hubs
