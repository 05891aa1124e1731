// Reader of the ratings of the Netflix Prize: a line "movie:" is followed by one line "user,rating[,date]"
// for each of its ratings. Users are rows, movies are columns.
#include <fmt/format.h>

#include "named_edges.hpp"
#include "readers.hpp"
#include "words.hpp"

namespace lockstep::readers {

ParsedFile read_netflix(const Job& job) {
    LineReader lines(job.input);
    std::string_view line;
    Fields fields;
    std::string movie;
    NamedEdges edges(job.budget, job.options.shape.value_or(GraphShape::bipartite), job.options.undirected);
    while (lines.next(line)) {
        line = trim(line);
        if (line.empty()) continue;
        if (line.ends_with(':')) {
            movie = trim(line.substr(0, line.size() - 1));
            if (movie.empty() || movie.find(',') != std::string::npos)
                lines.fail(fmt::format("found {}, expected \"movie:\"", shown(line)));
            clean_id(lines, movie);
            continue;
        }
        if (movie.empty())
            lines.fail(fmt::format(
                "found {} before the first \"movie:\" line; expected a \"movie:\" line first", shown(line)));
        split(line, ",", fields);
        if (fields.size() < 2 || fields.size() > 3 || fields[0].empty()) {
            lines.fail(fmt::format("found {}, expected \"user,rating,date\" or \"movie:\"", shown(line)));
        }
        edges.add(clean_id(lines, fields[0]), std::string_view(movie),
                  parse_weight(lines, fields[1], job.options.min_weight()));
    }
    if (edges.size() == 0) lines.fail("the file contains no ratings; expected \"user,rating,date\" lines");
    ParsedFile parsed = edges.finish();
    parsed.weighted = true;
    parsed.lines = lines.number();
    return parsed;
}

}  // namespace lockstep::readers
