// Full stress (tournament.hpp) on a GPU: one warp per meeting of two groups of 32 vertices. The vertices of
// one group stay in their lanes. The vertices of the other group move, so that in round x lane v has vertex
// (v xor x); this takes one shuffle per coordinate. All sweeps run in one launch, with a device-wide barrier
// after each phase. The inverse distances of eight rounds are loaded during the previous eight rounds.
#pragma once

#include <chrono>
#include <memory>

#include "lockstep/executor/device/barrier.cuh"
#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/device/memory.cuh"
#include "lockstep/executor/layout/tournament.hpp"

namespace lockstep::layout {

inline constexpr int meeting_threads = 128;

/// The arrays that the kernel accesses. For each sweep they contain the order of the octets, the order of the
/// phases, and half the step size.
struct DeviceTournament {
    Tournament tournament;
    const float* tiles;
    float* x;
    VertexId places;
    const VertexId *octets, *phases;
    const float* half_etas;
    VertexId sweeps;
    bool racing;
};

/// The vertex of a group that is in this lane: its octet, whether it exists, and its position.
template <int D>
struct GroupVertex {
    bool there;
    VertexId octet_id, at;
    Point<float, D> p;

    __device__ GroupVertex(const DeviceTournament& t, const VertexId* order, VertexId of) {
        const VertexId lane = threadIdx.x % group, place = of * group_octets + lane / octet;
        there = place < t.tournament.octets;
        octet_id = there ? order[place] : 0;
        at = octet_id * octet + lane % octet;
        for (int k = 0; k < D; ++k) p.x[k] = there ? __ldcg(t.x + EdgeId{t.places} * k + at) : 0;
    }
    __device__ void store(const DeviceTournament& t) const {
        for (int k = 0; k < D && there; ++k) __stcg(t.x + EdgeId{t.places} * k + at, p.x[k]);
    }
};

template <int D>
__device__ __forceinline__ Point<float, D> exchange_lanes(Point<float, D> p, unsigned bits) {
#pragma unroll
    for (int k = 0; k < D; ++k) p.x[k] = __shfl_xor_sync(~0U, p.x[k], bits);
    return p;
}

/// Loads the inverse distances of this lane's vertex to the vertices of the octet `other`, for eight rounds.
__device__ __forceinline__ void fetch(float (&q)[octet], const DeviceTournament& t, VertexId own,
                                      VertexId other) {
    const VertexId lane = threadIdx.x % octet;
    const float* const tile =
        t.tiles + tile_of(own < other ? own : other, own < other ? other : own, t.tournament.octets);
#pragma unroll
    for (VertexId r = 0; r < octet; ++r) q[r] = __ldg(tile + r * octet + (own <= other ? lane : lane ^ r));
}

/// Processes the pairs of vertices within one group. Each lane moves its own vertex.
template <int D>
__device__ void within(const DeviceTournament& t, const VertexId* order, VertexId of, float half_eta) {
    GroupVertex<D> own(t, order, of);
    for (VertexId turn = 0; turn < group_octets; ++turn) {
        const bool other_there = __shfl_xor_sync(~0U, own.there, turn * octet);
        const VertexId other = __shfl_xor_sync(~0U, own.octet_id, turn * octet);
        float q[octet];
        fetch(q, t, own.octet_id, other);
#pragma unroll
        for (VertexId r = 0; r < octet; ++r) {
            const Point<float, D> met = exchange_lanes(own.p, turn * octet + r);
            if (turn + r > 0 && own.there && other_there)
                approach(own.p, met, q[r], multiply(q[r], q[r]), half_eta);
        }
    }
    own.store(t);
}

/// Processes the pairs of vertices from two groups.
template <int D>
__device__ void between(const DeviceTournament& t, const VertexId* order, VertexId one, VertexId other,
                        float half_eta) {
    GroupVertex<D> stays(t, order, one), travels(t, order, other);
    float q[octet], next[octet];
    fetch(next, t, stays.octet_id, travels.octet_id);
#pragma unroll
    for (VertexId turn = 0; turn < group_octets; ++turn) {
        const bool both = stays.there && travels.there;
#pragma unroll
        for (VertexId r = 0; r < octet; ++r) q[r] = next[r];
        // exclusive or that leads to the lane with the vertex of the next octet
        const unsigned on = turn + 1 < group_octets ? (turn ^ (turn + 1)) * octet : 0;
        const VertexId next_octet = __shfl_xor_sync(~0U, travels.octet_id, on);
        fetch(next, t, stays.octet_id, next_octet);
#pragma unroll
        for (VertexId r = 0; r < octet; ++r) {
            if (r > 0) travels.p = exchange_lanes(travels.p, r ^ (r - 1));
            if (both) move_pair(stays.p, travels.p, q[r], half_eta);
        }
        travels.p = exchange_lanes(travels.p, (octet - 1) ^ on);
        travels.octet_id = next_octet;
        travels.there = __shfl_xor_sync(~0U, travels.there, on);
        travels.at = __shfl_xor_sync(~0U, travels.at, on);
    }
    stays.store(t);
    travels.store(t);
}

template <int D>
__global__ void __launch_bounds__(meeting_threads) tournament_kernel(DeviceTournament t, EdgeId* arrivals) {
    gpu::DeviceBarrier barrier(arrivals);
    const VertexId warp = (blockIdx.x * meeting_threads + threadIdx.x) / group,
                   warps = gridDim.x * meeting_threads / group, phases = t.tournament.phases();
    for (VertexId sweep = 0; sweep < t.sweeps; ++sweep) {
        const VertexId* const order = t.octets + EdgeId{sweep} * t.tournament.octets;
        const float half_eta = t.half_etas[sweep];
        for (VertexId p = 0; p < phases; ++p) {
            const VertexId phase = t.phases[EdgeId{sweep} * phases + p];
            for (VertexId i = warp; i < t.tournament.pairings(); i += warps) {
                VertexId one = 0, other = 0;
                t.tournament.pairing(phase, i, one, other);
                if (p == 0) within<D>(t, order, one, half_eta), within<D>(t, order, other, half_eta);
                between<D>(t, order, one, other, half_eta);
            }
            if (!t.racing) barrier.sync();
        }
    }
}

/// The inverse distances and the positions in the memory of a GPU.
template <int D>
class TournamentOnDevice {
public:
    TournamentOnDevice(const FullStress& full, bool racing)
        : tiles_(std::span(full.tiles.data(), full.tiles.size())),
          x_(EdgeId{full.tournament().octets} * octet * D),
          arrivals_(1),
          view_{full.tournament(),
                tiles_.data(),
                x_.data(),
                full.tournament().octets * octet,
                {},
                {},
                {},
                0,
                racing} {}

