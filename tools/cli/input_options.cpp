#include "input_options.hpp"

#include "lockstep/formats/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

namespace lockstep::cli {
namespace po = boost::program_options;

namespace {

template <class T>
using Choices = std::initializer_list<std::pair<const char*, T>>;

/// Returns the value that a word of the command line selects.
template <class T>
T choose(const Values& values, const char* option, const Choices<T>& choices) {
    const auto& word = values[option].as<std::string>();
    return std::find_if(choices.begin(), choices.end(),
                        [&](const auto& choice) { return word == choice.first; })
        ->second;
}

std::optional<std::string> text(const Values& values, const char* option) {
    if (!values.count(option)) return std::nullopt;
    return values[option].as<std::string>();
}

/// Returns a delimiter of one or two bytes, so that a mistyped name is not taken for a delimiter. Quotes and
/// line breaks are not allowed.
std::string delimiter(const std::string& word) {
    for (const auto& [name, value] : Choices<const char*>{
             {"tab", "\t"}, {"\\t", "\t"}, {"comma", ","}, {"semicolon", ";"}, {"space", " "}}) {
        if (word == name) return value;
    }
    if (!word.empty() && word.size() <= 2 && word.find_first_of("\"\r\n") == word.npos) return word;
    throw UsageError(fmt::format(
        "--delimiter {}: expected one or two characters such as | or ::, or tab, comma, semicolon or space",
        word));
}

}  // namespace

void add_input_options(Options& options) {
    std::string formats;
    std::vector<std::string> names;
    for (const auto& [name, description] : graph_formats()) {
        formats.append("\n  ").append(name).append(": ").append(description);
        names.push_back(name);
    }
    const auto word = [](const char* name) { return po::value<std::string>()->value_name(name); };
    // clang-format off
    options.add_options()
        ("format", cli::word(names), ("format of the input (default: detected):" + formats).c_str())
        ("member", word("NAME"), "name of the file to read from an archive of several files (default: the only file that is recognised as a graph or ratings)")
        ("shape", cli::word({"auto", "bipartite", "square"})->default_value("auto"),
         "vertex sets of rows and columns; bipartite: two different sets; square: the same set; auto: as the format defines")
        ("ends", cli::word({"sides", "vertices"})->default_value("sides"),
         "whether rows and columns have separate states; sides: yes, a vertex of a square graph has one state as row and one as column; vertices: no, every vertex has one state (springs, layouts, meshes)")
        ("undirected", "enter every edge in both directions (square graphs)")
        ("repeats", cli::word({"keep", "first", "last", "sum", "mean", "refuse"})->default_value("keep"),
         "how to handle repeated (row, column) pairs")
        ("rows-column", word("COLUMN"),
         "delimited text: column of the row (user) IDs, by header name or number from 1")
        ("cols-column", word("COLUMN"), "delimited text: column of the column (item) IDs")
        ("value-column", word("COLUMN"), "delimited text: column of the weights, or none")
        ("time-column", word("COLUMN"), "delimited text: column of the times to keep, integers or ISO dates; auto = chosen by the header or the format (--test-latest splits by these times)")
        ("delimiter", word("CHAR"), "delimited text: one or two characters, tab, comma, semicolon, or space (any run of blanks)")
        ("header", cli::word({"yes", "no"})->value_name("YES|NO"), "delimited text: whether the first line contains column names")
        ("no-input-order", "do not store the order of the edges in the input: faster, with less memory and a smaller file")
        ("nonnegative", "refuse negative weights")
        ("memory", word("SIZE"), "maximum memory for reading, e.g. 8G (default: all memory of the machine); lockstep-preprocess: maximum memory of the whole program, which stores the rest in temporary files in TMPDIR or in the folder of the output");
    // clang-format on
}

void add_feedback_options(Options& options, std::uint32_t least_negatives) {
    // clang-format off
    options.add_options()
        ("feedback", cli::word({"explicit", "implicit"})->default_value("explicit"), "meaning of the edges; explicit: weights are ratings; implicit: an edge means that the user took the item (lockstep-train: see --solver), and sampled pairs represent all pairs without an edge")
        ("positive-from", cli::number<double>(-1e9, 1e9), "implicit: ignore edges with a smaller weight")
        ("negatives", cli::number<std::uint32_t>(least_negatives, 1000)->default_value(ImplicitFeedback().drawn), "implicit: number of sampled pairs per edge");
    // clang-format on
}

namespace {

std::optional<ImplicitFeedback> feedback_options(const Values& values) {
    if (!values.count("feedback")) return {};  // this program does not have the option
    if (values["feedback"].as<std::string>() == "explicit") {
        if (values.count("positive-from") || !values["negatives"].defaulted())
            throw UsageError("--positive-from and --negatives go with --feedback implicit");
        return {};
    }
    ImplicitFeedback feedback;
    feedback.drawn = values["negatives"].as<std::uint32_t>();
    if (values.count("positive-from"))
        feedback.least = static_cast<float>(values["positive-from"].as<double>());
    feedback.seed = values["seed"].as<std::uint64_t>();
    return feedback;
}

}  // namespace

std::vector<std::string> given_input_options(const Values& values) {
    Options all;
    add_input_options(all);
    std::vector<std::string> names;
    for (const auto& option : all.options()) {
        const std::string& name = option->long_name();
        if (values.count(name) && !values[name].defaulted()) names.push_back(name);
    }
    return names;
}

void refuse_input_options(const Values& values, const std::string& path,
                          std::initializer_list<std::string_view> allowed) {
    for (const std::string& name : given_input_options(values)) {
        if (std::ranges::count(allowed, name)) continue;
        throw UsageError(
            fmt::format("--{}: {} is a schedule file, whose graph was read before; give the "
                        "option where that file is made",
                        name, path));
    }
}

ReadOptions input_options(const Values& values) {
    ReadOptions options;
    options.format = text(values, "format");
    options.shape = choose<std::optional<GraphShape>>(
        values, "shape",
        {{"auto", std::nullopt}, {"bipartite", GraphShape::bipartite}, {"square", GraphShape::square}});
    options.ends = choose<Ends>(values, "ends", {{"sides", Ends::sides}, {"vertices", Ends::vertices}});
    if (options.ends == Ends::vertices) {
        if (options.shape == GraphShape::bipartite)
            throw UsageError("--ends vertices is for square graphs, not for --shape bipartite");
        options.shape = GraphShape::square;
    }
    options.undirected = values.count("undirected") > 0;
    if (options.undirected && options.shape == GraphShape::bipartite) {
        throw UsageError("--undirected is for square graphs, not for --shape bipartite");
    }
    options.repeats = choose<RepeatPolicy>(values, "repeats",
                                           {{"keep", RepeatPolicy::keep},
                                            {"first", RepeatPolicy::first},
                                            {"last", RepeatPolicy::last},
                                            {"sum", RepeatPolicy::sum},
                                            {"mean", RepeatPolicy::mean},
                                            {"refuse", RepeatPolicy::refuse}});
    options.member = text(values, "member");
    options.interruption = check_signal;
    options.row_column = text(values, "rows-column");
    options.col_column = text(values, "cols-column");
    options.value_column = text(values, "value-column");
    options.time_column = text(values, "time-column");
    if (const auto word = text(values, "delimiter")) options.delimiter = delimiter(*word);
    if (values.count("header"))
        options.header = choose<bool>(values, "header", {{"yes", true}, {"no", false}});
    options.input_order = values.count("no-input-order") == 0;
    options.nonnegative = values.count("nonnegative") > 0;
    options.feedback = feedback_options(values);
    const auto limit = text(values, "memory");
    options.memory_limit = limit ? size_of("memory", *limit) : physical_memory();
    return options;
}

}  // namespace lockstep::cli
