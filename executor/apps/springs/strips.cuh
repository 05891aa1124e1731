// Strips on the GPU: one cluster of thread blocks holds the whole mesh for all sweeps of a substep.
//
// A block has its strip in shared memory, behind it the beginning of the next one, and the springs of both its tiles. A
// sweep is the strip's springs, round by round; then the border's, for which the beginning of the next strip is fetched from
// the block that has it, and brought back.
#pragma once

#include <cooperative_groups.h>

#include "apps/springs/driver.hpp"
#include "lockstep/executor/device/memory.cuh"
#include "lockstep/executor/update/update.hpp"

namespace lockstep::gpu {

template <class U>
struct StripsView {
    struct Record {
        std::uint16_t a, b;  ///< places of the ends, from the beginning of the tile's strip
        typename U::Edge edge;
    };
    Record* records;               ///< in the order of the plan
    const unsigned* step_records;  ///< step -> its first record
    const unsigned* tile_steps;    ///< strips, then borders -> their first step
    unsigned particles, length, reach, most_inside, most_between;
};

namespace strips {

extern __shared__ __align__(16) std::byte shared[];

/// A tile's springs, a step after another; of a step no two share a particle. Those of the next one are fetched before all meet.
template <class U, class Record>
__device__ void run(springs::Particle* particles, Record* records, const unsigned* steps, unsigned count,
                    const typename U::Parameters& parameters) {
    const unsigned base = steps[0];
    unsigned at = threadIdx.x, end = count ? steps[1] - base : 0;
    Record next{};
    if (at < end) next = records[at];
    for (unsigned s = 0; s < count; ++s) {
        const unsigned after = s + 1 < count ? steps[s + 2] - base : end;
        while (at < end) {
            springs::Particle a = particles[next.a], b = particles[next.b];
            U::update(a, b, next.edge, parameters);
            particles[next.a] = a, particles[next.b] = b;
            if constexpr (update::changes_edges<U>) records[at].edge = next.edge;
            if ((at += blockDim.x) < end) next = records[at];
        }
        at = end + threadIdx.x, end = after;
        if (at < end) next = records[at];
        __syncthreads();
    }
}

template <class U>
__global__ void sweep_kernel(const StripsView<U> v, springs::Particle* all, float compliance,
                             std::uint64_t first, std::uint64_t count) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900  // GPUs before have no clusters
    using Record = typename StripsView<U>::Record;
    namespace cg = cooperative_groups;
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned strip = cluster.block_rank(), strips = cluster.num_blocks(), border = strips + strip;
    const bool bordered = strip + 1 < strips;
    const unsigned begin = strip * v.length, own = min(v.length, v.particles - begin);
    const unsigned halo = bordered ? min(v.reach, v.particles - begin - v.length) : 0;
    auto* const particles = reinterpret_cast<springs::Particle*>(shared);
    auto* const inside = reinterpret_cast<Record*>(particles + v.length + (strips > 1 ? v.reach : 0));
    Record* const between = inside + v.most_inside;

    const unsigned *const steps = v.tile_steps + strip, *const there = v.tile_steps + border;
    const unsigned in = v.step_records[steps[0]], in_end = v.step_records[steps[1]];
    const unsigned out = bordered ? v.step_records[there[0]] : 0,
                   out_end = bordered ? v.step_records[there[1]] : 0;
    for (unsigned i = threadIdx.x; i < own; i += blockDim.x) particles[i] = all[begin + i];
    for (unsigned i = threadIdx.x; i < in_end - in; i += blockDim.x) inside[i] = v.records[in + i];
    for (unsigned i = threadIdx.x; i < out_end - out; i += blockDim.x) between[i] = v.records[out + i];
    springs::Particle* const next = bordered ? cluster.map_shared_rank(particles, strip + 1) : nullptr;
    __syncthreads();

    for (std::uint64_t i = first; i < first + count; ++i) {
        const typename U::Parameters parameters{compliance, i == 0 ? 0.0F : 1.0F};
        run<U>(particles, inside, v.step_records + steps[0], steps[1] - steps[0], parameters);
        cluster.sync();
        if (bordered) {
            for (unsigned h = threadIdx.x; h < halo; h += blockDim.x) particles[v.length + h] = next[h];
            __syncthreads();
            run<U>(particles, between, v.step_records + there[0], there[1] - there[0], parameters);
            for (unsigned h = threadIdx.x; h < halo; h += blockDim.x) next[h] = particles[v.length + h];
        }
        cluster.sync();
    }
    for (unsigned i = threadIdx.x; i < own; i += blockDim.x) all[begin + i] = particles[i];
    if constexpr (update::changes_edges<U>) {
        for (unsigned i = threadIdx.x; i < in_end - in; i += blockDim.x) v.records[in + i] = inside[i];
        for (unsigned i = threadIdx.x; i < out_end - out; i += blockDim.x) v.records[out + i] = between[i];
    }
#endif
}

}  // namespace strips

