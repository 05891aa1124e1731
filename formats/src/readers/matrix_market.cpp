// Reader of Matrix Market coordinate files (math.nist.gov/MatrixMarket/formats.html). A file has a header
// line, comments ('%'), a line "rows cols entries", and one entry per line. Rows and columns are numbered
// from 1.
#include <fmt/format.h>

#include "readers.hpp"
#include "words.hpp"

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
    split(lower, "", words);
    const std::string expected =
        "; expected \"%%MatrixMarket matrix coordinate real|integer|pattern general|symmetric\"";
    if (words.size() == 0 || words[0] != "%%matrixmarket") {
        lines.fail("the header line is missing" + expected +
                   ". If the file is a plain list of edges, read it with --format edge-list");
    }
    if (words.size() != 5) lines.fail(fmt::format("the header has {} words", words.size()) + expected);
    const auto refuse = [&](std::string_view word) {
        lines.fail(fmt::format("{} matrices are not read", word) + expected);
    };
    if (words[1] != "matrix") lines.fail(fmt::format("the object is {}", shown(words[1])) + expected);
    if (words[2] == "array") refuse("dense (\"array\")");
    if (words[2] != "coordinate") lines.fail(fmt::format("the layout is {}", shown(words[2])) + expected);
    MatrixHeader header{};
    if (words[3] == "real" || words[3] == "double")
        header.field = ValueField::real;
    else if (words[3] == "integer")
        header.field = ValueField::integer;
    else if (words[3] == "pattern")
        header.field = ValueField::pattern;
    else if (words[3] == "complex")
        refuse("complex");
    else
        lines.fail(fmt::format("the field is {}", shown(words[3])) + expected);
    if (words[4] == "symmetric")
        header.symmetric = true;
    else if (words[4] == "skew-symmetric" || words[4] == "hermitian")
        refuse(words[4]);
    else if (words[4] != "general")
        lines.fail(fmt::format("the symmetry is {}", shown(words[4])) + expected);
    return header;
}

}  // namespace

ParsedFile read_matrix_market(const Job& job) {
    LineReader lines(job.input);
    std::string_view line;
    Fields fields;
    const auto next_entry = [&] {
        if (!next_content(lines, "%", line, [](std::string_view) {})) return false;
        split(line, "", fields);
        return true;
    };
    if (!lines.next(line)) lines.fail("the file is empty");
    const MatrixHeader header = parse_matrix_header(lines, line);
    if (!next_entry()) lines.fail("the file ends before its size line; expected \"rows columns entries\"");
    if (fields.size() != 3)
        lines.fail(
            fmt::format("the size line has {} numbers; expected \"rows columns entries\"", fields.size()));
    const VertexId rows = parse_size(lines, fields[0], "number of rows");
    const VertexId cols = parse_size(lines, fields[1], "number of columns");
    const EdgeId entries = parse_count(lines, fields[2], "number of entries");
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
    EdgeList edges(job.budget, parsed.undirected || job.options.undirected);
    edges.expect(entries, job.input.size());
    while (next_entry()) {
        if (edges.size() == entries) {
            lines.fail(
                fmt::format("found another entry after the {} that the size line declares; correct that "
                            "number, or remove what does not belong here",
                            entries));
        }
        if (fields.size() != expected) {
            lines.fail(
                fmt::format("found {} columns, expected {}", fields.size(),
                            parsed.weighted ? "\"row column value\"" : "\"row column\" (a pattern matrix)"));
        }
        Triple edge{parse_declared(lines, fields[0], rows, "row"),
                    parse_declared(lines, fields[1], cols, "column"), 1};
        if (parsed.weighted) {
            if (header.field == ValueField::integer && !number<std::int64_t>(fields[2])) {
                lines.fail(
                    fmt::format("{} is not an integer, although the header declares integers; write \"real\" "
                                "for \"integer\" in the header, or correct the value",
                                shown(fields[2])));
            }
            edge.value = parse_weight(lines, fields[2], job.options.min_weight());
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
    parsed.row_ids = RangeIds{1, rows};
    parsed.col_ids = RangeIds{1, cols};
    parsed.lines = lines.number();
    return parsed;
}

}  // namespace lockstep::readers
