// From a request to a run: whether the file is one that can be run, which strategy it is to be, and its
// input.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "apps/frame/application.hpp"
#include "lockstep/executor/ranks.hpp"
#include "lockstep/formats/error.hpp"

namespace lockstep {

Choice Application::tune(const Request&, const cli::Common&) const {
    throw cli::UsageError(fmt::format("{} has no --strategy tune; give auto, or a strategy", facts_.name));
}

namespace {

/// Refuses what would be done as often as there are processes.
void check_shared(const Application& application, const Request& request) {
    const int count = ranks().count();
    if (count == 1) return;
    const Facts& facts = application.facts();
    if (facts.shared && request.strategy == facts.shared) return;
    std::string all;
    for (const Application* app : applications()) {
        if (app->facts().shared)
            all += fmt::format("{}--app {} --strategy {}", all.empty() ? "" : ", ", app->facts().name,
                               app->facts().shared);
    }
    throw cli::UsageError(
        fmt::format("{} processes were started, but what they can share is {}; not {} under {}: start one",
                    count, all, facts.name, request.strategy));
}

/// web.txt.gz -> web.h5, in the same folder.
std::string schedule_file_of(std::filesystem::path graph) {
    static const std::set<std::filesystem::path> packed{".gz", ".bz2", ".xz", ".zst", ".lz4", ".zip"};
    if (packed.contains(graph.extension())) graph.replace_extension();
    return graph.replace_extension(".h5").string();
}

/// Says of a file that is a graph yet how what this run takes is made of it.
void refuse_graph(const Application& application, const Request& request) {
    const Facts& facts = application.facts();
    if (strategies(facts.strategies).front().walk.family == Family::meshes) return;
    constexpr std::string_view mark = "\x89HDF\r\n\x1a\n";
    std::string head(mark.size(), '\0');
    if (!std::filesystem::is_regular_file(request.file) ||
        !std::ifstream(request.file, std::ios::binary).read(head.data(), 8) || head == mark)
        return;
    std::string schedules = facts.prepared ? facts.prepared : "";
    if (request.order) {
        schedules = *request.order == "given" ? "" : *request.order;
    } else if (request.strategy != "auto" && request.strategy != "tune") {
        const char* const own = find_strategy(request.strategy, facts.strategies).schedule;
        schedules = own ? own : "";
    }
    const std::string file = schedule_file_of(request.file),
                      options =
                          std::string(facts.strategies == std::string_view("sgd") ? "" : " --shape square") +
                          (schedules.empty() ? "" : " --schedule " + schedules);
    throw FormatError(request.file,
                      fmt::format("is no schedule file; if it is a graph, make one of it, and give that: "
                                  "lockstep-preprocess {} -o {}{}",
                                  request.file, file, options));
}

}  // namespace

int execute(const Application& application, const Request& request, const cli::Common& common) {
    check_shared(application, request);
    refuse_graph(application, request);
    // Not while the file is read: a GPU that is made ready holds up what asks for memory.
    std::future<void> gpu;
    const auto load = [&](const Request& of) {
        Input input(of, common, find_strategy(of.strategy, application.facts().strategies));
        if (!gpu.valid()) gpu = wake(request.device);
        return input;
    };
    const bool tuned = request.strategy == "tune";
    if (request.strategy != "auto" && !tuned)
        return execute(application, request, common, {load(request), {}, {}, {}});
    const Choice choice = tuned ? application.tune(request, common) : application.choose(request, common);
    cli::note(common, fmt::format("{}: {}", choice.key, choice.reason));
    Request chosen = request;
    for (std::size_t i = 0;; ++i) {
        chosen.strategy = choice.strategies[i];
        Input input = load(chosen);
        const auto why = i + 1 < choice.strategies.size() ? application.why_not(input) : std::nullopt;
        if (!why) return execute(application, chosen, common, {std::move(input), choice, {}, {}});
        cli::note(common, fmt::format("{}: not {}: {}", choice.key, chosen.strategy, *why));
    }
}

}  // namespace lockstep
