// The command line of lockstep-execute: what every application can be told, and what each declares.
#include <fmt/format.h>

#include <algorithm>
#include <list>

#include "apps/frame/application.hpp"
#include "lockstep/executor/ranks.hpp"
#include "lockstep/executor/strategy.hpp"

namespace lockstep {

namespace {

namespace po = boost::program_options;

std::vector<std::string> application_names() {
    std::vector<std::string> names;
    for (const Application* app : applications()) names.emplace_back(app->facts().name);
    return names;
}

std::vector<std::string> strategy_names() {
    std::vector<std::string> names{"auto", "tune"};
    for (const Application* app : applications()) {
        for (const Strategy& s : strategies(app->facts().strategies)) {
            if (std::find(names.begin(), names.end(), s.name) == names.end()) names.emplace_back(s.name);
        }
    }
    return names;
}

cli::Options basic_options() {
    std::string summaries;
    for (const Application* app : applications())
        summaries +=
            fmt::format("{}{} ({})", summaries.empty() ? "" : ", ", app->facts().name, app->facts().summary);
    cli::Options options("Options");
    // clang-format off
    options.add_options()
        ("file", po::value<std::string>()->value_name("FILE.h5"), "schedule file made by lockstep-preprocess, or of dmr a mesh; also as first argument")
        ("app", cli::word(application_names())->default_value("sgd"), ("application: " + summaries).c_str())
        ("strategy", cli::word(strategy_names())->default_value("auto"), "how to synchronize, or to visit neighbours; see below; auto = what the cost model, or a rule, finds fastest here; tune = what is fastest when tried (not sgd, pagerank, bp)")
        ("strategies", "list the strategies with what is known of each, those of --app where it is given, and exit");
    // clang-format on
    declare_running(options);
    cli::add_force_option(options);
    return options;
}

cli::Options tuning_options() {
    cli::Options options("Tuning");
    declare_order(options);
    return options;
}

/// The options of an application.
cli::Options declared(const Application& app, bool tuning) {
    cli::Options basic, more;
    app.declare(basic, more);
    return tuning ? more : basic;
}

/// The applications that have an option: "pagerank, sums".
std::string owners(const std::string& option) {
    std::string names;
    for (const Application* app : applications()) {
        if (declared(*app, false).find_nothrow(option, false) ||
            declared(*app, true).find_nothrow(option, false))
            names += (names.empty() ? "" : ", ") + std::string(app->facts().name);
    }
    return names;
}

/// Adds the options of all applications, each once, under the names of those that have it.
void add_sections(cli::Options& options, bool tuning) {
    std::list<std::pair<std::string, cli::Options>> sections;
    for (const Application* app : applications()) {
        const cli::Options own = declared(*app, tuning);
        for (const auto& option : own.options()) {
            const std::string names = owners(option->long_name());
            if (!names.starts_with(app->facts().name)) continue;  // an earlier one has it, too
            auto section =
                std::find_if(sections.begin(), sections.end(), [&](auto& s) { return s.first == names; });
            if (section == sections.end())
                section =
                    sections.emplace(section, names, (tuning ? "Tuning of --app " : "Of --app ") + names);
            section->second.add(option);
        }
    }
    for (const auto& section : sections) options.add(section.second);
}

/// Refuses what is given, but belongs to other applications.
void refuse_others(const cli::Values& values, const Application& app) {
    const std::string name = app.facts().name;
    for (const auto& [option, value] : values) {
        const std::string of = value.defaulted() ? "" : owners(option);
        if (!of.empty() && (", " + of + ",").find(", " + name + ",") == std::string::npos)
            throw cli::UsageError(fmt::format("--{} is an option of {}, not of {}", option, of, name));
    }
}

/// Refuses a strategy that other applications have.
void refuse_other_strategy(const std::string& name, const Application& app) {
    const auto has = [&](const Application& one) {
        const auto all = strategies(one.facts().strategies);
        return std::any_of(all.begin(), all.end(), [&](const Strategy& s) { return name == s.name; });
    };
    if (name == "auto" || name == "tune" || has(app)) return;
    std::vector<const char*> theirs;
    for (const Application* other : applications()) {
        if (has(*other)) theirs.push_back(other->facts().name);
    }
    const char* const own = app.facts().name;
    throw cli::UsageError(fmt::format(
        "{} is a strategy of {}, not of {}; give --app {}, or leave out --strategy (--app {} --strategies "
        "lists its own)",
        name, fmt::join(theirs, ", "), own, fmt::join(theirs, " or "), own));
}

}  // namespace

Application& find_application(const std::string& name) {
    for (Application* app : applications()) {
        if (name == app->facts().name) return *app;
    }
    throw cli::UsageError("there is no application " + name);
}

cli::Options execute_options() {
    cli::Options options;
    options.add(basic_options());
    add_sections(options, false);
    options.add(tuning_options());
    add_sections(options, true);
    return options;
}

Application& read_request(const cli::Values& values, Request& request) {
    if (!values.count("file")) throw cli::UsageError("a schedule file is needed");
    Application& app = find_application(values["app"].as<std::string>());
    refuse_others(values, app);
    request.file = values["file"].as<std::string>();
    request.strategy = values["strategy"].as<std::string>();
    refuse_other_strategy(request.strategy, app);
    cli::refuse_standard_input(request.file, "a schedule file");
    read_running(values, app, request);
    if (ranks().first()) check_files(values, app, request);  // the others may be where no such folder is
    return app;
}

}  // namespace lockstep
