// The host's part of rounds on a GPU: memory, launches, and the loop where it is the host's.
#pragma once

#include "lockstep/executor/csr/arrays.cuh"
#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/device/streams.cuh"
#include "lockstep/executor/frontier/rounds.cuh"

namespace lockstep::frontier {

/// Rounds of one operator on one plan: its memory serves one traversal after another.
template <class Op>
class DeviceRounds {
public:
    using Value = typename Op::Value;
    static constexpr unsigned most = 4096;  ///< rounds of a launch

    DeviceRounds(const Expand& plan, const Axes& axes, const Op& op) : plan_(plan), axes_(axes) {
        const Balance& b = axes.balance;
        mixed_ = b.fine || b.block || (b.lanes && b.warp);
        blocks_ = blocks();
        const EdgeId n = plan.vertices, threads = EdgeId{blocks_} * block_threads;
        const bool lists = axes.active == Active::list,
                   bins = axes.filter == Filter::online || axes.filter == Filter::jit,
                   priority = Op::by_priority && axes.priority != Priority::none;
        bytes_ =
            plan.bytes() + 4 * plan.order.size() + sizeof(RoundState) * (most + 1) +
            n * (4 + (Op::by_rounds ? 0 : 4) + (lists ? 8 : 0) + (axes.defer ? 4 : 0) + (priority ? 12 : 0)) +
            (axes.active == Active::bitmap ? n / 4 : 0) + (bins ? threads * (4 * EdgeId{axes.bin} + 4) : 0) +
            (axes.filter == Filter::batch ? 8 * plan.arcs : 0);
        gpu::require_memory(bytes_, "--device cpu needs none");

        State<Op>& s = state_;
        s = {};
        s.op = op;
        s.vertices = plan.vertices;
        // Few of the arcs into a vertex come from the active ones of a bucket.
        s.adaptive = axes.direction == Direction::adaptive && !priority;
        s.pull_above = s.adaptive ? static_cast<EdgeId>(axes.share * static_cast<double>(plan.arcs))
                                  : axes.direction != Direction::pull;
        s.out = arrays_(plan.out);
        s.in = plan.symmetric ? s.out : axes.pulls() ? arrays_(plan.in) : CsrView{};
        s.values = room<Value>(n);
        if (!Op::by_rounds) s.stamps = room<unsigned>(n);
        for (int i = 0; i < 2; ++i) {
            if (lists) s.lists[i] = room<VertexId>(n);
            if (axes.active == Active::bitmap) s.marked[i] = room<unsigned>((n + 31) / 32);
            if (priority) s.far[i] = room<VertexId>(n);
        }
        if (axes.defer) s.deferred = room<VertexId>(n);
        if (bins) s.bins = room<VertexId>(threads * axes.bin), s.binned = room<unsigned>(threads);
        s.totals = room<unsigned>(threads / 32);
        if (axes.filter == Filter::batch) s.pairs = room<Pair<Value>>(plan.arcs);
        if (priority) {
            s.far_marks = room<unsigned>(n), s.piles = room<Piles>(1);
            s.width = static_cast<Value>(bucket_width(plan, axes.delta, 14));
            if (!(s.width > 0)) s.width = 1;
        }
        s.rounds = room<RoundState>(most + 1), s.control = room<Control>(1), s.arrivals = room<EdgeId>(1);
        s.active = axes.active, s.append = axes.append, s.filter = axes.filter;
        s.lanes = mixed_ || b.lanes ? b.lanes : 32;
        s.fine = b.fine, s.warp = b.warp, s.block = b.block;
        s.small = axes.small, s.large = axes.large, s.defer = axes.defer;
        s.chunk = axes.chunk, s.bin = axes.bin;
        if (!plan.order.empty()) order_ = arrays_(plan.order), result_ = room<Value>(n);
    }
    EdgeId bytes() const { return bytes_; }

