// Matchings of even size by Euler splitting, few more than the minimum. The edges are split into two halves
// such that every vertex has half of its edges in each. The halves are split again until no vertex has two
// edges in the same part; then each part is a matching.
//
// One split. The edges of every vertex are paired; if their number is odd, one edge has no partner. An edge
// has at most one partner at each of its two endpoints, so the pairs connect the edges to paths and cycles,
// in which pairs at rows and pairs at columns alternate. Therefore every cycle has an even number of edges.
// The edges of each path and cycle are assigned alternately to the lower and the upper half, so the two edges
// of a pair are in different halves. A vertex of d edges thus has floor(d/2) edges in one half and ceil(d/2)
// in the other. The extra edge of a path with an odd number of edges goes to the smaller half, so the halves
// of m edges have ceil(m/2) and floor(m/2) edges. Time O(m).
//
// Rounds. D is the maximum degree. If D <= 2^t, splitting t times gives 2^t matchings of equal size (within
// one edge). If D is not a power of two, the following rule needs fewer (H. N. Gabow, "Using Euler partitions
// to edge color bipartite multigraphs", 1976). Split the edges into two halves, whose maximum degrees D1, D2
// are at most ceil(D/2). Find the F(D1) matchings of the first half by this rule. Move the edges of 2^t - D2
// of these matchings to the second half, where 2^t is the smallest power of two >= D2, and split the second
// half t times. There are enough matchings to move: the first half has at least D1 >= D2 - 1 >= 2^t - D2
// matchings, since a vertex of degree D has at least floor(D/2) edges in each half. The number of matchings
// is
//     F(D) <= F(D1) - (2^t - D2) + 2^t <= F(ceil(D/2)) + ceil(D/2),    F(1) = 1.
// With F(D) = D + g(D) this is g(D) <= g(ceil(D/2)) + (1 if D is odd), g(1) = 0. Each odd value in the
// sequence D, ceil(D/2), … therefore costs one matching, and the sequence has ceil(log2 D) values above 1. So
// F(D) <= D + ceil(log2 D), and F(D) = D if D is a power of two. Time O(m log D), because the first halves
// shrink geometrically.
//
// Balance of sizes. The edges of two matchings together form a graph of degree at most two, and one split
// turns them into two matchings of equal size. The largest matching is paired with the smallest one, the
// second largest with the second smallest, and so on. Each such pass at least halves the difference between
// the largest and the smallest size, because every pair has one size at or above the median and one at or
// below it.
//
// The result is the same for any number of threads, since threads process disjoint parts independently.
#pragma once

#include "lockstep/schedules/builders.hpp"

namespace lockstep {

/// Returns at most D + ceil(log2 D) matchings, none of them empty, where D = max_degree(graph).both().
/// `Position` is a 32- or 64-bit integer type that can represent the number of edges. Repeated pairs are
/// separate edges. O(edges log D) time, on all threads except for the first splits. The peak memory is 21 +
/// sizeof(Position) bytes per edge, including the result, 8 bytes per column, and one Position per column and
/// thread.
template <class Position>
Matchings euler_colouring(const Graph& graph);

/// Makes the sizes of the matchings even without changing their number. Afterwards the largest matching
/// exceeds the smallest by at most 1/64 of its size or by one edge. O(edges) per pass, at most log2(edges)
/// passes; 25 + sizeof(Position) bytes per edge, including `matchings`.
template <class Position>
void balance_matchings(const Graph& graph, Matchings& matchings);

/// Call the templates above with the smallest Position that suffices.
Matchings euler_colouring(const Graph& graph);
void balance_matchings(const Graph& graph, Matchings& matchings);

}  // namespace lockstep