    EdgeId bytes() const { return 4 * (tiles_.size() + x_.size()); }
    void result(Positions& positions) const { positions.x = x_.download(); }

    /// Runs the sweeps, as a Runner does. Returns the time from the launch to its end, in seconds.
    double run(const Positions* first, const std::vector<SweepOrder>& orders,
               const std::vector<float>& half_etas) {
        if (first) x_.upload(first->x);
        std::vector<VertexId> octets, phases;
        for (const SweepOrder& order : orders) {
            octets.insert(octets.end(), order.octets.begin(), order.octets.end());
            phases.insert(phases.end(), order.phases.begin(), order.phases.end());
        }
        const gpu::Buffer<VertexId> of_octets(octets), of_phases(phases);
        const gpu::Buffer<float> of_sizes(half_etas);
        view_.octets = of_octets.data(), view_.phases = of_phases.data(), view_.half_etas = of_sizes.data();
        view_.sweeps = static_cast<VertexId>(orders.size());
        arrivals_.zero();
        const gpu::Shape shape{.threads = meeting_threads, .blocks_per_sm = 4};
        const unsigned most = gpu::resident_blocks(tournament_kernel<D>, shape, 0),
                       wanted = (view_.tournament.pairings() * group + meeting_threads - 1) / meeting_threads;
        LOCKSTEP_CUDA(cudaDeviceSynchronize());
        const auto start = std::chrono::steady_clock::now();
        gpu::launch_blocks(tournament_kernel<D>, wanted < most ? wanted : most, meeting_threads, 0, view_,
                           arrivals_.data());
        LOCKSTEP_CUDA(cudaDeviceSynchronize());
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }

private:
    gpu::Buffer<float> tiles_, x_;
    gpu::Buffer<EdgeId> arrivals_;
    DeviceTournament view_;
};

template <int D>
Runner tournament_on_device(const FullStress& full, bool racing) {
    const auto start = std::chrono::steady_clock::now();
    gpu::require_memory(FullStress::bytes(full.vertices) + 4 * D * (EdgeId{full.vertices} + octet),
                        "use a smaller --full-up-to, or --device cpu");
    const auto device = std::make_shared<TournamentOnDevice<D>>(full, racing);
    Runner made = run_of<Runner>(
        device, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    made.same_bits = !racing;
    return made;
}

Runner full_on_cuda(const FullStress& full, int dimensions, bool racing) {
    return dimensions == 3 ? tournament_on_device<3>(full, racing) : tournament_on_device<2>(full, racing);
}

}  // namespace lockstep::layout
