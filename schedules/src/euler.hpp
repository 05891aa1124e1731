// Few and even matchings by Euler splitting: the edges are halved so that every vertex keeps half of its
// edges on each side, and the halves again, until no vertex has two edges in a part.
//
// One split. At every vertex pair up the edges, leaving one over where their number is odd. An edge has
// at most one partner at either end, so partners form paths and cycles, in which row and column pairs
// alternate; every cycle is therefore even. Give the edges of each path and cycle to the lower and the
// upper half in turn: the edges of a pair part ways, so the halves of a vertex of d edges have floor(d/2)
// and ceil(d/2). Odd paths give their extra edge to the smaller half, so the halves are of ceil(m/2) and
// floor(m/2) edges. Time O(m).
//
// Rounds. 2^t matchings of equal size (within one) come of splitting t times, if D <= 2^t. For other D
// (H. N. Gabow, "Using Euler partitions to edge color bipartite multigraphs", 1976): split into halves
// of largest degrees D1, D2 <= ceil(D/2); find the matchings of the first half by this rule, F(D1) of
// them; move 2^t - D2 of them to the second half, where 2^t is the power of two from D2 up, and split
// that t times. There are enough to move: the first half has at least D1 >= D2 - 1 >= 2^t - D2 matchings,
// since both halves of a vertex of degree D have floor(D/2) edges or more. In all
//     F(D) <= F(D1) - (2^t - D2) + 2^t <= F(ceil(D/2)) + ceil(D/2),    F(1) = 1.
// With F(D) = D + g(D) this is g(D) <= g(ceil(D/2)) + (1 if D is odd), g(1) = 0: an odd degree on the way
// down costs one matching, and there are ceil(log2 D) degrees above 1. So F(D) <= D + ceil(log2 D), and
// D itself where D is a power of two. Time O(m log D): the first halves shrink geometrically.
//
// Balance. The union of two matchings has degree two at most; one split makes two of equal size of it.
// Pairing the largest with the smallest, the second with the last but one, … at least halves the spread
// of the sizes: every pair has one at or above the median and one at or below it.
//
// The result is the same for any number of threads: parts are worked on independently.
#pragma once

#include "lockstep/schedules/builders.hpp"

namespace lockstep {

/// At most D + ceil(log2 D) matchings, none of them empty; D = max_degree().
/// `Position` holds the number of edges: 32 or 64 bits. Repeated pairs are edges of their own.
/// O(edges log D) time, on all threads but for the first splits; 21 + sizeof(Position) bytes an edge at
/// the peak, result included, 8 bytes a column, and a Position a column and thread.
template <class Position>
Matchings euler_colouring(const Graph& graph);

/// Evens the sizes of the matchings without changing their number: the largest is at most 1/64
/// (or one edge) larger than the smallest. O(edges) a pass, at most log2(edges) passes;
/// 25 + sizeof(Position) bytes an edge (`matchings` included).
template <class Position>
void balance_matchings(const Graph& graph, Matchings& matchings);

/// The same with the smaller Position that suffices.
Matchings euler_colouring(const Graph& graph);
void balance_matchings(const Graph& graph, Matchings& matchings);

}  // namespace lockstep
