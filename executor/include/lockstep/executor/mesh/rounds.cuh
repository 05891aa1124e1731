// Refinement in rounds on a GPU, as a loop of stages (worklist/stages.cuh). The paper's algorithm is a Pipe
// of two kernels: one, an Exclusive (reserve, contest, build), refines bad triangles, and the other one
// (check) searches the new triangles for bad ones. The loop ends when no triangle is bad.
#pragma once

#include <algorithm>

#include "lockstep/executor/device/streams.cuh"
#include "lockstep/executor/mesh/steps.cuh"
#include "lockstep/executor/worklist/stages.cuh"

namespace lockstep::mesh {

using worklist::NextStage;

inline constexpr EdgeId max_noted = 1 << 14;  ///< maximum number of rounds whose reports one launch stores
struct RoundReport {
    std::uint32_t bad, tried, refined;
    std::uint32_t nanoseconds;
};

enum class Step { count, list, reserve, mark_again, contest, build, check };

template <RefinementMethod method>
struct Refinement {
    static constexpr gpu::Shape shape{.threads = step_threads, .blocks_per_sm = 4};
    using Order = std::conditional_t<
        method == RefinementMethod::supersteps,
        worklist::Stages<Step::count, Step::list, Step::reserve, Step::contest, Step::build>,
        std::conditional_t<
            method == RefinementMethod::priority_locks,
            worklist::Stages<Step::count, Step::list, Step::reserve, Step::contest, Step::build, Step::check>,
            worklist::Stages<Step::count, Step::list, Step::reserve, Step::mark_again, Step::contest,
                             Step::build, Step::check>>>;
    struct State {
        Status at;
        bool counted;  ///< whether the bad triangles have been counted once, before the first round
        bool full;     ///< whether the next round exceeds the capacity of the mesh's arrays
        std::uint32_t bad, left, taken, won, spokes;
        /// Number of cavities that were refined since the triangles in state `left` were last made bad again.
        std::uint32_t changes;
        std::uint32_t rounds, timed;  ///< number of rounds of this launch, and of those whose time is stored
        EdgeId began;                 ///< start of the current round in nanoseconds
    };

    DeviceMesh d;
    RoundReport* noted;

    LOCKSTEP_HD static constexpr bool decides(Step step) { return step == Step::list; }
    template <Step step>
    __device__ auto run(State& s) const {
        if constexpr (step == Step::count) {
            const EdgeId now = gpu::nanoseconds();
            if (s.timed < s.rounds) {
                if (gpu::thread_of_grid() == 0)
                    noted[s.timed].nanoseconds = static_cast<std::uint32_t>(now - s.began);
                ++s.timed;
            }
            s.began = now;
            count_step(d, s.at);
        } else if constexpr (step == Step::list) {
            return list(s);
        } else if constexpr (step == Step::reserve) {
            reserve_step<method>(d, s.at, s.taken);
        } else if constexpr (step == Step::mark_again) {
            mark_again_step<method>(d, s.at, s.taken);
        } else if constexpr (step == Step::contest) {
            contest_step(d, s.at, s.taken);
        } else if constexpr (step == Step::build) {
            build(s);
        } else {
            check_step(d, s.spokes);
        }
    }

private:
    __device__ NextStage list(State& s) const {
        const Sums found = taken_sums(d);
        s.bad = found.all.a, s.taken = found.all.b, s.left = found.all.c;
        if (!s.counted) {
            s.counted = true, s.at.before = s.bad;
            return NextStage::again;
        }
        if (s.bad == 0) {
            if (s.left == 0 || s.changes == 0) return NextStage::stop;
            try_left_again(d, s.at);
            s.changes = 0, s.at.before = 0;
            return NextStage::again;
        }
        s.full = !has_room(d, s.at, s.taken);
        if (s.full || s.rounds == max_noted) return NextStage::stop;
        list_step(d, s.at, found.before.b);
        return NextStage::on;
    }
    __device__ void build(State& s) const {
        const Sums won = sum_winners(d);
        build_step<method == RefinementMethod::supersteps>(d, s.at, s.taken, won.before);
        if (gpu::thread_of_grid() == 0) noted[s.rounds] = {s.bad, s.taken, won.all.a, 0};
        s.won = won.all.a, s.spokes = won.all.c;
        s.at.points += static_cast<std::int32_t>(won.all.a);
        s.at.triangles += static_cast<std::int32_t>(won.all.b);
        s.at.before = s.bad;
        ++s.at.round, ++s.rounds;
        s.changes += won.all.a;
    }
};

static __global__ void __launch_bounds__(step_threads) judge_kernel(DeviceMesh d, Status at) {
    judge_all(d, at);
}

/// A mesh in device memory with spare capacity, and its refinement.
template <RefinementMethod method>
class DeviceWalk {
    using Rounds = Refinement<method>;

public:
    explicit DeviceWalk(const Mesh& mesh, const Rules& rules) : rules_(rules) {
        out_.at = {static_cast<std::int32_t>(mesh.points.size()),
                   static_cast<std::int32_t>(mesh.triangles.size()), 1, 0};
        reserve_triangles(rules.initial_capacity * mesh.triangles.size() +
                          2 * std::min<EdgeId>(rules.full, mesh.triangles.size()));
        if (method == RefinementMethod::supersteps)
            kept_ = gpu::Buffer<Spoke>(max_kept * static_cast<EdgeId>(kept_list_capacity));
        points_.upload(mesh.points);
        triangles_.upload(mesh.triangles);
    }

