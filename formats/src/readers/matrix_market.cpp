// Reader of Matrix Market coordinate files (math.nist.gov/MatrixMarket/formats.html). A file has a header
// line, comments ('%'), a line "rows cols entries", and one entry per line. Rows and columns are numbered
// from 1.
#include <fmt/format.h>

#include "readers.hpp"
#include "text.hpp"

namespace lockstep::readers {
namespace {

enum class ValueField { pattern, integer, real };

struct MatrixHeader {
    ValueField field;
    bool symmetric;
};

MatrixHeader parse_matrix_header(const Lines& lines, std::string_view line) {
    const std::string lower = lower_case(line);
    Fields words;
    split_blanks(lower, words);
    const std::string expected =
        "; expected \"%%MatrixMarket matrix coordinate real|integer|pattern general|symmetric\"";
    if (words.count == 0 || words.at[0] != "%%matrixmarket") {
        lines.fail("the header line is missing" + expected +
                   ". If the file is a plain list of edges, read it with --format edge-list");
    }
    if (words.count != 5) lines.fail(fmt::format("the header has {} words", words.count) + expected);
    const auto refuse = [&](std::string_view word) {
        lines.fail(fmt::format("{} matrices are not read", word) + expected);
    };
    if (words.at[1] != "matrix") lines.fail(fmt::format("the object is {}", shown(words.at[1])) + expected);
    if (words.at[2] == "array") refuse("dense (\"array\")");
    if (words.at[2] != "coordinate")
        lines.fail(fmt::format("the layout is {}", shown(words.at[2])) + expected);
    MatrixHeader header{};
    if (words.at[3] == "real" || words.at[3] == "double")
        header.field = ValueField::real;
    else if (words.at[3] == "integer")
        header.field = ValueField::integer;
    else if (words.at[3] == "pattern")
        header.field = ValueField::pattern;
    else if (words.at[3] == "complex")
        refuse("complex");
    else
        lines.fail(fmt::format("the field is {}", shown(words.at[3])) + expected);
    if (words.at[4] == "symmetric")
        header.symmetric = true;
    else if (words.at[4] == "skew-symmetric" || words.at[4] == "hermitian")
        refuse(words.at[4]);
    else if (words.at[4] != "general")
        lines.fail(fmt::format("the symmetry is {}", shown(words.at[4])) + expected);
    return header;
}

bool next_content(LineReader& lines, std::string_view& line) {
    while (lines.next(line)) {
        const auto text = trim(line);
        if (!text.empty() && text[0] != '%') return true;
    }
    return false;
}

}  // namespace

ParsedFile read_matrix_market(const Job& job) {
    LineReader lines(job.input);
    std::string_view line;
    if (!lines.next(line)) lines.fail("the file is empty");
    const MatrixHeader header = parse_matrix_header(lines, line);
    if (!next_content(lines, line))
        lines.fail("the file ends before its size line; expected \"rows columns entries\"");

    Fields fields;
    split_blanks(line, fields);
    if (fields.count != 3)
        lines.fail(
            fmt::format("the size line has {} numbers; expected \"rows columns entries\"", fields.count));
    const VertexId rows = parse_size(lines, fields.at[0], "number of rows");
    const VertexId cols = parse_size(lines, fields.at[1], "number of columns");
    const EdgeId entries = parse_count(lines, fields.at[2], "number of entries");
    if (header.symmetric && rows != cols) {
        lines.fail(
            fmt::format("a matrix of {} x {} cannot be symmetric; write \"general\" for \"symmetric\", or "
                        "correct the size",
                        rows, cols));
    }
    job.budget.charge(MemoryBudget::vertex_bytes * (static_cast<double>(rows) + cols));
    job.budget.require(MemoryBudget::edge_bytes(header.symmetric) * static_cast<double>(entries));

    ParsedFile parsed;
    parsed.weighted = header.field != ValueField::pattern;
    parsed.undirected = header.symmetric;
    parsed.shape = rows == cols ? GraphShape::square : GraphShape::bipartite;
    const std::size_t expected = parsed.weighted ? 3 : 2;
    DeclaredEdges edges(job.budget, parsed.undirected || job.options.undirected);
    while (next_content(lines, line)) {
        if (edges.size() == entries) {
            lines.fail(
                fmt::format("found another entry after the {} that the size line declares; correct that "
                            "number, or remove what does not belong here",
                            entries));
        }
        split_blanks(line, fields);
        if (fields.count != expected) {
            lines.fail(
                fmt::format("found {} columns, expected {}", fields.count,
                            parsed.weighted ? "\"row column value\"" : "\"row column\" (a pattern matrix)"));
        }
        Triple edge{parse_declared(lines, fields.at[0], rows, "row"),
                    parse_declared(lines, fields.at[1], cols, "column"), 1};
        if (parsed.weighted) {
            if (header.field == ValueField::integer && !number<std::int64_t>(fields.at[2])) {
                lines.fail(
                    fmt::format("{} is not an integer, although the header declares integers; write \"real\" "
                                "for \"integer\" in the header, or correct the value",
                                shown(fields.at[2])));
            }
            edge.value = parse_weight(lines, fields.at[2], job.options.min_weight());
        }
        edges.push(edge);
    }
    if (edges.size() != entries) {
        lines.fail(
            fmt::format("the file ends after {} entries, but its size line declares {}; get the whole file, "
                        "or correct that number",
                        edges.size(), entries));
    }
    parsed.edges = edges.take();
    parsed.row_ids = make_declared_ids(rows);
    parsed.col_ids = make_declared_ids(cols);
    parsed.lines = lines.number();
    return parsed;
}

}  // namespace lockstep::readers
