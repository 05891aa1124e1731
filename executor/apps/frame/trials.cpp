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
          const std::string& strategy, double seconds) {
    const std::filesystem::path path = file_of(app, device, graph_class);
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (error) throw OutputError(path.string(), error.message());
    const std::string text =
        Json{{"strategy", strategy}, {"seconds", seconds}, {"device", device.name}, {"class", graph_class}}
            .dump(1, ' ', true, Json::error_handler_t::replace) +
        "\n";
    AtomicFile file(path);
    if (const int code = file.write(0, text.data(), text.size()))
        throw OutputError(path.string(), std::string("cannot be written: ") + std::strerror(code));
    file.commit();
}

}  // namespace

std::string graph_class(const ScheduleFileSummary& file) {
    if (file.rows == 0) return {};
    const EdgeId mean = file.rows ? file.edges / file.rows : 0;
    std::string text =
        fmt::format("2^{} vertices, 2^{} arcs at one, 2^{} at most", std::bit_width(EdgeId{file.rows}),
                    std::bit_width(mean), std::bit_width(file.max_degree.both()));
    for (const char* prepared : {"hubs", "hubs-weight", "regions", "edge-tiled", "pull-binned"}) {
        if (schedule_in(file, prepared)) text += std::string(", ") + prepared;
    }
    return text;
}

Choice kept_or(const std::pair<std::string, std::string>& rule, const std::vector<std::string>& candidates,
               const std::string& app, const DeviceInfo& device, const std::string& graph_class) {
    auto [strategy, reason] = rule;
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
        reason = "the fastest when it was tried on a graph of this class: " + graph_class;
    }
    return {{strategy}, strategy + ": " + reason, {"chosen_for", reason}, {}};
}

void Trials::attempt(const std::string& name,
                     const std::function<std::unique_ptr<RunOutcome>(Json& told)>& run) {
    cli::check_signal();
    const auto failed = [&](const char* why) {
        tried_.push_back({{"strategy", name}, {"seconds", nullptr}, {"why", why}});
    };
    if (!found_.empty() && watch_.seconds() >= most_seconds_) return failed("no time left");
    try {
        Json told = Json::object();
        const auto outcome = run(told);
        device_ = outcome->device;
        found_.emplace_back(outcome->execute_seconds, name);
        tried_.push_back({{"strategy", name}, {"seconds", outcome->execute_seconds}});
        tried_.back().update(told);
        tried_.back()["result_hash"] = outcome->result_hash;
        cli::note(common_, fmt::format("tune: {} {}", name, cli::duration(outcome->execute_seconds)));
    } catch (const ScheduleError& e) {
        failed(e.what());
        cli::note(common_, fmt::format("tune: not {}: {}", name, e.what()));
    } catch (const cli::UsageError& e) {  // an option that was given does not suit this strategy
        failed(e.what());
    }
}

Choice Trials::choice(const std::string& app, const std::string& graph_class, bool for_later) const {
    cli::check_signal();
    if (found_.empty())
        throw ScheduleError("no strategy could be tried: " + tried_[0]["why"].get<std::string>());
    const bool cpu = device_.kind != "cuda";
    // Cores are shared: what is ahead by less is so by chance, and the most promising were tried first.
    const double noise = cpu ? 1.05 : 1;
    const double least = std::min_element(found_.begin(), found_.end())->first;
    const auto& [seconds, best] = *std::find_if(found_.begin(), found_.end(),
                                                [&](const auto& one) { return one.first <= least * noise; });
    if (for_later && !graph_class.empty()) keep(app, device_, graph_class, best, seconds);
    const bool all = cpu && found_.size() == tried_.size();
    const std::string reason = fmt::format("the fastest of {} tried{}", found_.size(),
                                           all ? ", which are all programs that a CPU has of them" : "");
    return {{best}, best + ": " + reason, {"chosen_for", reason}, {{"tried", tried_}}, "tune"};
}

Choice fastest_update(
    const Application& app, const Request& request, const cli::Common& common, double most_seconds,
    const std::function<std::unique_ptr<RunOutcome>(const Input&, const RunCallbacks&)>& run) {
    const ScheduleFileSummary file = summary_of(request);
    for (const bool deterministic : {true, false}) {
        Trials trials(common, most_seconds);
        bool tried = false;
        for (const Strategy& s : strategies()) {
            if (s.races() || s.deterministic() != deterministic || !runs_on(s, file)) continue;
            tried = true;
            trials.attempt(s.name, [&](Json&) {
                Request trial = request;
                trial.strategy = s.name;
                return run(Input(trial, common, s), {{}, {}, [] { return cli::pending_signal() != 0; }});
            });
        }
        if (tried) return trials.choice(app.facts().name, graph_class(file), false);
    }
    throw ScheduleError(fmt::format("{} has what no strategy needs", request.file));
}

}  // namespace lockstep
