// The operator (executor/operator.hpp) by which the walks run a user-defined update (update.hpp) on a CPU.
#pragma once

#include "lockstep/executor/operator.hpp"
#include "lockstep/executor/update/update.hpp"

namespace lockstep::update {

/// The arrays on which a run works: the states of the vertices, and the payloads (own data) of the edges.
template <class U>
struct Arrays {
    RowOf<U>* rows;
    ColOf<U>* cols;    ///< the same as `rows` for one set of vertices
    EdgeOf<U>* edges;  ///< payloads of the edges, in the order of the plan
};

/// A thread's copy of the state of an endpoint. It includes the vertex index, by which loops are recognized.
template <class State>
struct End {
    State state;
    VertexId id;
};

/// Runs the update on one edge. For a loop, the state in `col` is passed as both endpoints, because a walk
/// may keep the column in registers and load a stale row from memory.
template <Update U>
LOCKSTEP_HD void run_edge(RowOf<U>& row, ColOf<U>& col, bool loop, EdgeOf<U>* payload,
                          const ParametersOf<U>& parameters) {
    EdgeOf<U> edge{};
    if constexpr (!std::is_empty_v<EdgeOf<U>>) edge = *payload;
    if constexpr (ends_of<U> == Ends::vertices) {
        if (loop)
            call<U>(col, col, edge, parameters), row = col;
        else
            call<U>(row, col, edge, parameters);
    } else {
        call<U>(row, col, edge, parameters);
    }
    if constexpr (changes_edges<U>) *payload = edge;
}

template <Update U>
struct Operator {
    using Lanes = HostLanes<1>;
    using Row = End<RowOf<U>>;
    using Col = End<ColOf<U>>;

    Arrays<U> arrays;
    ParametersOf<U> parameters;

    Row load_row(VertexId u) const { return {arrays.rows[u], u}; }
    Col load_col(VertexId v) const { return {arrays.cols[v], v}; }
    void store_row(VertexId u, const Row& row) const { arrays.rows[u] = row.state; }
    void store_col(VertexId v, const Col& col) const { arrays.cols[v] = col.state; }

    void apply(Row& row, Col& col, float, const EdgePosition& place) const {
        run_edge<U>(row.state, col.state, is_loop(row, col), arrays.edges + place.edge, parameters);
    }
    static bool is_loop(const Row& row, const Col& col) {
        return ends_of<U> == Ends::vertices && row.id == col.id;
    }
};

}  // namespace lockstep::update
