// The operators by which the walks run a user-defined update (update.hpp) on a GPU: one for walks that keep
// the states in device memory, and one for the tiled and the local walk, which keep them in shared memory.
//
// In device memory, a state occupies whole words of 16 bytes. With states in shared memory, the update cannot
// use the index of an edge, so the edge's `value` identifies the payload. It is the payload itself if this
// has four bytes and is not changed, and if the walk is `local` and there are no loops. Otherwise, it is the
// payload's index in the plan plus 1 (0: no edge), with two further bits: whether the edge is a loop, and
// whether the first endpoint that `apply` gets is the column.
#pragma once

#include "lockstep/executor/device/shared.cuh"
#include "lockstep/executor/edge/on_chip.hpp"
#include "lockstep/executor/edge/plan.hpp"
#include "lockstep/executor/update/operator.hpp"

namespace lockstep::update {

/// The state of a row or of a column in words of 16 bytes.
template <Update U>
struct alignas(16) Vector {
    static constexpr std::size_t words = (std::max(sizeof(RowOf<U>), sizeof(ColOf<U>)) + 15) / 16;
    float4 word[words];

    template <class State>
    LOCKSTEP_HD static Vector of(const State& state) {
        Vector vector{};
        memcpy(&vector, &state, sizeof(State));
        return vector;
    }
    template <class State>
    LOCKSTEP_HD State as() const {
        State state;
        memcpy(&state, this, sizeof(State));
        return state;
    }
};

/// The bits of an edge's `value` for states in shared memory.
struct SharedMemoryEdge {
    static constexpr std::uint32_t loop = 1U << 31, column_first = 1U << 30, most = column_first - 1;
};
/// Returns the values of a plan's edges for walks with states in shared memory. Throws Error (no_device) if
/// there are too many edges. O(edges)
inline Array<float> shared_memory_values(const EdgePlan& plan) {
    if (plan.edges() >= SharedMemoryEdge::most)
        throw Error(Failure::no_device,
                    "an update runs in shared memory with at most 2^30 edges; use agm-e or stars");
    Array<float> values(plan.edges());
    const auto set = [&](EdgeId e, bool loop, bool column_first) {
        values[e] =
            std::bit_cast<float>(static_cast<std::uint32_t>(e + 1) | (loop ? SharedMemoryEdge::loop : 0) |
                                 (column_first ? SharedMemoryEdge::column_first : 0));
    };
    if (const auto* tiled = std::get_if<TiledPlan>(&plan.walk)) {  // in a star, apply() gets the leaf first
        const EdgeView edges = tiled->walked(plan);
        const EdgeId tasks = tiled->task_offsets.size() - 1;
#pragma omp parallel for schedule(static)
        for (EdgeId t = 0; t < tasks; ++t) {
            const EdgeId begin = tiled->task_offsets[t], end = tiled->task_offsets[t + 1];
            if (begin == end) continue;
            const bool row_is_centre = share_row(edges, begin, end) != tiled->turned;
            for (EdgeId e = begin; e < end; ++e) set(e, false, row_is_centre);
        }
    } else {
#pragma omp parallel for schedule(static)
        for (EdgeId e = 0; e < plan.edges(); ++e)
            set(e, plan.ends == Ends::vertices && plan.row[e] == plan.col[e], false);
    }
    return values;
}

/// Whether the payload of an edge can be its value for states in shared memory.
template <Update U>
inline constexpr bool payload_is_value = std::is_empty_v<EdgeOf<U>> ||
                                         (sizeof(EdgeOf<U>) == sizeof(float) && !changes_edges<U>);
/// Returns whether payloads may be values in this plan. The tiled walk is excluded, because it does not
/// distinguish row and column. The local walk does, but it does not identify loops.
inline bool payloads_are_values(const EdgePlan& plan) {
    if (!std::holds_alternative<LocalPlan>(plan.walk)) return false;
    EdgeId loops = 0;
#pragma omp parallel for schedule(static) reduction(+ : loops)
    for (EdgeId e = 0; e < plan.edges(); ++e) loops += plan.row[e] == plan.col[e];
    return plan.ends == Ends::sides || loops == 0;
}

/// The addresses of a run's states and payloads in device memory.
template <Update U>
struct DeviceArrays {
    Vector<U>*rows, *cols;  ///< states of rows and of columns; both are the same for one set of vertices
    EdgeOf<U>* edges;       ///< payloads of the edges, in the order of the plan
};

/// The operator for states in shared memory. If `by_value`, the value of an edge is its payload, and the
/// endpoints of apply() are the row and the column. Otherwise, the value determines which endpoint is the
/// row.
template <Update U, bool by_value>
struct ChipOperator {
    using Lanes = WarpLanes<1>;
    using Row = Vector<U>;
    using Col = Vector<U>;
    static constexpr bool affine = false;

    DeviceArrays<U> arrays;
    ParametersOf<U> parameters;

