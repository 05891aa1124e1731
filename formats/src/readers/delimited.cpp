// Reader of delimited text with one edge per line: edge lists (SNAP, .el, .wel, .tsv, .csv), MovieLens and
// LIBMF.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "edge_scanner.hpp"
#include "named_edges.hpp"
#include "parallel.hpp"

namespace lockstep::readers {
namespace {

/// Properties that comments of SNAP files state, such as "# Directed graph …", "# Undirected graph …" or "#
/// Nodes: 5 Edges: 7".
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

/// The layout of the file, which is known when its first line was read.
struct Layout {
    Records records;
    Columns columns;
    EdgeId first_line;
    float least;
    std::string row_name, col_name;  // names of the columns of IDs in the header
};

/// Splits a line into fields. Throws FormatError unless it has as many fields as the first line.
void split_edge(const Lines& lines, std::string_view line, const Layout& layout, Fields& fields) {
    split_record(lines, line, layout.records, fields);
    if (fields.size() != layout.columns.count) {
        lines.fail(fmt::format(
            "found {} column{}, expected {} as in line {}; correct the line, or put fields that hold "
            "the delimiter in quotes",
            fields.size(), fields.size() == 1 ? "" : "s", layout.columns.count, layout.first_line));
    }
}

/// Adds the edge of a line to `edges`, which is one block or the whole list.
template <class Edges>
void take(const Lines& lines, const Fields& fields, const Layout& layout, Edges& edges) {
    const Columns& columns = layout.columns;
    const auto row = clean_id(lines, fields[columns.row]), col = clean_id(lines, fields[columns.col]);
    if (columns.header && row == layout.row_name && col == layout.col_name)
        lines.fail("the header occurs again; remove this line");
    if (layout.records.delimiter().empty() && !fields.quoted &&
        (has_decimal_comma(row) || has_decimal_comma(col))) {
        lines.fail(
            fmt::format("{} has a comma between its digits; write a decimal point, or use the same delimiter "
                        "everywhere as in line {}",
                        shown(has_decimal_comma(row) ? row : col), layout.first_line));
    }
    const float weight = columns.value ? parse_weight(lines, fields[*columns.value], layout.least) : 1.0F;
    if (!columns.time) return edges.add(row, col, weight);
    const std::int64_t time = parse_time(lines, fields[*columns.time]);
    edges.add(row, col, weight, &time);
}

/// Throws FormatError with line `number` if a comment may also be an edge, which is possible if the file has
/// a delimiter: "#rock,ann,5" may be an edge whose first ID starts with #.
void check_comment(const Job& job, EdgeId number, std::string_view comment, const Layout& layout,
                   Fields& fields) {
    const std::string& delimiter = layout.records.delimiter();
    if (delimiter.empty() || !layout.columns.value || comment.size() < 2 || is_blank(comment[1])) return;
    split(comment, delimiter, fields);
    if (fields.size() == layout.columns.count && weight_of(fields[*layout.columns.value]))
        throw FormatError(
            job.input.name(), number,
            fmt::format("{} may be a comment or an edge; remove the line, or put its first field in quotes",
                        shown(comment)));
}

/// Returns the expected number of lines of a plain file, assuming that all lines are as long as those among
/// the first bytes, plus 5 %.
double expected_lines(const Input& input) {
    const std::string_view head = input.head();
    return 1.05 * static_cast<double>(input.size()) *
           static_cast<double>(std::count(head.begin(), head.end(), '\n')) / static_cast<double>(head.size());
}

/// Parses blocks of text into blocks of edges; each thread has its own parser.
struct BlockParser {
    const Job& job;
    const Layout& layout;
    EdgeScanner scanner;
    EdgeBlockBuilder builder;
    Fields fields = {};