    Traversal run(VertexId source, const std::function<bool()>& interrupted) {
        Traversal traversal;
        traversal.totals.registers = registers_;
        launches_ = 0;
        gpu::Timer timer;
        LOCKSTEP_CUDA(cudaMemsetAsync(state_.rounds, 0, sizeof(RoundState) * (most + 1)));
        step(start_kernel<Op>, state_, plan_.position(source));
        round_ = phase_ = 0;
        limit_ = state_.limit_above(bits_of(Op::start()));
        if (axes_.loop == Loop::host)
            by_steps(traversal, interrupted);
        else
            by_launches(traversal, interrupted);
        const Value* result = state_.values;
        if (order_) {
            step(scatter_kernel<Value>, state_.values, order_, plan_.vertices, result_);
            result = result_;
        }
        traversal.seconds = timer.seconds();
        traversal.values = gpu::download(result, plan_.vertices);
        traversal.totals.launches = launches_;
        return traversal;
    }

private:
    template <class T>
    T* room(EdgeId count) {
        return arrays_.room<T>(std::max<EdgeId>(count, 1));
    }

    /// Calls use(kernel) for the kernel of rounds of this balance and loop.
    template <Launched What, class Use>
    void with_rounds(Use use) {
        if (mixed_)
            use(rounds_kernel<Op, true, What>);
        else
            use(rounds_kernel<Op, false, What>);
    }
    template <class Use>
    void with_launched(Launched what, Use use) {
        if (what == Launched::push) with_rounds<Launched::push>(use);
        if (what == Launched::pull) with_rounds<Launched::pull>(use);
        if (what == Launched::both) with_rounds<Launched::both>(use);
    }
    template <class Use>
    void with_expand(bool pull, Use use) {
        if (mixed_ && pull) use(expand_kernel<Op, true, true>);
        if (mixed_ && !pull) use(expand_kernel<Op, true, false>);
        if (!mixed_ && pull) use(expand_kernel<Op, false, true>);
        if (!mixed_ && !pull) use(expand_kernel<Op, false, false>);
    }

    /// Blocks that the device holds of every kernel that may run; and the registers of the largest.
    unsigned blocks() {
        int least = 8;
        const auto look = [&](auto* kernel) {
            const auto* const function = reinterpret_cast<const void*>(kernel);
            least = std::min(least, gpu::blocks_per_multiprocessor(function, {block_threads, 8}, 0));
            registers_ = std::max(registers_, gpu::registers_of(kernel));
        };
        for (const bool pull : {false, true}) {
            if (pull ? !axes_.pulls() : !axes_.pushes()) continue;
            if (axes_.loop == Loop::host)
                with_expand(pull, look);
            else
                with_launched(axes_.loop == Loop::all ? Launched::both
                              : pull                  ? Launched::pull
                                                      : Launched::push,
                              look);
        }
        if (least == 0)
            throw Error(Failure::no_device,
                        "the kernel needs more registers or shared memory than the device has");
        return static_cast<unsigned>(static_cast<EdgeId>(least) * gpu::device_properties().multiprocessors);
    }

    /// A launch that nothing in the kernel waits for.
    template <class... Parameters, class... Arguments>
    void step(void (*kernel)(Parameters...), const Arguments&... arguments) {
        kernel<<<blocks_, block_threads>>>(arguments...);
        LOCKSTEP_CUDA(cudaGetLastError());
        ++launches_;
    }
    template <class T>
    T read(const T* place) const {
        return gpu::download(place, 1)[0];
    }

    void tell(Traversal& traversal, const RoundState& round, double seconds) const {
        const Filter filter = axes_.filter == Filter::jit ? round.overflow ? Filter::ballot : Filter::online
                              : axes_.filter == Filter::batch && round.pull ? Filter::append
                                                                            : axes_.filter;
        traversal.rounds.push_back({seconds, round.pull != 0, filter, round.active, round.arcs});
        traversal.totals.worklist_atomics += round.atomics;
    }
    bool pulls(const RoundState& before) const {
        return state_.adaptive ? before.found_arcs > state_.pull_above : axes_.direction == Direction::pull;
    }
    /// The last round becomes the one before the next launch.
    void turn(unsigned last) {
        const RoundState before = read(state_.rounds + last);
        LOCKSTEP_CUDA(cudaMemset(state_.rounds, 0, sizeof(RoundState) * (last + 1)));
        LOCKSTEP_CUDA(cudaMemcpy(state_.rounds, &before, sizeof before, cudaMemcpyHostToDevice));
    }