    Totals refine(worklist::Loop loop, const OnRound& on_round) {
        Totals totals;
        gpu::Timer timer;
        counts_ = gpu::Buffer<Counts>(looping_.blocks());
        gpu::Buffer<RoundReport> noted(max_noted);
        std::uint32_t reported = 0;
        const auto report_rounds = [&](const typename Rounds::State& state) {
            for (const RoundReport& r : gpu::download(noted.data() + reported, state.timed - reported)) {
                if (!on_round({r.bad, r.tried, r.refined, r.nanoseconds * 1e-9})) totals.stopped = true;
            }
            reported = state.timed;
            return !totals.stopped;
        };
        judge_kernel<<<looping_.blocks(), step_threads>>>(view(), out_.at);
        LOCKSTEP_CUDA(cudaGetLastError());
        totals.launches = 1;
        while (true) {
            out_.rounds = out_.timed = reported = 0;
            totals.launches += looping_.run(Rounds{view(), noted.data()}, out_, loop, report_rounds);
            if (!report_rounds(out_) || out_.bad == 0) break;
            if (out_.full)
                reserve_triangles(2 * static_cast<EdgeId>(out_.at.triangles) + 2 * EdgeId{out_.taken});
        }
        totals.seconds = timer.seconds();
        totals.left = out_.left;
        totals.registers = looping_.registers();
        return totals;
    }

    void download(Mesh& mesh) const {
        mesh.points = gpu::download(points_.data(), static_cast<EdgeId>(out_.at.points));
        mesh.triangles = gpu::download(triangles_.data(), static_cast<EdgeId>(out_.at.triangles));
    }

private:
    /// Increases the capacity to `triangles` triangles, and to the number of points that these can have.
    void reserve_triangles(EdgeId triangles) {
        triangles = std::min(triangles, max_triangles);
        const EdgeId points =
            static_cast<EdgeId>(out_.at.points) + (triangles - static_cast<EdgeId>(out_.at.triangles));
        if (triangles <= triangles_.size())
            throw Error(
                "the mesh grows beyond 2^29 triangles; give a smaller --min-angle or a larger --min-edge");
        gpu::require_memory(
            points * sizeof(Point) + triangles * (sizeof(Triangle) + sizeof(State) + sizeof(std::int32_t) +
                                                  sizeof(PointInsertion) + sizeof(Spoke)),
            "use a smaller --min-angle or a larger --min-edge, which gives fewer triangles");
        tried_ = {}, wishes_ = {}, spokes_ = {};
        points_ = grow_buffer(points_, points), triangles_ = grow_buffer(triangles_, triangles);
        states_ = grow_buffer(states_, (triangles + states_at_once - 1) / states_at_once * states_at_once);
        tried_ = gpu::Buffer<std::int32_t>(triangles);
        wishes_ = gpu::Buffer<PointInsertion>(triangles);
        spokes_ = gpu::Buffer<Spoke>(triangles);
    }
    template <class T>
    static gpu::Buffer<T> grow_buffer(const gpu::Buffer<T>& old, EdgeId size) {
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
    worklist::LoopRunner<Rounds> looping_;
    typename Rounds::State out_{};
    gpu::Buffer<Point> points_;
    gpu::Buffer<Triangle> triangles_;
    gpu::Buffer<State> states_;
    gpu::Buffer<std::int32_t> tried_;
    gpu::Buffer<PointInsertion> wishes_;
    gpu::Buffer<Spoke> spokes_, kept_;
    gpu::Buffer<Counts> counts_;
};

}  // namespace lockstep::mesh