    EdgeBlock operator()(const TextBlock& block) {
        const bool timed = layout.columns.time.has_value();
        Lines lines(job.input.name(), block, &layout.records);
        const auto see = [&](std::string_view comment) {
            check_comment(job, lines.number(), comment, layout, fields);
        };
        std::string_view line;
        for (EdgeScanner::Edge edge;;) {
            if (const std::size_t size = scanner.scan(lines.rest(), edge)) {
                builder.add(edge.row, edge.col, edge.value, timed ? &edge.time : nullptr);
                lines.skip_line(size);
            } else if (next_content(lines, "#%", line, see)) {
                split_edge(lines, line, layout, fields);
                take(lines, fields, layout, builder);
            } else {
                return builder.finish();
            }
        }
    }
};

/// Reads the first record that is not a comment, and detects the delimiter. The record is complete even if
/// quoted fields contain line ends. Returns the splitter of records for this delimiter.
template <class See>
Records first_record(LineReader& lines, std::string_view& line, const Job& job, const Dialect& dialect,
                     See see) {
    if (!next_content(lines, "#%", line, see)) {
        lines.fail(fmt::format("the file contains only comments; expected lines of {}", dialect.expected));
    }
    if (job.options.delimiter) return Records(*job.options.delimiter == " " ? "" : *job.options.delimiter);
    if (!dialect.delimiter.empty()) return Records(std::string(dialect.delimiter));
    const Records any;
    lines.read_records(any);
    lines.next(line);
    return Records(delimiter_of(lines, line));
}

/// Returns whether the first line was probably a header: no other edge contains one of its two IDs, on either
/// side, although other edges have IDs in common.
bool first_ids_stand_out(const ParsedFile& all) {
    const auto [row, col, value] = all.edges.front();
    const bool square = all.shape == GraphShape::square;
    const EdgeId ids = square ? all.row_ids.size() : EdgeId{all.row_ids.size()} + all.col_ids.size();
    if (ids == 2 * all.edges.size()) return false;
    if (!square) {
        const auto is_other = [](std::optional<VertexId> found, VertexId own) {
            return found && *found != own;
        };
        if (is_other(all.col_ids.find(all.row_ids.name(row)), col) ||
            is_other(all.row_ids.find(all.col_ids.name(col)), row))
            return false;
    }
    bool others = false;
    for (const Triple& e : all.edges) {
        if (e.row == row && e.col == col) continue;
        others = true;
        if (e.row == row || e.col == col || (square && (e.row == col || e.col == row))) return false;
    }
    return others;
}

ParsedFile read_delimited(const Job& job, const Dialect& dialect) {
    const ReadOptions& options = job.options;
    LineReader lines(job.input);
    std::string_view line;
    Hints hints;
    // Comments before the first record. They are checked later, when the delimiter is known.
    std::vector<std::pair<EdgeId, std::string>> early;
    Layout layout;
    layout.records = first_record(lines, line, job, dialect, [&](std::string_view comment) {
        constexpr std::size_t remembered = 1000;
        hints.see(comment);
        if (early.size() < remembered) early.emplace_back(lines.number(), comment);
    });
    lines.read_records(layout.records);
    lines.next(line);

    layout.first_line = lines.number();
    layout.least = options.min_weight();
    Fields fields;
    split_record(lines, line, layout.records, fields);
    const Columns& columns = layout.columns = choose_columns(lines, fields, options, dialect);
    for (const std::size_t id : {columns.row, columns.col}) {
        if (!layout.records.delimiter().empty() || fields.quoted ||
            fields[id].find_first_not_of("-<>=:|") != std::string_view::npos)
            continue;
        lines.fail(fmt::format(
            "{} is not an id; expected {}, without arrows (--delimiter chooses another delimiter)",
            shown(fields[id]), dialect.expected));
    }
    if (columns.header) {
        layout.row_name = fields[columns.row];
        layout.col_name = fields[columns.col];
    }
    Fields other;
    for (const auto& [number, comment] : early) check_comment(job, number, comment, layout, other);
    const auto see = [&](std::string_view comment) {
        hints.see(comment);
        check_comment(job, lines.number(), comment, layout, other);
    };

    const GraphShape shape =
        options.shape.value_or(hints.square && !dialect.ratings ? GraphShape::square : GraphShape::bipartite);
    const bool undirected = hints.undirected && shape == GraphShape::square;
    NamedEdges edges(job.budget, shape, undirected || options.undirected);
    bool may_be_header = false;
    const std::string first_text(line.substr(0, 100));
    if (!columns.header) {
        // If the first line consists of words and the second line has integer IDs, the first line may be a
        // header.
        const auto integer_ids = [&] {
            return EdgeId{canonical_integer(fields[columns.row]).has_value()} +
                   canonical_integer(fields[columns.col]).has_value();
        };
        const bool first_words =
            integer_ids() == 0 && std::none_of(fields.begin(), fields.end(),
                                               [](auto field) { return weight_of(field).has_value(); });
        take(lines, fields, layout, edges);
        if (next_content(lines, "#%", line, see)) {
            split_edge(lines, line, layout, fields);
            may_be_header = first_words && !options.header;
            if (may_be_header && integer_ids() == 2) {
                throw FormatError(
                    job.input.name(), layout.first_line,
                    fmt::format("{} looks like a header above integer ids; give --header yes or --header no",
                                shown(first_text)));
            }
            take(lines, fields, layout, edges);
        }
    }
    edges.expect(expected_lines(job.input));
    run_pipeline<TextBlock>(
        [&](TextBlock& block) { return lines.next_block(block); },
        [&] {
            return BlockParser{
                job, layout, {columns, layout.records.delimiter(), layout.least}, edges.builder()};
        },
        [&](const EdgeBlock& block) { edges.append(block); });
    if (edges.size() == 0)
        lines.fail(
            fmt::format("the file contains a header, but no edges; expected lines of {} below the header",
                        dialect.expected));
    ParsedFile parsed = edges.finish();
    if (may_be_header && !options.ids_are_matched && first_ids_stand_out(parsed)) {
        throw FormatError(job.input.name(), layout.first_line,
                          fmt::format("{} may be a header or an edge: other lines share ids with each other, "
                                      "but not with this line; give --header yes or --header no",
                                      shown(first_text)));
    }
    parsed.weighted = columns.value.has_value();
    parsed.undirected = undirected;
    parsed.lines = lines.number();
    parsed.note = columns.note;
    return parsed;
}

}  // namespace

ParsedFile read_edge_list(const Job& job) {
    return read_delimited(job, {.expected = "\"u v\" or \"u v weight\""});
}

ParsedFile read_movielens_data(const Job& job) {
    return read_delimited(job, {.expected = "\"user item rating timestamp\" with tabs between",
                                .delimiter = "\t",
                                .columns = 4,
                                .header = false,
                                .ratings = true});
}

ParsedFile read_movielens_dat(const Job& job) {
    return read_delimited(job, {.expected = "\"user::movie::rating::timestamp\"",
                                .delimiter = "::",
                                .columns = 4,
                                .header = false,
                                .ratings = true});
}

ParsedFile read_movielens_csv(const Job& job) {
    return read_delimited(job, {.expected = "\"userId,movieId,rating,timestamp\"",
                                .delimiter = ",",
                                .columns = 4,
                                .header = true,
                                .ratings = true});
}

ParsedFile read_libmf(const Job& job) {
    return read_delimited(
        job, {.expected = "\"user item rating\"", .columns = 3, .header = false, .ratings = true});
}

}  // namespace lockstep::readers
