// A neighbour plan in device memory: owner on the host, trivially copyable view in the kernels.
#pragma once

#include "lockstep/executor/cuda/runtime.cuh"
#include "lockstep/executor/edge_tiles.hpp"

namespace lockstep::gpu {

struct Pair {
    VertexId source, target;
};

/// What the kernels see; see NeighbourPlan and EdgeTiles for the meaning of each array.
struct NeighbourView {
    VertexId vertices;
    EdgeId arcs;
    OffsetsView out, in;
    const VertexId *sources, *targets;
    const Pair* pairs;
    VirtualWarps warps;
    const VertexId* tiles;
    Bin bins[4];
    const EdgeTile* edge_tiles;
    VertexId tile_count, block_tiles;
    const std::uint16_t* marks;
    VertexId hot;
};
static_assert(std::is_trivially_copyable_v<NeighbourView>);

class DeviceNeighbours {
public:
    /// Uploads. Throws Error (no_device) with both numbers when the device has too little memory for the
    /// plan and `other_bytes` of the application.
    DeviceNeighbours(const NeighbourPlan& plan, EdgeId other_bytes)
        : traversal_(plan.traversal), warps_(plan.warps.has_value()) {
        require_memory(bytes(plan) + other_bytes, "--device cpu needs none");
        const bool tiled = plan.traversal == Traversal::edge_tiled;
        upload(plan.out, out_low_, out_high_);
        if (!tiled) upload(plan.in, in_low_, in_high_);
        if (plan.traversal == Traversal::edge_aos) {
            std::vector<Pair> pairs(plan.arcs);
            for (EdgeId e = 0; e < plan.arcs; ++e) pairs[e] = {plan.sources[e], plan.targets[e]};
            pairs_ = Buffer<Pair>(pairs);
        } else if (tiled) {
            const EdgeTiles tiles = edge_tiles(plan);
            sources_ = Buffer<VertexId>(std::span<const VertexId>(tiles.sources));
            marks_ = Buffer<std::uint16_t>(std::span<const std::uint16_t>(tiles.marks));
            edge_tiles_ = Buffer<EdgeTile>(tiles.tiles);
            view_.block_tiles = tiles.block_tiles;
        } else {
            sources_ = Buffer<VertexId>(std::span<const VertexId>(plan.sources));
            targets_ = Buffer<VertexId>(std::span<const VertexId>(plan.targets));
            tiles_ = Buffer<VertexId>(plan.tiles);
        }
        view_.vertices = plan.vertices;
        view_.arcs = plan.arcs;
        view_.out = {out_low_.data(), out_high_.data()};
        view_.in = {in_low_.data(), in_high_.data()};
        view_.sources = sources_.data(), view_.targets = targets_.data(), view_.pairs = pairs_.data();
        view_.warps = plan.warps.value_or(VirtualWarps{});
        view_.tiles = tiles_.data();
        std::copy(plan.bins.begin(), plan.bins.end(), view_.bins);
        view_.edge_tiles = edge_tiles_.data();
        view_.tile_count = static_cast<VertexId>(plan.tiles.empty() ? 0 : plan.tiles.size() - 1);
        view_.marks = marks_.data();
        view_.hot = plan.hot;
    }

    const NeighbourView& view() const { return view_; }
    Traversal traversal() const { return traversal_; }
    bool virtual_warps() const { return warps_; }

    /// Device memory of a plan, in bytes; of edge-tiled at most.
    static EdgeId bytes(const NeighbourPlan& plan) {
        EdgeId total = plan.bytes() - 4 * plan.order.size();
        if (plan.traversal == Traversal::edge_tiled) total += plan.arcs / 4 + 48 * plan.tiles.size();
        return total;
    }

private:
    static void upload(const Offsets& offsets, Buffer<std::uint32_t>& low, Buffer<std::uint8_t>& high) {
        low = Buffer<std::uint32_t>(offsets.low), high = Buffer<std::uint8_t>(offsets.high);
    }

    Traversal traversal_;
    bool warps_;
    NeighbourView view_{};
    Buffer<std::uint32_t> out_low_, in_low_;
    Buffer<std::uint8_t> out_high_, in_high_;
    Buffer<VertexId> sources_, targets_, tiles_;
    Buffer<Pair> pairs_;
    Buffer<EdgeTile> edge_tiles_;
    Buffer<std::uint16_t> marks_;
};

}  // namespace lockstep::gpu
