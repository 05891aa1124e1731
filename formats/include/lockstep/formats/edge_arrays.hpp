// Conversion of arrays of edges in memory to a dataset, without a file. The library and the Python package
// use it.
#pragma once

#include <span>

#include "lockstep/formats/dataset.hpp"

namespace lockstep {

/// Edges in memory, in input order. Edge i joins rows[i] and cols[i].
struct EdgeArrays {
    std::span<const std::int64_t> rows, cols;
    std::span<const float> weights = {};  ///< finite weights; if empty, every weight is 1
    bool weighted = true;                 ///< whether the weights are used
    /// Whether the numbers in `rows` and `cols` are arbitrary IDs, each distinct one of which becomes a
    /// vertex. Otherwise they are indices of vertices.
    bool given_ids = false;
    /// Number of rows and of columns, if the numbers are indices of vertices; 0 = the largest index plus one.
    VertexId row_count = 0, col_count = 0;
    /// Times of the edges, which the dataset then contains; may be empty.
    std::span<const std::int64_t> times = {};
};
/// Returns the dataset that reading a file with these edges would give. Throws Error (bad input) if a number
/// is no valid index, or if it is so large that the graph would get millions of vertices without edges; a
/// `row_count` or `col_count` that includes the index permits this. Throws Error (usage) like read_dataset().
Dataset dataset_of(const EdgeArrays& edges, const ReadOptions& options = {});

}  // namespace lockstep
