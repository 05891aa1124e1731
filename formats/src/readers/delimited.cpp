// Delimited text, one edge a line: edge lists (SNAP, .el, .wel, .tsv, .csv), MovieLens, LIBMF.
#include <fmt/format.h>

#include "columns.hpp"

namespace lockstep::readers {
namespace {

bool is_comment(std::string_view text) { return text[0] == '#' || text[0] == '%'; }

/// What the comments of SNAP say: "# Directed graph …", "# Undirected graph …", "# Nodes: 5 Edges: 7".
struct Hints {
    bool square = false, undirected = false;
    void see(std::string_view comment) {
        const auto says = [&](std::string_view words) {
            return comment.find(words) != std::string_view::npos;
        };
        undirected |= says("Undirected graph");
        square |= undirected || says("Directed graph") || (says("Nodes:") && says("Edges:"));
    }
};

/// Delimiter by content, empty for runs of blanks. Where a tab and a space both occur and all fields
/// are numbers, both separate; otherwise the spaces belong to names.
std::string_view delimiter_of(std::string_view line) {
    for (const std::string_view candidate : {",", ";"}) {
        if (line.find(candidate) != std::string_view::npos) return candidate;
    }
    if (line.find('\t') == std::string_view::npos) return {};
    Fields fields;
    split_blanks(line, fields);
    for (std::size_t i = 0; i < std::min(fields.count, fields.at.size()); ++i) {
        if (!weight_of(fields.at[i])) return "\t";
    }
    return {};
}

Parsed read_delimited(const Job& job, const Dialect& dialect) {
    const ReadOptions& options = job.options;
    LineReader lines(job.input);
    std::string_view line;
    Hints hints;
    const auto next_content = [&] {
        while (lines.next(line)) {
            line = trimmed(line);
            if (line.empty()) continue;
            if (!is_comment(line)) return true;
            hints.see(line);
        }
        return false;
    };
    if (!next_content())
        lines.fail(
            fmt::format("the file holds nothing but comments; expected lines of {}", dialect.expected));

    const std::string delimiter = options.delimiter
                                      ? std::string(*options.delimiter != ' ', *options.delimiter)
                                  : !dialect.delimiter.empty() ? std::string(dialect.delimiter)
                                                               : std::string(delimiter_of(line));
    Fields fields;
    const auto split = [&] {
        delimiter.empty() ? split_blanks(line, fields) : split_at(line, delimiter, fields);
        if (line.find('"') != std::string_view::npos && !fields.overflow()) unquote(lines, fields);
    };
    split();
    const Columns columns = choose_columns(lines, fields, options, dialect);

    Parsed parsed;
    parsed.weighted = columns.value.has_value();
    parsed.shape =
        options.shape.value_or(hints.square && !dialect.ratings ? GraphShape::square : GraphShape::bipartite);
    parsed.undirected = hints.undirected && parsed.shape == GraphShape::square;
    NamedEdges edges(job.budget, parsed.shape, parsed.undirected || options.undirected);
    const auto take = [&] {
        const auto row = fields.at[columns.row], col = fields.at[columns.col];
        if (row.empty() || col.empty()) lines.fail("an id is empty");
        edges.add(row, col,
                  columns.value ? parse_weight(lines, fields.at[*columns.value], options.nonnegative) : 1.0F);
    };
    const auto integer_ids = [&] {
        return EdgeId{canonical_integer(fields.at[columns.row]).has_value()} +
               canonical_integer(fields.at[columns.col]).has_value();
    };
    const EdgeId first_line = lines.number();
    const std::string first_text(line.substr(0, 100));
    const bool first_words = integer_ids() == 0;
    if (!columns.header) take();
    bool second = !columns.header;
    while (next_content()) {
        split();
        if (fields.count != columns.count) {
            lines.fail(fmt::format("found {} column{}, expected {} as in line {}", fields.count,
                                   fields.count == 1 ? "" : "s", columns.count, first_line));
        }
        if (second && first_words && !options.header && integer_ids() == 2) {
            throw FormatError(
                job.input.name(), first_line,
                fmt::format("{} looks like a header above integer ids; say --header yes or --header no",
                            shown(first_text)));
        }
        second = false;
        take();
    }
    if (edges.size() == 0) lines.fail("the file holds a header, but no edge");
    auto indexed = edges.finish();
    parsed.edges = std::move(indexed.edges);
    parsed.row_ids = std::move(indexed.row_ids);
    parsed.col_ids = std::move(indexed.col_ids);
    parsed.lines = lines.number();
    return parsed;
}

}  // namespace

Parsed read_edge_list(const Job& job) {
    return read_delimited(job, {.expected = "\"u v\" or \"u v weight\""});
}

Parsed read_movielens_data(const Job& job) {
    return read_delimited(job, {.expected = "\"user item rating timestamp\" with tabs between",
                                .delimiter = "\t",
                                .columns = 4,
                                .header = false,
                                .ratings = true});
}

Parsed read_movielens_dat(const Job& job) {
    return read_delimited(job, {.expected = "\"user::movie::rating::timestamp\"",
                                .delimiter = "::",
                                .columns = 4,
                                .header = false,
                                .ratings = true});
}

Parsed read_movielens_csv(const Job& job) {
    return read_delimited(job, {.expected = "\"userId,movieId,rating,timestamp\"",
                                .delimiter = ",",
                                .columns = 4,
                                .header = true,
                                .ratings = true});
}

Parsed read_libmf(const Job& job) {
    return read_delimited(
        job, {.expected = "\"user item rating\"", .columns = 3, .header = false, .ratings = true});
}

}  // namespace lockstep::readers
