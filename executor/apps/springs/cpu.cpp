// Simulates springs on a CPU, either with the walk of a strategy's plan or with the Jacobi method, and
// implements the serial reference of both.
#include <omp.h>

#include <atomic>
#include <list>
#include <memory>

#include "apps/springs/jacobi.hpp"
#include "lockstep/executor/update/run.hpp"
#include "lockstep/formats/console.hpp"

namespace lockstep::springs {

namespace {

template <bool multiplied>
class OnCpu {
public:
    using U = Spring<multiplied>;

    OnCpu(const Model& model, const Settings& settings, int threads, bool serial)
        : model_(model),
          compliance_(scaled_compliance(model, settings)),
          part_(static_cast<float>(settings.relaxation)),
          threads_(threads),
          serial_(serial),
          now_{model.particles, std::vector<Velocity>(model.particles.size())},
          before_(model.particles.size()) {
        sweeps_.emplace_back(model);
        if (model.backward) sweeps_.emplace_back(*model.backward);
        if (model.method == ConflictMethod::sums) changes_.resize(now_.particles.size());
        if (model.method == ConflictMethod::gather)
            incidence_ = incidence_of(model), next_.resize(now_.particles.size());
    }

    SweepCounts run(const Step& step, double* seconds) {
        const Substep& substep = step.substep;
        if (step.begins)
            for_particles(
                [&](VertexId v) { predict(now_.particles[v], before_[v], now_.velocities[v], substep); });
        const double begin = omp_get_wtime();
        SweepCounts counts{0, 0};
        for (std::uint64_t i = step.first; i < step.first + step.count; ++i) {
            for (Sweep& s : sweeps_) counts = counts + once(s, {compliance_, i == 0 ? 0.0F : 1.0F});
        }
        *seconds += omp_get_wtime() - begin;
        if (step.ends)
            for_particles(
                [&](VertexId v) { finish(now_.particles[v], before_[v], now_.velocities[v], substep); });
        return counts;
    }
    const State& state() const { return now_; }
    EdgeId bytes() const {
        EdgeId bytes = now_.particles.size() * (2 * sizeof(Particle) + sizeof(Velocity));
        for (const Sweep& s : sweeps_) bytes += s.plan.bytes() + s.edges.size() * sizeof(typename U::Edge);
        return bytes;
    }

private:
    /// The springs in the order of one sweep of an iteration. The two sweeps of a symmetric iteration have
    /// separate multipliers.
    struct Sweep {
        const EdgePlan& plan;
        /// Rest length and multiplier of each spring, in the order of the plan.
        std::vector<typename U::Edge> edges;
        cpu::Locks locks;
        explicit Sweep(const Springs& springs)
            : plan(springs.plan), edges(springs.plan.edges()), locks(springs.plan) {
            for (EdgeId e = 0; e < edges.size(); ++e) edges[e].rest = springs.rest[e];
        }
    };
    SweepCounts once(Sweep& sweep, const typename U::Parameters& parameters) {
        if (serial_) return serially(sweep, parameters);
        if constexpr (!multiplied) {
            if (model_.method == ConflictMethod::sums) return sums(parameters);
            if (model_.method == ConflictMethod::gather) return gather(parameters);
        }
        return update::sweep<U>(sweep.plan, arrays(sweep), parameters, sweep.locks, threads_);
    }
    update::Arrays<U> arrays(Sweep& sweep) {
        return {now_.particles.data(), now_.particles.data(), sweep.edges.data()};
    }

    template <class Run>
    void for_particles(Run run) const {
        const auto particles = static_cast<VertexId>(now_.particles.size());
#pragma omp parallel for schedule(static) num_threads(threads_)
        for (VertexId v = 0; v < particles; ++v) run(v);
    }

