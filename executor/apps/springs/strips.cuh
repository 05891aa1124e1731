// Runs the sweeps of a mesh that is divided into strips (strips.hpp) on a GPU. A cluster of thread blocks
// keeps the whole mesh in shared memory during all iterations of a substep.
//
// The shared memory of a thread block contains its strip, the first vertices of the next strip, and the
// springs of its two tiles: those inside the strip, and those to the next strip (the border). A sweep runs
// the springs inside the strip, step by step, and then the springs of the border. For these, the block copies
// the first vertices of the next strip from the shared memory of the block that owns them, and writes them
// back afterwards. The second sweep of a symmetric iteration runs the same springs in the opposite order, and
// has its own multipliers.
#pragma once

#include <cooperative_groups.h>

#include "apps/springs/driver.hpp"
#include "lockstep/executor/device/memory.cuh"
#include "lockstep/executor/update/update.hpp"

namespace lockstep::gpu {

template <class U>
struct StripsView {
    struct Record {
        std::uint16_t a, b;  ///< indices of the endpoints, relative to the beginning of the tile's strip
        typename U::Edge edge;
    };
    /// Springs in the order of the plan; with multipliers, a second copy for the second sweep follows.
    Record* records;
    const unsigned* step_records;  ///< index of the first record of each step
    /// Index of the first step of each tile. The tiles inside the strips of the mesh come first, then those
    /// on the borders between strips.
    const unsigned* tile_steps;
    unsigned particles, springs, length, reach, most_inside, most_between;
    bool symmetric;

    LOCKSTEP_HD unsigned copies() const { return update::changes_edges<U> && symmetric ? 2 : 1; }
};

namespace strips {

extern __shared__ __align__(16) std::byte shared[];

/// Runs the springs of a tile, step by step; if `backward`, from the last step to the first. Springs of one
/// step share no particle. Each thread loads its first spring of the next step before the barrier between the
/// steps, to hide the latency.
template <class U, class Record>
__device__ void run(springs::Particle* particles, Record* records, const unsigned* steps, unsigned count,
                    const typename U::Parameters& parameters, bool backward) {
    const unsigned base = steps[0];
    unsigned at = 0, end = 0;
    Record next{};
    const auto begin = [&](unsigned i) {
        const unsigned step = backward ? count - 1 - i : i;
        at = steps[step] - base + threadIdx.x, end = steps[step + 1] - base;
        if (at < end) next = records[at];
    };
    if (count) begin(0);
    for (unsigned s = 0; s < count; ++s) {
        while (at < end) {
            springs::Particle a = particles[next.a], b = particles[next.b];
            U::update(a, b, next.edge, parameters);
            particles[next.a] = a, particles[next.b] = b;
            if constexpr (update::changes_edges<U>) records[at].edge = next.edge;
            if ((at += blockDim.x) < end) next = records[at];
        }
        if (s + 1 < count) begin(s + 1);
        __syncthreads();
    }
}

template <class U>
__global__ void sweep_kernel(const StripsView<U> v, springs::Particle* all, float compliance,
                             std::uint64_t first, std::uint64_t count) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900  // GPUs before compute capability 9.0 have no clusters
    using Record = typename StripsView<U>::Record;
    namespace cg = cooperative_groups;
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned strip = cluster.block_rank(), strips = cluster.num_blocks(), border = strips + strip;
    const bool bordered = strip + 1 < strips;
    const unsigned begin = strip * v.length, own = min(v.length, v.particles - begin);
    const unsigned halo = bordered ? min(v.reach, v.particles - begin - v.length) : 0;
    auto* const particles = reinterpret_cast<springs::Particle*>(shared);
    auto* const records = reinterpret_cast<Record*>(particles + v.length + (strips > 1 ? v.reach : 0));
    const auto inside = [&](unsigned copy) { return records + copy * (v.most_inside + v.most_between); };
    const auto between = [&](unsigned copy) { return inside(copy) + v.most_inside; };

    const unsigned *const steps = v.tile_steps + strip, *const there = v.tile_steps + border;
    const unsigned in = v.step_records[steps[0]], in_end = v.step_records[steps[1]];
    const unsigned out = bordered ? v.step_records[there[0]] : 0,
                   out_end = bordered ? v.step_records[there[1]] : 0;
    /// Calls move(record in shared memory, record in device memory) for each record of this thread block.
    const auto for_records = [&](auto move) {
        for (unsigned copy = 0; copy < v.copies(); ++copy) {
            Record* const there_all = v.records + copy * v.springs;
            for (unsigned i = threadIdx.x; i < in_end - in; i += blockDim.x)
                move(inside(copy)[i], there_all[in + i]);
            for (unsigned i = threadIdx.x; i < out_end - out; i += blockDim.x)
                move(between(copy)[i], there_all[out + i]);
        }
    };
    for (unsigned i = threadIdx.x; i < own; i += blockDim.x) particles[i] = all[begin + i];
    for_records([](Record& here, const Record& there) { here = there; });
    springs::Particle* const next = bordered ? cluster.map_shared_rank(particles, strip + 1) : nullptr;
    __syncthreads();

