// A dataset from arrays of edges in place of a file.
#pragma once

#include <span>

#include "lockstep/formats/dataset.hpp"

namespace lockstep {

/// Edges in memory, in the order of an input.
struct EdgeArrays {
    std::span<const std::int64_t> rows, cols;
    std::span<const float> weights = {};  ///< finite; empty: 1 each
    bool weighted = true;                 ///< false: weights say nothing
    bool given_ids = false;  ///< numbers are ids, of which the distinct ones are vertices; else vertex I is I
    VertexId row_count = 0,
             col_count = 0;  ///< of vertices, where these are numbers; 0: one more than the largest number
    std::span<const std::int64_t> times = {};  ///< times of the edges, kept in the dataset; empty: none
};
/// Returns the graph that a file with these edges would give. Throws Error (bad input) on a number that is no vertex,
/// or that would add millions of vertices without an edge, unless the counts include them; Error (usage) as
/// read_dataset.
Dataset dataset_of(const EdgeArrays& edges, const ReadOptions& options = {});

}  // namespace lockstep
