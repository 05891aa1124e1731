// The hub-first walk (hubs.hpp) on a GPU: its arrays in device memory, and the launches of its kernels.
#pragma once

#include <memory>

#include "lockstep/executor/csr/arrays.cuh"
#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/device/streams.cuh"
#include "lockstep/executor/frontier/hubs.hpp"
#include "lockstep/executor/frontier/hubs/distances.cuh"
#include "lockstep/executor/frontier/hubs/levels.cuh"
#include "lockstep/executor/frontier/run.hpp"

namespace lockstep::gpu {

/// A plan in device memory, and the state of runs on it.
class HubsOnDevice {
public:
    /// Uploads `plan`. `by_levels` selects breadth-first search instead of shortest paths. `unreached`
    /// contains the bits of the value of an unreached vertex. Throws Error (no_device) with the required and
    /// the available memory if the device has too little memory.
    HubsOnDevice(const frontier::Hubs& plan, bool by_levels, bool weighted, std::uint32_t unreached)
        : weights_(weighted ? frontier::quad_weights(plan) : frontier::QuadWeights::none) {
        const frontier::QuadLists in = frontier::quad_lists(plan.incoming(), plan.linked, weights_);
        frontier::QuadLists out;
        if (!plan.symmetric) out = frontier::quad_lists(plan.out, plan.linked, weights_);
        const std::uint32_t words = plan.linked / 32 + (plan.linked % 32 != 0);
        const EdgeId padded = EdgeId{words} * 32, queue = std::max<EdgeId>(EdgeId{1} << 17, padded / 64),
                     quad = in.weights.empty() ? 16 : 32;
        bytes_ = 4 * (EdgeId{plan.vertices} * 2 + in.first.size() + in.ends.size() + in.weights.size() +
                      out.first.size() + out.ends.size() + out.weights.size()) +
                 padded * (quad + 4 + (by_levels ? 4 : 8)) + 16 * EdgeId{words} + 2 * 16 * queue;
        require_memory(bytes_, "or use --device cpu");
        view_ = {plan.vertices, plan.linked, words, arrays_(plan.positions), {}, lists(in), nullptr, {}};
        view_.out = plan.symmetric ? view_.in : lists(out);
        place_heads(in, padded);
        for (int run = 0; run < 2; ++run) {
            hubs::Control control{};
            for (auto& slot : control.slot) slot.least = hubs::no_value;
            memory_.control[run] = const_cast<hubs::Control*>(arrays_(std::vector<hubs::Control>{control}));
            memory_.queue[run] = state<uint4>(queue, {});
            if (by_levels) {
                for (auto& bitmap : memory_.seen[run]) bitmap = state<std::uint32_t>(words, 0U);
            }
            memory_.values[run] =
                by_levels && run ? memory_.values[0] : state<std::uint32_t>(padded, unreached);
        }
        memory_.queue_size = queue;
        memory_.changed = state<std::uint32_t>(words, 0U);
        log_ = state<EdgeId>(hubs::Log::size, 0);
        memory_.result = state<std::uint32_t>(plan.vertices, unreached);
    }

    EdgeId bytes() const { return bytes_; }
    bool packed() const { return weights_ == frontier::QuadWeights::packed; }
    const hubs::View& view() const { return view_; }
    const hubs::Memory& memory() const { return memory_; }
    EdgeId* log() const { return log_; }
    template <class Value>
    std::vector<Value> values() const {
        return download(reinterpret_cast<const Value*>(memory_.result), view_.vertices);
    }
    /// Returns the rounds of the last run. Their times come from the log on the device, scaled such that the
    /// run takes `seconds` in total.
    std::vector<frontier::Round> rounds(double seconds) const {
        const std::vector<EdgeId> log = download(log_, hubs::Log::size);
        const auto ticks = [&](EdgeId from, EdgeId to) {
            return static_cast<double>((log[to] >> 1) - (log[from] >> 1));
        };
        std::vector<frontier::Round> rounds(log[0]);
        for (EdgeId r = 0; r < rounds.size() && r < hubs::Log::most; ++r)
            rounds[r] = {.seconds = seconds * ticks(r + 1, r + 2) / ticks(1, hubs::Log::size - 1),
                         .pull = (log[r + 2] & 1) != 0};
        return rounds;
    }
    /// Reduces the capacity of the queue. Only tests use it.
    void limit_queue(EdgeId size) { memory_.queue_size = size; }
    /// Returns the index of the state for the next run, alternately 0 and 1. Each run clears the state of the
    /// other index.
    int next_run() { return run_ ^= 1; }

private:
    const uint4* quads(const Array<std::uint32_t>& host) {
        return host.empty() ? nullptr : reinterpret_cast<const uint4*>(arrays_(host));
    }
    hubs::Arcs lists(const frontier::QuadLists& host) {
        return {arrays_(host.first), quads(host.ends), quads(host.weights)};
    }
    template <class T>
    T* state(EdgeId size, const T& value) {
        return const_cast<T*>(arrays_(std::vector<T>(size, value)));
    }

