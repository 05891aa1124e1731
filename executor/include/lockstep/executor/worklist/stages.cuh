// A loop on a GPU. Each iteration is a sequence of stages, with a device-wide barrier after each stage. The
// loop runs either on the device in one launch (IrGL's iteration outlining), or on the host with one launch
// per stage. Both variants run the same code.
#pragma once

#include "lockstep/executor/device/barrier.cuh"
#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/device/memory.cuh"
#include "lockstep/executor/device/warp.cuh"
#include "lockstep/executor/worklist/axes.hpp"

namespace lockstep::worklist {

/// The successor of a stage that decides: the next stage, the first stage of a new iteration, or the end of
/// the loop.
enum class NextStage { on, again, stop };

template <auto... stages>
struct Stages {};

// A Program is a kernel parameter that all threads read:
//     static constexpr gpu::Shape shape;
//     using Order = Stages<…>;  // one value per stage
//     struct State;             // trivially copyable data that a stage passes to later stages
//     LOCKSTEP_HD static constexpr bool decides(stage);  // true: run() returns NextStage, false: void
//     template <auto stage> __device__ void or NextStage run(State&) const;
// All threads of all blocks run every stage. They change the state identically, based on device memory that
// was written before the last barrier. Only data that no other thread than thread_of_grid() 0 uses may
// differ. A stage must decide identically in all threads. decides() must be declared, because the host pass
// of nvcc omits the bodies of device functions and would deduce `void` for a function that returns `auto`.

template <auto stage, class Program>
__device__ NextStage run_stage(const Program& program, typename Program::State& state) {
    if constexpr (Program::decides(stage)) {
        return program.template run<stage>(state);
    } else {
        program.template run<stage>(state);
        return NextStage::on;
    }
}

/// Runs one iteration, and returns true if another one follows.
template <class Program, auto... stages>
__device__ bool pass(const Program& program, typename Program::State& state, gpu::DeviceBarrier& barrier,
                     Stages<stages...>) {
    NextStage then = NextStage::on;
    const auto go = [&]<auto stage>() {
        then = run_stage<stage>(program, state);
        if (then != NextStage::stop) barrier.sync();
        return then == NextStage::on;
    };
    (go.template operator()<stages>() && ...);
    return then != NextStage::stop;
}

template <class Program>
struct LoopState {
    typename Program::State state;
    NextStage then;
};

template <class Program>
__global__ void __launch_bounds__(Program::shape.threads, Program::shape.blocks_per_sm)
    outlined_kernel(const __grid_constant__ Program program, typename Program::State state,
                    LoopState<Program>* result, EdgeId* arrivals) {
    gpu::DeviceBarrier barrier(arrivals);
    while (pass(program, state, barrier, typename Program::Order())) {
    }
    if (gpu::thread_of_grid() == 0) *result = {state, NextStage::stop};
}

/// Runs one stage. `before` and `after` must be different objects, because some blocks may still read
/// `*before` when the first thread writes `*after`.
template <class Program, auto stage>
__global__ void __launch_bounds__(Program::shape.threads)
    stage_kernel(const __grid_constant__ Program program, const LoopState<Program>* before,
                 LoopState<Program>* after) {
    LoopState<Program> turn = *before;
    turn.then = run_stage<stage>(program, turn.state);
    if (gpu::thread_of_grid() == 0) *after = turn;
}

/// Runs a program on the current device, one run at a time.
template <class Program>
class LoopRunner {
public:
    LoopRunner()
        : blocks_(gpu::resident_blocks(outlined_kernel<Program>, Program::shape, 0)),
          places_(2),
          arrivals_(1) {}
    /// Returns the number of thread blocks per launch.
    unsigned blocks() const { return blocks_; }
    /// Returns the number of registers per thread of the kernel that runs the whole loop.
    static EdgeId registers() { return static_cast<EdgeId>(gpu::registers_of(outlined_kernel<Program>)); }

    /// Runs the program from `state` until a stage returns NextStage::stop, and stores the final state in
    /// `state`. If the loop is on the host, calls continues(state) after every stage that decides, and ends
    /// if it returns false. Returns the number of launches. Throws CudaError.
    template <class GoesOn>
    EdgeId run(const Program& program, typename Program::State& state, Loop loop, GoesOn continues) {
        if (loop == Loop::outlined) {
            arrivals_.zero();
            gpu::launch_blocks(outlined_kernel<Program>, blocks_, Program::shape.threads, 0, program, state,
                               places_.data(), arrivals_.data());
            state = gpu::download(places_.data(), 1)[0].state;
            return 1;
        }
        const LoopState<Program> first{state, NextStage::on};
        LOCKSTEP_CUDA(cudaMemcpy(places_.data(), &first, sizeof first, cudaMemcpyHostToDevice));
        EdgeId launches = 0;
        NextStage then = NextStage::on;
        const auto launch = [&]<auto stage>() {
            stage_kernel<Program, stage><<<blocks_, Program::shape.threads>>>(
                program, places_.data() + launches % 2, places_.data() + (launches + 1) % 2);
            LOCKSTEP_CUDA(cudaGetLastError());
            ++launches;
            if constexpr (Program::decides(stage)) {
                const LoopState<Program> turn = gpu::download(places_.data() + launches % 2, 1)[0];
                state = turn.state;
                then = continues(state) ? turn.then : NextStage::stop;
            }
            return then == NextStage::on;
        };
        const auto pass = [&]<auto... stages>(Stages<stages...>) {
            (launch.template operator()<stages>() && ...);
        };
        for (; then != NextStage::stop; pass(typename Program::Order())) then = NextStage::on;
        return launches;
    }

private:
    const unsigned blocks_;
    gpu::Buffer<LoopState<Program>> places_;
    gpu::Buffer<EdgeId> arrivals_;
};

}  // namespace lockstep::worklist
