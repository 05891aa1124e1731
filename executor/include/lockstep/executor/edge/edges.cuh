// The edges of a plan in device memory, and what kernels count there.
//
// Of every walk there is an owner on the host, OnDevice<its plan>, with
//
//     OnDevice(const EdgeList&, const EdgesView&, const its plan&)            uploads
//     static EdgeId bytes(const EdgeList&, const its plan&)                  device memory that it takes
//     void prepare<Op>(), reset()                                            before a sweep
//     void sweep(const Op&)                                                  launches one
//     SweepCounts counts() const                                             what it did
//
// or, where it holds the edges itself and asks what fits,
//
//     OnDevice(const EdgeList&, const its plan&, const OperatorSize&, const Room&)
//     EdgeId bytes() const                                                   with what the application takes
//
// with, where it has the values of the edges elsewhere than in EdgesView,
//
//     void set_values(const EdgeList&, const its plan&)                      they have changed
//
// and a trivially copyable view with just what its kernel needs.
#pragma once

#include <type_traits>

#include "lockstep/executor/device/staging.cuh"
#include "lockstep/executor/edge/list.hpp"
#include "lockstep/executor/operator.hpp"

namespace lockstep::gpu {

template <class Plan>
class OnDevice;

struct EdgesView {
    EdgeId edges;
    const VertexId *row, *col;
    const float* value;
};

/// An edge in registers.
struct EdgeRecord {
    EdgeId e;
    VertexId u, v;
    float value;
    __device__ __forceinline__ void read(const EdgesView& edges) {
        u = edges.row[e], v = edges.col[e], value = edges.value[e];
    }
};

class EdgesOnDevice {
public:
    explicit EdgesOnDevice(const EdgeList& edges)
        : row_(staged<VertexId>(edges.row)),
          col_(staged<VertexId>(edges.col)),
          value_(staged<float>(edges.value)),
          view_{edges.edges(), row_.data(), col_.data(), value_.data()} {}

    const EdgesView& view() const { return view_; }
    void set_values(const EdgeList& edges) { stage(value_, edges.value); }
    static EdgeId bytes(const EdgeList& edges) { return 12 * edges.edges(); }

private:
    Buffer<VertexId> row_, col_;
    Buffer<float> value_;
    EdgesView view_;
};

/// Uploads values where a view looks for them.
template <class T>
void put(const T*& view, Buffer<T>& buffer, std::type_identity_t<std::span<const T>> values) {
    buffer = staged(values);
    view = buffer.data();
}

/// What a kernel counts; some have three slots, for the last pass, the present and the next. Blocks at the
/// barrier come last.
enum Counter {
    list_size,
    updates = list_size + 3,
    passes,
    deferred_edges,  ///< of EL in the first slot: of the hub, in all passes
    drawn = deferred_edges + 3,
    arrivals = drawn + 3,
    counter_count
};

class Counters {
public:
    EdgeId* data() const { return slots_.data(); }
    void reset() { slots_.zero(); }
    /// Of a walk without a worklist.
    SweepCounts once() const { return {slots_.download()[updates], 1}; }
    /// `hub_edges`: of the hub, each of which was tried once more than it was put off; 0: not counted.
    SweepCounts in_passes(EdgeId hub_edges = 0) const {
        const std::vector<EdgeId> slots = slots_.download();
        return {slots[updates], slots[passes], hub_edges, hub_edges ? hub_edges + slots[deferred_edges] : 0};
    }

private:
    Buffer<EdgeId> slots_{EdgeId{counter_count}};
};

/// What owners have in common.
class Counting {
public:
    template <EdgeOperator Op>
    void prepare() {}
    void reset() { counters_.reset(); }
    SweepCounts counts() const { return counters_.once(); }

protected:
    Counters counters_;
};

}  // namespace lockstep::gpu
