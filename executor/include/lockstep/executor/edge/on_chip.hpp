// The optional part of the operator interface (EdgeOperator, operator.hpp): an operator that has it can work
// on vectors of vertices in shared memory. On a GPU, the tiled and the local walk require it. CPUs and the
// other walks do not.
//
// In device memory, the vectors of the rows are consecutive, at distances of vector_bytes(), and so are the
// vectors of the columns. The address of the first vector and vector_bytes() are multiples of 16. For the
// local walk the vectors are in the order of local/layout.hpp, for the tiled walk in the order of the
// vertices. Thread blocks copy whole vectors to shared memory, update them there, and copy them back. The
// operator that is passed to a plan has
//
//     EdgeId vector_bytes() const
//     template <class Run> void run_in_shared_memory(Run run) const
//                                      calls run(op) once with a SharedMemoryOperator: this operator on the
//                                      lanes of a warp. It may choose among several types, for example one
//                                      without checks that it does not need
//
// A SharedMemoryOperator has WarpLanes (lanes.hpp): all 32 threads of a warp run it together. Its two
// endpoints are symmetric, because either may be the centre of a star: Row and Col are one type, and a is
// bitwise identical after apply(a, b, …) and after apply(b, a, …). Its apply() does not use the EdgePosition.
// It also has
//
//     std::byte *row_vectors(), *col_vectors() const       addresses of the first vectors in device memory
//     static std::uint32_t lane_offset()                   byte offset of this lane's part in a vector
//     Row load_lane(std::uint32_t) const                   loads that part from an address in shared memory
//     void store_lane(std::uint32_t, const Row&, bool really) const       stores it, if `really`
//     void keep_in_registers()         (optional)          hides its parameters from the compiler, which
//                                                          would otherwise reload them from constant memory
//     auto on_step_lanes() const       (optional)          returns the operator on other lanes, for stars of
//                                                          few edges
//
// If rows stay in shared memory instead of columns, a GPU needs nothing more, because the endpoints are
// symmetric. A CPU uses swap_sides(op) (operator.hpp): the operator's own swap_sides(), otherwise an adaptor
// with its plain members.
//
// A vector of zeros stands for missing endpoints: it is loaded and updated, but not stored.
//
// If an operator is an AffineOperator, the tiled and the stars walk can process several edges of a star
// concurrently (star/arithmetic.hpp). Its vectors consist of numbers, in single precision while they are
// updated. With the dot product x y, an edge of value r between the vectors x and y computes
//
//     step = rate (r - x y),      x <- keep x + step y,      y <- keep y + step x
//
// An AffineOperator has
//
//     affine = true                    an edge computes this and nothing else: nothing is clipped
//     components                       number of components of a vector: a multiple of 4 per lane; those
//                                      after the last stored one are 0
//     float rate, keep
//     static void partial_dot(const Row&, const Row&, float (&)[held])  computes each held lane's part of x y
//     void update(Row&, Row&, float step) const
//
// For long stars on the GPU it also has the following, with `Float` = float for a vector in single precision:
//
//     lane_offset<Float>(), load_lane<Float>(…), store_lane<Float>(…)
//     component_bytes                  bytes of a component in shared memory
//     bool has_component(int) const    returns false after the last component that is stored
//     void load_consecutive(std::uint32_t, float (&)[n]), store_consecutive
//                                      n = 1, 2 or 4 neighbouring components
//
// On the CPU vectors are arrays of Element, and the operator has
//
//     Element *row_at(VertexId), *col_at(VertexId), std::size_t offset_of(n)
//                                      distance of n vectors, in elements
//     Row take(const E*), void put(E*, const Row&)   E: Element or float
//     void widen(const Element*, float*), narrow(const float*, Element*)         convert all components
//     run_star<batch>(float* centre, std::size_t edges, Leaf, Value)
//                                      (optional) runs the edges of a star two or four at a time. Leaf(i)
//                                      returns the address of the leaf of edge i, Value(i) returns its value
//
// `static constexpr bool affine = false` means that the edges of a star run one by one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lockstep/executor/operator.hpp"

namespace lockstep {

/// A function object that does nothing. HasSharedMemoryOperator passes it to run_in_shared_memory(), to check
/// that the call compiles.
struct NullFunction {
    void operator()(const auto&) const {}
};
/// True if an operator can work on vertices in shared memory, i.e. has vector_bytes() and
/// run_in_shared_memory().
template <class Op>
concept HasSharedMemoryOperator = EdgeOperator<Op> && requires(const Op op) {
    { op.vector_bytes() } -> std::convertible_to<EdgeId>;
    op.run_in_shared_memory(NullFunction{});
};

/// True if an operator has a swap_sides() of its own, which swaps rows and columns.
template <class Op>
concept CanBeTurned = requires(const Op op) {
    { op.swap_sides() } -> std::same_as<Op>;
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
concept SharedMemoryOperator = EdgeOperator<Op> && std::same_as<typename Op::Row, typename Op::Col> &&
    requires(const Op op, std::uint32_t address, const typename Op::Row& row) {
    { Op::Lanes::threads } -> std::convertible_to<int>;
    { Op::affine } -> std::convertible_to<bool>;
    { op.row_vectors() } -> std::same_as<std::byte*>;
    { op.col_vectors() } -> std::same_as<std::byte*>;
    { Op::lane_offset() } -> std::same_as<std::uint32_t>;
    { op.load_lane(address) } -> std::same_as<typename Op::Row>;
    op.store_lane(address, row, true);
};
#endif

}  // namespace lockstep
