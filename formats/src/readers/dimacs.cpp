// Reader of DIMACS graphs. A file has comments ('c'), one problem line "p sp|tw|edge|col vertices edges", and
// one line per edge: "a u v w" (an arc), "e u v", or "u v [w]" without a letter. Vertices are numbered from
// 1. Graphs of problem "sp" are directed; the others contain every undirected edge once.
#include <fmt/format.h>

#include "readers.hpp"
#include "text.hpp"

namespace lockstep::readers {
namespace {

constexpr const char* expected_problem = "expected \"p sp|tw|edge|col VERTICES EDGES\"";

struct Problem {
    VertexId vertices;
    EdgeId edges;
    bool directed;
};

Problem parse_problem(const Lines& lines, const Fields& words) {
    if (words.count != 4)
        lines.fail(fmt::format("the problem line has {} words; {}", words.count, expected_problem));
    const auto kind = words.at[1];
    if (kind != "sp" && kind != "tw" && kind != "edge" && kind != "col") {
        lines.fail(fmt::format("the problem is {}; {}", shown(kind), expected_problem));
    }
    return {parse_size(lines, words.at[2], "number of vertices"),
            parse_count(lines, words.at[3], "number of edges"), kind == "sp"};
}

}  // namespace

ParsedFile read_dimacs(const Job& job) {
    LineReader lines(job.input);
    std::string_view line;
    Fields fields;
    const auto next_content = [&] {
        while (lines.next(line)) {
            split_blanks(line, fields);
            if (fields.count > 0 && fields.at[0] != "c") return true;
        }
        return false;
    };
    if (!next_content())
        lines.fail(fmt::format("the file ends before its problem line; {}", expected_problem));
    if (fields.at[0] != "p")
        lines.fail(fmt::format("found {} before the problem line; {}", shown(line), expected_problem));
    const Problem problem = parse_problem(lines, fields);
    job.budget.charge(2 * MemoryBudget::vertex_bytes * problem.vertices);
    job.budget.require(MemoryBudget::edge_bytes(!problem.directed) * static_cast<double>(problem.edges));

    ParsedFile parsed;
    parsed.shape = GraphShape::square;
    parsed.undirected = !problem.directed;
    DeclaredEdges edges(job.budget, parsed.undirected || job.options.undirected);
    char letter = 0;          // letter at the beginning of every edge line; 0: none
    std::size_t columns = 0;  // number of fields of an edge line after the letter, as in the first edge line
    while (next_content()) {
        if (fields.overflow()) lines.fail(fmt::format("found {} columns, expected an edge", fields.count));
        const bool lettered = fields.at[0] == "a" || fields.at[0] == "e";
        const std::size_t first = lettered ? 1 : 0, found = fields.count - first;
        const char own_letter = lettered ? fields.at[0][0] : '\0';
        if (edges.size() == 0) {
            letter = own_letter;
            columns = found;
            parsed.weighted = found == 3;
            if (found != 2 && found != 3)
                lines.fail(fmt::format("found {}, expected an edge: \"a u v w\", \"e u v\" or \"u v [w]\"",
                                       shown(line)));
        } else if (found != columns || own_letter != letter) {
            lines.fail(fmt::format("found {}, expected an edge like the first one: \"{}u v{}\"", shown(line),
                                   letter ? std::string{letter, ' '} : "", parsed.weighted ? " w" : ""));
        }
        if (edges.size() == problem.edges) {
            lines.fail(
                fmt::format("found another edge after the {} that the problem line declares; correct that "
                            "number, or remove what does not belong here",
                            problem.edges));
        }
        edges.push(
            {parse_declared(lines, fields.at[first], problem.vertices, "vertex"),
             parse_declared(lines, fields.at[first + 1], problem.vertices, "vertex"),
             parsed.weighted ? parse_weight(lines, fields.at[first + 2], job.options.min_weight()) : 1.0F});
    }
    if (edges.size() != problem.edges) {
        lines.fail(
            fmt::format("the file ends after {} edges, but its problem line declares {}; get the whole file, "
                        "or correct that number",
                        edges.size(), problem.edges));
    }
    parsed.edges = edges.take();
    parsed.row_ids = parsed.col_ids = make_declared_ids(problem.vertices);
    parsed.lines = lines.number();
    return parsed;
}

}  // namespace lockstep::readers
