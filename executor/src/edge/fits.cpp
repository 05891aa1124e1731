// What fits on a multiprocessor.
#include <algorithm>
#include <string>

#include "lockstep/executor/edge/local/layout.hpp"
#include "lockstep/executor/edge/plan.hpp"
#include "lockstep/executor/edge/tiled/memory.hpp"

namespace lockstep {

namespace gpu {

std::optional<TiledShape> tiled_shape(const TiledSizes& sizes, const OperatorSize& size,
                                      const Properties& device) {
    const bool segments = size.star_place_words > 0;
    using tiled::Crew;
    TiledView view{};
    view.most_cols = static_cast<int>(sizes.most_cols), view.most_rows = static_cast<int>(sizes.most_rows);
    view.most_words = static_cast<int>(sizes.most_words);
    view.stride = static_cast<int>(size.vector_bytes / 4);
    for (int step_warps = sizes.has_chains ? Crew::step_warps_beside_chain(segments) : Crew::moving_warp;;
         ++step_warps) {
        const Crew crew(step_warps, segments);
        const EdgeId star_words =
            segments ? size.star_words + static_cast<EdgeId>(crew.places) * size.star_place_words : 0;
        const EdgeId bytes = tiled::Map(view, static_cast<int>(star_words)).bytes();
        if (bytes <= device.shared_bytes) return TiledShape{step_warps, bytes};
        if (crew.chain_warps <= Crew::fewest_chain_warps(segments)) return std::nullopt;
    }
}

EdgeId resident_slots(const ResidentPlan& plan, int lanes, const Properties& device) {
    const EdgeId workers = device.multiprocessors * tuning::resident.threads / static_cast<EdgeId>(lanes);
    return std::max<EdgeId>(1, (plan.largest_block() + workers - 1) / workers);
}

}  // namespace gpu

namespace {

using gpu::Properties;
using Reason = std::optional<std::string>;

// Each walk has one: that nothing of it lies on chip is said, not assumed.
Reason reason(const EdgeList&, const PhasesPlan&, const OperatorSize&, const Properties&) { return {}; }
Reason reason(const EdgeList&, const TasksPlan&, const OperatorSize&, const Properties&) { return {}; }
Reason reason(const EdgeList&, const EdgeLockedPlan&, const OperatorSize&, const Properties&) { return {}; }
Reason reason(const EdgeList&, const NodeLockedPlan&, const OperatorSize&, const Properties&) { return {}; }
Reason reason(const EdgeList&, const NodeLockedThenEdge&, const OperatorSize&, const Properties&) {
    return {};
}
Reason reason(const EdgeList&, const RacingPlan&, const OperatorSize&, const Properties&) { return {}; }

/// Where `largest` columns of a block are more than the device holds.
Reason too_many_columns(EdgeId largest, EdgeId most, const char* advice) {
    if (largest <= most) return {};
    return "the schedule keeps blocks of " + std::to_string(largest) +
           " items on chip, but this device holds " + std::to_string(most) +
           " at this rank; preprocess with a " + advice;
}

Reason reason(const EdgeList&, const ResidentPlan& plan, const OperatorSize& size, const Properties& device) {
    constexpr auto threads = static_cast<EdgeId>(gpu::tuning::resident.threads);
    const EdgeId workers = device.multiprocessors * threads / static_cast<EdgeId>(size.lanes);
    return too_many_columns(plan.largest_block(), device.shared_bytes / (size.slot_bytes * threads) * workers,
                            "smaller --workers");
}
Reason reason(const EdgeList& edges, const EdgeLockedThenResident& plan, const OperatorSize& size,
              const Properties& device) {
    return reason(edges, plan.rest, size, device);
}
Reason reason(const EdgeList&, const RacingTilesPlan& plan, const OperatorSize& size,
              const Properties& device) {
    const EdgeId vector = size.held_bytes * static_cast<EdgeId>(size.lanes);
    return too_many_columns(plan.largest_tile(), device.shared_bytes / vector, "larger --rank");
}

/// What tiled and local need alike.
Reason not_on_chip(const char* walk, const OperatorSize& size, const Properties& device) {
    if (size.vector_bytes == 0)
        return std::string("the operator cannot be taken to a multiprocessor (edge/on_chip.hpp), as ") +
               walk + " wants it";
    if (device.copies_in_bulk()) return {};
    return std::string("strategy ") + walk +
           " needs a GPU of compute capability 9.0 or later, this one has " + std::to_string(device.major) +
           "." + std::to_string(device.minor) + "; run it with --device cpu";
}

Reason reason(const EdgeList& edges, const TiledPlan& plan, const OperatorSize& size,
              const Properties& device) {
    return why_not(tiled_sizes(edges, plan, size.vector_bytes), size, device);
}
Reason reason(const EdgeList& edges, const LocalPlan& plan, const OperatorSize& size,
              const Properties& device) {
    return why_not(local_layout(edges, plan), size, device);
}

}  // namespace

Reason why_not(const TiledSizes& sizes, const OperatorSize& size, const Properties& device) {
    if (Reason why = not_on_chip("tiled", size, device)) return why;
    if (sizes.too_large) return too_large_tile;
    if (!gpu::tiled_shape(sizes, size, device)) {
        return "a tile of the schedule does not fit on chip at this rank; preprocess for it with --rank, or "
               "with "
               "more --groups or --user-blocks";
    }
    if (sizes.grid.item_blocks <= device.multiprocessors) return {};
    return "the schedule has " + std::to_string(sizes.grid.item_blocks) +
           " item blocks in a group, but this device runs " + std::to_string(device.multiprocessors) +
           " at once; preprocess with --item-blocks";
}

Reason why_not(const LocalLayout& layout, const OperatorSize& size, const Properties& device) {
    if (Reason why = not_on_chip("local", size, device)) return why;
    const EdgeId bytes = local_bytes(layout, size.vector_bytes);
    if (bytes <= device.shared_bytes) return {};
    return "a tile of the schedule takes " + std::to_string(bytes) + " of " +
           std::to_string(device.shared_bytes) +
           " bytes on chip at this rank; preprocess for it with --rank and --storage";
}

Reason why_not(const EdgePlan& plan, const OperatorSize& size, const Properties& device) {
    if (plan.edges() == 0) return {};
    return std::visit([&](const auto& walk) { return reason(plan, walk, size, device); }, plan.walk);
}

}  // namespace lockstep
