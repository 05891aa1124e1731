// Few matchings of even size by Euler splitting: the edges are split so that every vertex has half of its
// edges in each half. The halves are split again until no vertex has two edges in a part.
//
// One split. The edges at every vertex are paired; if their number is odd, one is left over. An edge has at
// most one partner at either endpoint, so partners form paths and cycles, in which row and column pairs
// alternate. Every cycle is therefore even. The edges of each path and cycle go to the lower and the upper
// half in turn. The two edges of a pair are thus separated, so a vertex of d edges has floor(d/2) and
// ceil(d/2) edges in the halves. Odd paths give their extra edge to the smaller half, so the halves have
// ceil(m/2) and floor(m/2) edges. Time O(m).
//
// Rounds. If D <= 2^t, splitting t times gives 2^t matchings of equal size (within one edge). For other D
// (H. N. Gabow, "Using Euler partitions to edge color bipartite multigraphs", 1976), split into halves of
// maximum degrees D1, D2 <= ceil(D/2). Find the matchings of the first half by this rule, F(D1) of them. Move
// 2^t - D2 of them to the second half, where 2^t is the smallest power of two >= D2, and split that half t
// times. There are enough to move: the first half has at least D1 >= D2 - 1 >= 2^t - D2 matchings, since both
// halves of a vertex of degree D have floor(D/2) edges or more. In total
//     F(D) <= F(D1) - (2^t - D2) + 2^t <= F(ceil(D/2)) + ceil(D/2),    F(1) = 1.
// With F(D) = D + g(D) this is g(D) <= g(ceil(D/2)) + (1 if D is odd), g(1) = 0: each odd degree on the way
// down costs one matching, and there are ceil(log2 D) degrees above 1. So F(D) <= D + ceil(log2 D), and
// F(D) = D if D is a power of two. Time O(m log D): the first halves shrink geometrically.
//
// Balance. The union of two matchings has degree at most two, and one split turns it into two matchings of
// equal size. Pairing the largest with the smallest, the second largest with the second smallest, and so on,
// at least halves the spread of the sizes: every pair has one size at or above the median and one at or below
// it.
//
// The result is the same for any number of threads, since parts are processed independently.
#pragma once

#include "lockstep/schedules/builders.hpp"

namespace lockstep {

/// Returns at most D + ceil(log2 D) matchings, none of them empty; D = max_degree(). `Position` is a 32- or
/// 64-bit integer that can hold the number of edges. Repeated pairs are separate edges. O(edges log D) time,
/// on all threads except for the first splits. At the peak, 21 + sizeof(Position) bytes per edge, including
/// the result, 8 bytes per column, and one Position per column and thread.
template <class Position>
Matchings euler_colouring(const Graph& graph);

/// Evens the sizes of the matchings without changing their number. Afterwards the largest exceeds the
/// smallest by at most 1/64 or by one edge. O(edges) per pass, at most log2(edges) passes;
/// 25 + sizeof(Position) bytes per edge, including `matchings`.
template <class Position>
void balance_matchings(const Graph& graph, Matchings& matchings);

/// Call the templates above with the smallest sufficient Position.
Matchings euler_colouring(const Graph& graph);
void balance_matchings(const Graph& graph, Matchings& matchings);

}  // namespace lockstep
