// Delimited text, one edge a line: edge lists (SNAP, .el, .wel, .tsv, .csv), MovieLens, LIBMF.
#include <fmt/format.h>

#include <algorithm>

#include "fast_line.hpp"
#include "named_edges.hpp"
#include "parallel.hpp"

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

/// What is known of the file once its first line has been seen.
struct Layout {
    std::string delimiter;  // empty: runs of blanks
    Columns columns;
    EdgeId first_line;
    bool nonnegative;
};

void split(const Lines& lines, std::string_view line, const std::string& delimiter, Fields& fields) {
    delimiter.empty() ? split_blanks(line, fields) : split_at(line, delimiter, fields);
    if (line.find('"') != std::string_view::npos && !fields.overflow()) unquote(lines, fields);
}

/// split, with as many fields as the first line has.
void split_edge(const Lines& lines, std::string_view line, const Layout& layout, Fields& fields) {
    split(lines, line, layout.delimiter, fields);
    if (fields.count != layout.columns.count) {
        lines.fail(fmt::format("found {} column{}, expected {} as in line {}", fields.count,
                               fields.count == 1 ? "" : "s", layout.columns.count, layout.first_line));
    }
}

/// Adds the edge of a line to a block or to all edges.
template <class Edges>
void take(const Lines& lines, const Fields& fields, const Layout& layout, Edges& edges) {
    const Columns& columns = layout.columns;
    const auto row = fields.at[columns.row], col = fields.at[columns.col];
    if (row.empty() || col.empty()) lines.fail("an id is empty");
    edges.add(row, col,
              columns.value ? parse_weight(lines, fields.at[*columns.value], layout.nonnegative) : 1.0F);
}

/// The next line that is neither blank nor a comment, which `see` gets.
template <class Reader, class See>
bool next_content(Reader& lines, std::string_view& line, See see) {
    while (lines.next(line)) {
        line = trimmed(line);
        if (line.empty()) continue;
        if (!is_comment(line)) return true;
        see(line);
    }
    return false;
}

/// Lines of a plain file if all are as long as those of its head; a little more.
double expected_lines(const Input& input) {
    const std::string_view head = input.head();
    return 1.05 * static_cast<double>(input.size()) *
           static_cast<double>(std::count(head.begin(), head.end(), '\n')) / static_cast<double>(head.size());
}

/// Makes the edges of a block of text.
class BlockParser {
public:
    BlockParser(const Job& job, const Layout& layout, NamedEdges& edges)
        : name_(job.input.name()),
          layout_(layout),
          fast_(layout.columns, layout.delimiter, layout.nonnegative),
          builder_(edges.builder()) {}

    EdgeBlock operator()(const TextBlock& block) {
        Lines lines(name_, block);
        for (FastLine::Edge edge;;) {
            if (const std::size_t size = fast_.scan(lines.rest(), edge)) {
                builder_.add(edge.row, edge.col, edge.value);
                lines.skip_line(size);
            } else if (!take_next(lines)) {
                return builder_.finish();
            }
        }
    }

private:
    bool take_next(Lines& lines) {
        std::string_view line;
        if (!next_content(lines, line, [](std::string_view) {})) return false;
        split_edge(lines, line, layout_, fields_);
        take(lines, fields_, layout_, builder_);
        return true;
    }

    const std::string& name_;
    const Layout& layout_;
    FastLine fast_;
    Fields fields_;
    EdgeBlockBuilder builder_;
};

Parsed read_delimited(const Job& job, const Dialect& dialect) {
    const ReadOptions& options = job.options;
    LineReader lines(job.input);
    std::string_view line;
    Hints hints;
    const auto see = [&](std::string_view comment) { hints.see(comment); };
    if (!next_content(lines, line, see))
        lines.fail(
            fmt::format("the file holds nothing but comments; expected lines of {}", dialect.expected));

    Layout layout;
    layout.first_line = lines.number();
    layout.nonnegative = options.nonnegative;
    layout.delimiter = options.delimiter ? std::string(*options.delimiter != ' ', *options.delimiter)
                       : !dialect.delimiter.empty() ? std::string(dialect.delimiter)
                                                    : std::string(delimiter_of(line));
    Fields fields;
    split(lines, line, layout.delimiter, fields);
    const Columns& columns = layout.columns = choose_columns(lines, fields, options, dialect);

    Parsed parsed;
    parsed.weighted = columns.value.has_value();
    parsed.shape =
        options.shape.value_or(hints.square && !dialect.ratings ? GraphShape::square : GraphShape::bipartite);
    parsed.undirected = hints.undirected && parsed.shape == GraphShape::square;
    NamedEdges edges(job.budget, parsed.shape, parsed.undirected || options.undirected);
    if (!columns.header) {
        // A first line of words and a second one of integers: the first one may be a header after all.
        const auto integer_ids = [&] {
            return EdgeId{canonical_integer(fields.at[columns.row]).has_value()} +
                   canonical_integer(fields.at[columns.col]).has_value();
        };
        const std::string first_text(line.substr(0, 100));
        const bool first_words = integer_ids() == 0;
        take(lines, fields, layout, edges);
        if (next_content(lines, line, see)) {
            split_edge(lines, line, layout, fields);
            if (first_words && !options.header && integer_ids() == 2) {
                throw FormatError(
                    job.input.name(), layout.first_line,
                    fmt::format("{} looks like a header above integer ids; say --header yes or --header no",
                                shown(first_text)));
            }
            take(lines, fields, layout, edges);
        }
    }
    edges.expect(expected_lines(job.input));
    run_pipeline<TextBlock>([&](TextBlock& block) { return lines.next_block(block); },
                            [&] { return BlockParser(job, layout, edges); },
                            [&](const EdgeBlock& block) { edges.append(block); });
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
