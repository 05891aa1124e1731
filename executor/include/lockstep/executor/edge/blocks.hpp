// Inverts a division of the vertices into blocks: for each vertex, the block that contains it. `order` is a
// list of vertices, and each block is a range of consecutive positions of `order`.
#pragma once

#include <vector>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// Returns the block of each vertex: block b consists of the vertices at the positions [parts[b], parts[b +
/// 1]) of `order`. Vertices that are not in `order` get block 0. O(vertices)
inline std::vector<VertexId> blocks_of(const std::vector<VertexId>& order, const std::vector<EdgeId>& parts,
                                       VertexId vertices) {
    std::vector<VertexId> block(vertices);
    for (std::size_t b = 0; b + 1 < parts.size(); ++b) {
        for (EdgeId i = parts[b]; i < parts[b + 1]; ++i) block[order[i]] = static_cast<VertexId>(b);
    }
    return block;
}

}  // namespace lockstep
