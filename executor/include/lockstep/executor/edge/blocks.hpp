// In which block of an order every vertex is.
#pragma once

#include <vector>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// `parts`: block -> places in `order`; 0 for vertices that are not in it. O(vertices)
inline std::vector<VertexId> blocks_of(const std::vector<VertexId>& order, const std::vector<EdgeId>& parts,
                                       VertexId vertices) {
    std::vector<VertexId> block(vertices);
    for (std::size_t b = 0; b + 1 < parts.size(); ++b) {
        for (EdgeId i = parts[b]; i < parts[b + 1]; ++i) block[order[i]] = static_cast<VertexId>(b);
    }
    return block;
}

}  // namespace lockstep
