#include "apps/frame/frontier_choice.hpp"

#include <algorithm>

#include "apps/frame/frontier_application.hpp"
#include "apps/frame/trials.hpp"
#include "lockstep/executor/strategy.hpp"

namespace lockstep {

namespace {

using Json = nlohmann::ordered_json;

/// No vertex has many arcs.
bool even(const ScheduleFileSummary& file) {
    return file.max_degree.both() <= 64 && file.edges <= 8 * EdgeId{file.rows};
}

}  // namespace

std::vector<std::string> frontier_candidates(const ScheduleFileSummary& file, bool weighted, bool generic,
                                             bool cpu) {
    std::vector<std::string> prepared, online{choose_frontier(file, weighted, true, cpu).first};
    for (const Strategy& s : strategies("frontier")) {
        const std::string_view schedule = s.schedule ? s.schedule : "",
                               of_other = weighted ? "hubs" : "hubs-weight";
        if (s.schedule && !generic && schedule != of_other && has_schedule(file, s.schedule))
            prepared.emplace_back(s.name);
        if (!s.schedule && s.name != online[0]) online.emplace_back(s.name);
    }
    std::reverse(online.begin() + 1, online.end());  // the table has the older ones first
    prepared.insert(prepared.end(), online.begin(), online.end());
    return prepared;
}

std::pair<std::string, std::string> choose_frontier(const ScheduleFileSummary& file, bool weighted,
                                                    bool generic, bool cpu) {
    const char* const hubs = weighted ? "hubs-weight" : "hubs";
    if (cpu) return {"best", "both directions, and the order of the values where there are weights"};
    if (even(file)) {
        if (!generic && has_schedule(file, "regions"))
            return {"regions", "few arcs at every vertex, and the file has the schedule regions"};
        return {"irgl-all", "few arcs at every vertex, so many small rounds: a push in one launch"};
    }
    if (!generic && has_schedule(file, hubs))
        return {hubs, std::string("some vertices have many arcs, and the file has the schedule ") + hubs};
    return {"best", "some vertices have many arcs, so few large rounds: both directions"};
}

Choice FrontierApplication::choose(const Request& request, const cli::Common&) const {
    const ScheduleFileSummary file = read_schedule_file_summary(request.file);
    const bool generic = request.order || !options_.axes.empty();
    std::string note;
    const Device device = usable_device(options_.device, &note);
    const bool cpu = device != Device::cuda;
    return kept_or(choose_frontier(file, weighted(), generic, cpu),
                   distinct(frontier_candidates(file, weighted(), generic, cpu), !cpu), facts().name,
                   device_info(device, options_.threads), graph_class(file));
}

Choice FrontierApplication::tune(const Request& request, const cli::Common& common) const {
    const ScheduleFileSummary file = read_schedule_file_summary(request.file);
    FrontierOptions options = options_;
    options.sources = 1, options.repeats = 3, options.verify = false, options.path_to.reset();
    Request trial = request;
    std::optional<Input> input;
    Trials trials(common, options_.tune_seconds);
    std::string note;
    const bool cpu = usable_device(options_.device, &note) != Device::cuda,
               generic = request.order || !options_.axes.empty();
    for (const std::string& name : distinct(frontier_candidates(file, weighted(), generic, cpu), !cpu)) {
        trials.attempt(name, [&](Json& told) {
            const Strategy& strategy = find_strategy(name, facts().strategies);
            trial.strategy = name;
            if (!input || strategy.schedule || input->strategy.schedule)
                input.emplace(trial, common, strategy);
            auto outcome =
                traverse(*input, strategy, options, {{}, {}, [] { return cli::pending_signal() != 0; }});
            told = {{"rounds", outcome->rounds.size()},
                    {"launches", outcome->totals.launches},
                    {"worklist_atomics", outcome->totals.worklist_atomics},
                    {"registers", outcome->totals.registers}};
            return outcome;
        });
    }
    return trials.choice(facts().name, graph_class(file), options_.axes.empty());
}

}  // namespace lockstep
