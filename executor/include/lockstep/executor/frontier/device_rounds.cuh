// The host code of the generic walk on a GPU: device memory, kernel launches and, with `--loop host`, the
// loop over the rounds.
#pragma once

#include "lockstep/executor/csr/arrays.cuh"
#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/device/streams.cuh"
#include "lockstep/executor/frontier/rounds.cuh"

namespace lockstep::frontier {

/// Runs rounds of one operator on one plan. Its memory is reused by later traversals.
template <class Op>
class DeviceRounds {
public:
    using Value = typename Op::Value;
    static constexpr unsigned most = 4096;  ///< maximum number of rounds per launch

    DeviceRounds(const Expand& plan, const Axes& axes, const Op& op) : plan_(plan), axes_(axes) {
        const Balance& b = axes.balance;
        by_ = axes.active == ActiveSetForm::lists        ? WorkAssignment::three
              : b.fine || b.block || (b.lanes && b.warp) ? WorkAssignment::mixed
                                                         : WorkAssignment::groups;
        blocks_ = blocks();
        const EdgeId n = plan.vertices, threads = EdgeId{blocks_} * block_threads;
        const bool lists = axes.in_lists(), marks = axes.active == ActiveSetForm::marks,
                   bins = axes.filter == Filter::online || axes.filter == Filter::jit,
                   spills = axes.filter == Filter::online,
                   priority = Op::by_priority && axes.priority != Priority::none;
        const int kinds = by_ == WorkAssignment::three ? max_lists : 1;
        // Filters with bins may list a vertex several times, so the lists have additional capacity for all
        // bins.
        const EdgeId binned = bins ? threads * axes.bin : 0, listed = n + static_cast<EdgeId>(kinds) * binned;
        bytes_ = plan.bytes() + 4 * plan.order.size() + sizeof(RoundState) * (most + 1) +
                 n * (4 + (Op::by_rounds ? 0 : 4) + (marks ? 3 : 0) + (spills ? 4 : 0) +
                      (axes.defer ? 4 : 0) + (priority ? 12 : 0)) +
                 (lists ? 8 * listed : 0) + (bins ? 4 * (binned + threads) : 0) +
                 (axes.filter == Filter::batch ? 8 * plan.arcs : 0);
        gpu::require_memory(bytes_, "or use --device cpu");

        State<Op>& s = state_;
        s = {};
        static_cast<Axes&>(s) = axes;
        s.op = op;
        s.vertices = plan.vertices;
        // With priorities, no round pulls: only few in-arcs of a vertex come from active vertices, since only
        // one bucket is active.
        s.adaptive = axes.direction == Direction::adaptive && !priority;
        s.pull_above = s.adaptive ? static_cast<EdgeId>(axes.share * static_cast<double>(plan.arcs))
                                  : axes.direction != Direction::pull;
        s.out = arrays_(plan.out);
        s.in = plan.symmetric ? s.out : axes.pulls() ? arrays_(plan.in) : CsrView{};
        s.values = allocate<Value>(n);
        if (!Op::by_rounds) s.stamps = allocate<unsigned>(n);
        for (int i = 0; i < 2; ++i) {
            if (lists) s.lists[i] = allocate<VertexId>(listed);
            if (priority) s.far[i] = allocate<VertexId>(n);
        }
        if (axes.defer) s.deferred = allocate<VertexId>(n);
        if (marks) {
            for (unsigned char** const of : {&s.frontier, &s.updated, &s.visited})
                *of = allocate<unsigned char>(n);
        }
        if (bins) s.bins = allocate<VertexId>(binned), s.binned = allocate<unsigned>(threads);
        if (spills) s.spilled = allocate<unsigned>(n);
        s.totals = allocate<unsigned>(static_cast<EdgeId>(kinds) * threads / 32);
        s.kinds = kinds;
        if (kinds > 1) {
            EdgeId few = 0, some = 0;
            for (VertexId v = 0; v < n; ++v) {
                const EdgeId degree = plan.out.offsets[v + EdgeId{1}] - plan.out.offsets[v];
                few += degree < axes.small, some += degree >= axes.small && degree < axes.large;
            }
            s.first[1] = few + binned, s.first[2] = s.first[1] + some + binned;
        }
        if (axes.filter == Filter::batch) s.pairs = allocate<Pair<Value>>(plan.arcs);
        if (priority) {
            s.far_marks = allocate<unsigned>(n), s.piles = allocate<FarPiles>(1);
            s.width = static_cast<Value>(bucket_width(plan, axes.delta, 14));
            if (!(s.width > 0)) s.width = 1;
        }
        s.rounds = allocate<RoundState>(most + 1), s.control = allocate<Control>(1),
        s.arrivals = allocate<EdgeId>(1);
        if (!plan.order.empty()) order_ = arrays_(plan.order), result_ = allocate<Value>(n);
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
    T* allocate(EdgeId count) {
        return arrays_.allocate<T>(std::max<EdgeId>(count, 1));
    }

    /// Calls use(kernel), with the kernel for many rounds that implements this balance and the direction
    /// `What`.
    template <LaunchDirection What, class Use>
    void with_rounds(Use use) {
        if (by_ == WorkAssignment::three) use(rounds_kernel<Op, WorkAssignment::three, What>);
        if (by_ == WorkAssignment::mixed) use(rounds_kernel<Op, WorkAssignment::mixed, What>);
        if (by_ == WorkAssignment::groups) use(rounds_kernel<Op, WorkAssignment::groups, What>);
    }
    template <class Use>
    void with_launched(LaunchDirection what, Use use) {
        if (what == LaunchDirection::push) with_rounds<LaunchDirection::push>(use);
        if (what == LaunchDirection::pull) with_rounds<LaunchDirection::pull>(use);
        if (what == LaunchDirection::both) with_rounds<LaunchDirection::both>(use);
    }
    /// Calls use(kernel, kind) for each kernel that expands the active vertices in a launch of its own;
    /// `kind` is the index of the list that it processes.
    template <class Use>
    void with_expand(bool pull, Use use) {
        if (by_ == WorkAssignment::groups && pull)
            return use(expand_kernel<Op, WorkAssignment::groups, true>, 0);
        if (by_ == WorkAssignment::groups) return use(expand_kernel<Op, WorkAssignment::groups, false>, 0);
        if (pull) return use(expand_kernel<Op, WorkAssignment::mixed, true>, 0);
        if (by_ == WorkAssignment::mixed) return use(expand_kernel<Op, WorkAssignment::mixed, false>, 0);
        use(expand_kernel<Op, WorkAssignment::groups, false>, 0);
        use(expand_kernel<Op, WorkAssignment::warps, false>, 1);
        use(expand_kernel<Op, WorkAssignment::blocks, false>, 2);
    }

    /// Returns the number of thread blocks that can be resident for all kernels of this configuration. Sets
    /// registers_ to the maximum number of registers of these kernels.
    unsigned blocks() {
        int least = 8;
        const auto look = [&](auto* kernel, int = 0) {
            const auto* const function = reinterpret_cast<const void*>(kernel);
            least = std::min(least, gpu::blocks_per_multiprocessor(function, {block_threads, 8}, 0));
            registers_ = std::max(registers_, gpu::registers_of(kernel));
        };
        for (const bool pull : {false, true}) {
            if (pull ? !axes_.pulls() : !axes_.pushes()) continue;
            if (axes_.loop == Loop::host)
                with_expand(pull, look);
            else
                with_launched(axes_.loop == Loop::all ? LaunchDirection::both
                              : pull                  ? LaunchDirection::pull
                                                      : LaunchDirection::push,
                              look);
        }
        if (least == 0)
            throw Error(Failure::no_device,
                        "the kernel needs more registers or shared memory than the device has");
        return static_cast<unsigned>(static_cast<EdgeId>(least) * gpu::device_properties().multiprocessors);
    }

    /// Launches a kernel without device-wide barriers.
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

    /// Appends the report of a round to the traversal.
    void record_round(Traversal& traversal, const RoundState& round, double seconds) const {
        const Filter filter = axes_.filter == Filter::jit ? round.overflow ? Filter::ballot : Filter::online
                              : axes_.filter == Filter::batch && round.pull ? Filter::append
                                                                            : axes_.filter;
        traversal.rounds.push_back({seconds, round.pull != 0, filter, round.active, round.arcs});
        traversal.totals.worklist_atomics += round.atomics;
    }
    bool pulls(const RoundState& before) const {
        return state_.adaptive ? before.found_arcs > state_.pull_above : axes_.direction == Direction::pull;
    }
    /// Copies the state of the last round to the first element, where the next launch reads the state of its
    /// previous round.
    void turn(unsigned last) {
        const RoundState before = read(state_.rounds + last);
        LOCKSTEP_CUDA(cudaMemset(state_.rounds, 0, sizeof(RoundState) * (last + 1)));
        LOCKSTEP_CUDA(cudaMemcpy(state_.rounds, &before, sizeof before, cudaMemcpyHostToDevice));
    }

    /// Runs the rounds with the loop on the device: each launch runs many rounds.
    void by_launches(Traversal& traversal, const std::function<bool()>& interrupted) {
        for (bool more = true; more && !(interrupted && interrupted());) {
            const LaunchDirection what = axes_.loop == Loop::all      ? LaunchDirection::both
                                         : pulls(read(state_.rounds)) ? LaunchDirection::pull
                                                                      : LaunchDirection::push;
            LOCKSTEP_CUDA(cudaMemsetAsync(state_.arrivals, 0, sizeof(EdgeId)));
            with_launched(what, [&](auto* kernel) {
                gpu::launch(kernel, {block_threads, 8, false, blocks_}, 0, state_, round_, most, phase_,
                            limit_);
            });
            ++launches_;
            const Control control = read(state_.control);
            const std::vector<RoundState> rounds = gpu::download(state_.rounds, EdgeId{control.rounds} + 1);
            for (std::size_t r = 1; r < rounds.size(); ++r)
                record_round(traversal, rounds[r],
                             r > 1 ? static_cast<double>(rounds[r].end - rounds[r - 1].end) * 1e-9 : 0);
            round_ += control.rounds, phase_ = control.phase, limit_ = control.limit;
            more = !control.finished;
            if (more) turn(control.rounds);
        }
    }

    /// Runs the rounds with the loop on the host: each step of a round is a launch of its own.
    void by_steps(Traversal& traversal, const std::function<bool()>& interrupted) {
        unsigned at = 0;
        RoundState before = read(state_.rounds);
        auto last = std::chrono::steady_clock::now();
        for (bool more = true; more && !(interrupted && interrupted()); ++at, ++round_) {
            if (at == most) turn(std::exchange(at, 0U));
            const bool pull = pulls(before);
            const auto next = [&]<Step What>(std::integral_constant<Step, What>, unsigned which = 0,
                                             unsigned new_limit = 0) {
                step(step_kernel<Op, What>, state_, at, round_, phase_, limit_, which, new_limit);
            };
            bool binned = false;
            with_expand(pull, [&](auto* kernel, int kind) {
                const EdgeId count = pull || !axes_.in_lists() ? plan_.vertices : before.next(kind);
                if (count == 0 && (kind < 2 || binned)) return;
                step(kernel, state_, kind, count, binned && state_.binned, at, round_, phase_, limit_);
                binned = true;
            });
            if (axes_.defer && !pull) next(this_step<Step::deferred>);
            const RoundState* const place = state_.rounds + at + 1;
            bool by_ballot = axes_.filter == Filter::ballot || axes_.filter == Filter::strided;
            if (axes_.filter == Filter::batch && !pull) next(this_step<Step::pairs>);
            if (axes_.filter == Filter::jit) by_ballot = read(place).overflow != 0;
            if (!by_ballot && state_.bins) next(this_step<Step::bins>);
            if (by_ballot) next(this_step<Step::count>), next(this_step<Step::list>);
            if (axes_.active == ActiveSetForm::marks) next(this_step<Step::marks>);
            RoundState now = read(place);
            const auto any = [](const unsigned* sizes) { return sizes[0] + sizes[1] + sizes[2] > 0; };
            more = axes_.in_lists() ? any(now.listed) : now.found > 0;
            for (unsigned which = 0; which < 2 && !more && state_.piles; ++which) {
                const FarPiles piles = read(state_.piles);
                const unsigned from = phase_ & 1;
                if (piles.size[from] == 0) break;
                const unsigned new_limit = state_.limit_above(
                    which && piles.least[from] != nowhere ? std::max(limit_, piles.least[from]) : limit_);
                next(this_step<Step::split>, which, new_limit);
                FarPiles after = read(state_.piles);
                after.size[from] = 0, after.least[from] = nowhere;
                LOCKSTEP_CUDA(cudaMemcpy(state_.piles, &after, sizeof after, cudaMemcpyHostToDevice));
                now = read(place);
                more = any(now.split[which]);
                ++phase_, limit_ = new_limit;
            }
            now.pull = pull;
            const auto end = std::chrono::steady_clock::now();
            record_round(traversal, now, std::chrono::duration<double>(end - last).count());
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
    WorkAssignment by_ = WorkAssignment::groups;
    unsigned blocks_ = 0;
    int registers_ = 0;
    EdgeId bytes_ = 0;
    // The state of the current traversal.
    EdgeId launches_ = 0;
    unsigned round_ = 0, phase_ = 0, limit_ = 0;
};

/// Returns a runner of the generic walk. A walk with GPU code of its own has an overload of this function for
/// its plan type.
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
