#include "apps/frame/frontier_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "apps/frame/frontier_application.hpp"
#include "lockstep/executor/strategy.hpp"
#include "lockstep/formats/atomic_file.hpp"
#include "lockstep/formats/cache_folder.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/hash.hpp"

namespace lockstep {

namespace {

using Json = nlohmann::ordered_json;

bool has(const ScheduleFileSummary& file, const char* schedule) {
    return std::any_of(file.schedules.begin(), file.schedules.end(),
                       [&](const ScheduleSummary& s) { return s.name == schedule; });
}

/// No vertex has many arcs.
bool even(const ScheduleFileSummary& file) {
    return file.max_degree.both() <= 64 && file.edges <= 8 * EdgeId{file.rows};
}

std::filesystem::path file_of(const std::string& app, const DeviceInfo& device,
                              const std::string& graph_class) {
    ContentHash hash;
    hash.add(fmt::format("{}\n{}\n{}\n{}\n{}", device.kind, device.name, device.threads, device.driver,
                         graph_class));
    return cache_folder() / fmt::format("tuned-{}-{}-{}.json", app, device.kind, hash.hex().substr(0, 12));
}

}  // namespace

std::string graph_class(const ScheduleFileSummary& file) {
    const EdgeId mean = file.rows ? file.edges / file.rows : 0;
    std::string text =
        fmt::format("2^{} vertices, 2^{} arcs at one, 2^{} at most", std::bit_width(EdgeId{file.rows}),
                    std::bit_width(mean), std::bit_width(file.max_degree.both()));
    for (const char* prepared : {"hubs", "hubs-weight", "regions"}) {
        if (has(file, prepared)) text += std::string(", ") + prepared;
    }
    return text;
}

std::optional<Tuned> kept_choice(const std::string& app, const DeviceInfo& device,
                                 const std::string& graph_class) {
    std::ifstream file(file_of(app, device, graph_class), std::ios::binary);
    const auto json = nlohmann::json::parse(file, nullptr, false);
    if (!json.is_object() || !json.contains("strategy") || !json["strategy"].is_string()) return std::nullopt;
    const std::string name = json["strategy"];
    const Strategy* strategy = known_strategy(name);
    if (!strategy || strategy->app != std::string_view("frontier")) return std::nullopt;
    return Tuned{name, json.value("seconds", 0.0)};
}

void keep_choice(const std::string& app, const DeviceInfo& device, const std::string& graph_class,
                 const Tuned& best) {
    const std::filesystem::path path = file_of(app, device, graph_class);
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (error) throw OutputError(path.string(), error.message());
    const std::string text = nlohmann::ordered_json{{"strategy", best.strategy},
                                                    {"seconds", best.seconds},
                                                    {"device", device.name},
                                                    {"class", graph_class}}
                                 .dump(1, ' ', true, nlohmann::ordered_json::error_handler_t::replace) +
                             "\n";
    AtomicFile file(path);
    if (const int code = file.write(0, text.data(), text.size()))
        throw OutputError(path.string(), std::string("cannot be written: ") + std::strerror(code));
    file.commit();
}

std::vector<std::string> frontier_candidates(const ScheduleFileSummary& file, bool weighted, bool generic) {
    std::vector<std::string> prepared, online{choose_frontier(file, weighted, true, false).first};
    for (const Strategy& s : strategies("frontier")) {
        const std::string_view schedule = s.schedule ? s.schedule : "",
                               of_other = weighted ? "hubs" : "hubs-weight";
        if (s.schedule && !generic && schedule != of_other && has(file, s.schedule))
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
        if (!generic && has(file, "regions"))
            return {"regions", "few arcs at every vertex, and the file has the schedule regions"};
        return {"irgl-all", "few arcs at every vertex, so many small rounds: a push in one launch"};
    }
    if (!generic && has(file, hubs))
        return {hubs, std::string("some vertices have many arcs, and the file has the schedule ") + hubs};
    return {"best", "some vertices have many arcs, so few large rounds: both directions"};
}

Choice FrontierApplication::choose(const Request& request, const cli::Common&) const {
    const ScheduleFileSummary file = read_schedule_file_summary(request.file);
    const bool generic = request.order || !options_.axes.empty();
    std::string note;
    const Device device = usable_device(options_.device, &note);
    const auto all = frontier_candidates(file, weighted(), generic);
    const auto kept =
        device == Device::reference
            ? std::nullopt
            : kept_choice(facts().name, device_info(device, options_.threads), graph_class(file));
    auto [strategy, reason] = choose_frontier(file, weighted(), generic, device != Device::cuda);
    if (kept && std::find(all.begin(), all.end(), kept->strategy) != all.end()) {
        strategy = kept->strategy;
        reason = "the fastest when it was tried on a graph of this class: " + graph_class(file);
    }
    return {{strategy}, strategy + ": " + reason, {"chosen_for", reason}, {}};
}

Choice FrontierApplication::tune(const Request& request, const cli::Common& common) const {
    const cli::Stopwatch watch;
    const ScheduleFileSummary file = read_schedule_file_summary(request.file);
    FrontierOptions options = options_;
    options.sources = 1, options.repeats = 3, options.verify = false, options.path_to.reset();
    Request trial = request;
    std::optional<Input> input;
    Json tried = Json::array();
    std::vector<std::pair<double, std::string>> found;
    DeviceInfo device;
    for (const std::string& name :
         frontier_candidates(file, weighted(), request.order || !options_.axes.empty())) {
        cli::check_signal();
        if (!found.empty() && watch.seconds() >= options_.tune_seconds) {
            tried.push_back({{"strategy", name}, {"seconds", nullptr}, {"why", "no time left"}});
            continue;
        }
        const Strategy& strategy = find_strategy(name, facts().strategies);
        trial.strategy = name;
        try {
            if (!input || strategy.schedule || input->strategy.schedule)
                input.emplace(trial, common, strategy);
            const auto outcome =
                traverse(*input, strategy, options, {{}, {}, [] { return cli::pending_signal() != 0; }});
            device = outcome->device;
            found.emplace_back(outcome->execute_seconds, name);
            tried.push_back({{"strategy", name},
                             {"seconds", outcome->execute_seconds},
                             {"rounds", outcome->rounds.size()},
                             {"launches", outcome->totals.launches},
                             {"worklist_atomics", outcome->totals.worklist_atomics},
                             {"registers", outcome->totals.registers},
                             {"result_hash", outcome->result_hash}});
            cli::note(common, fmt::format("tune: {} {}", name, cli::duration(outcome->execute_seconds)));
        } catch (const ScheduleError& e) {
            tried.push_back({{"strategy", name}, {"seconds", nullptr}, {"why", e.what()}});
            cli::note(common, fmt::format("tune: not {}: {}", name, e.what()));
        } catch (const cli::UsageError& e) {  // an axis that was given does not suit this preset
            tried.push_back({{"strategy", name}, {"seconds", nullptr}, {"why", e.what()}});
        }
    }
    cli::check_signal();
    if (found.empty())
        throw ScheduleError("no strategy could be tried: " + tried[0]["why"].get<std::string>());
    const auto& [seconds, best] = *std::min_element(found.begin(), found.end());
    if (options_.axes.empty()) keep_choice(facts().name, device, graph_class(file), {best, seconds});
    const std::string reason = fmt::format("the fastest of {} tried", found.size());
    return {{best}, best + ": " + reason, {"chosen_for", reason}, {{"tried", tried}}, "tune"};
}

}  // namespace lockstep
