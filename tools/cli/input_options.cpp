#include "input_options.hpp"

#include "lockstep/formats/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lockstep::cli {

namespace {

/// Returns a delimiter of one or two bytes, so that a mistyped name is not taken for a delimiter. Quotes and
/// line breaks are not allowed.
std::string delimiter(const std::string& word) {
    using Name = std::pair<const char*, const char*>;
    for (const auto& [name, value] :
         {Name{"tab", "\t"}, {"\\t", "\t"}, {"comma", ","}, {"semicolon", ";"}, {"space", " "}}) {
        if (word == name) return value;
    }
    if (!word.empty() && word.size() <= 2 && word.find_first_of("\"\r\n") == word.npos) return word;
    throw UsageError(fmt::format(
        "--delimiter {}: expected one or two characters such as | or ::, or tab, comma, semicolon or space",
        word));
}

}  // namespace

void InputOptions::list(Fields& fields) {
    std::string formats;
    std::vector<std::string> names;
    for (const auto& [name, description] : graph_formats()) {
        formats.append("\n  ").append(name).append(": ").append(description);
        names.push_back(name);
    }
    fields.begin_section("Reading the input");
    fields.word("format", read_.format, names, "format of the input (default: detected):" + formats);
    fields.text("member", read_.member, "NAME",
                "name of the file to read from an archive of several files (default: the only file that is "
                "recognised as a graph or ratings)");
    fields.word(
        "shape", read_.shape,
        {{"auto", std::nullopt}, {"bipartite", GraphShape::bipartite}, {"square", GraphShape::square}},
        "vertex sets of rows and columns; bipartite: two different sets; square: the same set; auto: "
        "as the format defines");
    fields.word(
        "ends", read_.ends, {{"sides", Ends::sides}, {"vertices", Ends::vertices}},
        "whether rows and columns have separate states; sides: yes, a vertex of a square graph has one "
        "state as row and one as column; vertices: no, every vertex has one state (springs, layouts, "
        "meshes)");
    fields.flag("undirected", read_.undirected, "enter every edge in both directions (square graphs)");
    fields.word("repeats", read_.repeats,
                {{"keep", RepeatPolicy::keep},
                 {"first", RepeatPolicy::first},
                 {"last", RepeatPolicy::last},
                 {"sum", RepeatPolicy::sum},
                 {"mean", RepeatPolicy::mean},
                 {"refuse", RepeatPolicy::refuse}},
                "how to handle repeated (row, column) pairs");
    fields.text("rows-column", read_.row_column, "COLUMN",
                "delimited text: column of the row (user) IDs, by header name or number from 1");
    fields.text("cols-column", read_.col_column, "COLUMN", "delimited text: column of the column (item) IDs");
    fields.text("value-column", read_.value_column, "COLUMN",
                "delimited text: column of the weights, or none");
    fields.text("time-column", read_.time_column, "COLUMN",
                "delimited text: column of the times to keep, integers or ISO dates; auto = chosen by the "
                "header or the format (--test-latest splits by these times)");
    fields.text("delimiter", read_.delimiter, "CHAR",
                "delimited text: one or two characters, tab, comma, semicolon, or space (any run of blanks)");
    fields
        .word("header", read_.header, {{"yes", true}, {"no", false}},
              "delimited text: whether the first line contains column names")
        .with_unit("YES|NO");
    fields.flag("no-input-order", no_input_order_,
                "do not store the order of the edges in the input: faster, with less memory and a smaller "
                "file");
    fields.flag("nonnegative", read_.nonnegative, "refuse negative weights");
    fields.text("memory", memory, "SIZE",
                "maximum memory for reading, e.g. 8G (default: all memory of the machine); "
                "lockstep-preprocess: maximum memory of the whole program, which stores the rest in "
                "temporary files in TMPDIR or in the folder of the output");
}

void InputOptions::list_feedback(Fields& fields, std::uint32_t min_negatives) {
    fields.word("feedback", is_implicit, {{"explicit", false}, {"implicit", true}},
                "meaning of the edges; explicit: weights are ratings; implicit: an edge means that the user "
                "took the item (lockstep-train: see --solver), and sampled pairs represent all pairs without "
                "an edge");
    fields.number("positive-from", positive_from_, -1e9, 1e9, "implicit: ignore edges with a smaller weight");
    fields.number("negatives", negatives_, min_negatives, 1000, "implicit: number of sampled pairs per edge")
        .with_default(std::to_string(ImplicitFeedback().drawn));
}

ReadOptions InputOptions::reading(std::uint64_t seed) const {
    ReadOptions read = read_;
    if (read.ends == Ends::vertices) {
        if (read.shape == GraphShape::bipartite)
            throw UsageError("--ends vertices requires a square graph, not --shape bipartite");
        read.shape = GraphShape::square;
    }
    if (read.undirected && read.shape == GraphShape::bipartite)
        throw UsageError("--undirected requires a square graph, not --shape bipartite");
    read.interruption = check_signal;
    if (read.delimiter) read.delimiter = delimiter(*read.delimiter);
    read.input_order = !no_input_order_;
    if (!is_implicit && (positive_from_ || negatives_))
        throw UsageError("--positive-from and --negatives require --feedback implicit");
    if (is_implicit) {
        ImplicitFeedback& feedback = read.feedback.emplace();
        feedback.drawn = negatives_.value_or(feedback.drawn);
        if (positive_from_) feedback.least = static_cast<float>(*positive_from_);
        feedback.seed = seed;
    }
    read.memory_limit = memory ? size_of("memory", *memory) : physical_memory();
    return read;
}

std::vector<const Field*> given_input_options(const Fields& given) {
    Fields all;
    InputOptions options;
    options.list(all);
    std::vector<const Field*> found;
    for (const Field& option : all) {
        const auto same =
            std::ranges::find_if(given, [&](const Field& f) { return f.is_given && f.name == option.name; });
        if (same != given.end()) found.push_back(&*same);
    }
    return found;
}

void refuse_input_options(const Fields& given, const std::string& path,
                          std::initializer_list<std::string_view> allowed) {
    for (const Field* f : given_input_options(given)) {
        if (std::ranges::count(allowed, f->name)) continue;
        throw UsageError(
            fmt::format("--{}: {} is a schedule file, which contains the graph as it was read; give the "
                        "option to the program that builds the file",
                        f->name, path));
    }
}

}  // namespace lockstep::cli
