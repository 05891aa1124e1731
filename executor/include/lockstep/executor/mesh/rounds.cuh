// Rounds on a GPU: a launch a step with the loop on the host (a Pipe, as IrGL has it), or all in one launch.
#pragma once

#include <algorithm>

#include "lockstep/executor/device/barrier.cuh"
#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/device/memory.cuh"
#include "lockstep/executor/device/streams.cuh"
#include "lockstep/executor/mesh/steps.cuh"

namespace lockstep::mesh {

inline constexpr gpu::Shape shape{.threads = step_threads, .blocks_per_sm = 4};
inline constexpr EdgeId most_noted = 1 << 14;  ///< rounds that one launch notes down

/// What came of a round, or of a launch.
struct Outcome {
    Status at;
    std::uint32_t bad, left, taken, won;
    std::uint32_t changes;  ///< cavities refined since the last triangle that was left was tried again
    std::uint32_t rounds;   ///< of this launch
    bool full;              ///< the mesh needs more room for the next round
};
struct Noted {
    std::uint32_t bad, tried, refined;
    std::uint32_t nanoseconds;
};

/// A step as a kernel; those that begin with the sums of the one before.
template <auto step, class... Parameters>
__global__ void __launch_bounds__(step_threads) step_kernel(DeviceMesh d, Parameters... parameters) {
    step(d, parameters...);
}
__device__ inline void list_counted(const DeviceMesh& d, const Status& at) {
    list_step(d, at, taken_sums(d).before.b);
}
template <bool judges>
__device__ void build_won(const DeviceMesh& d, const Status& at, unsigned size) {
    build_step<judges>(d, at, size, won_sums(d).before);
}
__device__ inline void check_won(const DeviceMesh& d) { check_step(d, won_sums(d).all.c); }

/// All rounds.
template <Way way>
__global__ void __launch_bounds__(step_threads, shape.blocks_per_sm)
    rounds_kernel(DeviceMesh d, Outcome outcome, Noted* noted, Outcome* result, EdgeId* arrivals) {
    gpu::DeviceBarrier barrier(arrivals);
    Outcome out = outcome;
    Status& at = out.at;
    while (true) {
        const EdgeId began = gpu::nanoseconds();
        count_step(d, at);
        barrier.sync();
        const Sums found = taken_sums(d);
        out.bad = found.all.a, out.taken = found.all.b, out.left = found.all.c;
        if (out.bad == 0) {
            if (out.left == 0 || out.changes == 0) break;
            try_left_again(d, at);
            out.changes = 0;
            at.before = 0;
            barrier.sync();
            continue;
        }
        out.full = !has_room(d, at, out.taken);
        if (out.full || out.rounds == most_noted) break;
        list_step(d, at, found.before.b);
        barrier.sync();
        reserve_step<way>(d, at, out.taken);
        barrier.sync();
        if constexpr (way == Way::exclusive) {
            mark_again_step(d, at, out.taken);
            barrier.sync();
        }
        contest_step(d, at, out.taken);
        barrier.sync();
        const Sums won = won_sums(d);
        build_step<way == Way::supersteps>(d, at, out.taken, won.before);
        barrier.sync();
        if constexpr (way != Way::supersteps) {
            check_step(d, won.all.c);
            barrier.sync();
        }
        at.points += static_cast<std::int32_t>(won.all.a);
        at.triangles += static_cast<std::int32_t>(won.all.b);
        at.before = out.bad;
        ++at.round;
        out.changes += won.all.a;
        if (gpu::thread_of_grid() == 0)
            noted[out.rounds] = {out.bad, out.taken, won.all.a,
                                 static_cast<std::uint32_t>(gpu::nanoseconds() - began)};
        ++out.rounds;
    }
    if (gpu::thread_of_grid() == 0) *result = out;
}

/// A mesh in device memory, with room to grow.
template <Way way>
class OnDevice {
    static constexpr bool keeps = way == Way::supersteps;

public:
    explicit OnDevice(const Mesh& mesh, const Rules& rules) : rules_(rules) {
        out_.at = {static_cast<std::int32_t>(mesh.points.size()),
                   static_cast<std::int32_t>(mesh.triangles.size()), 1, 0};
        make_room(rules.room * mesh.triangles.size() +
                  2 * std::min<EdgeId>(rules.full, mesh.triangles.size()));
        if (keeps) kept_ = gpu::Buffer<Spoke>(most_kept * static_cast<EdgeId>(room_of_kept));
        points_.upload(mesh.points);
        triangles_.upload(mesh.triangles);
    }

    Totals refine(Loop loop, const OnRound& on_round) {
        Totals totals;
        gpu::Timer timer;
        const unsigned blocks = gpu::resident_blocks(rounds_kernel<way>, shape, 0);
        counts_ = gpu::Buffer<Counts>(blocks);
        const auto step = [&]<class... Parameters>(void (*kernel)(DeviceMesh, Parameters...),
                                                   Parameters... parameters) {
            kernel<<<blocks, step_threads>>>(view(), parameters...);
            LOCKSTEP_CUDA(cudaGetLastError());
            ++totals.launches;
        };
        step(step_kernel<judge_all, Status>, out_.at);
        step(step_kernel<count_step, Status>, out_.at);
        out_.at.before = sum().bad;
        if (loop == Loop::outlined)
            run_outlined(blocks, totals, on_round);
        else
            run_piped(step, totals, on_round);
        totals.seconds = timer.seconds();
        totals.left = out_.left;
        totals.registers = static_cast<EdgeId>(gpu::registers_of(rounds_kernel<way>));
        return totals;
    }

