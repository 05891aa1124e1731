// PageRank on CUDA. The traversals are instantiated in cuda_direct.cu and cuda_prepared.cu, which compile in
// parallel.
#pragma once

#include "apps/device.hpp"
#include "apps/pagerank/backend.hpp"
#include "apps/pagerank/state.hpp"
#include "lockstep/executor/cuda/rounds.cuh"

namespace lockstep::pagerank {

/// Runs the plan's traversal: one line an instantiation. Returns the seconds on the device.
template <bool Prepared, class OnRound>
double iterate(const gpu::DeviceNeighbours& plan, const PageRankOperator<Prepared>& op, OnRound on_round);

template <bool Prepared>
class CudaBackend final : public Backend {
public:
    explicit CudaBackend(const Problem& problem)
        : problem_(problem),
          bytes_(gpu::DeviceNeighbours::bytes(problem.plan) + state_bytes(problem.plan)),
          plan_(problem.plan, state_bytes(problem.plan)),
          from_(problem.plan.vertices),
          to_(problem.plan.vertices),
          rank_(Prepared ? problem.plan.vertices : 0),
          incoming_(problem.plan.scatters() ? problem.plan.vertices : 0) {
        LOCKSTEP_CUDA(cudaDeviceSynchronize());
        transfer_seconds_ = transfer_.seconds();
    }

    std::vector<Round> run(const std::function<bool(const Round&)>& on_round, double* seconds) override {
        const Start start = starting_state(problem_, Prepared);
        from_.upload(start.offered);
        if (Prepared) rank_.upload(std::vector<float>(problem_.plan.vertices, start.rank));
        incoming_.zero();
        auto op = make_operator<Prepared>(problem_, plan_.view().out, start.dangling);
        op.from = from_.data(), op.to = to_.data(), op.rank = rank_.data(), op.incoming = incoming_.data();
        std::vector<Round> rounds;
        *seconds = iterate(plan_, op, [&](const auto& tally, double round_seconds) {
            rounds.push_back(round_of(tally.dangling, tally.change, round_seconds));
            return on_round(rounds.back());
        });
        rounds_ = rounds.size();
        return rounds;
    }
    std::vector<float> ranks() override {
        if (Prepared) return rank_.download();
        return rounds_ % 2 ? to_.download() : from_.download();
    }
    DeviceInfo device() const override { return cuda_device(); }
    double transfer_seconds() const override { return transfer_seconds_; }
    EdgeId device_bytes() const override { return bytes_; }

private:
    const Problem problem_;
    EdgeId bytes_;
    gpu::Timer transfer_;  // before the buffers: it spans their uploads
    gpu::DeviceNeighbours plan_;
    gpu::Buffer<float> from_, to_, rank_;
    gpu::Buffer<Units> incoming_;
    std::uint64_t rounds_ = 0;
    double transfer_seconds_ = 0;
};

}  // namespace lockstep::pagerank
