// Edge tiles on several GPUs of this process (parts.hpp); what targets will offer is passed on by NCCL.
#pragma once

#include <deque>
#include <optional>
#include <span>

#include "lockstep/executor/arc/parts.hpp"
#include "lockstep/executor/arc/tiles.cuh"
#include "lockstep/executor/device/links.cuh"

namespace lockstep::gpu {

template <arc::Shared Op>
class ArcParts {
public:
    /// On devices 0 … gpus - 1, each with a part of `plan`, which must outlive this.
    ArcParts(const arc::Tiles& plan, const Op& op, int gpus) : plan_(plan), op_(op) {
        const auto count = static_cast<std::size_t>(gpus);
        const std::vector<VertexId> ends = arc::part_ends(plan, count);
        for (std::size_t d = 0; d < count; ++d) {
            use(d);
            const arc::Tiles part(plan, ends[d], ends[d + 1]);
            const EdgeId bytes = part.bytes() + stream_bytes(part) + arc::state_bytes(plan, op);
            require_memory(bytes, "--device cpu needs none");
            bytes_ += bytes;
            parts_.emplace_back(part);
        }
        links_.emplace(gpus);
        use(0);
    }
    EdgeId bytes() const { return bytes_; }

    /// As arc::Runner::run.
    template <class OnRound>
    std::vector<float> run(OnRound on_round, double* seconds) {
        *seconds = 0;
        if (plan_.vertices == 0) return {};
        std::vector<Op> ops;
        std::deque<DeviceArrays> state;
        for (std::size_t d = 0; d < parts_.size(); ++d) {
            use(d);
            arc::Memory memory{plan_, parts_[d].out, std::ref(state.emplace_back())};
            ops.emplace_back(op_).start(memory);
        }
        arc::iterate_parts(
            ops, [&] { return round(ops); },
            [&](const auto& tally, double of_round) { return on_round(op_.told(tally, of_round)); }, seconds);
        std::vector<float> result(plan_.vertices);
        for (std::size_t d = 0; d < parts_.size(); ++d) {
            use(d);
            const Part& part = parts_[d];
            LOCKSTEP_CUDA(cudaMemcpy(result.data() + part.first, ops[d].result() + part.first,
                                     4 * EdgeId{part.targets}, cudaMemcpyDeviceToHost));
        }
        use(0);
        return by_vertex(plan_, result.data());
    }

private:
    using Tally = typename Op::Tally;
    using Walk = View<arc::Tiles>;

    struct Part {
        explicit Part(const arc::Tiles& part)
            : first(part.tiles.front()),
              targets(part.tiles.back() - first),
              out(arrays(part.out)),
              view(part, out, arrays),
              shared(view.template shared_bytes<Op>()) {}

        void run(const Op& op, cudaStream_t copies) {
            tally.zero(), drawn.zero(), arrivals.zero();
            const RoundLog<Op> log{nullptr, tally.data(), ends.data(), drawn.data(), arrivals.data(), 1};
            launch(rounds_kernel<Walk, Op>, {Walk::threads, Walk::blocks_per_sm}, shared, view, op, log);
            done.record(nullptr);
            done.hold(copies);
        }

        VertexId first, targets;
        DeviceArrays arrays;
        arc::OffsetsView out;
        Walk view;
        std::size_t shared;
        Buffer<Tally> tally{1};
        Buffer<unsigned long long> ends{2};
        Buffer<unsigned> drawn{1};
        Buffer<EdgeId> arrivals{1};
        Event done, passed;
    };

    static void use(std::size_t device) { LOCKSTEP_CUDA(cudaSetDevice(static_cast<int>(device))); }

    Tally round(const std::vector<Op>& ops) {
        for (std::size_t d = 0; d < parts_.size(); ++d) {
            use(d);
            parts_[d].run(ops[d], links_->stream(d));
        }
        links_->together([&] {
            for (std::size_t from = 0; from < parts_.size(); ++from) {
                const Part& part = parts_[from];
                const auto of = [&](const Op& op) {
                    return std::span(op.offered() + part.first, part.targets);
                };
                for (std::size_t to = 0; to < parts_.size() && part.targets > 0; ++to) {
                    if (to == from) continue;
                    links_->send(from, of(ops[from]), to);
                    links_->receive(to, of(ops[to]), from);
                }
            }
        });
        Tally total{};
        for (std::size_t d = 0; d < parts_.size(); ++d) {
            use(d);
            add_tally(total, parts_[d].tally.download().front());
            parts_[d].passed.record(links_->stream(d));
            parts_[d].passed.hold(nullptr);
        }
        return total;
    }

    const arc::Tiles& plan_;
    Op op_;
    std::deque<Part> parts_;
    std::optional<Links> links_;
    EdgeId bytes_ = 0;
};

}  // namespace lockstep::gpu
