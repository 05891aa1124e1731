// Reader of DIMACS graphs. A file has comments ('c'), one problem line "p sp|tw|edge|col vertices edges", and
// one line per edge: "a u v w" (an arc), "e u v", or "u v [w]" without a letter. Vertices are numbered from
// 1. Graphs of problem "sp" are directed; the others contain every undirected edge once.
#include <fmt/format.h>

#include "readers.hpp"
#include "words.hpp"

namespace lockstep::readers {
namespace {

constexpr const char* expected_problem = "expected \"p sp|tw|edge|col VERTICES EDGES\"";

struct Problem {
    VertexId vertices;
    EdgeId edges;
    bool directed;
};

Problem parse_problem(const Lines& lines, const Fields& words) {
    if (words.size() != 4)
        lines.fail(fmt::format("the problem line has {} words; {}", words.size(), expected_problem));
    const auto kind = words[1];
    if (kind != "sp" && kind != "tw" && kind != "edge" && kind != "col") {
        lines.fail(fmt::format("the problem is {}; {}", shown(kind), expected_problem));
    }
    return {parse_size(lines, words[2], "number of vertices"),
            parse_count(lines, words[3], "number of edges"), kind == "sp"};
}

}  // namespace

ParsedFile read_dimacs(const Job& job) {
    LineReader lines(job.input);
    std::string_view line;
    Fields fields;
    const auto next_words = [&] {
        while (lines.next(line)) {
            split(line, "", fields);
            if (!fields.empty() && fields[0] != "c") return true;
        }
        return false;
    };
    if (!next_words()) lines.fail(fmt::format("the file ends before its problem line; {}", expected_problem));
    if (fields[0] != "p")
        lines.fail(fmt::format("found {} before the problem line; {}", shown(line), expected_problem));
    const Problem problem = parse_problem(lines, fields);
    job.budget.charge(2 * MemoryBudget::vertex_bytes * problem.vertices);
    job.budget.require(MemoryBudget::edge_bytes(!problem.directed) * static_cast<double>(problem.edges));

    EdgeList edges(job.budget, !problem.directed || job.options.undirected);
    edges.expect(problem.edges, job.input.size());
    bool weighted = false;
    char letter = 0;          // letter at the beginning of every edge line; 0: none
    std::size_t columns = 0;  // number of fields of an edge line after the letter, as in the first edge line
    while (next_words()) {
        constexpr std::size_t most = 32;
        if (fields.size() > most)
            lines.fail(fmt::format("found {} columns, expected an edge", fields.size()));
        const bool lettered = fields[0] == "a" || fields[0] == "e";
        const std::size_t first = lettered ? 1 : 0, found = fields.size() - first;
        const char own_letter = lettered ? fields[0][0] : '\0';
        if (edges.size() == 0) {
            letter = own_letter;
            columns = found;
            weighted = found == 3;
            if (found != 2 && found != 3)
                lines.fail(fmt::format("found {}, expected an edge: \"a u v w\", \"e u v\" or \"u v [w]\"",
                                       shown(line)));
        } else if (found != columns || own_letter != letter) {
            lines.fail(fmt::format("found {}, expected an edge like the first one: \"{}u v{}\"", shown(line),
                                   letter ? std::string{letter, ' '} : "", weighted ? " w" : ""));
        }
        if (edges.size() == problem.edges) {
            lines.fail(
                fmt::format("found another edge after the {} that the problem line declares; correct that "
                            "number, or remove what does not belong here",
                            problem.edges));
        }
        edges.push({parse_declared(lines, fields[first], problem.vertices, "vertex"),
                    parse_declared(lines, fields[first + 1], problem.vertices, "vertex"),
                    weighted ? parse_weight(lines, fields[first + 2], job.options.min_weight()) : 1.0F});
    }
    if (edges.size() != problem.edges) {
        lines.fail(
            fmt::format("the file ends after {} edges, but its problem line declares {}; get the whole file, "
                        "or correct that number",
                        edges.size(), problem.edges));
    }
    ParsedFile parsed = square_graph(edges.take(), {1, problem.vertices}, lines.number());
    parsed.undirected = !problem.directed;
    parsed.weighted = weighted;
    return parsed;
}

}  // namespace lockstep::readers
