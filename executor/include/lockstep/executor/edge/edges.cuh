// The edges of a plan in device memory, the counters of kernels, and the interface of the walks on a GPU.
//
// Each walk has a specialization DeviceWalk<Plan> on the host, which owns its device memory. It has
//
//     DeviceWalk(const EdgeList&, const EdgesView&, const Plan&)              uploads the plan
//     static EdgeId bytes(const EdgeList&, const Plan&)                     device memory that it uses
//     void prepare<Op>(), reset()                                           are called before each sweep
//     void sweep(const Op&)                                                 launches a sweep
//     SweepCounts counts() const                                            returns the counts of the sweep
//
// or, if it stores the edges itself and checks whether they fit, with
//
//     DeviceWalk(const EdgeList&, const Plan&, const OperatorSize&, const DeviceMemoryLimits&)
//     EdgeId bytes() const                                                  includes the application's memory
//
// and, if it stores the values of the edges outside EdgesView, with
//
//     void set_values(const EdgeList&, const Plan&)                         uploads changed values
//
// It also has a trivially copyable view that contains only what its kernel needs.
#pragma once

#include <type_traits>

#include "lockstep/executor/device/staging.cuh"
#include "lockstep/executor/edge/list.hpp"
#include "lockstep/executor/operator.hpp"

namespace lockstep::gpu {

template <class Plan>
class DeviceWalk;

struct EdgesView {
    EdgeId edges;
    const VertexId *row, *col;
    const float* value;
};

/// The endpoints and the value of one edge, in registers.
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

/// Uploads `values` to `buffer` and sets `view` to their address in device memory.
template <class T>
void put(const T*& view, Buffer<T>& buffer, std::type_identity_t<std::span<const T>> values) {
    buffer = staged(values);
    view = buffer.data();
}

/// Indices of the counters of a kernel. Counters with three slots exist for the previous, the current and the
/// next pass. The last counter is the number of thread blocks that have arrived at the device-wide barrier.
enum Counter {
    list_size,
    updates = list_size + 3,
    passes,
    /// number of deferred edges; EL uses only the first slot, for the deferred edges of the hub in all passes
    deferred_edges,
    /// number of edges that workers have claimed from the worklist
    drawn = deferred_edges + 3,
    arrivals = drawn + 3,
    counter_count
};

class Counters {
public:
    EdgeId* data() const { return slots_.data(); }
    void reset() { slots_.zero(); }
    /// Returns the counts of a sweep that visits each edge once, without passes.
    SweepCounts once() const { return {slots_.download()[updates], 1}; }
    /// Returns the counts of a sweep that consists of passes. `hub_edges` is the number of edges of the hub,
    /// or 0 if attempts are not counted. Each deferral of an edge causes one more attempt to lock it.
    SweepCounts in_passes(EdgeId hub_edges = 0) const {
        const std::vector<EdgeId> slots = slots_.download();
        return {slots[updates], slots[passes], hub_edges, hub_edges ? hub_edges + slots[deferred_edges] : 0};
    }

private:
    Buffer<EdgeId> slots_{EdgeId{counter_count}};
};

/// Base class of the specializations of DeviceWalk<Plan>: the counters of a sweep.
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
