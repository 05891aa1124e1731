// Feedback of one class: what users took, and nothing of what they did not like (docs/guides/recommender.md).
#pragma once

#include "lockstep/formats/dataset.hpp"

namespace lockstep {

/// Every edge of weight `least` at least becomes one of weight 1, the others go; each is followed by `drawn`
/// edges of weight 0 from its row to columns drawn uniformly, by Philox of (seed, number of the edge), among
/// them a few that are there already: a sample of the whole matrix. `source` says how many were drawn. Throws
/// Error on an undirected graph, on one without such edges, and where more than `memory_limit` bytes were
/// needed. O(edges) time, about 60 bytes an edge.
void make_implicit(Dataset& dataset, const ImplicitFeedback& feedback, std::uint64_t memory_limit);

/// Column number `draw` of those drawn for edge `edge`, one of `cols`.
VertexId drawn_column(const ImplicitFeedback& feedback, EdgeId edge, std::uint32_t draw, VertexId cols);

/// How the edges of a dataset came about; nothing where none were drawn.
std::optional<ImplicitFeedback> feedback_of(const Dataset& dataset);

/// Without the edges that were drawn.
Dataset without_drawn(Dataset dataset);

}  // namespace lockstep
