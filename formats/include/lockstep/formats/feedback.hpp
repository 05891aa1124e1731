// Implicit (one-class) feedback for recommenders (docs/guides/recommender.md): the data contain the items
// that users have taken, but not the items that they dislike. Therefore random pairs of a user and an item
// are added as edges of weight 0.
#pragma once

#include "lockstep/formats/dataset.hpp"

namespace lockstep {

/// Replaces the edges of a dataset by implicit feedback. Every edge of weight ≥ `feedback.least` becomes an
/// edge of weight 1, and the other edges are removed. Behind each remaining edge, `feedback.drawn` edges of
/// weight 0 are inserted, from its row to uniformly random columns; Philox generates these from the seed and
/// the ID of the edge. A sampled pair may also be an observed edge. Sets `source.drawn` to the number of
/// samples. Throws Error if the graph is undirected, has no edge of weight ≥ `feedback.least`, or needs more
/// than `memory_limit` bytes. Takes O(edges) time and about 60 bytes per edge.
void make_implicit(Dataset& dataset, const ImplicitFeedback& feedback, std::uint64_t memory_limit);

/// Returns the column of sample number `draw` of edge `edge`, a number in [0, cols).
VertexId drawn_column(const ImplicitFeedback& feedback, EdgeId edge, std::uint32_t draw, VertexId cols);

/// Returns the options with which make_implicit() made the edges of a dataset, except the seed, which is set
/// to 1. Returns std::nullopt if the dataset has no samples.
std::optional<ImplicitFeedback> feedback_of(const Dataset& dataset);

/// Returns the dataset without the sampled edges of weight 0.
Dataset remove_drawn_pairs(Dataset dataset);

}  // namespace lockstep
