// PageRank on the CPU.
#include <omp.h>

#include "apps/device.hpp"
#include "apps/pagerank/backend.hpp"
#include "apps/pagerank/state.hpp"
#include "lockstep/executor/cpu/neighbours.hpp"

namespace lockstep::pagerank {

namespace {

template <bool Prepared>
class CpuBackend final : public Backend {
public:
    CpuBackend(const Problem& problem, int threads) : problem_(problem), threads_(threads) {}

    std::vector<Round> run(const std::function<bool(const Round&)>& on_round, double* seconds) override {
        const Start start = starting_state(problem_, Prepared);
        from_ = start.offered;
        to_.assign(from_.size(), 0);
        rank_.assign(Prepared ? from_.size() : 0, start.rank);
        incoming_.assign(problem_.plan.scatters() ? from_.size() : 0, 0);
        auto op = make_operator<Prepared>(problem_, problem_.plan.out.view(), start.dangling);
        op.from = from_.data(), op.to = to_.data(), op.rank = rank_.data(), op.incoming = incoming_.data();
        std::vector<Round> rounds;
        *seconds = 0;
        cpu::iterate(problem_.plan, op, threads_, [&](const auto& tally, double round_seconds) {
            rounds.push_back(round_of(tally.dangling, tally.change, round_seconds));
            *seconds += round_seconds;
            return on_round(rounds.back());
        });
        rounds_ = rounds.size();
        return rounds;
    }
    std::vector<float> ranks() override {
        if constexpr (Prepared) {
            return rank_;
        } else {
            return rounds_ % 2 ? to_ : from_;
        }
    }
    DeviceInfo device() const override { return cpu_device(threads_); }
    double transfer_seconds() const override { return 0; }
    EdgeId device_bytes() const override { return problem_.plan.bytes() + state_bytes(problem_.plan); }

private:
    const Problem problem_;
    int threads_;
    std::uint64_t rounds_ = 0;
    std::vector<float> from_, to_, rank_;
    std::vector<Units> incoming_;
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(const Problem& problem, int threads) {
    if (problem.plan.prepared) return std::make_unique<CpuBackend<true>>(problem, threads);
    return std::make_unique<CpuBackend<false>>(problem, threads);
}

}  // namespace lockstep::pagerank