    void by_launches(Traversal& traversal, const std::function<bool()>& interrupted) {
        for (bool more = true; more && !(interrupted && interrupted());) {
            const Launched what = axes_.loop == Loop::all      ? Launched::both
                                  : pulls(read(state_.rounds)) ? Launched::pull
                                                               : Launched::push;
            LOCKSTEP_CUDA(cudaMemsetAsync(state_.arrivals, 0, sizeof(EdgeId)));
            with_launched(what, [&](auto* kernel) {
                gpu::launch(kernel, {block_threads, 8, false, blocks_}, 0, state_, round_, most, phase_,
                            limit_);
            });
            ++launches_;
            const Control control = read(state_.control);
            const std::vector<RoundState> rounds = gpu::download(state_.rounds, EdgeId{control.rounds} + 1);
            for (std::size_t r = 1; r < rounds.size(); ++r)
                tell(traversal, rounds[r],
                     r > 1 ? static_cast<double>(rounds[r].end - rounds[r - 1].end) * 1e-9 : 0);
            round_ += control.rounds, phase_ = control.phase, limit_ = control.limit;
            more = !control.finished;
            if (more) turn(control.rounds);
        }
    }

    void by_steps(Traversal& traversal, const std::function<bool()>& interrupted) {
        unsigned at = 0;
        RoundState before = read(state_.rounds);
        auto last = std::chrono::steady_clock::now();
        for (bool more = true; more && !(interrupted && interrupted()); ++at, ++round_) {
            if (at == most) turn(std::exchange(at, 0U));
            const bool pull = pulls(before);
            const auto next = [&](Step what, unsigned which = 0, unsigned new_limit = 0) {
                step(step_kernel<Op>, state_, what, at, round_, phase_, limit_, which, new_limit);
            };
            with_expand(pull, [&](auto* kernel) { step(kernel, state_, at, round_, phase_, limit_); });
            if (axes_.defer && !pull) next(Step::deferred);
            const RoundState* const place = state_.rounds + at + 1;
            bool by_ballot = axes_.filter == Filter::ballot || axes_.filter == Filter::strided;
            if (axes_.filter == Filter::batch && !pull) next(Step::pairs);
            if (axes_.filter == Filter::jit) by_ballot = read(place).overflow != 0;
            if (!by_ballot && state_.bins) next(Step::bins);
            if (by_ballot) next(Step::count), next(Step::list);
            if (axes_.active == Active::bitmap) next(Step::marks);
            RoundState now = read(place);
            more = axes_.active == Active::list ? now.listed > 0 : now.found > 0;
            for (unsigned which = 0; which < 2 && !more && state_.piles; ++which) {
                const Piles piles = read(state_.piles);
                const unsigned from = phase_ & 1;
                if (piles.size[from] == 0) break;
                const unsigned new_limit = state_.limit_above(
                    which && piles.least[from] != nowhere ? std::max(limit_, piles.least[from]) : limit_);
                next(Step::split, which, new_limit);
                Piles after = read(state_.piles);
                after.size[from] = 0, after.least[from] = nowhere;
                LOCKSTEP_CUDA(cudaMemcpy(state_.piles, &after, sizeof after, cudaMemcpyHostToDevice));
                now = read(place);
                more = now.split[which] > 0;
                ++phase_, limit_ = new_limit;
            }
            now.pull = pull;
            const auto end = std::chrono::steady_clock::now();
            tell(traversal, now, std::chrono::duration<double>(end - last).count());
            last = end;
            before = now;
        }
    }

    const Expand& plan_;
    const Axes axes_;
    State<Op> state_;
    gpu::DeviceArrays arrays_;
    const VertexId* order_ = nullptr;
    Value* result_ = nullptr;
    bool mixed_ = false;
    unsigned blocks_ = 0;
    int registers_ = 0;
    EdgeId bytes_ = 0;
    // Of the present traversal.
    EdgeId launches_ = 0;
    unsigned round_ = 0, phase_ = 0, limit_ = 0;
};

/// A walk's own overload is found by its type.
template <FrontierOperator Op>
Runner cuda_runner_of(const Expand& plan, const Axes& axes, const Op& op) {
    gpu::Timer transfer;
    const auto rounds = std::make_shared<DeviceRounds<Op>>(plan, axes, op);
    return {rounds->bytes(), transfer.seconds(),
            [rounds](VertexId source, const std::function<bool()>& interrupted) {
                return rounds->run(source, interrupted);
            }};
}

}  // namespace lockstep::frontier
