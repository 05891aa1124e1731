// An update as the operator that the walks run on a CPU (executor/operator.hpp).
#pragma once

#include "lockstep/executor/operator.hpp"
#include "lockstep/executor/update/update.hpp"

namespace lockstep::update {

/// The arrays of a run.
template <class U>
struct Arrays {
    RowOf<U>* rows;
    ColOf<U>* cols;    ///< of one set the same as `rows`
    EdgeOf<U>* edges;  ///< in the order of the plan
};

template <Update U, class LaneGroup>
struct Operator {
    using Lanes = LaneGroup;
    /// A vertex knows its number, since both ends of a loop are one.
    template <class State>
    struct End {
        State state;
        VertexId id;
    };
    using Row = End<RowOf<U>>;
    using Col = End<ColOf<U>>;

    Arrays<U> arrays;
    ParametersOf<U> parameters;

    Row load_row(VertexId u) const { return {arrays.rows[u], u}; }
    Col load_col(VertexId v) const { return {arrays.cols[v], v}; }
    void store_row(VertexId u, const Row& row) const { arrays.rows[u] = row.state; }
    void store_col(VertexId v, const Col& col) const { arrays.cols[v] = col.state; }

    void apply(Row& row, Col& col, float, const Place& place) const {
        EdgeOf<U> edge{};
        if constexpr (!std::is_empty_v<EdgeOf<U>>) edge = arrays.edges[place.edge];
        if constexpr (ends_of<U> == Ends::vertices) {
            if (row.id == col.id) {  // a walk may hold the column: what is in memory is of before
                call<U>(col.state, col.state, edge, parameters);
                row.state = col.state;
                if constexpr (changes_edges<U>) arrays.edges[place.edge] = edge;
                return;
            }
        }
        call<U>(row.state, col.state, edge, parameters);
        if constexpr (changes_edges<U>) arrays.edges[place.edge] = edge;
    }
};

}  // namespace lockstep::update