/// Strips with the springs of a model in device memory.
template <class U>
class StripsOnDevice {
public:
    /// Throws ScheduleError (no_device) where the device has no clusters or the mesh does not fit on chip.
    StripsOnDevice(const springs::Strips& strips, const springs::Model& model,
                   const std::vector<typename U::Edge>& payloads)
        : blocks_(strips.count), shared_(strip_bytes(strips, sizeof(Record))) {
        if (!device_properties().has_clusters())
            throw ScheduleError(
                "strips need clusters of thread blocks, which GPUs have from compute "
                "capability 9.0 on; take local or agm-e",
                Failure::no_device);
        if (shared_ > device_properties().shared_bytes ||
            !springs::strips_fit(strips, update::changes_edges<U>))
            throw ScheduleError("the mesh does not fit on chip in strips; take local or agm-e",
                                Failure::no_device);
        std::vector<VertexId> place(strips.order.size());
        for (VertexId i = 0; i < place.size(); ++i) place[strips.order[i]] = i;
        const Schedule& s = strips.schedule;
        const std::vector<EdgeId> tiles = edge_offsets(s, Level::tile);
        std::vector<Record> records(payloads.size());
        for (std::size_t t = 0; t + 1 < tiles.size(); ++t) {
            const VertexId begin = static_cast<VertexId>(t % strips.count) * strips.length;
            for (EdgeId e = tiles[t]; e < tiles[t + 1]; ++e)
                records[e] = {static_cast<std::uint16_t>(place[model.plan.row[e]] - begin),
                              static_cast<std::uint16_t>(place[model.plan.col[e]] - begin), payloads[e]};
        }
        const auto narrow = [](const std::vector<EdgeId>& offsets) {
            return std::vector<unsigned>(offsets.begin(), offsets.end());
        };
        records_ = Buffer<Record>(records);
        step_records_ = Buffer<unsigned>(narrow(s.level(Level::step))),
        tile_steps_ = Buffer<unsigned>(narrow(s.level(Level::tile)));
        const auto [inside, between] = fullest_of(strips);
        view_ = {records_.data(),
                 step_records_.data(),
                 tile_steps_.data(),
                 static_cast<unsigned>(place.size()),
                 strips.length,
                 strips.reach,
                 static_cast<unsigned>(inside),
                 static_cast<unsigned>(between)};
        EdgeId most = 1;
        const std::vector<EdgeId>& steps = s.level(Level::step);
        for (std::size_t i = 0; i + 1 < steps.size(); ++i) most = std::max(most, steps[i + 1] - steps[i]);
        threads_ = static_cast<unsigned>(std::min<EdgeId>(1024, (most + 31) / 32 * 32));
        require_room();
    }
    EdgeId bytes() const {
        return records_.size() * sizeof(Record) + 4 * (step_records_.size() + tile_steps_.size());
    }

    void sweep(springs::Particle* particles, float compliance, std::uint64_t first, std::uint64_t count) {
        Launch launch(*this);
        LOCKSTEP_CUDA(cudaLaunchKernelEx(&launch.config, strips::sweep_kernel<U>, view_, particles,
                                         compliance, first, count));
    }

private:
    using Record = typename StripsView<U>::Record;
    struct Launch {
        cudaLaunchConfig_t config{};
        cudaLaunchAttribute cluster{};
        explicit Launch(const StripsOnDevice& s) {
            cluster.id = cudaLaunchAttributeClusterDimension;
            cluster.val.clusterDim = {s.blocks_, 1, 1};
            config.gridDim = dim3(s.blocks_), config.blockDim = dim3(s.threads_),
            config.dynamicSmemBytes = s.shared_;
            config.attrs = &cluster, config.numAttrs = 1;
        }
    };
    /// Clusters of more than 8 blocks are for devices that have the room.
    void require_room() const {
        LOCKSTEP_CUDA(cudaFuncSetAttribute(
            strips::sweep_kernel<U>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_)));
        LOCKSTEP_CUDA(
            cudaFuncSetAttribute(strips::sweep_kernel<U>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
        Launch launch(*this);
        int clusters = 0;
        if (cudaOccupancyMaxActiveClusters(&clusters, strips::sweep_kernel<U>, &launch.config) != cudaSuccess)
            cudaGetLastError();
        if (clusters == 0)
            throw ScheduleError("the device has no room for a cluster of " + std::to_string(blocks_) +
                                    " thread blocks; take local or agm-e",
                                Failure::no_device);
    }

    unsigned blocks_, threads_ = 32;
    EdgeId shared_;
    Buffer<Record> records_;
    Buffer<unsigned> step_records_, tile_steps_;
    StripsView<U> view_{};
};

}  // namespace lockstep::gpu
