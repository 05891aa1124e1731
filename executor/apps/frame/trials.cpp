#include "apps/frame/trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>

#include "lockstep/formats/atomic_file.hpp"
#include "lockstep/formats/cache_folder.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/hash.hpp"

namespace lockstep {

namespace {

using Json = nlohmann::ordered_json;

std::filesystem::path file_of(const std::string& app, const DeviceInfo& device,
                              const std::string& graph_class) {
    ContentHash hash;
    hash.add(fmt::format("{}\n{}\n{}\n{}\n{}", device.kind, device.name, device.threads, device.driver,
                         graph_class));
    return cache_folder() / fmt::format("tuned-{}-{}-{}.json", app, device.kind, hash.hex().substr(0, 12));
}

void keep(const std::string& app, const DeviceInfo& device, const std::string& graph_class,
          const std::string& strategy, const std::string& changes, double seconds) {
    const std::filesystem::path path = file_of(app, device, graph_class);
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (error) throw OutputError(path.string(), error.message());
    const std::string text = Json{{"strategy", strategy},
                                  {"axes", changes},
                                  {"seconds", seconds},
                                  {"device", device.name},
                                  {"class", graph_class}}
                                 .dump(1, ' ', true, Json::error_handler_t::replace) +
                             "\n";
    AtomicFile file(path);
    if (const int code = file.write(0, text.data(), text.size()))
        throw OutputError(path.string(), std::string("cannot be written: ") + std::strerror(code));
    file.commit();
}

/// Returns a strategy and its changed axes in the syntax of the option --strategy.
std::string describe_trial(const std::string& strategy, const std::string& changes) {
    return changes.empty() ? strategy : strategy + ' ' + changes;
}

}  // namespace

std::string graph_class(const ScheduleFileSummary& file) {
    if (file.rows == 0) return {};
    const EdgeId mean = file.rows ? file.edges / file.rows : 0;
    std::string text =
        fmt::format("2^{} vertices, 2^{} arcs at one, 2^{} at most", std::bit_width(EdgeId{file.rows}),
                    std::bit_width(mean), std::bit_width(file.max_degree.both()));
    for (const char* prepared : {"hubs", "hubs-weight", "regions", "edge-tiled"}) {
        if (schedule_in(file, prepared)) text += std::string(", ") + prepared;
    }
    return text;
}

Choice kept_or(
    const std::pair<std::string, std::string>& rule, const std::vector<std::string>& candidates,
    const std::function<std::string(const std::string& strategy, const std::string& changes)>& axes_of,
    const std::string& app, const DeviceInfo& device, const std::string& graph_class) {
    auto [strategy, reason] = rule;
    std::string axes, changes;
    std::ifstream file;
    if (known_cache_folder()) {
        const std::filesystem::path path = file_of(app, device, graph_class);
        if (is_cached(path)) file.open(path, std::ios::binary);
    }
    const auto kept = Json::parse(file, nullptr, false);
    const auto name = kept.is_object() ? kept.find("strategy") : kept.end();
    if (device.kind != "reference" && name != kept.end() && name->is_string() &&
        std::find(candidates.begin(), candidates.end(), name->get<std::string>()) != candidates.end()) {
        strategy = name->get<std::string>();
        if (const auto found = kept.find("axes"); found != kept.end() && found->is_string())
            changes = found->get<std::string>(), axes = axes_of(strategy, changes);
        if (axes.empty()) changes.clear();
        reason = "the fastest in earlier trial runs on a graph of this class: " + graph_class;
    }
    return {{strategy}, describe_trial(strategy, changes) + ": " + reason, {"chosen_for", reason}, {}, "auto",
            axes};
}

std::optional<double> Trials::attempt(const std::string& name,
                                      const std::function<std::unique_ptr<RunOutcome>(Json& report)>& run,
                                      const std::string& changes) {
    check_signal();
    tried_.push_back({{"strategy", name}});
    if (!changes.empty()) tried_.back()["axes"] = changes;
    const auto failed = [&](const char* why) {
        tried_.back().update({{"seconds", nullptr}, {"why", why}});
        return std::nullopt;
    };
    if (!found_.empty() && time_is_over()) return failed("no time left");
    try {
        Json report = Json::object();
        const auto outcome = run(report);
        device_ = outcome->device;
        found_.push_back({outcome->execute_seconds, name, changes});
        tried_.back()["seconds"] = outcome->execute_seconds;
        tried_.back().update(report);
        tried_.back()["result_hash"] = outcome->result_hash;
        note(common_, fmt::format("tune: {} {}", describe_trial(name, changes),
                                  text::duration(outcome->execute_seconds)));
        return outcome->execute_seconds;
    } catch (const ScheduleError& e) {
        note(common_, fmt::format("tune: {} is not possible: {}", describe_trial(name, changes), e.what()));
        return failed(e.what());
    } catch (const UsageError& e) {  // an option does not apply to this strategy
        return failed(e.what());
    }
}

Choice Trials::choice(const std::string& app, const std::string& graph_class, bool for_later) const {
    check_signal();
    if (found_.empty())
        throw ScheduleError("no strategy could be run: " + tried_[0]["why"].get<std::string>());
    double least = found_.front().seconds;
    for (const TrialResult& f : found_) least = std::min(least, f.seconds);
    const auto& [seconds, name, changes] = *std::find_if(
        found_.begin(), found_.end(), [&](const TrialResult& f) { return f.seconds * gain() <= least; });
    if (for_later && !graph_class.empty()) keep(app, device_, graph_class, name, changes, seconds);
    const std::string reason = fmt::format("the fastest of {} strategies in trial runs", found_.size());
    return {{name},
            describe_trial(name, changes) + ": " + reason,
            {"chosen_for", reason},
            {{"axes", changes}, {"tried", tried_}},
            "tune",
            changes};
}

Choice fastest_update(
    const Application& app, const Request& request, const Common& common, double max_seconds,
    const std::function<std::unique_ptr<RunOutcome>(const Input&, const RunCallbacks&)>& run) {
    const ScheduleFileSummary file = summary_of(request);
    for (const bool deterministic : {true, false}) {
        Trials trials(common, max_seconds);
        bool tried = false;
        for (const Strategy& s : strategies()) {
            if (s.races() || s.deterministic() != deterministic || !runs_on(s, file)) continue;
            tried = true;
            trials.attempt(s.name, [&](Json&) {
                Request trial = request;
                trial.strategy = s.name;
                return run(Input(trial, common, s), {{}, {}, [] { return pending_signal() != 0; }});
            });
        }
        if (tried) return trials.choice(app.spec().name, graph_class(file), false);
    }
    throw ScheduleError(fmt::format("{} has none of the schedules that the strategies need", request.file));
}

}  // namespace lockstep
