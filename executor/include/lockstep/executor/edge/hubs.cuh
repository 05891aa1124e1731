// Hub passes on the GPU: one cooperative launch for all of them, a thread block a part of a hub's edges.
#pragma once

#include <optional>

#include "lockstep/executor/device/barrier.cuh"
#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/edge/hub_part.cuh"
#include "lockstep/executor/edge/hubs.hpp"
#include "lockstep/executor/edge/stars.cuh"

namespace lockstep::gpu {

struct HubPassView {
    EdgeId phases;
    const EdgeId* stars;  ///< as StarsPlan
    float* maps;          ///< of each part
    EdgeId* counters;
};

/// Two device-wide barriers a pass: the maps of the parts are there; all edges are done.
template <class Op, class Chip>
class HubPasses {
    using Map = HubMap<Chip>;
    using Maps = BlockMaps<Map>;
    using Part = HubPart<Op, Chip>;
    static constexpr int floats = Maps::floats;

public:
    __device__ HubPasses(const HubPassView& plan, const typename Part::Parameters& parameters,
                         const void* memory)
        : plan_(plan), room_(parameters.room), part_(parameters, memory) {}

    /// Returns the edges of this thread's lane group.
    __device__ EdgeId run(DeviceBarrier& barrier) {
        EdgeId done = 0;
        look(0);
        for (EdgeId p = 0; p < plan_.phases; ++p) {
            const int used = part_.used(), parts = part_.parts();
            if (used > 0) {
                part_.find_maps();
                Maps::publish(part_.root(), plan_.maps + floats * own());
            }
            barrier.sync();
            if (used > 0) {
                find_vector();
                if (own() == parts - 1 && threadIdx.x < 32) part_.store_centre();
                done += part_.run_edges();
            }
            barrier.arrive();
            if (p + 1 < plan_.phases) look(p + 1);
            barrier.wait();
        }
        return done;
    }

private:
    __device__ __forceinline__ static int own() { return static_cast<int>(blockIdx.x); }
    __device__ __forceinline__ void look(EdgeId p) {
        part_.look(load_constant(plan_.stars + p), StarsPlan::edge_of(load_constant(plan_.stars + p + 1)),
                   own());
    }
    /// Before this part: through all parts before, some maps at a time.
    __device__ __forceinline__ void find_vector() {
        for (int done = 0; done < own(); done += room_.maps) {
            const int n = min(room_.maps, own() - done);
            Maps::ask(plan_.maps + floats * done, n, part_.maps());
            copies_done();
            Maps::sync();
            if (threadIdx.x < 32) Maps::apply_all(part_.maps(), n, part_.vectors());
            Maps::sync();
        }
    }

    const HubPassView& plan_;
    const HubPartRoom<Chip>& room_;
    Part part_;
};

template <class Op, class Chip>
__global__ void __launch_bounds__(HubPartRoom<Chip>::threads, 1)
    hub_kernel(const HubPassView plan, const typename HubPart<Op, Chip>::Parameters parameters) {
    extern __shared__ __align__(16) unsigned char shared[];
    DeviceBarrier barrier(plan.counters + arrivals);
    const EdgeId done = HubPasses<Op, Chip>(plan, parameters, shared).run(barrier);
    add_of_block<Op>(plan.counters + updates, done, shared);
}

template <>
class OnDevice<HubsPlan> : public Counting {
public:
    OnDevice(const EdgeList& list, const EdgesView& edges, const HubsPlan& plan)
        : edges_(edges), view_{plan.phases(), nullptr, nullptr, counters_.data()} {
        if (plan.phases() == 0) return;
        put(view_.stars, stars_, plan.stars.stars);
        largest_ = plan.largest();
        as_stars_.emplace(list, edges, plan.stars);
    }
    /// With the rows of products of the largest hub, where they lie there.
    static EdgeId bytes(const EdgeList& list, const HubsPlan& plan) {
        if (plan.phases() == 0) return 0;
        return 2 * OnDevice<StarsPlan>::bytes(list, plan.stars) + (EdgeId{18 * hub_parts} << 10) +
               288 * plan.largest();
    }
    EdgeId phases() const { return view_.phases; }
    void reset() {
        Counting::reset();
        if (as_stars_) as_stars_->reset();
    }
    template <EdgeOperator Op>
    void sweep(const Op& op) {
        runs_maps_ = false;
        if constexpr (CanBeOnChip<Op>) {
            op.on_chip([&]<class Chip>(const Chip& chip) {
                if constexpr (has_hub_part<Op, Chip>) {
                    if (HubMap<Chip>::runs(chip)) launch_passes(op, chip);
                }
            });
        }
        if (!runs_maps_) as_stars_->sweep(op);
    }
    SweepCounts counts() const { return runs_maps_ ? counters_.once() : as_stars_->counts(); }

private:
    template <class Op, class Chip>
    void launch_passes(const Op& op, const Chip& chip) {
        using Room = HubPartRoom<Chip>;
        using Map = HubMap<Chip>;
        const int batches = HubSegments<Map>(largest_).batches();
        const Room room(chip.vector_bytes(), batches, hub_parts - 1, device_properties().shared_bytes);
        const EdgeId block_rows = room.has_rows ? 0 : Room::rows_of(largest_);
        grow(maps_, EdgeId{hub_parts} * Room::map_floats), grow(rows_, block_rows * hub_parts);
        view_.maps = maps_.data();
        Shape shape{Room::threads, 1};
        shape.blocks = hub_parts;
        launch(hub_kernel<Op, Chip>, shape, room.bytes(), view_,
               typename HubPart<Op, Chip>::Parameters{edges_, chip, chip.turned(), room, rows_.data(),
                                                      block_rows});
        runs_maps_ = true;
    }
    static void grow(Buffer<float>& buffer, EdgeId floats) {
        if (buffer.size() < floats) buffer = Buffer<float>(floats);
    }

    EdgesView edges_;
    Buffer<EdgeId> stars_;
    Buffer<float> maps_, rows_;
    std::optional<OnDevice<StarsPlan>> as_stars_;
    HubPassView view_;
    EdgeId largest_ = 0;
    bool runs_maps_ = false;
};

}  // namespace lockstep::gpu