    void download(Mesh& mesh) const {
        mesh.points = gpu::download(points_.data(), static_cast<EdgeId>(out_.at.points));
        mesh.triangles = gpu::download(triangles_.data(), static_cast<EdgeId>(out_.at.triangles));
    }

private:
    void run_outlined(unsigned blocks, Totals& totals, const OnRound& on_round) {
        gpu::Buffer<Noted> noted(most_noted);
        gpu::Buffer<Outcome> result(1);
        gpu::Buffer<EdgeId> arrivals(1);
        while (true) {
            arrivals.zero();
            out_.rounds = 0;
            gpu::launch_blocks(rounds_kernel<way>, blocks, step_threads, 0, view(), out_, noted.data(),
                               result.data(), arrivals.data());
            ++totals.launches;
            out_ = result.download()[0];
            for (const Noted& r : gpu::download(noted.data(), out_.rounds)) {
                if (!on_round({r.bad, r.tried, r.refined, r.nanoseconds * 1e-9})) totals.stopped = true;
            }
            if (totals.stopped || out_.bad == 0) return;
            if (out_.full) make_room(2 * static_cast<EdgeId>(out_.at.triangles) + 2 * EdgeId{out_.taken});
        }
    }

    void run_piped(const auto& step, Totals& totals, const OnRound& on_round) {
        while (true) {
            gpu::Timer timer;
            step(step_kernel<count_step, Status>, out_.at);
            const Counts found = sum();
            out_.bad = found.bad, out_.left = found.left, out_.taken = found.taken;
            if (out_.bad == 0) {
                if (out_.left == 0 || out_.changes == 0) return;
                step(step_kernel<try_left_again, Status>, out_.at);
                out_.changes = 0;
                out_.at.before = 0;
                continue;
            }
            if (points_.size() < static_cast<EdgeId>(out_.at.points) + out_.taken ||
                triangles_.size() < static_cast<EdgeId>(out_.at.triangles) + 2 * EdgeId{out_.taken})
                make_room(2 * static_cast<EdgeId>(out_.at.triangles) + 2 * EdgeId{out_.taken});
            step(step_kernel<list_counted, Status>, out_.at);
            step(step_kernel<reserve_step<way>, Status, unsigned>, out_.at, out_.taken);
            if (way == Way::exclusive)
                step(step_kernel<mark_again_step, Status, unsigned>, out_.at, out_.taken);
            step(step_kernel<contest_step, Status, unsigned>, out_.at, out_.taken);
            step(step_kernel<build_won<keeps>, Status, unsigned>, out_.at, out_.taken);
            if (!keeps) step(step_kernel<check_won>);
            const Counts made = sum();
            out_.at.points += static_cast<std::int32_t>(made.won);
            out_.at.triangles += static_cast<std::int32_t>(made.fresh);
            out_.at.before = found.bad;
            ++out_.at.round;
            out_.changes += made.won;
            if (!on_round({found.bad, found.taken, made.won, timer.seconds()})) {
                totals.stopped = true;
                return;
            }
        }
    }

    Counts sum() const {
        Counts all{};
        for (const Counts& c : counts_.download()) {
            all.bad += c.bad, all.taken += c.taken, all.left += c.left;
            all.won += c.won, all.fresh += c.fresh, all.border += c.border;
        }
        return all;
    }

    /// Room for so many triangles, and as many points as come with them.
    void make_room(EdgeId triangles) {
        triangles = std::min(triangles, most_triangles);
        const EdgeId points =
            static_cast<EdgeId>(out_.at.points) + (triangles - static_cast<EdgeId>(out_.at.triangles));
        if (triangles <= triangles_.size())
            throw Error(
                "the mesh outgrows 2^29 triangles; give a smaller --min-angle or a larger --min-edge");
        gpu::require_memory(
            points * sizeof(Point) + triangles * (sizeof(Triangle) + sizeof(State) + sizeof(std::int32_t) +
                                                  sizeof(Wish) + sizeof(Spoke)),
            "a smaller --min-angle or a larger --min-edge makes fewer triangles");
        tried_ = {}, wishes_ = {}, spokes_ = {};
        points_ = grown(points_, points), triangles_ = grown(triangles_, triangles);
        states_ = grown(states_, (triangles + states_at_once - 1) / states_at_once * states_at_once);
        tried_ = gpu::Buffer<std::int32_t>(triangles);
        wishes_ = gpu::Buffer<Wish>(triangles);
        spokes_ = gpu::Buffer<Spoke>(triangles);
    }
    template <class T>
    static gpu::Buffer<T> grown(const gpu::Buffer<T>& old, EdgeId size) {
        gpu::Buffer<T> larger(size);
        larger.zero();
        if (old.size())
            LOCKSTEP_CUDA(
                cudaMemcpy(larger.data(), old.data(), old.size() * sizeof(T), cudaMemcpyDeviceToDevice));
        return larger;
    }

    DeviceMesh view() const {
        return {{points_.data(), triangles_.data(), states_.data(), rules_.rule},
                tried_.data(),
                wishes_.data(),
                spokes_.data(),
                kept_.data(),
                counts_.data(),
                static_cast<std::int32_t>(points_.size()),
                static_cast<std::int32_t>(triangles_.size()),
                rules_.full,
                rules_.part};
    }

    Rules rules_;
    Outcome out_{};
    gpu::Buffer<Point> points_;
    gpu::Buffer<Triangle> triangles_;
    gpu::Buffer<State> states_;
    gpu::Buffer<std::int32_t> tried_;
    gpu::Buffer<Wish> wishes_;
    gpu::Buffer<Spoke> spokes_, kept_;
    gpu::Buffer<Counts> counts_;
};

}  // namespace lockstep::mesh
