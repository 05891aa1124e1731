// The optional part of an operator's contract: vertices on chip, which the tiled and the local walk need on a
// GPU. Other walks, and CPUs, need none of it.
//
// The vectors of a side lie one after another in device memory, `vector_bytes()` apart, a multiple of 16,
// from an address on that is one too; in local's order of the vertices (local/layout.hpp), in their own for
// tiled. Thread blocks copy whole vectors to shared memory, work on them there, and copy them back. The
// operator that is given to a plan (EdgeOperator) has
//
//     EdgeId vector_bytes() const
//     template <class Run> void on_chip(Run run) const
//                                      calls run(op) once, with itself on the lanes of a warp: an
//                                      OnChipOperator, of which it may choose one of several, say without
//                                      tests it does not need
//
// An OnChipOperator has WarpLanes (lanes.hpp): all 32 threads of a warp run it together. Its two ends are
// alike: Row and Col are one type, and apply(a, b, …) leaves in a what apply(b, a, …) leaves in it, to the
// bit, since a star's centre may be either. It knows no Place. And
//
//     std::byte *row_vectors, *col_vectors() const         where the vectors begin in device memory
//     static std::uint32_t lane_offset()                   from a vector to this lane's part of it, in bytes
//     Row take_lane(std::uint32_t) const                   that part by its address in shared memory
//     void put_lane(std::uint32_t, const Row&, bool really) const       back; `really` false leaves it out
//     void keep_in_registers()         (optional)          hides its parameters from the compiler, which
//                                                          would else wait for constant memory
//     auto on_step_lanes() const       (optional)          itself for stars of few edges, on other lanes
//
// Where rows stay on chip instead of columns, on a GPU that is all it takes, the two ends being alike. A CPU
// takes what turned(op) gives (operator.hpp): the operator's own turned(), else its plain members.
//
// A vector of zeros stands for missing ends: it is taken and applied, not put.
//
// Where it is an AffineOperator a star's edges run together (star/arithmetic.hpp). Its vectors are numbers x,
// in single precision while they are worked on, and an edge of value r between x and y is
//
//     step = rate (r - x y),      x <- keep x + step y,      y <- keep y + step x
//
//     affine = true                    the edge is this and nothing else: nothing is clipped
//     components                       of a vector: 4 a lane, or a multiple; zeros behind the last
//     float rate, keep
//     static void partial_dot(const Row&, const Row&, float (&)[held])   each held lane's part of x y
//     void update(Row&, Row&, float step) const
//
// on the GPU, for long stars, with `Float` = float for a vector that is kept in single precision:
//
//     lane_offset<Float>(), take_lane<Float>(…), put_lane<Float>(…)
//     component_bytes                  in shared memory
//     bool has(component) const        false behind the last one that is stored
//     void take_few(std::uint32_t, float (&)[n]), put_few           n = 1, 2, 4 neighbouring components
//
// on the CPU, where vectors are arrays of Element:
//
//     Element *row_at(VertexId), *col_at(VertexId), std::size_t offset_of(n)     n vectors further
//     Row take(const E*), void put(E*, const Row&)   E: Element or float
//     void widen(const Element*, float*), narrow(const float*, Element*)         all components
//     run_star<batch>(float* centre, std::size_t edges, Leaf, Value)
//                                      (optional) a star's edges by two or four: Leaf(i) is where the leaf
//                                      of edge i lies, Value(i) its value
//
// `static constexpr bool affine = false` says that edges of a star run one by one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lockstep/executor/operator.hpp"

namespace lockstep {

/// Whether an operator can be taken to a multiprocessor.
struct AnyRun {
    void operator()(const auto&) const {}
};
template <class Op>
concept CanBeOnChip = EdgeOperator<Op> && requires(const Op op) {
    { op.vector_bytes() } -> std::convertible_to<EdgeId>;
    op.on_chip(AnyRun{});
};

template <class Op>
concept CanBeTurned = requires(const Op op) {
    { op.turned() } -> std::same_as<Op>;
};

template <class Op>
concept AffineOperator = EdgeOperator<Op> && Op::affine &&
    requires(const Op op, typename Op::Row row, float (&partial)[Op::Lanes::held]) {
    { Op::components } -> std::convertible_to<int>;
    { op.rate } -> std::convertible_to<float>;
    { op.keep } -> std::convertible_to<float>;
    Op::partial_dot(row, row, partial);
    op.update(row, row, 1.0F);
};

#if defined(__CUDACC__)
template <class Op>
concept OnChipOperator = EdgeOperator<Op> && std::same_as<typename Op::Row, typename Op::Col> &&
    requires(const Op op, std::uint32_t address, const typename Op::Row& row) {
    { Op::Lanes::threads } -> std::convertible_to<int>;
    { Op::affine } -> std::convertible_to<bool>;
    { op.row_vectors() } -> std::same_as<std::byte*>;
    { op.col_vectors() } -> std::same_as<std::byte*>;
    { Op::lane_offset() } -> std::same_as<std::uint32_t>;
    { op.take_lane(address) } -> std::same_as<typename Op::Row>;
    op.put_lane(address, row, true);
};
#endif

}  // namespace lockstep
