// A dataset made of arrays of edges instead of a file.
#pragma once

#include <span>

#include "lockstep/formats/dataset.hpp"

namespace lockstep {

/// Edges in memory, in input order.
struct EdgeArrays {
    std::span<const std::int64_t> rows, cols;
    std::span<const float> weights = {};  ///< finite weights; if empty, every weight is 1
    bool weighted = true;                 ///< false: the weights are dropped
    /// true: the numbers are ids, and each distinct id is a vertex; false: number I is vertex I.
    bool given_ids = false;
    /// Number of vertices on each side if the numbers are vertices; 0: the largest number plus one.
    VertexId row_count = 0, col_count = 0;
    std::span<const std::int64_t> times = {};  ///< times of the edges, kept in the dataset; may be empty
};
/// Returns the graph that a file with these edges would give. Throws Error (bad input) for a number that is
/// not a vertex, or for a number that would add millions of vertices without edges, unless `row_count` and
/// `col_count` include it. Throws Error (usage) like read_dataset.
Dataset dataset_of(const EdgeArrays& edges, const ReadOptions& options = {});

}  // namespace lockstep