    __device__ void apply(Row& one, Col& other, float value, const EdgePosition&) const {
        if constexpr (by_value)
            run(one, other, value);
        else
            run_marked(one, other, value);
    }
    __device__ void run(Row& one, Col& other, float value) const {
        auto row = one.template as<RowOf<U>>();
        auto col = other.template as<ColOf<U>>();
        EdgeOf<U> payload{};
        if constexpr (!std::is_empty_v<EdgeOf<U>>) memcpy(&payload, &value, sizeof payload);
        run_edge<U>(row, col, false, &payload, parameters);
        one = Vector<U>::of(row), other = Vector<U>::of(col);
    }
    __device__ void run_marked(Row& one, Col& other, float value) const {
        const std::uint32_t bits = __float_as_uint(value);
        if (bits == 0) return;
        const bool turned = bits & SharedMemoryEdge::column_first;
        auto row = (turned ? other : one).template as<RowOf<U>>();
        auto col = (turned ? one : other).template as<ColOf<U>>();
        EdgeOf<U>* payload = nullptr;
        if constexpr (!std::is_empty_v<EdgeOf<U>>)
            payload = arrays.edges + (bits & SharedMemoryEdge::most) - 1;
        run_edge<U>(row, col, bits & SharedMemoryEdge::loop, payload, parameters);
        (turned ? other : one) = Vector<U>::of(row), (turned ? one : other) = Vector<U>::of(col);
    }

    LOCKSTEP_HD std::byte* row_vectors() const { return reinterpret_cast<std::byte*>(arrays.rows); }
    LOCKSTEP_HD std::byte* col_vectors() const { return reinterpret_cast<std::byte*>(arrays.cols); }
    __device__ static std::uint32_t lane_offset() { return 0; }
    __device__ static Vector<U> load_lane(std::uint32_t address) {
        Vector<U> vector;
#pragma unroll
        for (unsigned i = 0; i < Vector<U>::words; ++i) vector.word[i] = gpu::load_float4(address + 16 * i);
        return vector;
    }
    __device__ static void store_lane(std::uint32_t address, const Vector<U>& vector, bool really) {
#pragma unroll
        for (unsigned i = 0; i < Vector<U>::words; ++i)
            gpu::store_float4_if(really, address + 16 * i, vector.word[i]);
    }
    // The concept EdgeOperator requires these functions; walks with states in shared memory do not call them.
    __device__ Row load_row(VertexId u) const { return arrays.rows[u]; }
    __device__ Col load_col(VertexId v) const { return arrays.cols[v]; }
    __device__ void store_row(VertexId u, const Row& row) const { arrays.rows[u] = row; }
    __device__ void store_col(VertexId v, const Col& col) const { arrays.cols[v] = col; }
};

/// The operator for states in device memory, with one thread per edge.
template <Update U>
struct DeviceOperator {
    using Lanes = DeviceLanes<1>;
    using Row = End<RowOf<U>>;
    using Col = End<ColOf<U>>;
    static constexpr bool one_set = ends_of<U> == Ends::vertices;

    DeviceArrays<U> arrays;
    ParametersOf<U> parameters;
    /// with states in shared memory: whether the values of the edges are their payloads
    bool by_value = false;

    LOCKSTEP_HD Row load_row(VertexId u) const { return {load<RowOf<U>>(arrays.rows + u), u}; }
    LOCKSTEP_HD Col load_col(VertexId v) const { return {load<ColOf<U>>(arrays.cols + v), v}; }
    LOCKSTEP_HD void store_row(VertexId u, const Row& row) const { store(arrays.rows + u, row.state); }
    LOCKSTEP_HD void store_col(VertexId v, const Col& col) const { store(arrays.cols + v, col.state); }
    LOCKSTEP_HD void apply(Row& row, Col& col, float, const EdgePosition& place) const {
        run_edge<U>(row.state, col.state, one_set && row.id == col.id, arrays.edges + place.edge, parameters);
    }

    static EdgeId vector_bytes() { return sizeof(Vector<U>); }
    template <class Run>
    void run_in_shared_memory(Run run) const {
        if constexpr (payload_is_value<U>) {
            if (by_value) return run(ChipOperator<U, true>{arrays, parameters});
        }
        run(ChipOperator<U, false>{arrays, parameters});
    }

private:
    template <class State>
    LOCKSTEP_HD static State load(const Vector<U>* from) {
        Vector<U> vector{};
        LOCKSTEP_UNROLL
        for (std::size_t i = 0; 16 * i < sizeof(State); ++i) vector.word[i] = load_shared(&from->word[i]);
        return vector.template as<State>();
    }
    template <class State>
    LOCKSTEP_HD static void store(Vector<U>* to, const State& state) {
        const auto vector = Vector<U>::of(state);
        LOCKSTEP_UNROLL
        for (std::size_t i = 0; 16 * i < sizeof(State); ++i) store_shared(&to->word[i], vector.word[i]);
    }
};

}  // namespace lockstep::update