    for (std::uint64_t i = first; i < first + count; ++i) {
        const typename U::Parameters parameters{compliance, i == 0 ? 0.0F : 1.0F};
        const auto run_strip = [&](bool backward) {
            Record* const mine = inside(backward ? v.copies() - 1 : 0);
            run<U>(particles, mine, v.step_records + steps[0], steps[1] - steps[0], parameters, backward);
        };
        const auto run_border = [&](bool backward) {
            if (bordered) {
                for (unsigned h = threadIdx.x; h < halo; h += blockDim.x) particles[v.length + h] = next[h];
                __syncthreads();
                Record* const mine = between(backward ? v.copies() - 1 : 0);
                run<U>(particles, mine, v.step_records + there[0], there[1] - there[0], parameters, backward);
                for (unsigned h = threadIdx.x; h < halo; h += blockDim.x) next[h] = particles[v.length + h];
            }
            cluster.sync();
        };
        run_strip(false);
        cluster.sync();
        run_border(false);
        if (v.symmetric) run_border(true), run_strip(true);
    }
    for (unsigned i = threadIdx.x; i < own; i += blockDim.x) all[begin + i] = particles[i];
    if constexpr (update::changes_edges<U>)
        for_records([](const Record& here, Record& there) { there = here; });
#endif
}

}  // namespace strips

/// The strips of a mesh and the springs of a model in device memory.
template <class U>
class StripsOnDevice {
public:
    /// Copies the springs to the device. Throws ScheduleError (no_device) if the GPU has no clusters, or if
    /// the mesh does not fit in the shared memory of a cluster.
    StripsOnDevice(const springs::Strips& strips, const springs::Model& model,
                   const std::vector<typename U::Edge>& payloads)
        : blocks_(strips.count) {
        const bool symmetric = model.backward.has_value();
        const unsigned copies = StripsView<U>{.symmetric = symmetric}.copies();
        shared_ = strip_bytes(strips, copies * sizeof(Record));
        if (!device_properties().has_clusters())
            throw ScheduleError(
                "strategy strips needs clusters of thread blocks, which require a GPU of compute capability "
                "9.0 or later; use local or agm-e",
                Failure::no_device);
        if (shared_ > device_properties().shared_bytes ||
            !springs::strips_fit(strips, update::changes_edges<U> ? copies : 0))
            throw ScheduleError("the mesh does not fit in shared memory in strips; use local or agm-e",
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
        for (unsigned copy = 1; copy < copies; ++copy)
            records.insert(records.end(), records.begin(),
                           records.begin() + static_cast<std::ptrdiff_t>(payloads.size()));
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
                 static_cast<unsigned>(payloads.size()),
                 strips.length,
                 strips.reach,
                 static_cast<unsigned>(inside),
                 static_cast<unsigned>(between),
                 symmetric};
        EdgeId most = 1;
        const std::vector<EdgeId>& steps = s.level(Level::step);
        for (std::size_t i = 0; i + 1 < steps.size(); ++i) most = std::max(most, steps[i + 1] - steps[i]);
        threads_ = static_cast<unsigned>(std::min<EdgeId>(1024, (most + 31) / 32 * 32));
        require_cluster_capacity();
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
    /// Throws ScheduleError (no_device) if the GPU cannot run a cluster of the required number of thread
    /// blocks. CUDA guarantees only clusters of up to 8 blocks.
    void require_cluster_capacity() const {
        LOCKSTEP_CUDA(cudaFuncSetAttribute(
            strips::sweep_kernel<U>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_)));
        LOCKSTEP_CUDA(
            cudaFuncSetAttribute(strips::sweep_kernel<U>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
        Launch launch(*this);
        int clusters = 0;
        if (cudaOccupancyMaxActiveClusters(&clusters, strips::sweep_kernel<U>, &launch.config) != cudaSuccess)
            cudaGetLastError();
        if (clusters == 0)
            throw ScheduleError("the device cannot run a cluster of " + std::to_string(blocks_) +
                                    " thread blocks; use local or agm-e",
                                Failure::no_device);
    }

    unsigned blocks_, threads_ = 32;
    EdgeId shared_;
    Buffer<Record> records_;
    Buffer<unsigned> step_records_, tile_steps_;
    StripsView<U> view_{};
};

}  // namespace lockstep::gpu
