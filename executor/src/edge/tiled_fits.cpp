// Checks whether the tiles of a tiled plan fit in the shared memory of a multiprocessor.
#include <algorithm>

#include "lockstep/executor/edge/fits.hpp"
#include "lockstep/executor/edge/tiled/memory.hpp"

namespace lockstep {

namespace gpu {

std::optional<TiledShape> tiled_shape(const TiledSizes& sizes, const OperatorSize& size,
                                      const Properties& device) {
    const bool segments = size.star_place_words > 0;
    using tiled::WarpRoles;
    TiledView view{};
    view.max_cols = static_cast<int>(sizes.max_cols), view.max_rows = static_cast<int>(sizes.max_rows);
    view.max_words = static_cast<int>(sizes.max_words);
    view.stride = static_cast<int>(size.vector_bytes / 4);
    for (int step_warps = sizes.has_chains ? WarpRoles::step_warps_beside_chain(segments)
                                           : WarpRoles::moving_warp;
         ; ++step_warps) {
        const WarpRoles crew(step_warps, segments);
        const EdgeId star_words =
            segments ? size.star_words + static_cast<EdgeId>(crew.places) * size.star_place_words : 0;
        const EdgeId bytes = tiled::Map(view, static_cast<int>(star_words)).bytes();
        if (bytes <= device.shared_bytes) return TiledShape{step_warps, bytes};
        if (crew.chain_warps <= WarpRoles::min_chain_warps(segments)) return std::nullopt;
    }
}

}  // namespace gpu

std::optional<std::string> why_not(const TiledSizes& sizes, const OperatorSize& size,
                                   const gpu::Properties& device) {
    if (auto why = not_on_chip("tiled", size, device)) return why;
    if (sizes.too_large) return too_large_tile;
    if (!gpu::tiled_shape(sizes, size, device)) {
        return "a tile of the schedule does not fit in shared memory at this rank; preprocess with the "
               "--rank of the run, or with more --groups or --user-blocks";
    }
    if (sizes.grid.item_blocks <= device.multiprocessors) return {};
    return "the schedule has " + std::to_string(sizes.grid.item_blocks) +
           " item blocks per group, but this device runs at most " + std::to_string(device.multiprocessors) +
           " concurrently; preprocess with fewer --item-blocks";
}

std::optional<std::string> TiledPlan::why_not(const EdgeList& edges, const OperatorSize& size,
                                              const gpu::Properties& device) const {
    return lockstep::why_not(TiledLayout(edges, *this, size.vector_bytes).sizes(), size, device);
}

}  // namespace lockstep