    /// Copies the first quad of each list of in-arcs into an array that is indexed by vertex, and the first
    /// endpoint (or weight) of these quads into another array. Pulls read these arrays first.
    void place_heads(const frontier::QuadLists& in, EdgeId padded) {
        const bool packed = this->packed();
        const VertexId linked = view_.linked;
        Array<std::uint32_t> ends(4 * padded), weights(in.weights.empty() ? 0 : 4 * padded);
        std::vector<std::uint32_t> top(padded);
        std::vector<std::uint8_t> light(packed ? padded : 0);
        const std::uint32_t heaviest = packed ? 255U << 24 : 0;
        const float heavy = 16777215;
#pragma omp parallel for schedule(static)
        for (EdgeId v = 0; v < padded; ++v) {
            const bool some = v < linked && in.first[v] < in.first[v + 1];
            for (EdgeId i = 0; i < 4; ++i) {
                const EdgeId at = some ? EdgeId{in.first[v]} * 4 + i : 0;
                // A vertex without in-arcs, and an index after the last vertex, gets self-loops, which
                // improve nothing.
                ends[4 * v + i] = some ? in.ends[at] : heaviest | static_cast<std::uint32_t>(v);
                if (!weights.empty())
                    weights[4 * v + i] = some ? in.weights[at] : std::bit_cast<std::uint32_t>(heavy);
            }
            if (packed)
                light[v] = static_cast<std::uint8_t>(ends[4 * v] >> 24);
            else
                top[v] = weights.empty() ? ends[4 * v] : weights[4 * v];
        }
        view_.head = {nullptr, quads(ends), quads(weights)};
        view_.top = packed ? reinterpret_cast<const std::uint32_t*>(arrays_(light)) : arrays_(top);
    }

    frontier::QuadWeights weights_;
    EdgeId bytes_ = 0;
    hubs::View view_{};
    hubs::Memory memory_{};
    DeviceArrays arrays_;
    EdgeId* log_ = nullptr;
    int run_ = 1;
};

namespace hubs {

/// The time of a run in seconds, and the registers per thread of its kernel.
struct RunMeasurement {
    double seconds;
    int registers;
};
/// Runs the walk from the vertex with number `source` on `blocks` thread blocks (0: as many as can be
/// resident). The result stays on the device. Tests use change(tuning) to modify the thresholds.
template <FrontierOperator Op, class Change>
RunMeasurement run(HubsOnDevice& device, const Op& op, VertexId source, EdgeId blocks, Change change) {
    const auto with = [&](auto kernel) {
        const unsigned all = resident_blocks(kernel, {threads, 1024 / threads, true, blocks}, 0);
        auto tuning = tuning_of<Op>(all, device.view().linked);
        change(tuning);
        const int state = device.next_run();
        Timer timer;
        launch_blocks(kernel, all, threads, 0, device.view(), device.memory(), op, source, state, tuning,
                      device.log());
        return RunMeasurement{timer.seconds(), registers_of(kernel)};
    };
    if constexpr (Op::by_rounds)
        return with(traversal_kernel<Levels<Op>>);
    else
        return device.packed() ? with(traversal_kernel<Distances<Op, true>>)
                               : with(traversal_kernel<Distances<Op, false>>);
}

}  // namespace hubs
}  // namespace lockstep::gpu

namespace lockstep::frontier {

template <FrontierOperator Op>
Runner cuda_runner_of(const Hubs& plan, const Axes&, const Op& op) {
    gpu::Timer transfer;
    const auto device = std::make_shared<gpu::HubsOnDevice>(plan, Op::by_rounds, Op::weighted,
                                                            std::bit_cast<std::uint32_t>(op.none()));
    const auto run = [&plan, device, op](VertexId source, const std::function<bool()>&) {
        const gpu::hubs::RunMeasurement ran =
            gpu::hubs::run(*device, op, plan.position(source), 0, [](auto&) {});
        return Traversal{.values = device->template values<typename Op::Value>(),
                         .rounds = device->rounds(ran.seconds),
                         .totals = {.launches = 1, .registers = ran.registers},
                         .seconds = ran.seconds};
    };
    return {device->bytes(), transfer.seconds(), run};
}

}  // namespace lockstep::frontier
