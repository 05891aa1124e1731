// Reader of the ratings of the Netflix Prize: a line "movie:" is followed by one line "user,rating[,date]"
// for each of its ratings. Users are rows, movies are columns.
#include <fmt/format.h>

#include "named_edges.hpp"
#include "readers.hpp"
#include "text.hpp"

namespace lockstep::readers {

ParsedFile read_netflix(const Job& job) {
    LineReader lines(job.input);
    std::string_view line;
    Fields fields;
    std::string movie;
    const GraphShape shape = job.options.shape.value_or(GraphShape::bipartite);
    NamedEdges edges(job.budget, shape, job.options.undirected);
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
        split_at(line, ",", fields);
        if (fields.count < 2 || fields.count > 3 || fields.at[0].empty()) {
            lines.fail(fmt::format("found {}, expected \"user,rating,date\" or \"movie:\"", shown(line)));
        }
        edges.add(clean_id(lines, fields.at[0]), std::string_view(movie),
                  parse_weight(lines, fields.at[1], job.options.min_weight()));
    }
    if (edges.size() == 0) lines.fail("the file contains no ratings; expected \"user,rating,date\" lines");
    auto [triples, row_ids, col_ids, no_times] = edges.finish();
    return {std::move(triples), std::move(row_ids), std::move(col_ids), shape, false, true, lines.number()};
}

}  // namespace lockstep::readers
