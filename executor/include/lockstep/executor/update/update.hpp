// A user-defined update of edges: some structs and a function `update`, as in this example:
//
//     struct Spring {
//         struct Vertex { float x, y, z, inverse_mass; };   // state of a vertex; for two sets: Row and Col
//         struct Edge { float rest, stretch; };             // payload of an edge; may be changed
//         struct Parameters { float compliance, dt; };      // the same for all edges of a sweep
//         LOCKSTEP_HD static void update(Vertex& a, Vertex& b, Edge& e, const Parameters& p);
//     };
//
// States must be trivially copyable and have at most 128 bytes. Edge and Parameters may be omitted, also as
// arguments of `update`. Arguments that `update` takes as const are not written back. For a loop, both
// endpoints are the same object. Every strategy can run the update; it calls `update` for one edge after
// another at each vertex, so the update needs no synchronization.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

#include "lockstep/executor/lanes.hpp"
#include "lockstep/schedules/indices.hpp"

namespace lockstep::update {

struct NoData {};

namespace detail {
template <class U>
struct EdgeData {
    using Type = NoData;
};
template <class U>
requires requires { typename U::Edge; }
struct EdgeData<U> {
    using Type = typename U::Edge;
};
template <class U>
struct ParameterData {
    using Type = NoData;
};
template <class U>
requires requires { typename U::Parameters; }
struct ParameterData<U> {
    using Type = typename U::Parameters;
};
template <class U>
struct EndpointTypes {
    using Row = typename U::Row;
    using Col = typename U::Col;
    static constexpr Ends ends = Ends::sides;
};
template <class U>
requires requires { typename U::Vertex; }
struct EndpointTypes<U> {
    using Row = typename U::Vertex;
    using Col = typename U::Vertex;
    static constexpr Ends ends = Ends::vertices;
};
}  // namespace detail

template <class U>
using RowOf = typename detail::EndpointTypes<U>::Row;
template <class U>
using ColOf = typename detail::EndpointTypes<U>::Col;
template <class U>
using EdgeOf = typename detail::EdgeData<U>::Type;
template <class U>
using ParametersOf = typename detail::ParameterData<U>::Type;
/// Whether the update's endpoints are of one set of vertices (Vertex) or of two (Row, Col).
template <class U>
inline constexpr Ends ends_of = detail::EndpointTypes<U>::ends;

template <class State>
concept IsState = std::is_trivially_copyable_v<State> && sizeof(State) <= 128;

namespace detail {
template <class U, class Row, class Col, class Edge>
concept TakesAll = requires(Row& a, Col& b, Edge& e, const ParametersOf<U>& p) {
    U::update(a, b, e, p);
};
template <class U, class Row, class Col, class Edge>
concept TakesEdge = requires(Row& a, Col& b, Edge& e) {
    U::update(a, b, e);
};
template <class U, class Row, class Col>
concept TakesParameters = requires(Row& a, Col& b, const ParametersOf<U>& p) {
    U::update(a, b, p);
};
template <class U, class Row, class Col>
concept TakesEnds = requires(Row& a, Col& b) {
    U::update(a, b);
};
template <class U, class Row, class Col, class Edge>
concept Takes = TakesAll<U, Row, Col, Edge> || TakesEdge<U, Row, Col, Edge> || TakesParameters<U, Row, Col> ||
    TakesEnds<U, Row, Col>;
}  // namespace detail

template <class U>
concept Update = IsState<RowOf<U>> && IsState<ColOf<U>> && IsState<EdgeOf<U>> && IsState<ParametersOf<U>> &&
    detail::Takes<U, RowOf<U>, ColOf<U>, EdgeOf<U>>;

/// Whether the update may change an edge's payload.
template <class U>
inline constexpr bool changes_edges =
    !std::is_empty_v<EdgeOf<U>> && !detail::Takes<U, RowOf<U>, ColOf<U>, const EdgeOf<U>>;

/// Calls U::update with the arguments that it declares.
template <class U>
LOCKSTEP_HD void call(RowOf<U>& a, ColOf<U>& b, EdgeOf<U>& e, const ParametersOf<U>& p) {
    if constexpr (detail::TakesAll<U, RowOf<U>, ColOf<U>, EdgeOf<U>>)
        U::update(a, b, e, p);
    else if constexpr (detail::TakesEdge<U, RowOf<U>, ColOf<U>, EdgeOf<U>>)
        U::update(a, b, e);
    else if constexpr (detail::TakesParameters<U, RowOf<U>, ColOf<U>>)
        U::update(a, b, p);
    else
        U::update(a, b);
}

}  // namespace lockstep::update
