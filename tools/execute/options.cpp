// The command line of lockstep-execute: the options of every run, and the options of each application.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "command.hpp"
#include "lockstep/executor/ranks.hpp"
#include "lockstep/executor/strategy.hpp"
#include "lockstep/formats/error.hpp"
#include "printable.hpp"

namespace lockstep {

namespace {

std::vector<std::string> application_names() {
    std::vector<std::string> names;
    for (const Spec* spec : specs()) names.emplace_back(spec->name);
    return names;
}

std::vector<std::string> strategy_names() {
    std::vector<std::string> names{"auto", "tune", "all"};
    for (const Spec* spec : specs()) {
        for (const Strategy& s : strategies(spec->strategies)) {
            if (std::find(names.begin(), names.end(), s.name) == names.end()) names.emplace_back(s.name);
        }
    }
    return names;
}

/// Returns the options of an application. They are declared only once, since each given option is looked up
/// in all of them.
const cli::Options& declared(const Spec& spec, bool tuning) {
    struct DeclaredOptions {
        cli::Options basic, tuning;
    };
    static const auto all = [] {
        std::map<const Spec*, DeclaredOptions> declared;
        for (const Spec* one : specs()) declare(*one, declared[one].basic, declared[one].tuning);
        return declared;
    }();
    const DeclaredOptions& of = all.at(&spec);
    return tuning ? of.tuning : of.basic;
}

/// Returns the names of the applications that have this option, as a list: "pagerank, sums".
std::string owners(const std::string& option) {
    std::string names;
    for (const Spec* spec : specs()) {
        if (declared(*spec, false).find_nothrow(option, false) ||
            declared(*spec, true).find_nothrow(option, false))
            names += (names.empty() ? "" : ", ") + std::string(spec->name);
    }
    return names;
}

/// Adds the options of all applications to the help. Each option is listed once, in a section whose title
/// names all applications with this option.
void add_sections(std::vector<cli::Section>& sections, bool tuning) {
    for (const Spec* spec : specs()) {
        for (const auto& option : declared(*spec, tuning).options()) {
            const std::string names = owners(option->long_name());
            // the section of an earlier application contains this option
            if (!names.starts_with(spec->name)) continue;
            const std::string title = (tuning ? "More for --app " : "For --app ") + names;
            auto section = std::find_if(sections.begin(), sections.end(),
                                        [&](const cli::Section& s) { return s.title == title; });
            if (section == sections.end()) {
                sections.push_back({title, {}});
                section = sections.end() - 1;
            }
            section->options.add(option);
        }
    }
}

std::vector<cli::Section> sections_of(const Spec* spec) {
    ExecuteOptions own;
    Fields basic, tuning, input;
    own.list(basic, tuning, input);
    std::vector<cli::Section> sections{{"Options", {}}};
    cli::Options more, reading;
    cli::add_fields(sections[0].options, basic);
    cli::add_fields(more, tuning);
    if (spec)
        declare(*spec, sections[0].options, more);
    else
        add_sections(sections, false);
    sections.push_back({"More options", more});
    if (!spec) add_sections(sections, true);
    for (const Field& f : input) {
        if (f.name != "nonnegative") cli::add_field(reading, f);  // sgd has an option of this name
    }
    if (!spec || !runs_on_meshes(*spec)) sections.push_back({"Reading a graph file", reading});
    return sections;
}

/// Returns a text that lists the strategies of all applications, or of one. Strategies that several
/// applications share are listed once, under the names of these applications.
std::string strategy_lists(const Spec* only) {
    // names of the applications that share a part of the strategy table
    std::map<std::string_view, std::string> runners;
    for (const Spec* spec : specs()) {
        std::string& names = runners[spec->strategies];
        if (!only || spec == only) names += (names.empty() ? "" : ", ") + std::string(spec->name);
    }
    std::string text;
    for (const Spec* spec : specs()) {
        const auto names = runners.extract(spec->strategies);
        // the strategies were listed for an earlier application
        if (!names || names.mapped().empty()) continue;
        text += fmt::format("{}Strategies of {}:\n", text.empty() ? "" : "\n", names.mapped());
        for (const Strategy& s : strategies(spec->strategies))
            text += fmt::format("  {:<16} {}\n", s.name, s.summary);
    }
    return text;
}

/// Throws UsageError if an option is given that only other applications have.
void refuse_others(const cli::Values& values, const Spec& spec) {
    const std::string name = spec.name;
    for (const auto& [option, value] : values) {
        const std::string of = value.defaulted() ? "" : owners(option);
        if (!of.empty() && (", " + of + ",").find(", " + name + ",") == std::string::npos)
            throw cli::UsageError(fmt::format("--{} is an option of {}, not of {}", option, of, name));
    }
}

/// Throws UsageError if the strategy exists, but only for other applications.
void refuse_other_strategy(const std::string& name, const Spec& spec) {
    const auto has = [&](const Spec& one) {
        const auto all = strategies(one.strategies);
        if (name == "all") return all.front().app == std::string_view(edge_updates);
        return std::any_of(all.begin(), all.end(), [&](const Strategy& s) { return name == s.name; });
    };
    if (name == "auto" || name == "tune" || has(spec)) return;
    std::vector<const char*> theirs;
    for (const Spec* other : specs()) {
        if (has(*other)) theirs.push_back(other->name);
    }
    const char* const own = spec.name;
    throw cli::UsageError(fmt::format(
        "{} is a strategy of {}, not of {}; give --app {}, or leave out --strategy (--app {} --strategies "
        "lists its own)",
        name, fmt::join(theirs, ", "), own, fmt::join(theirs, " or "), own));
}

/// Returns true if the file is a graph file, and not a schedule file, even a damaged one.
bool is_graph(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return false;
    try {
        return !InputFile(path).is_lockstep_hdf5();
    } catch (const FormatError&) {
        return false;
    }
}

/// Stores how a graph file is to be read. Throws UsageError if the file is not a graph file and input options
/// are given.
void read_reading(const ExecuteOptions& options, const Fields& given, const Spec& spec, Request& request) {
    if (runs_on_meshes(spec) || !is_graph(request.file))
        return cli::refuse_input_options(given, request.file, {"memory", "nonnegative"});
    request.reading = options.reading.reading();
    for (const Field* f : cli::given_input_options(given)) {
        const std::string value = std::holds_alternative<Field::Flag>(f->kind) ? "" : f->text();
        request.reading_words += " --" + f->name + (value.empty() ? "" : " " + cli::quote_for_shell({value}));
    }
}

}  // namespace

void ExecuteOptions::list(Fields& basic, Fields& more, Fields& input) {
    std::vector<std::pair<const char*, const Spec*>> names;
    for (const Spec* spec : specs()) names.emplace_back(spec->name, spec);
    basic.text("file", file, "FILE",
               "schedule file of lockstep-preprocess, or graph file; dmr: mesh file; also accepted as first "
               "argument");
    basic.word("app", app, names,
               "application; --help-all lists the applications, --app NAME --help the options of one");
    basic.word("strategy", strategy, strategy_names(),
               "method to synchronize or to iterate over neighbours; auto = the fastest one according to the "
               "cost model, a rule or (springs) a trial; tune = the fastest one in trial runs (not sgd, "
               "als); all = run all of them, one after another (sgd, update, springs)");
    basic.flag("strategies", strategies,
               "list the strategies and exit; with schedule, walk, policy and source; if --app is given, "
               "only its strategies");
    running.list(basic, more);
    reading.list(input);
}

Fields ExecuteOptions::take(const cli::Values& values) {
    Fields fields;
    list(fields, fields, fields);
    cli::take_fields(values, fields);
    return fields;
}

cli::Program execute_program(const Spec* spec) {
    cli::Program program{
        "lockstep-execute",
        "lockstep-execute FILE [--app NAME] [--strategy NAME] [options]",
        "Runs an application on the GPU or the CPU. The input is a schedule file or, if the strategy "
        "needs no schedule, a graph file.",
        "  lockstep-execute ratings.h5 --rank 32 --test-fraction 0.1 --model model.h5\n"
        "  lockstep-execute web.txt.gz --app pagerank --top 10\n",
        sections_of(spec),
        {},
        strategy_lists(spec)};
    if (spec) {
        program.usage = fmt::format("lockstep-execute FILE --app {} [--strategy NAME] [options]", spec->name);
        program.summary = fmt::format("Runs {}, {}, on the GPU or the CPU.", spec->name, spec->summary);
        program.examples = fmt::format("  lockstep-execute {}\n", spec->example);
        return program;
    }
    program.summary += fmt::format(" The applications are {}; --app NAME --help shows the options of one.",
                                   fmt::join(application_names(), ", "));
    std::string summaries = "Applications:\n";
    for (const Spec* one : specs()) summaries += fmt::format("  {:<10} {}\n", one->name, one->summary);
    program.notes = summaries + '\n' + program.notes;
    return program;
}

std::unique_ptr<Application> read_request(const cli::Values& values, const cli::Common& common,
                                          Request& request) {
    ExecuteOptions options;
    const Fields given = options.take(values);
    if (!options.file) throw cli::UsageError("a schedule file, or a graph file, is needed");
    const bool of_update = !given.is_given("app") && values.count("update");
    const Spec& spec = of_update ? find_spec("update") : *options.app;
    refuse_others(values, spec);
    request.file = *options.file;
    request.strategy = options.strategy;
    refuse_other_strategy(request.strategy, spec);
    cli::refuse_standard_input(request.file, "a schedule file");
    std::unique_ptr<Application> app = spec.make(spec);
    read_running(options.running, values, *app, request);
    read_reading(options, given, spec, request);
    // Other processes may run on hosts that do not have the output folder.
    if (ranks().first()) check_files(*app, request, options.running.force, common.json);
    return app;
}

}  // namespace lockstep
