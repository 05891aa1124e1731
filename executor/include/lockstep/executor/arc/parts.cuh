// The walk `edge_tiled` distributed over several GPUs of this process, or over several processes with one GPU
// each (parts.hpp). After each round, NCCL exchanges the new offers.
#pragma once

#include <deque>
#include <optional>
#include <span>

#include "lockstep/executor/arc/parts.hpp"
#include "lockstep/executor/arc/tiles.cuh"
#include "lockstep/executor/device/links.cuh"

namespace lockstep::gpu {

/// A plan whose tiles are distributed over several devices, and runs of one operator on it.
template <arc::Shared Op>
class ArcParts {
public:
    /// Uploads one part of `plan` to each of the devices 0 … gpus - 1. If there are several processes, all of
    /// them must call this function, and each uses its current device. `plan` must outlive this object.
    ArcParts(const arc::Tiles& plan, const Op& op, int gpus)
        : plan_(plan), op_(op), first_peer_(static_cast<std::size_t>(ranks().rank())) {
        const bool shared = ranks().count() > 1;
        if (shared) LOCKSTEP_CUDA(cudaGetDevice(&first_device_));
        const auto peers = static_cast<std::size_t>(shared ? ranks().count() : gpus);
        const std::vector<VertexId> ends = arc::part_ends(plan, peers);
        targets_ = arc::part_targets(plan, peers);
        for (std::size_t d = 0; d < (shared ? 1 : peers); ++d) {
            use(d);
            const std::size_t peer = first_peer_ + d;
            const arc::Tiles part(plan, ends[peer], ends[peer + 1]);
            const EdgeId bytes = part.bytes() + stream_bytes(part) + arc::state_bytes(plan, op);
            require_memory(bytes, "or use --device cpu");
            bytes_ += bytes;
            parts_.emplace_back(part);
        }
        ranks().barrier();  // the initialization of NCCL waits for all processes
        if (shared)
            links_.emplace(ranks());
        else
            links_.emplace(gpus);
        use(0);
    }
    EdgeId bytes() const { return bytes_; }

    /// Runs rounds of the operator. The arguments and the result are those of arc::Runner (run.hpp).
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
            [&](const auto& tally, double of_round) { return on_round(op_.make_report(tally, of_round)); },
            seconds);
        std::vector<float> result(plan_.vertices);
        for (std::size_t d = 0; d < parts_.size(); ++d) {
            use(d);
            const std::span<float> own = of_peer(result.data(), first_peer_ + d);
            LOCKSTEP_CUDA(cudaMemcpy(own.data(), of_peer(ops[d].result(), first_peer_ + d).data(),
                                     own.size_bytes(), cudaMemcpyDeviceToHost));
        }
        use(0);
        arc::gather_parts(result.data(), targets_);
        return by_vertex(plan_, result.data());
    }

private:
    using Tally = typename Op::Tally;
    using Walk = View<arc::Tiles>;

    struct Part {
        explicit Part(const arc::Tiles& part)
            : out(arrays(part.out)), view(part, out, arrays), shared(view.template shared_bytes<Op>()) {}

        void run(const Op& op, cudaStream_t copies) {
            tally.zero(), drawn.zero(), arrivals.zero();
            const RoundLog<Op> log{nullptr, tally.data(), ends.data(), drawn.data(), arrivals.data(), 1};
            launch(rounds_kernel<Walk, Op>, {Walk::threads, Walk::blocks_per_sm}, shared, view, op, log);
            done.record(nullptr);
            done.hold(copies);
        }

        DeviceArrays arrays;
        OffsetsView out;
        Walk view;
        std::size_t shared;
        Buffer<Tally> tally{1};
        Buffer<unsigned long long> ends{2};
        Buffer<unsigned> drawn{1};
        Buffer<EdgeId> arrivals{1};
        Event done, passed;
    };

    /// Selects a device of this process as the current CUDA device.
    void use(std::size_t device) const {
        LOCKSTEP_CUDA(cudaSetDevice(first_device_ + static_cast<int>(device)));
    }
    /// Returns the part of an array, which has one value per position, that belongs to the targets of device
    /// `peer`.
    template <class T>
    std::span<T> of_peer(T* values, std::size_t peer) const {
        return {values + targets_[peer], values + targets_[peer + 1]};
    }

    Tally round(const std::vector<Op>& ops) {
        for (std::size_t d = 0; d < parts_.size(); ++d) {
            use(d);
            parts_[d].run(ops[d], links_->stream(d));
        }
        links_->run_group([&] {
            for (std::size_t d = 0; d < parts_.size(); ++d) {
                const std::size_t own = first_peer_ + d;
                const auto of = [&](std::size_t peer) { return of_peer(ops[d].offered(), peer); };
                for (std::size_t peer = 0; peer + 1 < targets_.size(); ++peer) {
                    if (peer == own) continue;
                    if (!of(own).empty()) links_->send(d, of(own), peer);
                    if (!of(peer).empty()) links_->receive(d, of(peer), peer);
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
        return arc::of_all(total);
    }

    const arc::Tiles& plan_;
    Op op_;
    std::size_t first_peer_;  // index of the first device of this process among the devices of all processes
    int first_device_ = 0;    // CUDA ordinal of the first device of this process
    std::vector<VertexId> targets_;  // first target of each device, for the devices of all processes
    std::deque<Part> parts_;
    std::optional<Links> links_;
    EdgeId bytes_ = 0;
};

}  // namespace lockstep::gpu