    SweepCounts sums(const Spring<false>::Parameters& parameters) {
        const EdgePlan& plan = model_.plan;
        const auto add_to = [](Velocity& to, const Velocity& change) {
            std::atomic_ref(to.x).fetch_add(change.x, std::memory_order_relaxed);
            std::atomic_ref(to.y).fetch_add(change.y, std::memory_order_relaxed);
            std::atomic_ref(to.z).fetch_add(change.z, std::memory_order_relaxed);
        };
#pragma omp parallel for schedule(static) num_threads(threads_)
        for (EdgeId e = 0; e < plan.edges(); ++e) {
            const Particle &a = now_.particles[plan.row[e]], &b = now_.particles[plan.col[e]];
            add_to(changes_[plan.row[e]], change_of(a, b, model_.rest[e], parameters));
            add_to(changes_[plan.col[e]], change_of(b, a, model_.rest[e], parameters));
        }
        for_particles([&](VertexId v) {
            now_.particles[v] = moved_by(now_.particles[v], changes_[v], part_);
            changes_[v] = {0, 0, 0};
        });
        return {plan.edges(), 1};
    }
    SweepCounts gather(const Spring<false>::Parameters& parameters) {
        for_particles([&](VertexId v) {
            next_[v] = gather_corrections(now_.particles.data(), v, incidence_.first.data(),
                                          incidence_.ends.data(), parameters, part_);
        });
        now_.particles.swap(next_);
        return {model_.plan.edges(), 1};
    }

    SweepCounts serially(Sweep& sweep, const typename U::Parameters& parameters) {
        if (model_.method == ConflictMethod::sums || model_.method == ConflictMethod::gather)
            all_at_once({parameters.compliance, 0});
        else
            update::loop<U>(sweep.plan, arrays(sweep), parameters);
        return {model_.plan.edges(), 1};
    }
    /// Jacobi method: processes one spring after another, all from the same positions. Each spring adds its
    /// changes to the sums of both endpoints.
    void all_at_once(const Spring<false>::Parameters& parameters) {
        const EdgePlan& plan = model_.plan;
        std::vector<Particle>& p = now_.particles;
        std::vector<Velocity> sums(p.size());
        for (EdgeId e = 0; e < plan.edges(); ++e) {
            Particle a = p[plan.row[e]], b = p[plan.col[e]];
            Spring<false>::update(a, b, {model_.rest[e]}, parameters);
            for (const auto& [v, moved] : {std::pair(plan.row[e], a), std::pair(plan.col[e], b)})
                sums[v] = {sums[v].x + (moved.x - p[v].x), sums[v].y + (moved.y - p[v].y),
                           sums[v].z + (moved.z - p[v].z)};
        }
        for (VertexId v = 0; v < p.size(); ++v) p[v] = moved_by(p[v], sums[v], part_);
    }

    const Model& model_;
    const float compliance_, part_;
    const int threads_;
    const bool serial_;  ///< whether springs are processed one after another, as in the reference
    State now_;
    std::vector<Particle> before_, next_;
    std::list<Sweep> sweeps_;  ///< the one or two sweeps of an iteration
    std::vector<Velocity> changes_;
    Incidence incidence_;
};

template <bool multiplied>
Simulation make_simulation(const Model& model, const Settings& settings, int threads, bool serial) {
    const Stopwatch transfer;
    const auto work = std::make_shared<OnCpu<multiplied>>(model, settings, threads, serial);
    return {.bytes = work->bytes(),
            .transfer_seconds = transfer.seconds(),
            .run = [work](const Step& step, double* seconds) { return work->run(step, seconds); },
            .result = [work] { return work->state(); }};
}

}  // namespace

Simulation on_cpu(const Model& model, const Settings& settings, int threads) {
    return settings.multiplied() ? make_simulation<true>(model, settings, threads, false)
                                 : make_simulation<false>(model, settings, threads, false);
}
Simulation reference(const Model& model, const Settings& settings) {
    return settings.multiplied() ? make_simulation<true>(model, settings, 1, true)
                                 : make_simulation<false>(model, settings, 1, true);
}

}  // namespace lockstep::springs
