#include "first_sweeps.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/sgd/driver.hpp"
#include "cli.hpp"
#include "insight/build_options.hpp"

namespace lockstep::insight {

namespace {

const Schedule* schedule_of(const ScheduleFile& file, const std::string& name) {
    const auto found = std::find_if(file.schedules.begin(), file.schedules.end(),
                                    [&](const TimedSchedule& s) { return s.schedule.name == name; });
    return found == file.schedules.end() ? nullptr : &found->schedule;
}

void measure_one(Prediction& p, const ScheduleFile& file, const Probe& probe, Device device, int threads) {
    const Graph& graph = file.dataset.graph;
    const Schedule* schedule = p.schedule.empty() ? nullptr : schedule_of(file, p.schedule);
    Schedule built;
    if (!p.schedule.empty() && !schedule) {
        const cli::Stopwatch watch;
        built = find_builder(p.schedule).build(graph, build_options(probe));
        p.preprocess = watch.seconds();
        schedule = &built;
    }
    sgd::SgdOptions options;
    options.device = device, options.threads = threads;
    options.rank = probe.rank;
    options.sweeps = options.evaluate_every = 2;
    options.learning_rate = 1e-4;
    const sgd::Outcome outcome = sgd::run_sgd(graph, find_strategy(p.strategy), schedule, options);
    p.measured = true;
    p.load = outcome.plan_seconds + outcome.transfer_seconds;
    p.terms = {{"measured", "the second of two sweeps", outcome.sweeps.back().seconds, 1}};
}

}  // namespace

void measure_first(Recommendation& r, std::size_t count, const ScheduleFile& file, const Probe& probe,
                   Device device, int threads, const std::function<void(const std::string&)>& note) {
    for (std::size_t i = 0; i < std::min(count, r.eligible); ++i) {
        cli::check_signal();
        Prediction& p = r.ranked[i];
        const double predicted = p.sweep();
        try {
            measure_one(p, file, probe, device, threads);
            note(fmt::format("{}: predicted {}, measured {} per sweep", p.strategy, cli::duration(predicted),
                             cli::duration(p.sweep())));
        } catch (const ScheduleError& e) {
            p.refused = e.what();
        } catch (const Error& e) {
            if (e.failure() != Failure::no_device) throw;
            p.refused = e.what();
        }
        if (!p.refused.empty()) note(p.strategy + ": " + p.refused);
    }
}

}  // namespace lockstep::insight
